import Basics
internal import CLinux
import Glibc

/// A folder that is held open, in which everything is found by its descriptor.
///
/// The folder's own path is followed once, links included, when it is opened. Below it a *place* (`a/b/c`) is walked
/// name by name, and a link is followed nowhere, so that whoever else writes in the folder cannot lead a program out
/// of it. What is a link, a pipe or a device where a folder or a file should be is refused by its name. So is, in a
/// sticky folder such as the system's for temporary files, what belongs to somebody else.
package final class HeldFolder: Sendable {
  /// The beginning of the names of liveedit's own folders.
  package static let ownPrefix = ".liveedit"

  /// The folder as the user wrote it; empty for the current one.
  package let path: String
  /// Nil for a folder that is not there.
  private let held: Int32?
  /// The folder out of which no link leads; nil for a folder that is not guarded.
  let guardRoot: HeldFolder?

  /// Opens a folder.
  ///
  /// The corresponding C function is `open` with `O_PATH` and `O_DIRECTORY`: the folder need not be readable.
  ///
  /// - Parameter path: the folder's path; empty for the current one. No link on it is followed if it is that of a
  ///   ``GuardedFolder``.
  package init(path: String) throws(SystemError) {
    if let opened = try GuardedFolders.open(path) {
      (held, guardRoot) = (opened.descriptor, opened.root)
    } else {
      held = try calling { open(FilePath.shown(path), liveedit_o_path | O_DIRECTORY | O_CLOEXEC) }
      guardRoot = nil
    }
    self.path = path
  }

  /// Opens a folder in another one; no link is followed on the way. Where there is none, a folder that is not there:
  /// nothing is found in it, and nothing can be made.
  ///
  /// - Parameter place: the folder's place; nil for one that is nowhere.
  package init(_ place: String?, in folder: HeldFolder) throws {
    path = place.map(folder.path) ?? folder.path
    guardRoot = folder.guardRoot
    guard let place else {
      held = nil
      return
    }
    do {
      held = try folder.inParent(of: place) { parent, name in
        try Self.openFolder(name, in: parent, shown: folder.path(place))
      }
    } catch SystemError.notFound {
      held = nil
    }
  }

  deinit {
    if let held { close(held) }
  }

  /// True unless the folder was not there when it was sought.
  package var isThere: Bool { held != nil }

  /// The descriptor of the folder.
  ///
  /// - Throws: ``SystemError`` (ENOENT) for a folder that is not there.
  var descriptor: Int32 {
    get throws(SystemError) {
      guard let held else { throw SystemError.notFound }
      return held
    }
  }

  /// Opens the folder from which on a path is walked without following links: the one that holds the first of
  /// liveedit's own folders on the way, or else the last folder of the path.
  ///
  /// - Returns: the folder, and the rest of the path.
  package static func leading(to path: String) throws(SystemError) -> (folder: HeldFolder, place: String) {
    let parts = parts(of: path)
    return (try HeldFolder(path: parts.folder), parts.place)
  }

  /// The path of that folder, and the rest of the path.
  static func parts(of path: String) -> (folder: String, place: String) {
    var parts = path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).map { Substring($0) }[...]
    while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    let own = parts.dropLast().firstIndex { $0.hasPrefix(ownPrefix) } ?? parts.endIndex - 1
    let place = parts[own...].filter { !$0.isEmpty && $0 != "." }
    parts = parts[..<own]
    // An empty first part stands for the root.
    let folder = parts.count == 1 && parts.first == "" ? "/" : parts.joined(separator: "/")
    return (folder, place.joined(separator: "/"))
  }

  /// A place with the folder's path before it, for people and for other programs.
  package func path(_ place: String) -> String { FilePath.joined(path, place) }

  /// The folder's path without any link, as the kernel knows it: bytes, which need not be UTF-8.
  ///
  /// The corresponding C function is `readlink`, on `/proc/self/fd`.
  package var realPath: [UInt8] {
    get throws(SystemError) { try targetOfLink("/proc/self/fd/\(try descriptor)") }
  }

  /// Runs a body with the descriptor of the folder that a place is in, and the place's last name.
  ///
  /// - Throws: ``EditError`` when something on the way is no folder, ``SystemError`` (ENOENT when it is not there), or
  ///   what the body throws.
  func inParent<Result>(of place: String, _ body: (Int32, String) throws -> Result) throws -> Result {
    guard let parts = FileName.parts(of: place), let name = parts.last else { throw SystemError(EINVAL) }
    let start = try descriptor
    var parent = start
    defer { if parent != start { close(parent) } }
    for index in parts.indices.dropLast() {
      let child = try Self.openFolder(
        parts[index], in: parent, shown: path(parts[...index].joined(separator: "/")))
      if parent != start { close(parent) }
      parent = child
    }
    return try body(parent, name)
  }

  /// Opens a folder by its name in another; a link is refused.
  ///
  /// - Parameter shown: the folder's path, made for an error alone: this is called for every name on every way.
  static func openFolder(
    _ name: String, in parent: Int32, shown: @autoclosure () -> String
  ) throws -> Int32 {
    let opened: Int32
    do {
      opened = try calling { openat(parent, name, liveedit_o_path | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    } catch {
      guard error.code == ENOTDIR || error.code == ELOOP else { throw error }
      throw strange(shown(), wanted: "folder", try FileStatus(name, in: parent))
    }
    do {
      try checkOwner(FileStatus(descriptor: opened), in: parent, shown: shown())
      return opened
    } catch {
      close(opened)
      throw error
    }
  }

  /// Refuses what belongs to somebody else in a sticky folder, where everybody can put things.
  static func checkOwner(
    _ status: FileStatus, in parent: Int32, shown: @autoclosure () -> String
  ) throws {
    guard status.owner != geteuid() else { return }
    let folder = try FileStatus(descriptor: parent)
    guard folder.isSticky, folder.owner != status.owner else { return }
    throw EditError(
      .inTheWay, file: shown(), "belongs to another user and is in a folder where everyone can create files",
      remedy: "use another folder, or ask the owner to remove it")
  }

  /// The error about something that is not what it should be.
  static func strange(_ shown: String, wanted: String, _ status: FileStatus) -> EditError {
    let what: Message =
      switch status.kind {
      case .symbolicLink: "is a symbolic link, and links are not followed here"
      case .folder: "is a folder, not a \(wanted)"
      case .regular: "is a file, not a \(wanted)"
      case .other: "is a pipe, a socket or a device, not a \(wanted)"
      }
    return EditError(
      .inTheWay, file: shown, what, remedy: "liveedit did not create it: check it and move it elsewhere")
  }
}
