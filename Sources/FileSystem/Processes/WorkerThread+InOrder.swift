import Synchronization

extension WorkerThread {
  /// Runs pieces of work in parallel, and processes the results in the order of the pieces. Each result is processed as
  /// soon as all earlier ones are available.
  ///
  /// - Parameters:
  ///   - count: The number of pieces.
  ///   - threads: The number of threads, including the calling one.
  ///   - state: The state that the results change.
  ///   - isStopped: Called before each piece. Once it returns true, no further piece is started.
  ///   - work: Performs one piece, on any thread. Its argument is the number of the piece, from 0.
  ///   - take: Applies one result to the state. It is called from any thread, but never concurrently.
  /// - Returns: The state after all results that were processed.
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

/// The results of parallel work, which change a state in the order of the pieces.
package final class InOrder<State: Sendable, Result: Sendable>: Sendable {
  private struct Waiting {
    var state: State
    var next = 0
    var results: [Int: Result] = [:]
  }
  private let waiting: Mutex<Waiting>
  private let take: @Sendable (inout State, Int, Result) -> Void

  /// - Parameters:
  ///   - state: The state that the results change.
  ///   - take: Applies one result to the state. It is called from any thread, but never concurrently.
  package init(_ state: State, _ take: @escaping @Sendable (inout State, Int, Result) -> Void) {
    waiting = Mutex(Waiting(state: state))
    self.take = take
  }

  /// The state after all results that were processed.
  package var state: State { waiting.withLock { $0.state } }

  /// Adds a result. It is processed as soon as all earlier ones are available.
  ///
  /// - Parameter index: The number of the piece, from 0. Each number is used for one result.
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
