import Glibc

/// The signals by which people and systems stop a program: SIGINT, SIGTERM and SIGHUP.
///
/// A program that must not be stopped half way blocks them, looks for them where it can stop, and gives in
/// to them when it has cleaned up.
package enum TerminationSignals {
  private static let all = [SIGINT, SIGTERM, SIGHUP]

  /// The time for a program to clean up, in microseconds. Whatever it is doing then, a kill loses nothing.
  private static let grace: UInt32 = 700_000
  private static let interval: UInt32 = 100_000

  /// Holds the signals back from now on, except those that the program's parent had it ignore (`nohup`,
  /// background jobs of scripts). A program that has not given in to one a moment after it came is ended by it.
  ///
  /// The corresponding C functions are `sigaction` and `pthread_sigmask`. Call it before there are other threads.
  package static func block() {
    mask(SIG_BLOCK, all.filter { !isIgnored($0) })
    // Without a thread it only takes longer.
    _ = try? WorkerThread {
      while pending == nil { usleep(interval) }
      usleep(grace)
      deliver()
    }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    // Swift cannot compare C function pointers; SIG_IGN is one that points nowhere.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// The signal that is held back, if one has come.
  ///
  /// The corresponding C function is `sigpending`.
  package static var pending: Int32? {
    var set = sigset_t()
    guard sigpending(&set) == 0 else { return nil }
    return all.first { sigismember(&set, $0) == 1 && !isIgnored($0) }
  }

  /// Lets the signals through again, which ends the program when one is held back.
  ///
  /// The corresponding C function is `pthread_sigmask`.
  package static func deliver() {
    mask(SIG_UNBLOCK, all)
  }

  private static func mask(_ how: Int32, _ signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(how, &set, nil)
  }
}
