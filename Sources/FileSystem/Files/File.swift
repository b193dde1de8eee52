import Basics
internal import CLinux
import Glibc

/// Regular files by their paths: writing and removing. Where a path leads through one of liveedit's own folders
/// (``HeldFolder/leading(to:)``), no link is followed from there on.
package enum File {
  /// Writes a new file and makes its content durable; EEXIST when the name is taken.
  package static func create(_ path: String, bytes: [UInt8]) throws {
    let (folder, place) = try HeldFolder.leading(to: path)
    try folder.create(place, bytes: bytes)
  }

  /// Opens a new file for writing.
  ///
  /// The corresponding C function is `openat` with `O_EXCL`.
  static func openNew(_ name: String, in folder: Int32) throws(SystemError) -> Int32 {
    try calling {
      openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    }
  }

  /// Writes bytes to an open descriptor, all of them.
  ///
  /// The corresponding C functions are `write`, and `poll` where the descriptor does not wait by itself.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      do {
        written += try calling {
          bytes.withUnsafeBytes { buffer in
            // A whole array never has a nil base here: it is not empty.
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

  /// Writes bytes at the end of a file; a link is not followed.
  ///
  /// The corresponding C functions are `open` with `O_APPEND`, `write` and `fsync`.
  package static func append(_ path: String, bytes: [UInt8]) throws(SystemError) {
    let descriptor = try calling { open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW) }
    defer { close(descriptor) }
    try write(bytes, to: descriptor)
    _ = try calling { fsync(descriptor) }
  }

  /// Reads something that may be no regular file to its end: a pipe, standard input.
  ///
  /// The corresponding C functions are `open` and `read`.
  ///
  /// - Parameters:
  ///   - path: the path; nil for standard input.
  ///   - limit: the greatest number of bytes.
  /// - Returns: nil when there are more.
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

  /// Removes a name, never a folder.
  ///
  /// - Returns: false when nothing had the name.
  @discardableResult
  package static func remove(_ path: String) throws -> Bool {
    do {
      let (folder, place) = try HeldFolder.leading(to: path)
      return try folder.remove(place)
    } catch SystemError.notFound {
      return false
    }
  }

  /// Moves a name to one that nothing has, see ``HeldFolder/move(_:toFree:)``.
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
