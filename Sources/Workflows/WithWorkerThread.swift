import Basics
import FileSystem
import Synchronization

/// Runs blocking work on a new thread and suspends the caller until the work ends. If the task is cancelled, the work
/// is asked to stop. Even then, the function waits until the work ends, so no work continues after the function
/// returns.
///
/// - Parameters:
///   - file: The file that the work is about, named in the error if the system cannot start a thread.
///   - body: The work. It receives a function that returns whether it should stop.
package func withWorkerThread<Value: Sendable>(
  about file: String?,
  _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(EditError) -> Value
) async throws(EditError) -> Value {
  let flag = Flag()
  let work = DetachedWork(body)
  let result: Result<Value, EditError> = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      do {
        _ = try WorkerThread {
          continuation.resume(returning: work.run(flag, about: file))
        }
      } catch {
        continuation.resume(
          returning: .failure(
            EditError(.fileSystem, file: file, "cannot be processed: the system cannot start another thread"))
        )
      }
    }
  } onCancel: {
    flag.set()
  }
  return try result.get()
}

/// Work that is passed to another thread. Before reporting the result, that thread releases the work and the files that
/// the work keeps open.
private final class DetachedWork<Value: Sendable>: Sendable {
  typealias Body = @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(EditError) -> Value

  private let body: Mutex<Body?>

  init(_ body: @escaping Body) { self.body = Mutex(body) }

  func run(_ flag: Flag, about file: String?) -> Result<Value, EditError> {
    let taken = body.withLock { body in
      defer { body = nil }
      return body
    }
    guard let taken, !flag.isSet else { return .failure(EditError.stopped(file)) }
    do throws(EditError) {
      return .success(try taken { flag.isSet })
    } catch {
      return .failure(error)
    }
  }
}

/// A flag that any thread can set once, for example because a task was cancelled or a listener is gone.
package final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  /// Whether the flag was set.
  package var isSet: Bool { value.load(ordering: .relaxed) }

  /// Creates an unset flag.
  package init() {}

  /// Sets the flag.
  package func set() { value.store(true, ordering: .relaxed) }
}
