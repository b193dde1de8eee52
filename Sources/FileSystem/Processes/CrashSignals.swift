import Glibc

/// The signals of a program that has crashed.
package enum CrashSignals {
  private static let all = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Leaves a crash to the system, as programs do that are not written in Swift.
  ///
  /// Swift's runtime has a program of its own, `swift-backtrace`, run by one that crashes in a terminal. Linked statically
  /// it knows no folder of its own and looks for that program in the current one, among the photos, where anybody may
  /// have put something of this name.
  ///
  /// The corresponding C function is `sigaction`. Call it first of all.
  package static func leaveToSystem() {
    for number in all {
      var action = sigaction()
      guard sigaction(number, nil, &action) == 0 else { continue }
      // What the parent had ignored stays ignored. Swift cannot compare C function pointers; SIG_IGN points nowhere.
      let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      if handler != unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_DFL) }
    }
  }
}
