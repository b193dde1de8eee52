import Basics
internal import CLinux
import Glibc

/// Functions that write and remove regular files by path. If a path passes through one of liveedit's own folders
/// (``HeldFolder/leading(to:)``), symbolic links in the rest of the path are not followed.
package enum File {
  /// Writes a new file and makes its content durable. Throws EEXIST if the name is in use.
  package static func create(_ path: String, bytes: [UInt8]) throws {
    let (folder, place) = try HeldFolder.leading(to: path)
    try folder.create(place, bytes: bytes)
  }

  /// Creates a new file and opens it for writing.
  ///
  /// The corresponding C function is `openat` with `O_EXCL`.
  static func openNew(_ name: String, in folder: Int32) throws(SystemError) -> Int32 {
    try calling {
      openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    }
  }

  /// Writes all bytes to an open descriptor.
  ///
  /// The corresponding C functions are `write`, and `poll` if the descriptor is non-blocking.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      do {
        written += try calling {
          bytes.withUnsafeBytes { buffer in
            // The base address is never nil here, because the array is not empty.
            Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
          }
        }
      } catch {
        guard error == .tryAgain else { throw error }
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = try calling { poll(&wanted, 1, -1) }
      }
    }
  }

  /// Appends bytes to a file. Symbolic links are not followed.
  ///
  /// The corresponding C functions are `open` with `O_APPEND`, `write` and `fsync`.
  package static func append(_ path: String, bytes: [UInt8]) throws(SystemError) {
    let descriptor = try calling { open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW) }
    defer { close(descriptor) }
    try write(bytes, to: descriptor)
    _ = try calling { fsync(descriptor) }
  }

  /// Reads a stream to its end. The stream does not have to be a regular file; a pipe and standard input also work.
  ///
  /// The corresponding C functions are `open` and `read`.
  ///
  /// - Parameters:
  ///   - path: The path; nil for standard input.
  ///   - limit: The maximum number of bytes.
  /// - Returns: The bytes; nil if the stream exceeds the limit.
  package static func stream(_ path: String?, atMost limit: Int) throws(SystemError) -> [UInt8]? {
    let descriptor = try path.map { path throws(SystemError) in
      try calling { open(path, O_RDONLY | O_CLOEXEC) }
    }
    defer { descriptor.map { _ = close($0) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try calling { read(descriptor ?? STDIN_FILENO, &buffer, buffer.count) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      if bytes.count > limit { return nil }
    }
  }

  /// Removes a file or a symbolic link, but never a folder.
  ///
  /// - Returns: Whether something was removed; false if the name does not exist.
  @discardableResult
  package static func remove(_ path: String) throws -> Bool {
    do {
      let (folder, place) = try HeldFolder.leading(to: path)
      return try folder.remove(place)
    } catch SystemError.notFound {
      return false
    }
  }

  /// Moves a file to a name that must not be in use; see ``HeldFolder/move(_:toFree:)``.
  static func move(
    _ name: String, in old: Int32, toFree target: String, in new: Int32
  ) throws(SystemError) {
    do {
      _ = try calling { renameat2(old, name, new, target, liveedit_rename_noreplace) }
    } catch {
      guard error.code == EINVAL || error.code == ENOSYS else { throw error }
      try moveByLink(name, in: old, toFree: target, in: new)
    }
  }

  static func moveByLink(
    _ name: String, in old: Int32, toFree target: String, in new: Int32
  ) throws(SystemError) {
    do {
      _ = try calling { linkat(old, name, new, target, 0) }
    } catch {
      guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code) else { throw error }
      if faccessat(new, target, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { throw SystemError(EEXIST) }
      if errno != ENOENT { throw SystemError(errno) }
      _ = try calling { renameat(old, name, new, target) }
      return
    }
    _ = try calling { unlinkat(old, name, 0) }
  }
}
