import Glibc
import Synchronization

/// A separate thread for blocking work. Such work must never run on the threads of Swift concurrency, because a small
/// computer has only one such thread.
package final class WorkerThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// The stack size in bytes. libx265 and recursive descent need more stack than some systems provide for secondary
  /// threads.
  private static let stackSize = 8 << 20
  /// The size, in bytes, of the guard area below the stack. Accessing the guard area ends the process. The area is as
  /// large as the kernel's guard area for a main thread, since a large frame of a C function could skip over a single
  /// page.
  private static let guardSize = 1 << 20

  private let thread: pthread_t
  private var isJoined = false

  /// Starts a thread that runs `body`.
  ///
  /// The corresponding C function is `pthread_create`.
  ///
  /// - Throws: ``SystemError`` if the system cannot start another thread.
  package init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let work = Unmanaged.passRetained(Work(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackSize + Self.guardSize)
    pthread_attr_setguardsize(&attributes, Self.guardSize)
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard status == 0 else {
      work.release()
      throw SystemError(status)
    }
    self.thread = thread
  }

  deinit {
    if !isJoined { pthread_detach(thread) }
  }

  /// Waits until the work is done. This method may be called at most once. If the method is not called, the work
  /// continues independently.
  ///
  /// The corresponding C function is `pthread_join`.
  package func join() {
    guard !isJoined else { return }
    isJoined = true
    pthread_join(thread, nil)
  }

  /// Runs a closure several times in parallel, and waits for all runs. If the system cannot start another thread, the
  /// calling thread performs the remaining runs.
  ///
  /// - Parameters:
  ///   - count: The number of runs.
  ///   - body: A closure that performs one run. Its argument is the number of the run, from 0.
  package static func runSideBySide(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    var threads: [WorkerThread] = []
    for index in 1..<max(1, count) {
      if let thread = try? WorkerThread({ body(index) }) {
        threads.append(thread)
      } else {
        body(index)
      }
    }
    if count > 0 { body(0) }
    for thread in threads { thread.join() }
  }

  /// Distributes pieces of work among threads, and waits until all pieces are done. After a failure, no further piece
  /// is started.
  ///
  /// - Parameters:
  ///   - count: The number of pieces.
  ///   - threads: The number of threads, including the calling thread.
  ///   - body: A closure that is called on every thread. `next` returns the number of a remaining piece, from 0.
  /// - Throws: The first error that occurs on any thread.
  package static func share<Failure: Error>(
    _ count: Int, among threads: Int,
    _ body: @escaping @Sendable (_ next: () -> Int?) throws(Failure) -> Void
  ) throws(Failure) {
    let begun = Atomic<Int>(0)
    let failure = Mutex<Failure?>(nil)
    runSideBySide(min(threads, count)) { _ in
      do throws(Failure) {
        try body {
          let index = begun.wrappingAdd(1, ordering: .relaxed).oldValue
          return index < count ? index : nil
        }
      } catch {
        failure.withLock { $0 = $0 ?? error }
        begun.store(count, ordering: .relaxed)
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
