import Glibc
import Synchronization

/// A program that runs beside this one and is talked to through its standard input and output.
///
/// Both are one socket pair, so that the child sees the end of its input when this process closes it or
/// dies, and writing to a dead child is an error and no signal. Standard error goes nowhere. The child
/// begins with no signal blocked. When the value goes away before its end was waited for, the child is killed.
package final class ChildProcess: Sendable {
  /// Its number.
  let identifier: pid_t
  /// The server that made it, and where that tells of it; nil for a child of this process.
  private let copied: (by: ForkServer, state: Int32)?
  private let socket: Int32
  private let isWaitedFor = Atomic<Bool>(false)

  /// The end of a process.
  package enum End: Hashable, Sendable {
    /// It exited with this status.
    case exited(Int32)
    /// This signal ended it.
    case signalled(Int32)
  }

  /// The result of a reading from the child's standard output.
  package enum Output: Hashable, Sendable {
    /// Some bytes, at least one.
    case bytes([UInt8])
    /// The child has closed its output.
    case end
    /// Nothing in the given time.
    case nothing
  }

  /// Starts a program.
  ///
  /// The corresponding C functions are `socketpair` and `posix_spawn`.
  ///
  /// - Parameters:
  ///   - executable: the program's path.
  ///   - arguments: what follows the program's own name.
  ///   - environment: the variables of this process that the program gets; nil for all of them.
  package init(
    executable: String, arguments: [String] = [], environment: [String]? = nil
  ) throws(SystemError) {
    let ends = try SocketPair(SOCK_STREAM)
    let theirs = ends.other
    identifier = try Program.spawn(executable, arguments, environment: environment) { actions in
      posix_spawn_file_actions_adddup2(&actions, theirs, STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, theirs, STDOUT_FILENO)
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    copied = nil
    socket = ends.handedOver()
  }

  /// Takes a process that a server made.
  ///
  /// - Parameters:
  ///   - identifier: its number.
  ///   - talk: the other end of its standard input and output; closed with the value.
  ///   - server: the server.
  ///   - state: where the server tells of it; closed with the value.
  init(_ identifier: pid_t, talk: Int32, copiedBy server: ForkServer, state: Int32) {
    (self.identifier, socket, copied) = (identifier, talk, (server, state))
  }

  deinit {
    if !isWaitedFor.load(ordering: .relaxed) { _ = end() }
    close(socket)
    if let copied { close(copied.state) }
  }

  /// Writes to the child's standard input, as much as it takes in a time.
  ///
  /// The corresponding C functions are `poll` and `send` with `MSG_NOSIGNAL`.
  ///
  /// - Parameters:
  ///   - bytes: what to write, at least one byte.
  ///   - milliseconds: how long to wait at most until the child takes some.
  /// - Returns: how many bytes it took; nil when it has closed its input or has ended.
  package func send(_ bytes: ArraySlice<UInt8>, waiting milliseconds: Int32) throws(SystemError) -> Int? {
    var wanted = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
    guard try calling({ poll(&wanted, 1, milliseconds) }) > 0 else { return 0 }
    do throws(SystemError) {
      return try calling {
        bytes.withUnsafeBytes {
          Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
      }
    } catch {
      switch error.code {
      case EPIPE, ECONNRESET: return nil
      case EAGAIN: return 0
      default: throw error
      }
    }
  }

  /// Ends the child's standard input.
  ///
  /// The corresponding C function is `shutdown`.
  package func closeInput() {
    shutdown(socket, Int32(SHUT_WR))
  }

  /// Waits for output.
  ///
  /// The corresponding C functions are `poll` and `recv`.
  ///
  /// - Parameter milliseconds: how long to wait at most.
  package func receive(waiting milliseconds: Int32) throws(SystemError) -> Output {
    var wanted = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard try calling({ poll(&wanted, 1, milliseconds) }) > 0 else { return .nothing }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count: Int
    do {
      count = try calling { recv(socket, &buffer, buffer.count, 0) }
    } catch {
      // The child closed without reading all of its input. Linux says so once; then comes what it wrote.
      if error.code == ECONNRESET { return .nothing }
      throw error
    }
    return count == 0 ? .end : .bytes(Array(buffer.prefix(count)))
  }

  /// Ends the child at once, a stopped one too. One that waits for a device that does not answer ends when that
  /// does; it is not waited for.
  ///
  /// The corresponding C functions are `kill` with `SIGKILL`, and `waitpid`; of a copy the server calls them.
  ///
  /// - Returns: how it ended; nil when that is not known.
  @discardableResult
  package func end() -> End? {
    guard !isWaitedFor.load(ordering: .relaxed) else { return nil }
    // Only whoever waits for it knows whether that number is still its own.
    if let copied { ForkServer.askToKill(copied.state) } else { kill(identifier, SIGKILL) }
    return wait(milliseconds: 200)
  }

  /// Waits until the child has ended.
  ///
  /// The corresponding C function is `waitpid`; of a copy the server calls it. Where something killed the server, that killed
  /// the copy too.
  ///
  /// - Parameter milliseconds: how long to wait at most.
  /// - Returns: nil when it has not ended, or when somebody else has waited for it.
  package func wait(milliseconds: Int) -> End? {
    guard !isWaitedFor.load(ordering: .relaxed) else { return nil }
    let status: Int32?
    do throws(SystemError) {
      status =
        if let copied {
          try ForkServer.told(copied.state, waiting: Int32(clamping: milliseconds)) ?? SIGKILL
        } else {
          try Self.status(of: identifier, waiting: milliseconds)
        }
    } catch {
      return nil
    }
    isWaitedFor.store(true, ordering: .relaxed)
    guard let status else { return nil }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  /// Waits for a child of this process.
  ///
  /// - Returns: its status; nil when somebody else has waited for it.
  /// - Throws: ``SystemError/tryAgain`` when it has not ended in that time.
  private static func status(
    of identifier: pid_t, waiting milliseconds: Int
  ) throws(SystemError) -> Int32? {
    var status: Int32 = 0
    var waited = 0
    while true {
      guard let found = try? calling({ waitpid(identifier, &status, WNOHANG) }) else { return nil }
      if found == identifier { return status }
      guard waited < milliseconds else { throw .tryAgain }
      usleep(1000)
      waited += 1
    }
  }

  /// The signal that no process can hold back (SIGKILL): sent by ``end()``, and by a system without memory.
  package static let killSignal = SIGKILL

  /// The signal for a system call that a filter forbids (SIGSYS).
  package static let forbiddenCallSignal = SIGSYS

  /// The signal for more processor time than a process may use (SIGXCPU).
  package static let timeSignal = SIGXCPU

  /// The number of bytes of memory that this process, and so a child, may use; nil for no limit.
  ///
  /// The corresponding C function is `getrlimit`, with `RLIMIT_AS` and `RLIMIT_DATA`.
  package static var memoryLimit: UInt? {
    [RLIMIT_AS, RLIMIT_DATA].compactMap { resource -> UInt? in
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0, limit.rlim_cur != .max else {
        return nil
      }
      return limit.rlim_cur
    }.min()
  }

  /// The number of the running process.
  ///
  /// The corresponding C function is `getpid`.
  package static var ownIdentifier: Int32 { getpid() }

  /// The folder of the running program.
  ///
  /// The corresponding C function is `readlink`, on `/proc/self/exe`.
  package static func ownFolder() throws(SystemError) -> String {
    let path = String(decoding: try targetOfLink("/proc/self/exe"), as: UTF8.self)
    return FilePath.shown(FilePath.split(path).folder)
  }
}
