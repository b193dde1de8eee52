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
  /// - Parameters:
  ///   - count: how many times.
  ///   - body: told which one it is, from 0.
  public static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
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
}
