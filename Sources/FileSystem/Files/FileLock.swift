import Glibc

/// An exclusive lock on a file. The lock is held as long as this object exists. When the process ends for any reason,
/// the system releases the lock.
///
/// On file systems without locks (EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL), the lock is granted but has no effect. A single
/// process works as usual, but two concurrent processes can interfere with each other.
package final class FileLock: Sendable {
  private let descriptor: Int32

  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    // Closing the descriptor does not release the lock until every copy of the descriptor is closed. While another
    // thread starts a program, the new process has a copy until the program runs.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Writes a description of the owner into the locked file, replacing the previous owner's description.
  ///
  /// The corresponding C functions are `ftruncate` and `pwrite`. If the file has several hard links, nothing is
  /// written.
  package func record(_ text: String) throws(SystemError) {
    guard try FileStatus(descriptor: descriptor).links == 1 else { return }
    let bytes = Array(text.utf8)
    _ = try calling { ftruncate(descriptor, 0) }
    _ = try calling { pwrite(descriptor, bytes, bytes.count, 0) }
  }

  /// The result of an attempt to lock a file.
  package enum Attempt {
    /// The lock was acquired.
    case locked(FileLock)
    /// Another process holds the lock.
    case busy
    /// The file system does not support locks.
    case unsupported
    /// The file does not exist, or was removed during the attempt.
    case gone
  }

  /// Tries to lock a file without waiting.
  ///
  /// The corresponding C functions are `openat` and `flock` with `LOCK_EX | LOCK_NB`. The lock counts only if the path
  /// still leads to the locked file, since the previous owner may have removed the file in the meantime.
  ///
  /// - Parameters:
  ///   - place: The relative path of the file. The file must be writable, as NFS requires.
  ///   - folder: The folder that the path is relative to.
  ///   - creating: Whether to create an empty file if the file does not exist.
  ///   - isStrict: Whether to report file systems that do not support locks on whole files or on parts of files.
  /// - Throws: ``SystemError``, or ``Basics/EditError`` if the path does not lead to a regular file.
  package static func attempt(
    _ place: String, in folder: HeldFolder, creating: Bool, isStrict: Bool = false
  ) throws -> Attempt {
    do {
      return try folder.inParent(of: place) { parent, name in
        try attempt(name, parent, folder.path(place), creating, isStrict)
      }
    } catch SystemError.notFound {
      return .gone
    }
  }

  private static func attempt(
    _ name: String, _ parent: Int32, _ shown: String, _ creating: Bool, _ isStrict: Bool
  ) throws -> Attempt {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let lock: FileLock
    do {
      guard creating else { throw SystemError.exists }
      lock = FileLock(descriptor: try calling { openat(parent, name, flags | O_CREAT | O_EXCL, 0o666) })
    } catch SystemError.exists {
      lock = try openExisting(name, parent, shown, flags)
    }
    do {
      _ = try calling { flock(lock.descriptor, LOCK_EX | LOCK_NB) }
      if isStrict { try askForRecordLocks(lock.descriptor, F_WRLCK) }
    } catch {
      if error.code == EWOULDBLOCK { return .busy }
      if !hasNoLocks(error) { throw error }
      if isStrict { return .unsupported }
    }
    let held = try FileStatus(descriptor: lock.descriptor).place
    return try FileStatus(name, in: parent).place == held ? .locked(lock) : .gone
  }

  /// Returns whether a process that only reads a file can lock parts of it, as SQLite does. Also returns true if the
  /// answer cannot be determined.
  ///
  /// - Parameter place: The relative path of the file. This process must not hold locks on any part of the file, since
  ///   this call would release such locks.
  package static func locksParts(of place: String, in folder: HeldFolder) -> Bool {
    do {
      return try folder.inParent(of: place) { parent, name in
        let file = try calling { openat(parent, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        defer { close(file) }
        do throws(SystemError) { try askForRecordLocks(file, F_RDLCK) } catch {
          return !hasNoLocks(error)
        }
        return true
      }
    } catch {
      return true
    }
  }

  /// Checks that parts of a file can be locked, as SQLite does. Some file systems support only one kind of lock.
  ///
  /// The corresponding C function is `fcntl` with `F_GETLK`, which does not lock anything.
  private static func askForRecordLocks(_ descriptor: Int32, _ kind: Int32) throws(SystemError) {
    var range = Glibc.flock()
    range.l_type = Int16(kind)
    range.l_len = 1
    _ = try calling { fcntl(descriptor, F_GETLK, &range) }
  }

  /// Returns whether an error is typical of file systems without locks.
  private static func hasNoLocks(_ error: SystemError) -> Bool {
    [EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL].contains(error.code)
  }

  private static func openExisting(
    _ name: String, _ parent: Int32, _ shown: String, _ flags: Int32
  ) throws -> FileLock {
    // A pipe is never opened, since opening a pipe would wake the process at its other end.
    let status = try FileStatus(name, in: parent)
    guard status.kind == .regular else { throw HeldFolder.strange(shown, status) }
    return FileLock(descriptor: try calling { openat(parent, name, flags) })
  }
}
