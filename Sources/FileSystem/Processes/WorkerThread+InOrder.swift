import Synchronization

extension WorkerThread {
  /// Runs pieces of work in parallel, and passes the results on in the order of the pieces: each result once all earlier ones are there.
  ///
  /// - Parameters:
  ///   - count: the number of pieces.
  ///   - threads: the number of threads, the calling one included.
  ///   - state: the value that the results change.
  ///   - isStopped: asked before each piece; once it returns true, no further piece begins.
  ///   - work: does one piece, on any thread. Its argument is the number of the piece, from 0.
  ///   - take: takes one result into the state. Never called twice at a time, but on any thread.
  /// - Returns: the state after all results that were passed on.
  package static func inOrder<State: Sendable, Result: Sendable>(
    _ count: Int, among threads: Int, into state: State,
    until isStopped: @escaping @Sendable () -> Bool = { false },
    _ work: @escaping @Sendable (Int) -> Result,
    take: @escaping @Sendable (inout State, Int, Result) -> Void
  ) -> State {
    let results = InOrder(state, take)
    share(count, among: threads) { next in
      while !isStopped(), let index = next() { results.add(index, work(index)) }
    }
    return results.state
  }
}

/// The results of parallel work, which change a state in the order in which the work began.
package final class InOrder<State: Sendable, Result: Sendable>: Sendable {
  private struct Waiting {
    var state: State
    var next = 0
    var results: [Int: Result] = [:]
  }
  private let waiting: Mutex<Waiting>
  private let take: @Sendable (inout State, Int, Result) -> Void

  /// - Parameters:
  ///   - state: the value that the results change.
  ///   - take: takes one result into the state. Never called twice at a time, but on any thread.
  package init(_ state: State, _ take: @escaping @Sendable (inout State, Int, Result) -> Void) {
    waiting = Mutex(Waiting(state: state))
    self.take = take
  }

  /// The state after all results that were passed on.
  package var state: State { waiting.withLock { $0.state } }

  /// Takes a result, once all earlier ones are there.
  ///
  /// - Parameter index: its place in the order, from 0. Each place gets one result.
  package func add(_ index: Int, _ result: Result) {
    waiting.withLock { waiting in
      waiting.results[index] = result
      while let result = waiting.results.removeValue(forKey: waiting.next) {
        take(&waiting.state, waiting.next, result)
        waiting.next += 1
      }
    }
  }
}
