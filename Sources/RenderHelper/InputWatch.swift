internal import CLinux
import FileSystem
import Glibc
import Synchronization

/// Reading of standard input.
enum StandardInput {
  /// The bytes up to the first line feed, or to the end. What follows the line feed is lost.
  ///
  /// - Parameter limit: what lies beyond so many bytes is not read.
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

/// Waits on a thread of its own for standard input to end, which says that nobody wants the result any more: whoever asked for
/// it closed the input, or died.
///
/// Work that does not stop of itself soon after (a codec that hangs) is ended together with the process, and its outputs are
/// removed.
final class InputWatch: Sendable {
  private let ended = Atomic<Bool>(false)
  private let outputs: [String]

  /// Microseconds that work may take to stop.
  private static let grace: UInt32 = 2_000_000

  /// Begins to watch.
  ///
  /// - Parameter outputs: paths of the files to remove when the work does not stop of itself.
  init(outputs: [String] = []) {
    self.outputs = outputs
    _ = try? WorkerThread { self.wait() }
  }

  /// True once the input has ended.
  var isInputEnded: Bool { ended.load(ordering: .relaxed) }

  private func wait() {
    // Besides what is asked for, poll tells of a pipe's end; a socket whose peer sends no more must be asked for.
    var input = pollfd(fd: STDIN_FILENO, events: liveedit_poll_rdhup, revents: 0)
    while poll(&input, 1, -1) < 0, errno == EINTR {}
    ended.store(true, ordering: .relaxed)
    usleep(Self.grace)
    for output in outputs { _ = try? File.remove(output) }
    _exit(1)
  }
}
