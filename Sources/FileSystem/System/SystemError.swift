import Glibc

/// The error number (errno) of a failed system call.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The value of errno.
  package let code: Int32

  /// The file or folder does not exist (ENOENT).
  package static let notFound = SystemError(ENOENT)
  /// The name is already in use (EEXIST).
  package static let exists = SystemError(EEXIST)
  /// The name is too long (ENAMETOOLONG).
  package static let tooLong = SystemError(ENAMETOOLONG)
  /// The permissions do not allow the operation (EACCES).
  package static let notPermitted = SystemError(EACCES)
  /// The two paths are on different file systems (EXDEV).
  package static let otherFileSystem = SystemError(EXDEV)
  /// The call may succeed later (EAGAIN).
  package static let tryAgain = SystemError(EAGAIN)
  /// The path now leads to another file, for example on a network file system (ESTALE).
  package static let stale = SystemError(ESTALE)

  /// - Parameter code: The value of errno.
  package init(_ code: Int32) {
    self.code = code
  }

  /// Whether writing failed because of missing space or permission (ENOSPC, EDQUOT, EROFS, EACCES, EPERM).
  package var isRefusal: Bool { [ENOSPC, EDQUOT, EROFS, EACCES, EPERM].contains(code) }

  /// The system's description of the error, in lower case: “permission denied”.
  package var description: String {
    String(cString: strerror(code)).lowercased()
  }

  /// Makes `catch SystemError.exists` match.
  package static func ~= (pattern: SystemError, error: any Error) -> Bool {
    (error as? SystemError) == pattern
  }
}

/// Runs a system call that returns -1 on failure, and repeats the call whenever a signal interrupts it.
///
/// All system calls in this module use this function, except `close`: on Linux, the descriptor is closed even if
/// `close` returns EINTR.
func calling<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let failure = SystemError(errno)
    if failure.code != EINTR { throw failure }
  }
}

/// Returns the target of a symbolic link that belongs to the system. The bytes do not have to be valid UTF-8.
///
/// The corresponding C function is `readlink`.
func targetOfLink(_ link: String) throws(SystemError) -> [UInt8] {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = try calling { readlink(link, &buffer, buffer.count) }
  return buffer.prefix(count).map { UInt8(bitPattern: $0) }
}
