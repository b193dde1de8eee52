internal import Basics
internal import FileSystem
internal import Synchronization

/// The queue of requested previews. Previews closest to the visible area are created first. If no visible area is
/// known, the latest request comes first. Previews that no client is waiting for are cancelled.
final class ScreenMediaQueue: Sendable {
  /// A kind of work with its own threads, so that a movie does not delay pictures.
  enum Lane: Int, CaseIterable, Sendable {
    case pictures, movies
    /// The large picture of the edit that the user is making. Small pictures must not delay this picture.
    case edits

    /// The number of previews that are created at the same time.
    var width: Int { self == .pictures ? max(1, min(4, HostSystem.processors)) : 1 }
  }

  /// A request for a preview.
  struct Order: Sendable {
    /// The name of the preview. Orders with the same name share the work.
    var name: String
    /// The asset of the preview.
    var asset: String
    var lane: Lane
    /// Returns whether the client has disconnected.
    var isClosed: @Sendable () -> Bool
    /// Creates the preview. The closure checks from time to time whether the preview is still wanted.
    var make: @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(EditError) -> Void
  }

  private struct Waiter: Sendable {
    let isClosed: @Sendable () -> Bool
    let continuation: CheckedContinuation<RouteError?, Never>
  }

  private struct Work: Sendable {
    var order: Order
    var sequence: Int
    var isRunning = false
    var isCancelled = false
    var waiters: [Waiter]

    /// Whether no client is waiting for the preview any more. The work may already have been told to stop.
    var isUnwanted: Bool { isCancelled || waiters.allSatisfy { $0.isClosed() } }
    /// Whether the preview is being created and may end without a result.
    var isGivenUp: Bool { isRunning && isUnwanted }
  }

  private struct State {
    var works: [String: Work] = [:]
    var sequence = 0
    /// The ranks of the assets that each page displays. The most recently updated page comes last.
    var views: [(page: String, ranks: [String: Int])] = []
    var threads: [Lane: Int] = [:]
    var isEnded = false

    /// Returns the best rank of an asset on any page; nil if no page displays the asset.
    func rank(of asset: String) -> Int? { views.compactMap { $0.ranks[asset] }.min() }
  }

  /// The maximum number of pages for which the displayed assets are stored.
  private static let pages = 16

  private let state = Mutex(State())

  /// Requests a preview and waits until it has been created.
  ///
  /// - Throws: ``RouteError`` if the preview cannot be created or was cancelled.
  func make(_ order: Order) async throws(RouteError) {
    let failure = await withCheckedContinuation { continuation in
      let waiter = Waiter(isClosed: order.isClosed, continuation: continuation)
      let (mustStart, isEnded) = state.withLock { state -> (Bool, Bool) in
        if state.isEnded { return (false, true) }
        state.sequence += 1
        if let work = state.works[order.name], !work.isGivenUp {
          state.works[order.name]?.waiters.append(waiter)
          state.works[order.name]?.sequence = state.sequence
          return (false, false)
        }
        // Cancelled work with this name may still be running. Only its own thread removes such work.
        let name = state.works[order.name] == nil ? order.name : "\(order.name)#\(state.sequence)"
        state.works[name] = Work(order: order, sequence: state.sequence, waiters: [waiter])
        let threads = state.threads[order.lane, default: 0]
        guard threads < order.lane.width else { return (false, false) }
        state.threads[order.lane] = threads + 1
        return (true, false)
      }
      if isEnded { continuation.resume(returning: .cancelled) }
      if mustStart {
        let lane = order.lane
        do { _ = try WorkerThread { self.drain(lane) } } catch { drain(lane) }
      }
    }
    if let failure { throw failure }
  }

  /// Stores the assets that a page displays, and cancels work for assets that no page displays.
  ///
  /// - Parameters:
  ///   - assets: The displayed assets, starting with the asset nearest to the visible area.
  ///   - page: The name of the page.
  /// - Returns: The number of cancelled previews.
  func look(at assets: [String], by page: String = "") -> Int {
    let ranks = Dictionary(
      assets.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let gone = state.withLock { state -> [Work] in
      state.views.removeAll { $0.page == page }
      state.views.append((page, ranks))
      if state.views.count > Self.pages { state.views.removeFirst() }
      let names = state.works.filter {
        state.rank(of: $0.value.order.asset) == nil && !$0.value.isCancelled
      }.keys
      return names.compactMap { Self.cancel($0, &state) }
    }
    for waiter in gone.flatMap(\.waiters) { waiter.continuation.resume(returning: .cancelled) }
    return gone.count
  }

  /// Cancels all work permanently.
  func end() {
    let gone = state.withLock { state -> [Work] in
      state.isEnded = true
      return state.works.keys.compactMap { Self.cancel($0, &state) }
    }
    for waiter in gone.flatMap(\.waiters) { waiter.continuation.resume(returning: .cancelled) }
  }

  /// The number of previews that are waiting or being created.
  var count: Int { state.withLock { $0.works.count } }

  /// Cancels the creation of a preview. Waiting work is removed at once; running work is told to stop.
  private static func cancel(_ name: String, _ state: inout State) -> Work? {
    guard let work = state.works[name] else { return nil }
    if work.isRunning {
      state.works[name]?.isCancelled = true
      state.works[name]?.waiters = []
    } else {
      state.works[name] = nil
    }
    return work
  }

  private func drain(_ lane: Lane) {
    while let (name, order) = next(lane) {
      var failure: RouteError?
      do throws(EditError) {
        try order.make { self.isUnwanted(name) }
      } catch {
        failure = error.code == .cancelled ? .cancelled : .failed(error)
      }
      let waiters = state.withLock { $0.works.removeValue(forKey: name)?.waiters } ?? []
      for waiter in waiters { waiter.continuation.resume(returning: failure) }
    }
  }

  /// Removes and returns the next piece of work; nil if no work is left and the thread should end.
  private func next(_ lane: Lane) -> (String, Order)? {
    var gone: [Waiter] = []
    defer { for waiter in gone { waiter.continuation.resume(returning: .cancelled) } }
    return state.withLock { state in
      for (name, work) in state.works where !work.isRunning && work.order.lane == lane {
        if work.isUnwanted {
          gone += work.waiters
          state.works[name] = nil
        }
      }
      let waiting = state.works.filter { !$0.value.isRunning && $0.value.order.lane == lane }
      func rank(_ work: Work) -> (Int, Int) { (state.rank(of: work.order.asset) ?? .max, -work.sequence) }
      guard let first = waiting.min(by: { rank($0.value) < rank($1.value) }) else {
        state.threads[lane, default: 1] -= 1
        return nil
      }
      state.works[first.key]?.isRunning = true
      return (first.key, first.value.order)
    }
  }

  private func isUnwanted(_ name: String) -> Bool {
    state.withLock { $0.works[name]?.isUnwanted ?? true }
  }
}
