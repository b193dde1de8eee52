internal import CLinux
import Glibc

/// Regular files: writing, making durable, moving, removing.
public enum File {
  /// Writes a new file and makes its content durable.
  ///
  /// The corresponding C functions are `open` with `O_EXCL`, `write` and `fsync`. When one of them fails,
  /// the file is removed again.
  ///
  /// - Parameters:
  ///   - bytes: the content.
  ///   - path: a name that is not taken.
  public static func create(_ path: String, bytes: [UInt8]) throws(SystemError) {
    let descriptor = try calling { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666) }
    defer { close(descriptor) }
    do {
      try write(bytes, to: descriptor)
      _ = try calling { fsync(descriptor) }
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Writes bytes to an open descriptor, all of them.
  ///
  /// The corresponding C function is `write`.
  public static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      written += try calling {
        bytes.withUnsafeBytes { buffer in
          // A whole array never has a nil base here: it is not empty.
          Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
        }
      }
    }
  }

  /// Makes a file's content durable.
  ///
  /// The corresponding C function is `fsync`.
  public static func sync(_ path: String) throws(SystemError) {
    let descriptor = try calling { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
    defer { close(descriptor) }
    _ = try calling { fsync(descriptor) }
  }

  /// Gives a file permission bits, less those that the process's mask takes away.
  ///
  /// The corresponding C function is `chmod`. File systems without permissions (EPERM, EOPNOTSUPP) keep
  /// what they have.
  ///
  /// - Parameter permissions: bits of 0o777.
  public static func setPermissions(_ permissions: UInt32, of path: String) throws(SystemError) {
    let mask = umask(0o022)
    umask(mask)
    do {
      _ = try calling { chmod(path, permissions & 0o777 & ~mask) }
    } catch {
      if error.code != EPERM && error.code != EOPNOTSUPP { throw error }
    }
  }

  /// Moves a file onto a name, replacing what has it.
  ///
  /// The corresponding C function is `rename`.
  public static func replace(_ target: String, with path: String) throws(SystemError) {
    _ = try calling { rename(path, target) }
  }

  /// Moves a file to a name that nothing has; EEXIST otherwise.
  ///
  /// The corresponding C function is `renameat2` with `RENAME_NOREPLACE`. Where the file system cannot do
  /// that, `link` and `unlink` do the same; where it has no links either (FAT), the name is looked up
  /// first, which leaves a moment in which somebody else can take it.
  public static func move(_ path: String, toFree target: String) throws(SystemError) {
    do {
      _ = try calling { renameat2(AT_FDCWD, path, AT_FDCWD, target, liveedit_rename_noreplace) }
    } catch {
      guard error.code == EINVAL || error.code == ENOSYS else { throw error }
      try moveByLink(path, toFree: target)
    }
  }

  static func moveByLink(_ path: String, toFree target: String) throws(SystemError) {
    do {
      _ = try calling { link(path, target) }
    } catch {
      guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code) else { throw error }
      if try FileStatus.exists(target) { throw SystemError(EEXIST) }
      try replace(target, with: path)
      return
    }
    try remove(path)
  }

  /// Removes a name, never a folder.
  ///
  /// The corresponding C function is `unlink`.
  ///
  /// - Returns: false when nothing had the name.
  @discardableResult
  public static func remove(_ path: String) throws(SystemError) -> Bool {
    do {
      _ = try calling { unlink(path) }
      return true
    } catch {
      if error.code == ENOENT { return false }
      throw error
    }
  }
}
