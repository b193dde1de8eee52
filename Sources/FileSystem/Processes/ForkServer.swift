internal import CLinux
import Glibc

/// A program that has loaded its libraries and makes copies of itself, each of which goes on as if it had just been started:
/// loading FFmpeg's libraries takes many times as long.
///
/// The program's own half is ``serve()``. What it is told: a packet with two descriptors asks for a copy, whose standard
/// input and output the first one is. At the other the server tells the copy's number, and in the end how it ended, as `waitpid` puts
/// it; a byte that arrives there asks to kill the copy. The server ends when whoever started it has closed its socket or died;
/// copies that have not ended by themselves soon after are killed, as they are when something kills the server.
package final class ForkServer: Sendable {
  /// The server's process.
  let identifier: pid_t
  private let control: Int32

  /// The last argument of a program that is to be a server.
  package static let argument = "--fork-server"

  /// Where a server hears what it is asked.
  private static let controlPlace: Int32 = 3
  /// The milliseconds that a server may take to load its libraries and make a copy, or to end.
  private static let patience: Int32 = 10_000

  /// Starts a server; it is not waited for.
  ///
  /// The corresponding C functions are `socketpair` and `posix_spawn`.
  ///
  /// - Parameters:
  ///   - executable: the path of a program that calls ``serve()`` where its last argument is ``argument``.
  ///   - arguments: what precedes that argument.
  ///   - environment: the variables of this process that the program gets.
  package init(executable: String, arguments: [String], environment: [String]) throws(SystemError) {
    let ends = try SocketPair(SOCK_SEQPACKET)
    let theirs = ends.other
    identifier = try Program.spawn(
      executable, arguments + [Self.argument], environment: environment
    ) { actions in
      for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
      }
      posix_spawn_file_actions_adddup2(&actions, theirs, Self.controlPlace)
    }
    control = ends.handedOver()
  }

  deinit {
    close(control)
    // Only who was waited for counts in the times of this process's children.
    for waited in 0..<2 * Self.patience where waitpid(identifier, nil, WNOHANG) == 0 {
      if waited == Self.patience { Glibc.kill(identifier, SIGKILL) }
      usleep(1000)
    }
  }

  /// Makes a copy.
  ///
  /// The corresponding C functions are `sendmsg` with `SCM_RIGHTS`, and `fork` in the server.
  ///
  /// - Throws: ``SystemError`` when the program is no server, has ended, or cannot make one; ``SystemError/tryAgain`` when
  ///   nothing came of it in ten seconds.
  package func copy() throws(SystemError) -> ChildProcess {
    let talk = try SocketPair(SOCK_STREAM)
    let state = try SocketPair(SOCK_SEQPACKET)
    let theirs = (talk.other, state.other)
    _ = try calling { liveedit_send_descriptors(control, theirs.0, theirs.1) }
    let (input, told) = (talk.handedOver(), state.handedOver())
    do throws(SystemError) {
      guard let identifier = try Self.told(told, waiting: Self.patience) else { throw SystemError(ECHILD) }
      return ChildProcess(identifier, talk: input, copiedBy: self, state: told)
    } catch {
      close(input)
      close(told)
      throw error
    }
  }

  /// Kills a copy unless it has ended.
  ///
  /// - Parameter state: where the server tells of it.
  static func askToKill(_ state: Int32) {
    _ = send(state, [0], 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  /// Receives what the server tells of a copy.
  ///
  /// - Parameters:
  ///   - state: where it tells it.
  ///   - milliseconds: how long to wait at most.
  /// - Returns: the number; nil when there will be none.
  /// - Throws: ``SystemError/tryAgain`` when it said nothing in that time.
  static func told(_ state: Int32, waiting milliseconds: Int32) throws(SystemError) -> Int32? {
    // Rounds are counted, not time: while this process itself is stopped the server's silence says nothing.
    var left = milliseconds
    while true {
      var wanted = pollfd(fd: state, events: Int16(POLLIN), revents: 0)
      let round = min(left, 100)
      if try calling({ poll(&wanted, 1, round) }) > 0 { break }
      left -= round
      guard left > 0 else { throw .tryAgain }
    }
    var number: Int32 = 0
    let size = MemoryLayout.size(ofValue: number)
    var count = recv(state, &number, size, 0)
    // The server closed without reading all that it was told. Linux says so once; then comes what it wrote.
    while count < 0, errno == EINTR || errno == ECONNRESET { count = recv(state, &number, size, 0) }
    return count == size ? number : nil
  }
}

extension ForkServer {
  /// Serves copies for whoever started this program, until that has gone. Where there is more than one thread the process ends.
  ///
  /// The corresponding C functions are `recvmsg`, `fork`, `signalfd`, `waitpid` and `poll`.
  ///
  /// Returns in each copy, whose standard input and output are those that were handed over; its standard error goes nowhere, and
  /// it has no other descriptors. Where that cannot be had, or nothing can be heard of copies, the process ends.
  ///
  /// The thread that returns may share no lock with others; a ``WorkerThread`` may. Swift (6.3) remembers a thread's number, which this one
  /// has from the server, and writes it into locks (`Mutex`, `once`) for the kernel (`FUTEX_LOCK_PI`), which refuses it there: whoever
  /// waits for such a lock does so for ever.
  package static func serve() {
    // A thread that a library starts might hold a lock, which would be held for ever in a copy.
    guard HostSystem.threads == 1 else { _exit(1) }
    // Whoever started liveedit may have left files open in it.
    guard liveedit_close_from(UInt32(controlPlace) + 1) == 0 else { _exit(1) }
    let ended = liveedit_watch_children()
    guard ended >= 0 else { _exit(1) }
    // Where to tell of each copy; nobody asks for those of -1 any more.
    var states: [pid_t: Int32] = [:]
    var isAsked = true
    while isAsked || !states.isEmpty {
      let copies = Array(states)
      var wanted = ([isAsked ? controlPlace : -1, ended] + copies.map(\.value)).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let count = poll(&wanted, nfds_t(wanted.count), isAsked ? -1 : grace)
      if count == 0 { _exit(0) }
      guard count > 0 else {
        if errno == EINTR { continue }
        _exit(1)
      }
      for (copy, wanted) in zip(copies, wanted.dropFirst(2)) where wanted.revents != 0 {
        var byte: UInt8 = 0
        if recv(copy.value, &byte, 1, 0) == 1 {
          Glibc.kill(copy.key, SIGKILL)
        } else {
          close(copy.value)
          states[copy.key] = -1
        }
      }
      if wanted[1].revents != 0 { tellOfEnded(ended, &states) }
      if wanted[0].revents != 0 {
        var (talk, state): (Int32, Int32) = (-1, -1)
        let received = liveedit_receive_descriptors(controlPlace, &talk, &state)
        if received == 0 {
          isAsked = false
          continue
        }
        guard received > 0 else { _exit(1) }
        let server = getpid()
        let copy = liveedit_fork()
        if copy == 0 { return become(talk, of: server) }
        if copy > 0 {
          states[copy] = state
          tell(state, copy)
        } else {
          close(state)
        }
        close(talk)
      }
    }
    _exit(0)
  }

  /// The milliseconds that copies may take to end by themselves when whoever started the server has gone: they remove what
  /// they were making.
  private static let grace: Int32 = 3000

  private static func tellOfEnded(_ ended: Int32, _ states: inout [pid_t: Int32]) {
    var information = [UInt8](repeating: 0, count: 128)
    while read(ended, &information, information.count) > 0 {}
    var status: Int32 = 0
    while case let copy = waitpid(-1, &status, WNOHANG), copy > 0 {
      guard let state = states.removeValue(forKey: copy), state >= 0 else { continue }
      tell(state, status)
      close(state)
    }
  }

  private static func tell(_ state: Int32, _ number: Int32) {
    withUnsafeBytes(of: number) {
      _ = send(state, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
  }

  /// Makes a copy what a program is that was just started, and ends it where it could reach more, or the server has gone.
  private static func become(_ talk: Int32, of server: pid_t) {
    var none = sigset_t()
    sigemptyset(&none)
    guard dup2(talk, STDIN_FILENO) >= 0, dup2(talk, STDOUT_FILENO) >= 0,
      liveedit_close_from(UInt32(STDERR_FILENO) + 1) == 0, liveedit_end_with_parent() == 0,
      getppid() == server, sigprocmask(SIG_SETMASK, &none, nil) == 0
    else { _exit(1) }
  }
}
