import Glibc
import Synchronization

/// A program that runs alongside this program and communicates through its standard input and output.
///
/// A single socket pair serves as both streams. If this process closes its socket or dies, the child's input ends. If
/// the child is dead, writing to the child returns an error and does not raise a signal. The child's standard error is
/// discarded. The child starts with no signals blocked. If this object is deinitialised before the program has waited
/// for the child to end, the child is killed.
package final class ChildProcess: Sendable {
  /// The process ID of the child.
  let identifier: pid_t
  /// The server that forked the child, and the descriptor on which the server reports the child's state; nil for a
  /// child that this process started itself.
  private let copied: (by: ForkServer, state: Int32)?
  private let socket: Int32
  private let isWaitedFor = Atomic<Bool>(false)

  /// The way in which a process ended.
  package enum End: Hashable, Sendable {
    /// The process exited with this status.
    case exited(Int32)
    /// The process was ended by this signal.
    case signalled(Int32)
  }

  /// The result of reading from the child's standard output.
  package enum Output: Hashable, Sendable {
    /// One or more bytes of output.
    case bytes([UInt8])
    /// The child has closed its output.
    case end
    /// The child sent no output in the given time.
    case nothing
  }

  /// Starts a program.
  ///
  /// The corresponding C functions are `socketpair` and `posix_spawn`.
  ///
  /// - Parameters:
  ///   - executable: The path of the program.
  ///   - arguments: The arguments after the program's own name.
  ///   - environment: The names of the environment variables that the program inherits from this process; nil for all
  ///     variables.
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

  /// Creates a value for a process that a server forked.
  ///
  /// - Parameters:
  ///   - identifier: The process ID.
  ///   - talk: The other end of the child's standard input and output. This descriptor is closed when this object is
  ///     deinitialised.
  ///   - server: The server that forked the process.
  ///   - state: The descriptor on which the server reports the child's state. This descriptor is closed when this
  ///     object is deinitialised.
  init(_ identifier: pid_t, talk: Int32, copiedBy server: ForkServer, state: Int32) {
    (self.identifier, socket, copied) = (identifier, talk, (server, state))
  }

  deinit {
    if !isWaitedFor.load(ordering: .relaxed) { _ = end() }
    close(socket)
    if let copied { close(copied.state) }
  }

  /// Writes as many bytes to the child's standard input as the child accepts within a time limit.
  ///
  /// The corresponding C functions are `poll` and `send` with `MSG_NOSIGNAL`.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to write, at least one.
  ///   - milliseconds: The maximum time to wait until the child accepts some bytes.
  /// - Returns: The number of bytes written; nil if the child has closed its input or has ended.
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

  /// Closes the child's standard input.
  ///
  /// The corresponding C function is `shutdown`.
  package func closeInput() {
    shutdown(socket, Int32(SHUT_WR))
  }

  /// Waits for output from the child.
  ///
  /// The corresponding C functions are `poll` and `recv`.
  ///
  /// - Parameter milliseconds: The maximum time to wait.
  package func receive(waiting milliseconds: Int32) throws(SystemError) -> Output {
    var wanted = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard try calling({ poll(&wanted, 1, milliseconds) }) > 0 else { return .nothing }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count: Int
    do {
      count = try calling { recv(socket, &buffer, buffer.count, 0) }
    } catch {
      // The child closed its socket without reading all of its input. Linux reports this error once; the child's output
      // follows.
      if error.code == ECONNRESET { return .nothing }
      throw error
    }
    return count == 0 ? .end : .bytes(Array(buffer.prefix(count)))
  }

  /// Kills the child immediately, even if it is stopped. A child that is blocked on an unresponsive device ends only
  /// when the device responds. This method does not wait for the device.
  ///
  /// The corresponding C functions are `kill` with `SIGKILL`, and `waitpid`. For a forked copy, the server calls these
  /// functions.
  ///
  /// - Returns: How the child ended; nil if this is not known.
  @discardableResult
  package func end() -> End? {
    guard !isWaitedFor.load(ordering: .relaxed) else { return nil }
    // Only the process that waits for a child can be sure that the process ID still belongs to that child.
    if let copied { ForkServer.askToKill(copied.state) } else { kill(identifier, SIGKILL) }
    return wait(milliseconds: 200)
  }

  /// Waits until the child has ended.
  ///
  /// The corresponding C function is `waitpid`. For a forked copy, the server calls this function. If the server was
  /// killed, the copy was killed too.
  ///
  /// - Parameter milliseconds: The maximum time to wait.
  /// - Returns: How the child ended; nil if the child has not ended, or if another caller has already waited for the
  ///   child.
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

  /// Waits until a child of this process ends.
  ///
  /// - Returns: The child's status; nil if another caller has already waited for the child.
  /// - Throws: ``SystemError/tryAgain`` if the child has not ended within the given time.
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

  /// The signal that a process cannot block (SIGKILL). This signal is sent by ``end()``, and by a system that runs out
  /// of memory.
  package static let killSignal = SIGKILL

  /// The signal for a system call that a filter forbids (SIGSYS).
  package static let forbiddenCallSignal = SIGSYS

  /// The signal for exceeding the limit on processor time (SIGXCPU).
  package static let timeSignal = SIGXCPU

  /// The maximum memory, in bytes, of this process and therefore of a child process; nil for no limit.
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

  /// The process ID of the running process.
  ///
  /// The corresponding C function is `getpid`.
  package static var ownIdentifier: Int32 { getpid() }

  /// Returns the folder that contains the running program.
  ///
  /// The corresponding C function is `readlink` on `/proc/self/exe`.
  package static func ownFolder() throws(SystemError) -> String {
    let path = String(decoding: try targetOfLink("/proc/self/exe"), as: UTF8.self)
    return FilePath.shown(FilePath.split(path).folder)
  }
}
