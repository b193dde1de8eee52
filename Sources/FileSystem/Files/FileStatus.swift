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
  private let asked: Asked

  /// The time at which the system was asked, which is no part of the status.
  private struct Asked: Hashable {
    /// Nanoseconds since 1970, see ``HostSystem/lastTick``.
    let time: Int64

    static func == (one: Asked, other: Asked) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }

  /// The seconds by which the clock of another computer is taken to be ahead, at most.
  private static let largestLead: Int64 = 2

  /// True if a later change of the file's content will show in its times. A change within the same tick of the file system's
  /// clock as the last one leaves both times as they are (git, “racy-git”); a new name or other permissions set one of them.
  package var isSettled: Bool { isPast(modified) || isPast(changed) }

  /// True if no change from now on can get a time.
  private func isPast(_ time: Int64) -> Bool {
    let second: Int64 = 1_000_000_000
    // FAT stores every other second; exFAT and others store hundredths.
    let step = time % second == 0 ? 2 * second : time % (second / 100) == 0 ? second / 100 : 1
    return time <= asked.time &- step || time > asked.time &+ Self.largestLead * second
  }

  /// A word that is another one after each change, for the names of what is made of the file.
  package var version: String {
    let known = "\(place.device)-\(place.inode)-\(size)-\(modified)-\(changed)"
    return isSettled ? known : "\(known)-\(UInt64.random(in: 0...UInt64.max))"
  }

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
    // Before the system is asked: whatever is changed later has this time or a later one.
    let tick = HostSystem.lastTick
    _ = try calling { ask(&status) }
    self.init(status, askedAt: tick)
  }

  /// Takes what the system has told.
  ///
  /// - Parameter tick: ``HostSystem/lastTick`` before the system was asked.
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
