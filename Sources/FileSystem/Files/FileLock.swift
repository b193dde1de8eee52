import Glibc

/// An exclusive lock on a file, held as long as the value lives and given back by the system when the
/// process ends, however it ends.
///
/// On file systems without locks (EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL) the lock is granted without being
/// one: a single process works there as everywhere, two at once are not kept apart.
package final class FileLock: Sendable {
  private let descriptor: Int32

  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    // Closing alone gives the lock back once every copy of the descriptor is closed. A program that starts on another thread has one
    // until it runs.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Writes the owner's description into the locked file, in place of the last one's.
  ///
  /// The corresponding C functions are `ftruncate` and `pwrite`. A file that has another name as well is left alone.
  package func record(_ text: String) throws(SystemError) {
    guard try FileStatus(descriptor: descriptor).links == 1 else { return }
    let bytes = Array(text.utf8)
    _ = try calling { ftruncate(descriptor, 0) }
    _ = try calling { pwrite(descriptor, bytes, bytes.count, 0) }
  }

  /// The result of an attempt to lock.
  package enum Attempt {
    /// The lock is ours.
    case locked(FileLock)
    /// Another process has it.
    case busy
    /// The file system has no locks.
    case unsupported
    /// The file went away while we were at it, or was never there.
    case gone
  }

  /// Locks a file without waiting.
  ///
  /// The corresponding C functions are `openat` and `flock` with `LOCK_EX | LOCK_NB`. The lock counts only if the place
  /// still names the locked file: its last owner may have removed it in between.
  ///
  /// - Parameters:
  ///   - place: the file; it needs to be writable (NFS).
  ///   - folder: the folder that the place is in.
  ///   - creating: whether to make an empty file where there is none.
  ///   - isStrict: whether a file system without locks, of whole files or of parts of them, is told apart.
  /// - Throws: ``SystemError``, or ``Basics/EditError`` when the place is no regular file.
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

  /// True if parts of a file can be locked by who only reads, as SQLite does; true as well where that cannot be asked.
  ///
  /// - Parameter place: a file whose parts nobody in this process has locked: they would be free afterwards.
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

  /// Makes sure that parts of a file can be locked, as SQLite does: some file systems have one kind of locks only.
  ///
  /// The corresponding C function is `fcntl` with `F_GETLK`, which locks nothing.
  private static func askForRecordLocks(_ descriptor: Int32, _ kind: Int32) throws(SystemError) {
    var range = Glibc.flock()
    range.l_type = Int16(kind)
    range.l_len = 1
    _ = try calling { fcntl(descriptor, F_GETLK, &range) }
  }

  /// True for what file systems without locks say.
  private static func hasNoLocks(_ error: SystemError) -> Bool {
    [EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL].contains(error.code)
  }

  private static func openExisting(
    _ name: String, _ parent: Int32, _ shown: String, _ flags: Int32
  ) throws -> FileLock {
    // A pipe is not opened at all: that would wake who waits at its other end.
    let status = try FileStatus(name, in: parent)
    guard status.kind == .regular else { throw HeldFolder.strange(shown, wanted: "file", status) }
    return FileLock(descriptor: try calling { openat(parent, name, flags) })
  }
}
