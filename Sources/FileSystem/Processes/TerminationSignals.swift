import Glibc
import Synchronization

/// The signals by which people and systems stop a program: SIGINT, SIGTERM and SIGHUP.
///
/// A program that must not be stopped half way blocks them, looks for them where it can stop, and gives in
/// to them when it has cleaned up.
package enum TerminationSignals {
  private static let all = [SIGINT, SIGTERM, SIGHUP]

  /// The time for a program to clean up, in milliseconds. Whatever it is doing then, a kill loses nothing.
  private static let grace = 1500

  /// The signal that has come; 0 before.
  private static let received = Atomic<Int32>(0)

  /// Called when a signal comes.
  private static let action = Mutex<(@Sendable () -> Void)?>(nil)

  /// Holds the signals back from now on, except those that the program's parent had it ignore (`nohup`,
  /// background jobs of scripts). A program that has not given in to one a moment after it came is ended by it, and
  /// at once by a second one.
  ///
  /// The corresponding C functions are `sigaction` and `pthread_sigmask`. Call it before there are other threads.
  package static func block() {
    let signals = all.filter { !isIgnored($0) }
    mask(SIG_BLOCK, signals)
    // Without a thread it only takes longer.
    _ = try? WorkerThread {
      guard let first = wait(for: signals, milliseconds: nil) else { return }
      received.store(first, ordering: .relaxed)
      action.withLock { $0 }?()
      _ = wait(for: signals, milliseconds: grace)
      deliver()
    }
  }

  /// Takes one of the signals that are held back.
  ///
  /// The corresponding C functions are `sigwaitinfo` and `sigtimedwait`.
  ///
  /// - Parameter milliseconds: how long to wait for one; nil for ever.
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
    // Swift cannot compare C function pointers; SIG_IGN is one that points nowhere.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// The signal that is held back, if one has come.
  ///
  /// The corresponding C function is `sigpending`.
  package static var pending: Int32? {
    let taken = received.load(ordering: .relaxed)
    if taken != 0 { return taken }
    var set = sigset_t()
    guard sigpending(&set) == 0 else { return nil }
    return all.first { sigismember(&set, $0) == 1 && !isIgnored($0) }
  }

  /// Has a function called when a signal comes, on a thread of its own; at once where one has come. A second function
  /// takes the place of the first.
  package static func whenReceived(_ function: @escaping @Sendable () -> Void) {
    action.withLock { $0 = function }
    if pending != nil { function() }
  }

  /// Lets the signals through again, which ends the program when one has come.
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
