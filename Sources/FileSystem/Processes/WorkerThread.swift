import Glibc
import Synchronization

/// A thread of our own, for work that blocks: never the threads of Swift's concurrency, of which a small machine
/// has one.
package final class WorkerThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Bytes of stack: libx265 and recursive descent want more than some systems give a secondary thread.
  private static let stackSize = 8 << 20
  /// Bytes below the stack that end the process where they are touched, as many as the kernel leaves below a first thread's: a
  /// large frame of a C function would step over a page.
  private static let guardSize = 1 << 20

  private let thread: pthread_t
  private var isJoined = false

  /// Starts `body`.
  ///
  /// The corresponding C function is `pthread_create`.
  ///
  /// - Throws: ``SystemError`` when the system starts no more threads.
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

  /// Waits until the work is done. To be called once, or never: then the work goes on by itself.
  ///
  /// The corresponding C function is `pthread_join`.
  package func join() {
    guard !isJoined else { return }
    isJoined = true
    pthread_join(thread, nil)
  }

  /// Runs a body several times side by side, and waits for all of them. Where the system starts no further thread,
  /// the calling one does that part of the work.
  ///
  /// - Parameters:
  ///   - count: how many times.
  ///   - body: told which one it is, from 0.
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

  /// Shares pieces of work among threads, and waits until none is left. After a failure no further piece is begun.
  ///
  /// - Parameters:
  ///   - count: how many pieces there are.
  ///   - threads: how many threads there are, the calling one included.
  ///   - body: called on every thread; `next` gives the number of a piece that is still to be done, from 0.
  /// - Throws: the first error of any thread.
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
