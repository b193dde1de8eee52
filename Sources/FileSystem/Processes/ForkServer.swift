internal import CLinux
import Glibc

/// A program that loads its libraries and then forks. Each forked copy continues as if it had just been started.
/// Loading FFmpeg's libraries takes many times as long as forking.
///
/// The server program runs ``serve()``. A packet that contains two descriptors requests a copy. The first descriptor
/// becomes the copy's standard input and output. On the second descriptor, the server reports the copy's process ID
/// and, when the copy ends, the copy's status in the format of `waitpid`. If the server receives a byte on the second
/// descriptor, it kills the copy. The server ends when the process that started the server closes its socket or dies.
/// Copies that do not end soon afterwards are killed. If the server is killed, its copies are killed too.
package final class ForkServer: Sendable {
  /// The process ID of the server.
  let identifier: pid_t
  private let control: Int32

  /// The last argument that makes a program run as a fork server.
  package static let argument = "--fork-server"

  /// The descriptor on which a fork server receives requests.
  private static let controlPlace: Int32 = 3
  /// The maximum time, in milliseconds, that a server may take to load its libraries and fork a copy, or to end.
  private static let patience: Int32 = 10_000

  /// Starts a server without waiting until the server is ready.
  ///
  /// The corresponding C functions are `socketpair` and `posix_spawn`.
  ///
  /// - Parameters:
  ///   - executable: The path of a program that calls ``serve()`` if its last argument is ``argument``.
  ///   - arguments: The arguments before ``argument``.
  ///   - environment: The names of the environment variables that the program inherits from this process.
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
    // The processor time of child processes includes only children that this process has waited for.
    for waited in 0..<2 * Self.patience where waitpid(identifier, nil, WNOHANG) == 0 {
      if waited == Self.patience { Glibc.kill(identifier, SIGKILL) }
      usleep(1000)
    }
  }

  /// Makes the server fork a copy of itself.
  ///
  /// The corresponding C functions are `sendmsg` with `SCM_RIGHTS`, and `fork` in the server.
  ///
  /// - Throws: ``SystemError`` if the program is not a server, has ended, or cannot fork a copy;
  ///   ``SystemError/tryAgain`` if the server sends no result within ten seconds.
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

  /// Kills a copy unless it has already ended.
  ///
  /// - Parameter state: The descriptor on which the server reports the copy's state.
  static func askToKill(_ state: Int32) {
    _ = send(state, [0], 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  /// Receives the server's next report about a copy.
  ///
  /// - Parameters:
  ///   - state: The descriptor on which the server reports the copy's state.
  ///   - milliseconds: The maximum time to wait.
  /// - Returns: The reported number; nil if the server will send no more reports.
  /// - Throws: ``SystemError/tryAgain`` if nothing was reported within the given time.
  static func told(_ state: Int32, waiting milliseconds: Int32) throws(SystemError) -> Int32? {
    // The loop counts its rounds instead of measuring time, because the server's silence is meaningless while this
    // process itself is stopped.
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
    // The server closed its socket without reading everything. Linux reports this error once; the server's output
    // follows.
    while count < 0, errno == EINTR || errno == ECONNRESET { count = recv(state, &number, size, 0) }
    return count == size ? number : nil
  }
}

extension ForkServer {
  /// Forks copies for the process that started this program, until that process ends. If this program has more than one
  /// thread, the process exits.
  ///
  /// The corresponding C functions are `recvmsg`, `fork`, `signalfd`, `waitpid` and `poll`.
  ///
  /// This function returns only in the copies. A copy's standard input and output are the descriptor from the request,
  /// the copy's standard error is discarded, and no other descriptors are open. If this setup fails, or if copies
  /// cannot be monitored, the process exits.
  ///
  /// The thread in which this function returns must not share locks with other threads. A ``WorkerThread`` may share
  /// locks. Swift (6.3) caches the thread ID and passes the cached ID to the kernel in locks (`Mutex`, `once`;
  /// `FUTEX_LOCK_PI`). In the returning thread, the cached ID is the server's ID. The kernel rejects this ID in the
  /// copy, so any thread that waits for such a lock waits forever.
  package static func serve() {
    // A thread started by a library might hold a lock, and a copy would never release that lock.
    guard HostSystem.threads == 1 else { _exit(1) }
    // The process that started liveedit may have left files open in this process.
    guard liveedit_close_from(UInt32(controlPlace) + 1) == 0 else { _exit(1) }
    let ended = liveedit_watch_children()
    guard ended >= 0 else { _exit(1) }
    // The descriptors for reports about each copy; -1 if the requester no longer listens.
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

  /// The time, in milliseconds, that copies have to end by themselves after the process that started the server has
  /// ended. In this time, the copies remove unfinished files.
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

  /// Resets a copy to the state of a program that was just started. Ends the copy if the copy has access to anything
  /// that it should not have access to, or if the server has ended.
  private static func become(_ talk: Int32, of server: pid_t) {
    var none = sigset_t()
    sigemptyset(&none)
    guard dup2(talk, STDIN_FILENO) >= 0, dup2(talk, STDOUT_FILENO) >= 0,
      liveedit_close_from(UInt32(STDERR_FILENO) + 1) == 0, liveedit_end_with_parent() == 0,
      getppid() == server, sigprocmask(SIG_SETMASK, &none, nil) == 0
    else { _exit(1) }
  }
}
