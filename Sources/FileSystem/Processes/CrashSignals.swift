import Glibc

/// The signals that are raised when a program crashes.
package enum CrashSignals {
  private static let all = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Leaves crash handling to the system, as programs that are not written in Swift do.
  ///
  /// When a Swift program crashes in a terminal, Swift's runtime starts the program `swift-backtrace`. A statically
  /// linked runtime cannot determine its own folder, and therefore searches the current folder for `swift-backtrace`.
  /// The current folder contains the user's photos, and anybody may have placed a program of this name in it.
  ///
  /// The corresponding C function is `sigaction`. Call this function before anything else.
  package static func leaveToSystem() {
    for number in all {
      var action = sigaction()
      guard sigaction(number, nil, &action) == 0 else { continue }
      // Signals that the parent process ignored stay ignored. Swift cannot compare C function pointers, so this code
      // compares the bits of SIG_IGN.
      let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      if handler != unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_DFL) }
    }
  }
}
