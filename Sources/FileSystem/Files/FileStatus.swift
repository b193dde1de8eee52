internal import CLinux
import Glibc

/// The status of a file, obtained without opening the file.
package struct FileStatus: Hashable, Sendable {
  /// The kind of a folder entry.
  package enum Kind: Hashable, Sendable {
    /// A regular file.
    case regular
    /// A folder.
    case folder
    /// A symbolic link. This kind occurs only if symbolic links are not followed.
    case symbolicLink
    /// A device, a pipe or a socket.
    case other
  }

  /// The identity of a file in the system. Two paths with the same identity lead to the same file.
  package struct Place: Codable, Hashable, Sendable {
    /// The device number of the file system.
    package let device: UInt64
    /// The inode number of the file in its file system.
    package let inode: UInt64
  }

  /// The kind of the file.
  package let kind: Kind
  /// The size of the file in bytes.
  package let size: Int
  /// The permission bits of the file (0o777).
  package let permissions: UInt32
  /// Whether the file is a folder in which only an entry's owner may rename or remove the entry (`S_ISVTX`).
  package let isSticky: Bool
  /// The user ID of the file's owner.
  package let owner: UInt32
  /// The number of hard links to the file.
  package let links: Int
  /// The identity of the file in the system.
  package let place: Place
  /// The time of the last change to the file's content, in nanoseconds since 1970.
  package let modified: Int64
  /// The time of the last change to the file's content or status, in nanoseconds since 1970.
  package let changed: Int64
  private let asked: Asked

  /// The time of the query. This time is not part of the status and does not affect equality.
  private struct Asked: Hashable {
    /// The time of the query, in nanoseconds since 1970; see ``HostSystem/lastTick``.
    let time: Int64

    static func == (one: Asked, other: Asked) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }

  /// The maximum number of seconds by which another computer's clock is assumed to be ahead of this computer's clock.
  private static let largestLead: Int64 = 2

  /// Whether a later change to the file's content is guaranteed to change its times. Two changes within one tick of the
  /// file system's clock can leave both times equal (git, “racy-git”). Changing the name or the permissions sets only
  /// ``changed``.
  package var isSettled: Bool { isPast(modified) || isPast(changed) }

  /// Returns whether no future change can have this time.
  private func isPast(_ time: Int64) -> Bool {
    let second: Int64 = 1_000_000_000
    // FAT has a resolution of two seconds; exFAT and others have a resolution of hundredths of a second.
    let step = time % second == 0 ? 2 * second : time % (second / 100) == 0 ? second / 100 : 1
    return time <= asked.time &- step || time > asked.time &+ Self.largestLead * second
  }

  /// A string that differs after each change to the file. The string is used in the names of files that are derived
  /// from this file.
  package var version: String {
    let known = "\(place.device)-\(place.inode)-\(size)-\(modified)-\(changed)"
    return isSettled ? known : "\(known)-\(UInt64.random(in: 0...UInt64.max))"
  }

  /// Reads the status of the file at a path.
  ///
  /// The corresponding C functions are `stat` and `lstat`.
  ///
  /// - Parameter followingLinks: Whether a symbolic link is followed to its target.
  package init(path: String, followingLinks: Bool = true) throws(SystemError) {
    if let status = try GuardedFolders.status(of: path, followingLinks: followingLinks) {
      self = status
      return
    }
    try self.init { followingLinks ? stat(path, &$0) : lstat(path, &$0) }
  }

  /// Reads the status of an entry in an open folder.
  ///
  /// The corresponding C function is `fstatat`.
  ///
  /// - Parameter name: The entry's name as bytes, which do not have to be valid UTF-8.
  init(
    _ name: UnsafePointer<CChar>, in folder: Int32, followingLinks: Bool = false
  ) throws(SystemError) {
    try self.init { fstatat(folder, name, &$0, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) }
  }

  init(descriptor: Int32) throws(SystemError) { try self.init { fstat(descriptor, &$0) } }

  /// Returns whether anything exists at a path, including a dangling symbolic link.
  ///
  /// - Throws: ``SystemError`` if the system cannot determine whether anything exists.
  package static func exists(_ path: String) throws(SystemError) -> Bool {
    try ifAny(path, followingLinks: false) != nil
  }

  /// Returns the status of the file at a path; nil if nothing exists there.
  ///
  /// - Throws: ``SystemError`` if the system cannot determine the status.
  package static func ifAny(_ path: String, followingLinks: Bool = true) throws(SystemError) -> FileStatus? {
    do {
      return try FileStatus(path: path, followingLinks: followingLinks)
    } catch {
      if [ENOENT, ENOTDIR].contains(error.code) { return nil }
      throw error
    }
  }

  /// Returns whether this process has a file open.
  package static func isOpen(_ place: Place) -> Bool {
    let names = (try? Folder.names(in: "/proc/self/fd")) ?? []
    return names.contains { name in
      guard let descriptor = Int32(name) else { return false }
      return (try? FileStatus(descriptor: descriptor))?.place == place
    }
  }

  /// Returns the creation time of an open file, in nanoseconds since 1970; nil if the creation time is not available.
  ///
  /// The corresponding C function is `statx`.
  static func birth(descriptor: Int32) -> Int64? {
    var (seconds, nanoseconds): (Int64, UInt32) = (0, 0)
    guard liveedit_birth_time(descriptor, &seconds, &nanoseconds) == 0 else { return nil }
    return Self.nanoseconds(timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds)))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    // Times outside the calendar's range wrap around, because only equality matters.
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  private init(_ ask: (inout stat) -> Int32) throws(SystemError) {
    var status = stat()
    // The clock must be read before the system call, so that any later change gets this time or a later time.
    let tick = HostSystem.lastTick
    _ = try calling { ask(&status) }
    self.init(status, askedAt: tick)
  }

  /// Creates a status from the result of a system call.
  ///
  /// - Parameter tick: The value of ``HostSystem/lastTick`` before the system call.
  init(_ status: stat, askedAt tick: Int64) {
    asked = Asked(time: tick)
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
