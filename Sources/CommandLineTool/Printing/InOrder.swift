import Synchronization

/// Hands on the results of work that is done side by side in the order in which it was begun: each once all before it are
/// there. Told from any thread.
final class InOrder<Result: Sendable>: Sendable {
  private struct State {
    var next = 0
    var waiting: [Int: Result] = [:]
  }
  private let state = Mutex(State())
  private let handOn: @Sendable (Result) -> Void

  /// - Parameter handOn: takes the results, one at a time.
  init(_ handOn: @escaping @Sendable (Result) -> Void) {
    self.handOn = handOn
  }

  /// Takes a result.
  ///
  /// - Parameter index: its place in the order, from 0. Each place gets one result.
  func add(_ index: Int, _ result: Result) {
    state.withLock { state in
      state.waiting[index] = result
      while let result = state.waiting.removeValue(forKey: state.next) {
        state.next += 1
        handOn(result)
      }
    }
  }
}
