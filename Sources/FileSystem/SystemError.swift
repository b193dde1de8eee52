import Glibc

/// The errno of a system call that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The value of errno.
  public let code: Int32

  /// Nothing has that name (ENOENT).
  public static let notFound = SystemError(ENOENT)
  /// Something has that name (EEXIST).
  public static let exists = SystemError(EEXIST)
  /// The name is too long (ENAMETOOLONG).
  public static let tooLong = SystemError(ENAMETOOLONG)
  /// The permissions do not allow it (EACCES).
  public static let notPermitted = SystemError(EACCES)
  /// It may work another time (EAGAIN).
  public static let tryAgain = SystemError(EAGAIN)

  /// - Parameter code: the value of errno.
  public init(_ code: Int32) {
    self.code = code
  }

  /// The system's words for it, in lower case: «permission denied».
  public var description: String {
    String(cString: strerror(code)).lowercased()
  }
}

extension SystemError {
  /// Lets `catch SystemError.exists` match.
  public static func ~= (pattern: SystemError, error: any Error) -> Bool {
    (error as? SystemError) == pattern
  }
}
