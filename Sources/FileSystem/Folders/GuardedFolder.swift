import Basics
internal import CLinux
import Glibc
import Synchronization

/// A folder that a server makes accessible to clients. The folder's identity is recorded when the server finds the
/// folder.
///
/// From then on, opening the folder or a file in the folder by path always reaches this folder and no other. To ensure
/// this, the path is walked from a folder that is held open, symbolic links are not followed, and the folder that is
/// reached must have the same identity. Names above the held folder may change in the meantime. A guarded folder that
/// was renamed counts as missing.
package struct GuardedFolder: Codable, Hashable, Sendable {
  /// The path of the folder.
  package let path: String
  /// The path of the folder that is held open: the guarded folder itself or one of its parent folders.
  let root: String
  /// The identity of the folder that is held open.
  let rootPlace: FileStatus.Place
  /// The relative path from the held folder to the guarded folder, such as `a/b`; empty for the held folder itself.
  let way: String
  /// The identity of the guarded folder.
  package let place: FileStatus.Place
}

/// The guarded folders of this process. All functions of this module that accept a path respect the guarded folders.
package enum GuardedFolders {
  private struct Entry: Sendable {
    let folder: GuardedFolder
    let root: HeldFolder
  }

  /// The guarded folders, keyed by the bytes of their paths.
  private static let entries = Mutex<[[UInt8]: Entry]>([:])

  /// Guards a folder. This folder replaces any other folder that was guarded under the same path.
  ///
  /// - Parameters:
  ///   - path: The path of the folder: the path of `root`, or a path inside `root`.
  ///   - root: The folder that is held open.
  /// - Throws: ``SystemError``: `ELOOP` if the path contains a symbolic link; `ESTALE` if the path of `root` now leads
  ///   to another folder.
  package static func add(_ path: String, in root: HeldFolder) throws(SystemError) -> GuardedFolder {
    let start = root.path.utf8.last == 0x2F ? root.path.utf8.count : root.path.utf8.count + 1
    let way = path.hasBytes(of: root.path) ? "" : String(decoding: path.utf8.dropFirst(start), as: UTF8.self)
    let opened = try walk(way, in: root)
    defer { close(opened) }
    let folder = GuardedFolder(
      path: path, root: root.path, rootPlace: try root.status.place, way: way,
      place: try FileStatus(descriptor: opened).place)
    entries.withLock { $0[Array(path.utf8)] = Entry(folder: folder, root: root) }
    return folder
  }

  /// Guards, in this process, the folders that another process guards.
  package static func add(_ folders: [GuardedFolder]) throws(SystemError) {
    var roots: [String: HeldFolder] = [:]
    for folder in folders {
      let root: HeldFolder
      if let known = roots[folder.root] { root = known } else { root = try HeldFolder(path: folder.root) }
      guard try root.status.place == folder.rootPlace else { throw .stale }
      roots[folder.root] = root
      entries.withLock { $0[Array(folder.path.utf8)] = Entry(folder: folder, root: root) }
    }
  }

  /// Stops guarding folders. A path that has since been guarded again remains guarded.
  package static func remove(_ folders: [GuardedFolder]) {
    entries.withLock { entries in
      for folder in folders where entries[Array(folder.path.utf8)]?.folder == folder {
        entries[Array(folder.path.utf8)] = nil
      }
    }
  }

  /// Returns the guarded folders that contain the files at the given paths.
  package static func around(_ paths: [String]) -> [GuardedFolder] {
    guard entries.withLock({ !$0.isEmpty }) else { return [] }
    let folders = Set(paths.map { Array(HeldFolder.parts(of: $0).folder.utf8) })
    return entries.withLock { entries in folders.compactMap { entries[$0]?.folder } }
  }

  /// Checks that a folder is still guarded and still at its path.
  ///
  /// - Throws: ``SystemError``: `ELOOP` if the path contains a symbolic link; `ESTALE` if the path now leads to another
  ///   folder.
  package static func check(_ folder: GuardedFolder) throws(SystemError) {
    guard let opened = try open(folder.path) else { throw .stale }
    close(opened.descriptor)
    guard entries.withLock({ $0[Array(folder.path.utf8)]?.folder }) == folder else { throw .stale }
  }

  /// Returns whether a folder is still guarded and still at its path.
  package static func holds(_ folder: GuardedFolder) -> Bool { (try? check(folder)) != nil }

  /// Opens a guarded folder to access its entries.
  ///
  /// - Returns: The descriptor, and the folder that is held open; nil if the path does not belong to a guarded folder.
  /// - Throws: ``SystemError``: `ELOOP` if the path contains a symbolic link; `ESTALE` if the path of the guarded
  ///   folder or of the held folder now leads to another folder.
  static func open(_ path: String) throws(SystemError) -> (descriptor: Int32, root: HeldFolder)? {
    guard let entry = entries.withLock({ $0.isEmpty ? nil : $0[Array(path.utf8)] }) else { return nil }
    let folder = entry.folder
    // The held folder may have been moved, or its disk may have been removed. In that case, the folder's path leads to
    // another folder.
    var status = stat()
    _ = try calling { stat(FilePath.shown(folder.root), &status) }
    guard FileStatus(status, askedAt: HostSystem.lastTick).place == folder.rootPlace else { throw .stale }
    let opened = try walk(folder.way, in: entry.root)
    do throws(SystemError) {
      guard try FileStatus(descriptor: opened).place == folder.place else { throw .stale }
      return (opened, entry.root)
    } catch {
      close(opened)
      throw error
    }
  }

  /// Returns the status of the file at a path in a guarded folder; nil for any other path.
  static func status(of path: String, followingLinks: Bool) throws(SystemError) -> FileStatus? {
    guard entries.withLock({ !$0.isEmpty }) else { return nil }
    let parts = HeldFolder.parts(of: path)
    guard !parts.place.isEmpty, entries.withLock({ $0[Array(parts.folder.utf8)] != nil }) else { return nil }
    let isOwn = parts.place.utf8.contains(0x2F)
    return try asSystemError {
      try HeldFolder(path: parts.folder).status(parts.place, followingLinks: followingLinks && !isOwn)
    }
  }

  /// Opens a folder without following symbolic links.
  private static func walk(_ way: String, in root: HeldFolder) throws(SystemError) -> Int32 {
    let flags = liveedit_o_path | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let start = try root.descriptor
    var opened = try calling { openat(start, ".", flags) }
    guard !way.isEmpty else { return opened }
    guard let names = FileName.parts(of: way) else {
      close(opened)
      throw SystemError(EINVAL)
    }
    for name in names {
      let parent = opened
      defer { close(parent) }
      do throws(SystemError) {
        opened = try calling { openat(parent, name, flags) }
      } catch {
        let isLink = (try? FileStatus(name, in: parent).kind) == .symbolicLink
        throw isLink ? SystemError(ELOOP) : error
      }
    }
    return opened
  }

  /// Runs a closure, and converts an ``EditError`` about an entry in one of liveedit's own folders to `ELOOP`.
  private static func asSystemError<Result>(_ body: () throws -> Result) throws(SystemError) -> Result {
    do { return try body() } catch let error as SystemError { throw error } catch { throw SystemError(ELOOP) }
  }
}

extension HeldFolder {
  /// Runs a closure with three arguments: the descriptor of the folder that contains a file, the file's name, and
  /// whether to follow a symbolic link of that name.
  ///
  /// In a guarded folder, this function itself follows the symbolic link, but never out of the held folder. The closure
  /// then receives the target of the link.
  ///
  /// - Throws: ``SystemError`` (`EXDEV` if a symbolic link leads out of the held folder), or an error that
  ///   ``inParent(of:_:)`` throws.
  func inParent<Result>(
    of place: String, followingLinks: Bool, _ body: (Int32, String, Bool) throws -> Result
  ) throws -> Result {
    try inParent(of: place) { parent, name in
      guard followingLinks, let root = guardRoot else { return try body(parent, name, followingLinks) }
      guard try FileStatus(name, in: parent).kind == .symbolicLink else {
        return try body(parent, name, false)
      }
      let found = try calling { openat(parent, name, liveedit_o_path | O_CLOEXEC) }
      defer { close(found) }
      // This is the target's current path. Following this path reaches the target without following symbolic links.
      let way = try root.way(to: found)
      return try root.inParent(of: way) { try body($0, $1, false) }
    }
  }

  /// Returns the relative path from this folder to an open file in it.
  ///
  /// - Throws: ``SystemError`` (EXDEV) if the file is not in this folder.
  private func way(to opened: Int32) throws(SystemError) -> String {
    let top = try realPath
    let start = top.last == 0x2F ? top : top + [0x2F]
    let path = try targetOfLink("/proc/self/fd/\(opened)")
    guard path.count > start.count, path.starts(with: start),
      let way = String(validating: path.dropFirst(start.count), as: UTF8.self)
    else { throw .otherFileSystem }
    return way
  }

  /// Finds the file at a path without opening the file. Symbolic links are followed in the same way as for reading.
  ///
  /// The corresponding C function is `openat` with `O_PATH`.
  ///
  /// - Returns: A descriptor, which the caller closes.
  package static func find(_ path: String) throws -> Int32 {
    let parts = parts(of: path)
    if let opened = try GuardedFolders.open(path) { return opened.descriptor }
    guard !parts.place.isEmpty, case let folder = try HeldFolder(path: parts.folder), folder.guardRoot != nil
    else { return try calling { Glibc.open(FilePath.shown(path), liveedit_o_path | O_CLOEXEC) } }
    let isOwn = parts.place.utf8.contains(0x2F)
    return try folder.inParent(of: parts.place, followingLinks: !isOwn) { parent, name, follows in
      try calling { openat(parent, name, liveedit_o_path | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW)) }
    }
  }
}

/// A list of guarded folders that can be sent to another process.
package struct GuardedFolderList: Codable, Sendable {
  /// The guarded folders.
  private let guardedFolders: [GuardedFolder]

  /// - Parameter folders: The guarded folders.
  package init(_ folders: [GuardedFolder]) { guardedFolders = folders }

  /// Guards the folders in this process as well.
  ///
  /// - Throws: ``SystemError`` (`ESTALE`) if the path of a held folder now leads to another folder.
  package func enter() throws(SystemError) { try GuardedFolders.add(guardedFolders) }
}
