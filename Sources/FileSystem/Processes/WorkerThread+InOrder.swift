import Synchronization

extension WorkerThread {
  /// Runs pieces of work in parallel, and processes the results in the order of the pieces. Each result is processed as
  /// soon as all earlier results are available.
  ///
  /// - Parameters:
  ///   - count: The number of pieces.
  ///   - threads: The number of threads, including the calling thread.
  ///   - state: The state that the results change.
  ///   - isStopped: A closure that is called before each piece. Once the closure returns true, no further piece is
  ///     started.
  ///   - work: A closure that performs one piece, on any thread. Its argument is the number of the piece, from 0.
  ///   - take: A closure that applies one result to the state. The closure is called from any thread, but never
  ///     concurrently.
  /// - Returns: The state after all processed results.
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

/// The results of parallel work. The results change a state in the order of the pieces of work.
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
  ///   - take: A closure that applies one result to the state. The closure is called from any thread, but never
  ///     concurrently.
  package init(_ state: State, _ take: @escaping @Sendable (inout State, Int, Result) -> Void) {
    waiting = Mutex(Waiting(state: state))
    self.take = take
  }

  /// The state after all results processed so far.
  package var state: State { waiting.withLock { $0.state } }

  /// Adds a result. The result is processed as soon as all earlier results are available.
  ///
  /// - Parameter index: The number of the piece, from 0. Each number is used for a single result.
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
