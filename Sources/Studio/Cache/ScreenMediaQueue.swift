internal import Basics
internal import FileSystem
internal import Synchronization

/// The previews that are waited for. What is nearest to the view is made first, without a view what was asked for last; what
/// nobody waits for any more is given up.
final class ScreenMediaQueue: Sendable {
  /// Work of one kind, which has threads of its own: a movie keeps no picture waiting.
  enum Lane: Int, CaseIterable, Sendable {
    case pictures, movies
    /// The large picture of an edit that somebody makes: the small ones beside it do not keep it waiting.
    case edits

    /// The number of works at a time.
    var width: Int { self == .pictures ? max(1, min(4, HostSystem.processors)) : 1 }
  }

  /// A preview to be made.
  struct Order: Sendable {
    /// The preview's name: orders of one name are one work.
    var name: String
    /// The asset that it is of.
    var asset: String
    var lane: Lane
    /// True once the one who asked has gone.
    var isClosed: @Sendable () -> Bool
    /// Makes it; asks now and then whether it is still wanted.
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

    /// True if nobody waits for it any more: then it may have been told so, and ends.
    var isUnwanted: Bool { isCancelled || waiters.allSatisfy { $0.isClosed() } }
    /// True if it is being done, and may end without a result.
    var isGivenUp: Bool { isRunning && isUnwanted }
  }

  private struct State {
    var works: [String: Work] = [:]
    var sequence = 0
    /// The ranks of the assets in the view of each page, the one that spoke last at the end.
    var views: [(page: String, ranks: [String: Int])] = []
    var threads: [Lane: Int] = [:]
    var isEnded = false

    /// The rank of an asset in the view where it is nearest; nil where it is in none.
    func rank(of asset: String) -> Int? { views.compactMap { $0.ranks[asset] }.min() }
  }

  /// The number of pages whose views are kept.
  private static let pages = 16

  private let state = Mutex(State())

  /// Has a preview made, and waits until it is.
  ///
  /// - Throws: ``RouteError`` when it cannot be made, or was given up.
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
        // One of that name that was given up is still ending: its thread puts an end to it alone.
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

  /// Says what a page looks at; what none looks at is given up.
  ///
  /// - Parameters:
  ///   - assets: the assets, nearest first.
  ///   - page: the page's name.
  /// - Returns: the number of works that were given up.
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

  /// Gives everything up, for good.
  func end() {
    let gone = state.withLock { state -> [Work] in
      state.isEnded = true
      return state.works.keys.compactMap { Self.cancel($0, &state) }
    }
    for waiter in gone.flatMap(\.waiters) { waiter.continuation.resume(returning: .cancelled) }
  }

  /// The number of works that wait or are being done.
  var count: Int { state.withLock { $0.works.count } }

  /// Gives a work up: what waits goes at once, what runs is told.
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

  /// Takes the next work; nil when there is none, so that the thread ends.
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
