import Basics
import FileSystem
import Synchronization

/// Runs work that blocks on a thread of its own and suspends until it is done. When the task is cancelled the work
/// is told, and its end is waited for: nothing goes on behind the caller's back.
///
/// - Parameters:
///   - file: what the work is about, for the error of a system that starts no more threads.
///   - body: the work; given a function that says whether it should stop.
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

/// Work on its way to another thread, which lets go of it, and of the files that it keeps, before anybody is told that
/// it is done.
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

/// Set once, by any thread: a task was cancelled, or nobody listens any more.
package final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  /// True once it was set.
  package var isSet: Bool { value.load(ordering: .relaxed) }

  /// Begins with it not set.
  package init() {}

  /// Sets it.
  package func set() { value.store(true, ordering: .relaxed) }
}
