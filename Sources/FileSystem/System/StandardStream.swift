import Glibc
import Synchronization

/// The program's standard output and standard error.
///
/// Everything that the program prints passes through this type. Text for users is made safe for terminals, line by
/// line. A status line that shows progress is removed before anything else is printed. Write errors are recorded, so
/// that the program can report them when it ends.
package enum StandardStream: Int32, Sendable {
  /// Standard output, for results.
  case output = 1
  /// Standard error, for errors and progress.
  case error = 2

  private struct State {
    /// The first error that occurred when writing to standard output.
    var failure: SystemError?
    /// Whether the terminal's last line is a status line.
    var hasStatus = false
  }
  private static let state = Mutex(State())

  /// Ensures that a newly opened file cannot get the descriptor of a standard stream that the program's parent closed.
  ///
  /// The corresponding C functions are `fcntl` and `open`. Call this function before anything is opened.
  package static func reserve() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The descriptor is opened in the wrong direction, so that using the stream still causes an error.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes lines for users. Each line is made safe for terminals and is followed by a line feed. Line feeds within a
  /// line are escaped.
  package func write(lines: [String]) {
    put(lines.map { TerminalText.line($0) + "\n" }.joined())
  }

  /// Writes a line for users; see ``write(lines:)``.
  package func write(line: String) { write(lines: [line]) }

  /// Writes JSON texts for programs, each followed by a line feed.
  package func write(json texts: [String]) { put(texts.map { TerminalText.json($0) + "\n" }.joined()) }

  /// Writes a JSON text for programs; see ``write(json:)``.
  package func write(json text: String) { write(json: [text]) }

  /// Writes paths for programs, byte for byte, each followed by `end`. On a terminal, the paths are written as lines
  /// for users instead.
  package func write(paths: [String], end: String) {
    if isTerminal { return write(lines: paths) }
    put(paths.map { $0 + end }.joined())
  }

  /// Shows a status line, which is replaced by the next status line and removed by any other output. If this stream is
  /// not a terminal, nothing is shown.
  ///
  /// - Parameter line: A closure that returns the status line for a terminal of the given width in columns.
  package func show(status line: (_ columns: Int) -> String) {
    guard isTerminal else { return }
    Self.state.withLock { state in
      // The last columns are left free for the cursor and the terminal's “^C”. A line that wraps could not be removed.
      let columns = max(1, columns - 3)
      state.hasStatus = true
      send(
        Array(("\r" + TerminalText.cut(TerminalText.line(line(columns)), to: columns) + Self.eraseRest).utf8),
        &state)
    }
  }

  /// Removes the status line.
  package static func clearStatus() { state.withLock { clearStatus(&$0) } }

  private static func clearStatus(_ state: inout State) {
    guard state.hasStatus else { return }
    state.hasStatus = false
    StandardStream.error.send(Array(("\r" + eraseRest).utf8), &state)
  }

  /// The escape sequence “Erase in line” (ECMA-48 section 8.3.41).
  private static let eraseRest = "\u{1B}[K"

  /// Closes standard output.
  ///
  /// The corresponding C function is `close`, which may be the first call to report a write error.
  ///
  /// - Returns: The first write error; nil if everything was written.
  package static func finish() -> SystemError? {
    state.withLock { state in
      clearStatus(&state)
      if close(STDOUT_FILENO) != 0, errno != EBADF, state.failure == nil {
        state.failure = SystemError(errno)
      }
      return state.failure
    }
  }

  /// Whether writing to standard output has failed.
  package static var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Writes bytes unchanged.
  package func write(bytes: [UInt8]) {
    Self.state.withLock { state in
      Self.clearStatus(&state)
      send(bytes, &state)
    }
  }

  private func put(_ text: String) {
    if !text.isEmpty { write(bytes: Array(text.utf8)) }
  }

  /// Writes all bytes. Once a write to standard output has failed, nothing more is written, because the output would
  /// have a gap.
  private func send(_ bytes: [UInt8], _ state: inout State) {
    if self == .output, state.failure != nil { return }
    do {
      try File.write(bytes, to: rawValue)
    } catch {
      if self == .output { state.failure = error }
    }
  }

  /// Whether this stream is a terminal.
  ///
  /// The corresponding C function is `isatty`.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The width of the terminal in columns; 80 if the width is not available.
  ///
  /// The corresponding C function is `ioctl` with TIOCGWINSZ.
  private var columns: Int {
    var size = winsize()
    guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
