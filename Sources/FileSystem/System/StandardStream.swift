import Glibc
import Synchronization

/// The program's standard output and standard error.
///
/// All that the program prints goes through here. What is for people is made safe for terminals, line by line; a status
/// line that shows progress goes away before anything else is printed; and what could not be written is remembered, so
/// that the program can fail at its end.
package enum StandardStream: Int32, Sendable {
  /// Standard output, for results.
  case output = 1
  /// Standard error, for errors and progress.
  case error = 2

  private struct State {
    /// The first error of writing to standard output.
    var failure: SystemError?
    /// True if the terminal's last line is a status line.
    var hasStatus = false
  }
  private static let state = Mutex(State())

  /// Makes sure that nothing that the program opens takes the place of a standard stream which its parent closed.
  ///
  /// The corresponding C functions are `fcntl` and `open`. Call it before anything is opened.
  package static func reserve() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The wrong way round, so that using it still is an error.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes lines for people, each made safe for terminals and ended; a line feed in one of them does not end it.
  package func write(lines: [String]) {
    put(lines.map { TerminalText.line($0) + "\n" }.joined())
  }

  /// Writes a line for people, see ``write(lines:)``.
  package func write(line: String) { write(lines: [line]) }

  /// Writes JSON texts for programs, a line feed behind each.
  package func write(json texts: [String]) { put(texts.map { TerminalText.json($0) + "\n" }.joined()) }

  /// Writes a JSON text for programs, see ``write(json:)``.
  package func write(json text: String) { write(json: [text]) }

  /// Writes paths for programs, byte for byte, `end` behind each; as lines for people where people look at them.
  package func write(paths: [String], end: String) {
    if isTerminal { return write(lines: paths) }
    put(paths.map { $0 + end }.joined())
  }

  /// Shows a line that the next one replaces, and that anything else which is written takes away; nothing where this is
  /// no terminal.
  ///
  /// - Parameter line: for the terminal's columns, to the line which it shows.
  package func show(status line: (_ columns: Int) -> String) {
    guard isTerminal else { return }
    Self.state.withLock { state in
      // The last columns stay free for the cursor and the “^C” of a terminal: a line that wraps cannot be taken away.
      let columns = max(1, columns - 3)
      state.hasStatus = true
      send(
        Array(("\r" + TerminalText.cut(TerminalText.line(line(columns)), to: columns) + Self.eraseRest).utf8),
        &state)
    }
  }

  /// Takes the status line away.
  package static func clearStatus() { state.withLock { clearStatus(&$0) } }

  private static func clearStatus(_ state: inout State) {
    guard state.hasStatus else { return }
    state.hasStatus = false
    StandardStream.error.send(Array(("\r" + eraseRest).utf8), &state)
  }

  /// “Erase in line” (ECMA-48 section 8.3.41).
  private static let eraseRest = "\u{1B}[K"

  /// Ends standard output.
  ///
  /// The corresponding C function is `close`, which may be the first to tell that something could not be written.
  ///
  /// - Returns: why not all of it could be written; nil when it could.
  package static func finish() -> SystemError? {
    state.withLock { state in
      clearStatus(&state)
      if close(STDOUT_FILENO) != 0, errno != EBADF, state.failure == nil {
        state.failure = SystemError(errno)
      }
      return state.failure
    }
  }

  /// True if standard output could not be written to.
  package static var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Writes bytes as they are.
  package func write(bytes: [UInt8]) {
    Self.state.withLock { state in
      Self.clearStatus(&state)
      send(bytes, &state)
    }
  }

  private func put(_ text: String) {
    if !text.isEmpty { write(bytes: Array(text.utf8)) }
  }

  /// Writes all bytes. What follows on a failure of standard output is not written: it would stand there without what
  /// is missing before it.
  private func send(_ bytes: [UInt8], _ state: inout State) {
    if self == .output, state.failure != nil { return }
    do {
      try File.write(bytes, to: rawValue)
    } catch {
      if self == .output { state.failure = error }
    }
  }

  /// True if it is a terminal.
  ///
  /// The corresponding C function is `isatty`.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The number of the terminal's columns; 80 where it does not tell.
  ///
  /// The corresponding C function is `ioctl`, with TIOCGWINSZ.
  private var columns: Int {
    var size = winsize()
    guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
