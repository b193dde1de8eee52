import Glibc

/// An exclusive lock on a file, held as long as the value lives and given back by the system when the
/// process ends, however it ends.
///
/// On file systems without locks (EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL) the lock is granted without being
/// one: a single process works there as everywhere, two at once are not kept apart.
public final class FileLock {
  private let descriptor: Int32

  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Writes the owner's description into the locked file, in place of the last one's.
  ///
  /// The corresponding C functions are `ftruncate` and `pwrite`.
  public func record(_ text: String) throws(SystemError) {
    let bytes = Array(text.utf8)
    _ = try calling { ftruncate(descriptor, 0) }
    _ = try calling { pwrite(descriptor, bytes, bytes.count, 0) }
  }

  /// What became of an attempt to lock.
  public enum Attempt {
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
  /// The corresponding C functions are `open` and `flock` with `LOCK_EX | LOCK_NB`. The lock counts only
  /// if the path still names the locked file: its last owner may have removed it in between.
  ///
  /// - Parameters:
  ///   - path: the file's path; the file needs to be writable (NFS).
  ///   - creating: whether to make an empty file where there is none.
  ///   - isStrict: whether a file system without locks is told apart.
  public static func attempt(
    _ path: String, creating: Bool, isStrict: Bool = false
  ) throws(SystemError) -> Attempt {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (creating ? O_CREAT : 0)
    let lock: FileLock
    do {
      lock = FileLock(descriptor: try calling { open(path, flags, 0o666) })
    } catch {
      if error.code == ENOENT { return .gone }
      throw error
    }
    do {
      _ = try calling { flock(lock.descriptor, LOCK_EX | LOCK_NB) }
    } catch {
      if error.code == EWOULDBLOCK { return .busy }
      if ![EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL].contains(error.code) { throw error }
      if isStrict { return .unsupported }
    }
    let held = try FileStatus(descriptor: lock.descriptor).place
    do {
      return try FileStatus(path: path, followingLinks: false).place == held ? .locked(lock) : .gone
    } catch {
      if error.code == ENOENT { return .gone }
      throw error
    }
  }
}
