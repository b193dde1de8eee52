import FileSystem
import Glibc
import Synchronization

/// Runs work on a separate thread and checks for cancellation meanwhile, because the work itself cannot check.
///
/// - Parameters:
///   - isCancelled: Called repeatedly. If the call returns true, the work continues in the background and its result is
///     discarded.
///   - work: The work, which must have no lasting side effects.
/// - Returns: The result of the work.
/// - Throws: Any error that the work throws; `CancellationError` if the work was cancelled.
func asking<Value: Sendable>(
  _ isCancelled: () -> Bool, during work: @escaping @Sendable () throws -> Value
) throws -> Value {
  let outcome = Mutex<Result<Value, any Error>?>(nil)
  let thread = try? WorkerThread {
    let result = Result { try work() }
    outcome.withLock { $0 = result }
  }
  guard thread != nil else { return try work() }
  while true {
    if let result = outcome.withLock({ $0 }) { return try result.get() }
    if isCancelled() { throw CancellationError() }
    usleep(5_000)
  }
}
