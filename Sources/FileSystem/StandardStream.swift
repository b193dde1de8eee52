import Glibc

/// The program's standard output and standard error.
public enum StandardStream: Int32, Sendable {
  /// Where results go.
  case output = 1
  /// Where errors and progress go.
  case error = 2

  /// Writes text; what cannot be written is lost.
  ///
  /// The corresponding C function is `write`.
  public func write(_ text: String) {
    try? File.write(Array(text.utf8), to: rawValue)
  }

  /// Whether somebody looks at it.
  ///
  /// The corresponding C function is `isatty`.
  public var isTerminal: Bool { isatty(rawValue) == 1 }
}
