internal import CLinux
import Glibc

/// The status of a file, which the system tells without opening it.
package struct FileStatus: Hashable, Sendable {
  /// The kind of a directory entry.
  package enum Kind: Hashable, Sendable {
    /// A regular file.
    case regular
    /// A folder.
    case folder
    /// A symbolic link, seen only when links are not followed.
    case symbolicLink
    /// A device, a pipe or a socket.
    case other
  }

  /// The file's place in the system: two paths with the same one name the same file.
  package struct Place: Codable, Hashable, Sendable {
    /// The number of the file system.
    package let device: UInt64
    /// The number of the file in it.
    package let inode: UInt64
  }

  /// The kind of entry.
  package let kind: Kind
  /// Its size in bytes.
  package let size: Int
  /// Its permission bits (0o777).
  package let permissions: UInt32
  /// True for a folder in which only an entry's owner may rename or remove it (`S_ISVTX`).
  package let isSticky: Bool
  /// The number of the user who owns it.
  package let owner: UInt32
  /// The number of its names.
  package let links: Int
  /// Its place in the system.
  package let place: Place
  /// The time of the last change of its content, in nanoseconds since 1970.
  package let modified: Int64
  /// The time of the last change of its content or status, in nanoseconds since 1970.
  package let changed: Int64

  /// Asks for the status of a path.
  ///
  /// The corresponding C functions are `stat` and `lstat`.
  ///
  /// - Parameter followingLinks: whether a symbolic link is replaced by what it points to.
  package init(path: String, followingLinks: Bool = true) throws(SystemError) {
    if let status = try GuardedFolders.status(of: path, followingLinks: followingLinks) {
      self = status
      return
    }
    try self.init { followingLinks ? stat(path, &$0) : lstat(path, &$0) }
  }

  /// Asks for the status of a name in an open folder.
  ///
  /// The corresponding C function is `fstatat`.
  ///
  /// - Parameter name: bytes, which need not be UTF-8.
  init(
    _ name: UnsafePointer<CChar>, in folder: Int32, followingLinks: Bool = false
  ) throws(SystemError) {
    try self.init { fstatat(folder, name, &$0, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) }
  }

  init(descriptor: Int32) throws(SystemError) { try self.init { fstat(descriptor, &$0) } }

  /// True if anything has this name, a dangling symbolic link included.
  ///
  /// - Throws: ``SystemError`` when the system does not tell.
  package static func exists(_ path: String) throws(SystemError) -> Bool {
    try ifAny(path, followingLinks: false) != nil
  }

  /// The status of a path; nil where nothing has that name.
  ///
  /// - Throws: ``SystemError`` when the system does not tell.
  package static func ifAny(_ path: String, followingLinks: Bool = true) throws(SystemError) -> FileStatus? {
    do {
      return try FileStatus(path: path, followingLinks: followingLinks)
    } catch {
      if [ENOENT, ENOTDIR].contains(error.code) { return nil }
      throw error
    }
  }

  /// True if this process has a file open, by whichever part of the program.
  package static func isOpen(_ place: Place) -> Bool {
    let names = (try? Folder.names(in: "/proc/self/fd")) ?? []
    return names.contains { name in
      guard let descriptor = Int32(name) else { return false }
      return (try? FileStatus(descriptor: descriptor))?.place == place
    }
  }

  /// When an open file was made, in nanoseconds since 1970; nil where that is not told.
  ///
  /// The corresponding C function is `statx`.
  static func birth(descriptor: Int32) -> Int64? {
    var (seconds, nanoseconds): (Int64, UInt32) = (0, 0)
    guard liveedit_birth_time(descriptor, &seconds, &nanoseconds) == 0 else { return nil }
    return Self.nanoseconds(timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds)))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    // Wraps for times that no calendar holds; only equality counts.
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  private init(_ ask: (inout stat) -> Int32) throws(SystemError) {
    var status = stat()
    _ = try calling { ask(&status) }
    self.init(status)
  }

  /// Takes what the system has told.
  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .symbolicLink
    default: kind = .other
    }
    size = Int(status.st_size)
    permissions = status.st_mode & 0o777
    isSticky = status.st_mode & S_ISVTX != 0
    owner = status.st_uid
    links = Int(status.st_nlink)
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
    place = Place(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}
