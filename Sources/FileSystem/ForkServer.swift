internal import CLinux
import Glibc

/// A program that has loaded its libraries and makes copies of itself, each of which goes on as if it had just been started:
/// that takes a millisecond or two, and loading FFmpeg's libraries some thirty.
///
/// The program's own half is ``serve()``. What it is told: a packet with two descriptors asks for a copy, whose standard
/// input and output the first one is. At the other the server tells the copy's number, and in the end how it ended, as `waitpid` puts
/// it; a byte that arrives there asks to kill the copy. The server ends when whoever started it has closed its socket or died.
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
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
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
  /// - Throws: ``SystemError`` when the program is no server, has ended, or cannot make one.
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
    var wanted = pollfd(fd: state, events: Int16(POLLIN), revents: 0)
    guard try calling({ poll(&wanted, 1, milliseconds) }) > 0 else { throw .tryAgain }
    var number: Int32 = 0
    let size = MemoryLayout.size(ofValue: number)
    return try calling { recv(state, &number, size, 0) } == size ? number : nil
  }
}

extension ForkServer {
  /// Serves copies for whoever started this program, until that has gone. To be called while there is one thread.
  ///
  /// The corresponding C functions are `recvmsg`, `fork`, `signalfd`, `waitpid` and `poll`.
  ///
  /// Returns in each copy, which has its standard input and output, and no other descriptors.
  package static func serve() {
    // Whoever started liveedit may have left files open in it.
    _ = liveedit_close_from(UInt32(controlPlace) + 1)
    let ended = liveedit_watch_children()
    guard ended >= 0 else { _exit(1) }
    // Where to tell of each copy.
    var states: [pid_t: Int32] = [:]
    while true {
      let copies = Array(states)
      var wanted = ([controlPlace, ended] + copies.map(\.value)).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&wanted, nfds_t(wanted.count), -1) > 0 else { continue }
      for (copy, wanted) in zip(copies, wanted.dropFirst(2)) where wanted.revents != 0 {
        var byte: UInt8 = 0
        if recv(copy.value, &byte, 1, 0) == 1 {
          Glibc.kill(copy.key, SIGKILL)
        } else {
          // Nobody asks for this one any more; it is waited for all the same.
          close(copy.value)
          states[copy.key] = -1
        }
      }
      if wanted[1].revents != 0 { tellOfEnded(ended, &states) }
      if wanted[0].revents != 0 {
        var (talk, state): (Int32, Int32) = (-1, -1)
        let received = liveedit_receive_descriptors(controlPlace, &talk, &state)
        if received == 0 { _exit(0) }
        guard received > 0 else { _exit(1) }
        let copy = liveedit_fork()
        if copy == 0 { return become(talk) }
        if copy > 0 {
          states[copy] = state
          tell(state, copy)
        } else {
          close(state)
        }
        close(talk)
      }
    }
  }

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

  /// Makes a copy what a program is that was just started.
  private static func become(_ talk: Int32) {
    dup2(talk, STDIN_FILENO)
    dup2(talk, STDOUT_FILENO)
    _ = liveedit_close_from(UInt32(STDERR_FILENO) + 1)
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
  }
}
