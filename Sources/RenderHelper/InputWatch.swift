internal import CLinux
import FileSystem
import Glibc
import Synchronization

/// Reads from standard input.
enum StandardInput {
  /// Returns the bytes up to the first line feed or the end of the input. If bytes after the line feed have already
  /// been read, they are lost.
  ///
  /// - Parameter limit: The maximum number of bytes to read.
  static func readLine(atMost limit: Int) throws -> [UInt8] {
    var line: [UInt8] = []
    var block = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while line.count < limit {
      let count = read(STDIN_FILENO, &block, min(block.count, limit - line.count))
      if count < 0, errno != EINTR { throw SystemError(errno) }
      if count == 0 { return line }
      guard count > 0 else { continue }
      let end = block[..<count].firstIndex(of: UInt8(ascii: "\n"))
      line += block[..<(end ?? count)]
      if end != nil { return line }
    }
    return line
  }
}

/// Waits on a separate thread for standard input to end. The input ends when the client closes it or exits, and the
/// result is then no longer wanted.
///
/// If the work does not stop soon afterwards, for example because a codec hangs, the process exits and removes the
/// outputs.
final class InputWatch: Sendable {
  private let ended = Atomic<Bool>(false)
  private let outputs: [String]

  /// The time, in microseconds, that work may take to stop.
  private static let grace: UInt32 = 2_000_000

  /// Starts to watch standard input.
  ///
  /// - Parameter outputs: The paths of the files to remove if the work does not stop by itself.
  init(outputs: [String] = []) {
    self.outputs = outputs
    _ = try? WorkerThread { self.wait() }
  }

  /// Whether the input has ended.
  var isInputEnded: Bool { ended.load(ordering: .relaxed) }

  private func wait() {
    // poll always reports the end of a pipe. It reports that the peer of a socket has stopped sending only if this
    // event is requested.
    var input = pollfd(fd: STDIN_FILENO, events: liveedit_poll_rdhup, revents: 0)
    while poll(&input, 1, -1) < 0, errno == EINTR {}
    ended.store(true, ordering: .relaxed)
    usleep(Self.grace)
    for output in outputs { _ = try? File.remove(output) }
    _exit(1)
  }
}
