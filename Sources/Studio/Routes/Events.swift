internal import Basics
internal import FoundationEssentials
internal import Languages
internal import Synchronization
internal import Workflows

/// The streams of events of all pages. Folders are watched while anybody listens.
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

  /// The number of streams at a time, more than windows: that a page has closed one is noticed half a minute later at most.
  private static let limit = 64
  /// The number of folders that have a watch each, with a thread, which knows the assets that change.
  private static let watched = 64
  /// The number of assets that one event names.
  private static let named = 1000

  /// The name of this server: one that is started anew has another.
  private let server = String(Secret().text.prefix(8))
  private let folders: ServedFolders
  private let names: AssetNames
  private let views: AssetViews
  private let state = Mutex(State())

  /// - Parameters:
  ///   - folders: the folders.
  ///   - names: the names of their assets.
  ///   - views: the lists of their assets, which become outdated with each change.
  init(_ folders: ServedFolders, _ names: AssetNames, _ views: AssetViews) {
    (self.folders, self.names, self.views) = (folders, names, views)
  }

  /// Adds a stream, which is greeted once nothing will be missed.
  ///
  /// - Parameters:
  ///   - mode: what the greeting says of the server.
  ///   - speaker: says the messages in its events.
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

  /// Sends a job to all pages.
  func tell(_ job: JobObject) { tell("job", job) }

  /// Ends all streams, for good.
  func end() {
    tell("bye", ["reason": "quit"])
    state.withLock { state in
      state.isEnded = true
      for stream in state.streams { stream.end() }
      for watch in state.watches { watch.cancel() }
    }
  }

  /// Watches the folders until nobody listens.
  ///
  /// - Parameter ready: called once all of them are watched.
  private func watch(_ ready: @escaping @Sendable () -> Void) {
    let begun = Task { [folders] in
      let single = folders.all.prefix(Self.watched)
      for folder in single {
        guard let changes = try? await folder.library.changes() else { continue }
        let task = Task {
          do {
            for try await change in changes { self.tell(change, folder) }
          } catch {
            // A folder that went away changes no more.
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

  /// Watches for folders that come, and the folders that have no watch of their own.
  ///
  /// - Parameter ready: called once they are watched.
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

  /// Sends a comment now and then; when nobody listens any more the watches end.
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

  /// Sends a change to all pages, which may ask for the assets as soon as they know of it.
  private func tell(_ change: Change) {
    views.change()
    tell("change", change)
  }
}

extension Studio {
  /// `GET events`.
  func eventStream(_ request: HTTPRequest) -> HTTPResponse {
    var answer = HTTPResponse(200, type: "text/event-stream")
    answer.body = .events(events.add(mode: options.hasPage ? "studio" : "serve", request.speaker))
    answer.tell(request.speaker.language)
    // Proxies hand on each event as it comes.
    answer["X-Accel-Buffering"] = "no"
    return answer
  }
}
