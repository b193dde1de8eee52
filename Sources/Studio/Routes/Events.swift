internal import Basics
internal import FoundationEssentials
internal import Languages
internal import Synchronization
internal import Workflows

/// The event streams of all pages. The folders are watched while at least one page listens.
final class EventBroadcast: Sendable {
  private struct Change: Encodable {
    var folder: Int
    var assets: [String]
    var all: Bool
  }

  private struct State {
    var streams: [EventStream] = []
    var watches: [Task<Void, Never>] = []
    var isEnded = false
  }

  /// The maximum number of streams. This exceeds the number of windows, because the server may not notice a closed page
  /// for up to half a minute.
  private static let limit = 64
  /// The maximum number of folders that have their own watch. Each such watch uses a thread and reports which assets
  /// changed.
  private static let watched = 64
  /// The maximum number of assets that an event names.
  private static let named = 1000

  /// The name of this server; a restarted server has another name.
  private let server = String(Secret().text.prefix(8))
  private let folders: ServedFolders
  private let names: AssetNames
  private let views: AssetViews
  private let state = Mutex(State())

  /// - Parameters:
  ///   - folders: The served folders.
  ///   - names: The names of the folders' assets.
  ///   - views: The lists of assets, which become outdated with each change.
  init(_ folders: ServedFolders, _ names: AssetNames, _ views: AssetViews) {
    (self.folders, self.names, self.views) = (folders, names, views)
  }

  /// Adds a stream, and sends a greeting on the stream as soon as no change can be missed.
  ///
  /// - Parameters:
  ///   - mode: The server's mode, which the greeting states.
  ///   - speaker: The speaker that translates the messages in the events.
  func add(mode: String, _ speaker: Speaker) -> EventStream {
    let stream = EventStream(speaker)
    let mustWatch = state.withLock { state in
      state.streams.removeAll(where: \.isEnded)
      if state.streams.count >= Self.limit { state.streams.removeFirst().end() }
      state.streams.append(stream)
      if state.isEnded { stream.end() }
      return state.watches.isEmpty && !state.isEnded
    }
    let hello = "{\"mode\":\"\(mode)\",\"schema\":1,\"server\":\"\(server)\"}"
    if mustWatch {
      watch { stream.send("hello", hello) }
    } else {
      stream.send("hello", hello)
    }
    return stream
  }

  /// Sends an event to all pages.
  func tell(_ name: String, _ data: some Encodable) {
    let streams = state.withLock { $0.streams }
    for (_, streams) in Dictionary(grouping: streams, by: \.speaker.language) {
      guard let json = streams.first.flatMap({ Voice($0.speaker).encoded(data)?.json }) else { continue }
      for stream in streams { stream.send(name, String(decoding: json, as: UTF8.self)) }
    }
  }

  /// Sends the state of a job to all pages.
  func tell(_ job: JobObject) { tell("job", job) }

  /// Ends all streams permanently.
  func end() {
    tell("bye", ["reason": "quit"])
    state.withLock { state in
      state.isEnded = true
      for stream in state.streams { stream.end() }
      for watch in state.watches { watch.cancel() }
    }
  }

  /// Watches the folders until no page listens any more.
  ///
  /// - Parameter ready: A closure that is called once all folders are watched.
  private func watch(_ ready: @escaping @Sendable () -> Void) {
    let begun = Task { [folders] in
      let single = folders.all.prefix(Self.watched)
      for folder in single {
        guard let changes = try? await folder.library.changes() else { continue }
        let task = Task {
          do {
            for try await change in changes { self.tell(change, folder) }
          } catch {
            // A folder that was removed reports no further changes.
            self.tell(Change(folder: folder.number, assets: [], all: true))
          }
        }
        self.keep(task)
      }
      self.watchTrees(besides: 0..<single.count, ready)
      await self.keepAlive()
    }
    keep(begun)
  }

  /// Watches for new folders, and watches the folders that have no watch of their own.
  ///
  /// - Parameter ready: A closure that is called once the folders are watched.
  private func watchTrees(besides others: Range<Int>, _ ready: @escaping @Sendable () -> Void) {
    guard folders.isGrowing || folders.all.count > others.count else { return ready() }
    keep(
      Task { [folders] in
        _ = try? await withWorkerThread(about: nil) { isCancelled throws(EditError) in
          let watch = try? TreeWatch(folders, others: others) { folder in
            self.tell(Change(folder: folder.number, assets: [], all: true))
          }
          ready()
          watch?.run(until: isCancelled)
        }
      })
  }

  private func keep(_ task: Task<Void, Never>) {
    state.withLock { state in
      if state.isEnded { task.cancel() } else { state.watches.append(task) }
    }
  }

  /// Sends a comment from time to time, and ends the watches when no page listens any more.
  private func keepAlive() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(30))
      let streams = state.withLock { state in
        state.streams.removeAll(where: \.isEnded)
        if state.streams.isEmpty {
          for watch in state.watches { watch.cancel() }
          state.watches = []
        }
        return state.streams
      }
      for stream in streams { stream.keepAlive() }
    }
  }

  private func tell(_ change: LibraryChange, _ folder: ServedFolder) {
    let (known, hasOthers) = names.names(ofStems: change.assets, in: folder)
    let areMany = known.count > Self.named
    tell(
      Change(
        folder: folder.number, assets: areMany ? [] : known,
        all: change.isIncomplete || hasOthers || areMany))
  }

  /// Sends a change to all pages. Pages may request the assets immediately afterwards.
  private func tell(_ change: Change) {
    views.change()
    tell("change", change)
  }
}

extension Studio {
  /// Handles `GET events`.
  func eventStream(_ request: HTTPRequest) -> HTTPResponse {
    var answer = HTTPResponse(200, type: "text/event-stream")
    answer.body = .events(events.add(mode: options.hasPage ? "studio" : "serve", request.speaker))
    answer.tell(request.speaker.language)
    // Makes proxies forward each event immediately.
    answer["X-Accel-Buffering"] = "no"
    return answer
  }
}
