package import Basics
import Glibc

extension EditError {
  /// Creates an error about a file from an error that occurred while reading the file.
  ///
  /// - Parameters:
  ///   - path: The file that was read.
  ///   - error: An ``EditError`` (which is kept unchanged), a ``SystemError``, a `MediaError` or any other error.
  package init(reading path: String, _ error: any Error) {
    switch error {
    case let error as EditError: self = error
    case let error as MediaError:
      self.init(
        error.isUnsupported ? .unsupported : .invalidFile, file: path, error.problem, remedy: error.remedy)
      cause = error.cause
    case let error as SystemError:
      switch error.code {
      case ENOENT, ENOTDIR:
        self.init(.notFound, file: path, "no such file", remedy: "check the file name")
      case EXDEV:
        self.init(
          .unsupported, file: path, "is a symbolic link to a file outside the served folder",
          remedy: "put the file itself in the folder")
      case EACCES, EPERM:
        self.init(
          .fileSystem, file: path, Self.notReadable, remedy: "change its permissions, or run as its owner")
      default:
        self = Self.elsewhere(path, error) ?? EditError(.fileSystem, file: path, "cannot be read (\(error))")
      }
    default: self.init(.invalidFile, file: path, "cannot be read (\(error))")
    }
    if let error = error as? SystemError { cause = .system(error.code) }
  }

  /// Creates an error about a file or folder from an error that occurred while writing to that file or folder.
  ///
  /// - Parameters:
  ///   - path: The file or folder that was written to.
  ///   - error: An ``EditError`` (which is kept unchanged), a ``SystemError`` or any other error.
  package init(writing path: String, _ error: any Error) {
    if let error = error as? EditError {
      self = error
      return
    }
    let system = error as? SystemError
    defer { cause = system.map { .system($0.code) } }
    if let error = system.flatMap({ Self.elsewhere(path, $0) }) {
      self = error
      return
    }
    switch system?.code {
    case ENOSPC:
      self.init(.fileSystem, file: path, "the disk is full", remedy: "free some space and try again")
    case EDQUOT:
      self.init(
        .fileSystem, file: path, "the disk quota is exceeded", remedy: "free some space and try again")
    case EACCES, EPERM:
      self.init(
        .fileSystem, file: path, "cannot be written: permission denied", remedy: Self.permissionRemedy)
    case EROFS:
      self.init(.fileSystem, file: path, "is on a read-only file system", remedy: Self.otherDiskRemedy)
    case ENAMETOOLONG:
      self.init(.fileSystem, file: path, "the name is too long", remedy: "give the original a shorter name")
    case EFBIG:
      self.init(.fileSystem, file: path, "would exceed the system's file size limit")
    case ENOENT, ENOTDIR:
      self.init(.notFound, file: path, "no such folder", remedy: "create it first")
    default:
      self.init(.fileSystem, file: path, "cannot be written (\(error))")
    }
  }

  /// Returns the error for a path that now leads to another file, or that passes through a forbidden symbolic link; nil
  /// for any other error.
  private static func elsewhere(_ path: String, _ error: SystemError) -> EditError? {
    switch error.code {
    case ELOOP:
      EditError(
        .inTheWay, file: path, "is reached through a symbolic link, which is not followed",
        remedy: "replace the link with the folder or file that it points to")
    case ESTALE:
      EditError(
        .conflict, file: path, "the file or its folder was moved or replaced", remedy: "try again")
    default: nil
    }
  }

  private static let notReadable: Message = "cannot be read: permission denied"
  /// Whether the error means that the user does not have permission to read the file.
  package var isNotReadable: Bool { code == .fileSystem && problem == Self.notReadable }
  private static let permissionRemedy: Message = "change the folder's permissions"
  private static let otherDiskRemedy: Message = "use a writable folder"

  /// Returns this error. If the error's remedy concerns a folder that is not writable, the returned remedy also
  /// suggests another folder.
  ///
  /// - Parameter option: The command-line option that names the folder: `-o`.
  package func offering(_ option: String) -> EditError {
    var error = self
    if remedy == Self.permissionRemedy {
      error.remedy = "\(Self.permissionRemedy) or choose another folder with \(option)"
    } else if remedy == Self.otherDiskRemedy {
      error.remedy = "choose another folder with \(option)"
    }
    return error
  }
}

/// Runs a closure. Any error is converted to an ``EditError`` about the file that is read.
package func whileReading<Value>(
  _ path: @autoclosure () -> String, _ body: () throws -> Value
) throws(EditError) -> Value {
  do { return try body() } catch { throw EditError(reading: path(), error) }
}

/// Reads optional information from a file. Returns nil if the information is missing or not valid, or if the user does
/// not have permission to read the file. If the system cannot read the file, the information may still exist, so an
/// ``EditError`` about the file is thrown.
package func ifSound<Value>(
  _ path: @autoclosure () -> String, _ body: () throws -> Value?
) throws(EditError) -> Value? {
  try whileReading(path()) { try ifSound(body) }
}

/// Reads optional information. Returns nil if the information is missing or not valid, or if the user does not have
/// permission to read it. Throws an error if the system cannot read the information.
package func ifSound<Value>(_ body: () throws -> Value?) throws -> Value? {
  do { return try body() } catch {
    let told = EditError(reading: "", error)
    guard told.code != .fileSystem || told.isNotReadable else { throw error }
    return nil
  }
}

/// Runs a closure. Any error is converted to an ``EditError`` about the file or folder that is written to.
package func whileWriting<Value>(
  _ path: @autoclosure () -> String, _ body: () throws -> Value
) throws(EditError) -> Value {
  do { return try body() } catch { throw EditError(writing: path(), error) }
}
