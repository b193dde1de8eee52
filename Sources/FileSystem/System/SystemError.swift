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
  /// The two places are on different file systems (EXDEV).
  package static let otherFileSystem = SystemError(EXDEV)
  /// It may work another time (EAGAIN).
  package static let tryAgain = SystemError(EAGAIN)
  /// Of a network file system: the file is no longer the one of its name.
  package static let stale = SystemError(ESTALE)

  /// - Parameter code: the value of errno.
  package init(_ code: Int32) {
    self.code = code
  }

  /// True if there is no room, or no permission, to write (ENOSPC, EDQUOT, EROFS, EACCES, EPERM).
  package var isRefusal: Bool { [ENOSPC, EDQUOT, EROFS, EACCES, EPERM].contains(code) }

  /// The system's words for it, in lower case: “permission denied”.
  package var description: String {
    String(cString: strerror(code)).lowercased()
  }

  /// Lets `catch SystemError.exists` match.
  package static func ~= (pattern: SystemError, error: any Error) -> Bool {
    (error as? SystemError) == pattern
  }
}

/// Runs a system call that answers -1 on failure, again whenever a signal interrupts it.
///
/// Every call of this room goes through here. `close` does not: on Linux the descriptor is gone even when
/// it answers EINTR.
func calling<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let failure = SystemError(errno)
    if failure.code != EINTR { throw failure }
  }
}

/// The path that a symbolic link of the system's leads to: bytes, which need not be UTF-8.
///
/// The corresponding C function is `readlink`.
func targetOfLink(_ link: String) throws(SystemError) -> [UInt8] {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = try calling { readlink(link, &buffer, buffer.count) }
  return buffer.prefix(count).map { UInt8(bitPattern: $0) }
}
