import EditModel
import FileSystem
import Synchronization

/// Runs work that blocks on a thread of its own and suspends until it is done. When the task is cancelled the work
/// is told, and its end is waited for: nothing goes on behind the caller's back.
///
/// - Parameters:
///   - file: what the work is about, for the error of a system that starts no more threads.
///   - body: the work; given a function that says whether it should stop.
func onOwnThread<Value: Sendable>(
  about file: String?,
  _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(EditError) -> Value
) async throws(EditError) -> Value {
  let flag = Flag()
  let result: Result<Value, EditError> = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      do {
        _ = try WorkerThread {
          let result: Result<Value, EditError>
          do throws(EditError) {
            if flag.isSet { throw EditError.stopped(file) }
            result = .success(try body { flag.isSet })
          } catch {
            result = .failure(error)
          }
          continuation.resume(returning: result)
        }
      } catch {
        continuation.resume(
          returning: .failure(
            EditError(.fileSystem, file: file, "cannot be worked on: the system starts no further thread")))
      }
    }
  } onCancel: {
    flag.set()
  }
  return try result.get()
}

/// Set once, by any thread: a task was cancelled, or nobody listens any more.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .relaxed) }

  func set() { value.store(true, ordering: .relaxed) }
}

extension EditError {
  /// What is thrown when work stops because its task was cancelled.
  static func stopped(_ file: String?) -> EditError {
    EditError(.cancelled, file: file, "was stopped on request")
  }
}
