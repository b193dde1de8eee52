import Glibc

/// The errno of a system call that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The value of errno.
  public let code: Int32

  /// - Parameter code: the value of errno.
  public init(_ code: Int32) {
    self.code = code
  }

  /// The system's words for it, in lower case: «permission denied».
  public var description: String {
    String(cString: strerror(code)).lowercased()
  }
}
