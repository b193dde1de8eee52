import Glibc

/// The errno of a system call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The value of errno.
  package let code: Int32

  /// Nothing has that name (ENOENT).
  package static let notFound = SystemError(ENOENT)
  /// Something has that name (EEXIST).
  package static let exists = SystemError(EEXIST)
  /// The name is too long (ENAMETOOLONG).
  package static let tooLong = SystemError(ENAMETOOLONG)
  /// The permissions do not allow it (EACCES).
  package static let notPermitted = SystemError(EACCES)
  /// It may work another time (EAGAIN).
  package static let tryAgain = SystemError(EAGAIN)

  /// - Parameter code: the value of errno.
  package init(_ code: Int32) {
    self.code = code
  }

  /// The system's words for it, in lower case: “permission denied”.
  package var description: String {
    String(cString: strerror(code)).lowercased()
  }
}

extension SystemError {
  /// Lets `catch SystemError.exists` match.
  package static func ~= (pattern: SystemError, error: any Error) -> Bool {
    (error as? SystemError) == pattern
  }
}
