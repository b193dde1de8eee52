import Glibc

/// Threads of our own, for work that blocks: never the threads of Swift's concurrency, of which a small machine
/// has one.
public enum OwnThreads {
  /// How many processors there are.
  ///
  /// The corresponding C function is `sysconf`.
  public static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Runs a body several times side by side, and waits for all of them. Where the system starts no further thread,
  /// the calling one does that part of the work.
  ///
  /// The corresponding C functions are `pthread_create` and `pthread_join`.
  ///
  /// - Parameters:
  ///   - count: how many times.
  ///   - body: told which one it is, from 0.
  public static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    var threads: [pthread_t] = []
    for index in 1..<max(1, count) {
      let work = Unmanaged.passRetained(Work { body(index) })
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
          return nil
        }, work.toOpaque())
      if status == 0 {
        threads.append(thread)
      } else {
        work.release()
        body(index)
      }
    }
    if count > 0 { body(0) }
    for thread in threads { pthread_join(thread, nil) }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}
