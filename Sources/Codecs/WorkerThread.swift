import EditModel
import Glibc

/// A thread of our own, for work that blocks: never the threads of Swift's concurrency, of which a small
/// machine has one.
final class WorkerThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let thread: pthread_t

  /// Starts `body`.
  ///
  /// - Throws: ``MediaError`` when the system starts no more threads.
  init(_ body: @escaping @Sendable () -> Void) throws {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard status == 0 else {
      work.release()
      throw MediaError("the system starts no further thread")
    }
    self.thread = thread
  }

  /// Waits until the work is done. To be called once.
  func join() {
    pthread_join(thread, nil)
  }
}
