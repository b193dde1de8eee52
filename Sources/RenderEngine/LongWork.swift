import FileSystem
import Glibc
import Synchronization

/// Does work that cannot ask by itself on a thread of its own, and asks meanwhile.
///
/// - Parameters:
///   - isCancelled: asked all the while; when it says true the work goes on by itself, and what it gives is dropped.
///   - work: what is to be done; it must leave nothing behind.
/// - Returns: what the work gives.
/// - Throws: what the work throws; `CancellationError`.
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
