import Glibc
import Synchronization

/// The signals by which users and systems stop a program: SIGINT, SIGTERM and SIGHUP.
///
/// A program that must not be interrupted blocks these signals, checks for pending signals whenever the program can
/// stop safely, and delivers the signals after cleaning up.
package enum TerminationSignals {
  private static let all = [SIGINT, SIGTERM, SIGHUP]

  /// The time, in milliseconds, that the program has to clean up. If the program is killed after this time, no data is
  /// lost.
  private static let grace = 1500

  /// The signal that was received; 0 if no signal was received.
  private static let received = Atomic<Int32>(0)

  /// The function that is called when a signal is received.
  private static let action = Mutex<(@Sendable () -> Void)?>(nil)

  /// Blocks the signals, except those that the program's parent told it to ignore (`nohup`, background jobs of
  /// scripts). If the program does not stop soon after the first signal, that signal ends the program. A second signal
  /// ends the program immediately.
  ///
  /// The corresponding C functions are `sigaction` and `pthread_sigmask`. Call this function before other threads are
  /// started.
  package static func block() {
    let signals = all.filter { !isIgnored($0) }
    mask(SIG_BLOCK, signals)
    // Without this thread, the program only takes longer to stop.
    _ = try? WorkerThread {
      guard let first = wait(for: signals, milliseconds: nil) else { return }
      received.store(first, ordering: .relaxed)
      action.withLock { $0 }?()
      _ = wait(for: signals, milliseconds: grace)
      deliver()
    }
  }

  /// Waits for one of the blocked signals and consumes the signal.
  ///
  /// The corresponding C functions are `sigwaitinfo` and `sigtimedwait`.
  ///
  /// - Parameter milliseconds: The maximum time to wait; nil to wait without a limit.
  private static func wait(for signals: [Int32], milliseconds: Int?) -> Int32? {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    let time = milliseconds ?? 0
    var limit = timespec(tv_sec: time / 1000, tv_nsec: time % 1000 * 1_000_000)
    while true {
      let signal = milliseconds == nil ? sigwaitinfo(&set, nil) : sigtimedwait(&set, nil, &limit)
      if signal > 0 { return signal }
      guard errno == EINTR else { return nil }
    }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    // Swift cannot compare C function pointers, so this code compares the bits of SIG_IGN.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// The signal that was received while signals were blocked; nil if no signal was received.
  ///
  /// The corresponding C function is `sigpending`.
  package static var pending: Int32? {
    let taken = received.load(ordering: .relaxed)
    if taken != 0 { return taken }
    var set = sigset_t()
    guard sigpending(&set) == 0 else { return nil }
    return all.first { sigismember(&set, $0) == 1 && !isIgnored($0) }
  }

  /// Sets the function that is called, on a separate thread, when a signal is received. If a signal was already
  /// received, the function is called immediately. Each call replaces the previous function.
  package static func whenReceived(_ function: @escaping @Sendable () -> Void) {
    action.withLock { $0 = function }
    if pending != nil { function() }
  }

  /// Unblocks the signals. A signal that was received in the meantime ends the program.
  ///
  /// The corresponding C functions are `pthread_sigmask` and `kill`.
  package static func deliver() {
    mask(SIG_UNBLOCK, all)
    let taken = received.load(ordering: .relaxed)
    if taken != 0 { kill(getpid(), taken) }
  }

  private static func mask(_ how: Int32, _ signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(how, &set, nil)
  }
}
