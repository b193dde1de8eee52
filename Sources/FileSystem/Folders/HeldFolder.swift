import Basics
internal import CLinux
import Glibc

/// A folder that is held open. All files in the folder are accessed by descriptor.
///
/// The folder's own path is resolved once, including symbolic links, when the folder is opened. Inside the folder, a
/// *place* is a relative path such as `a/b/c`. The path is walked component by component without following symbolic
/// links, so that other programs that write to the folder cannot redirect the access. If a component is a symbolic
/// link, a pipe or a device instead of a folder or file, access fails with an error that names the component. In a
/// sticky folder, such as the system's folder for temporary files, access to another user's entries also fails.
package final class HeldFolder: Sendable {
  /// The prefix of the names of liveedit's own folders.
  package static let ownPrefix = ".liveedit"

  /// The folder's path as the user wrote it; empty for the current folder.
  package let path: String
  /// The descriptor of the folder; nil if the folder does not exist.
  private let held: Int32?
  /// The folder that symbolic links must not lead out of; nil if this folder is not guarded.
  let guardRoot: HeldFolder?

  /// Opens a folder.
  ///
  /// The corresponding C function is `open` with `O_PATH` and `O_DIRECTORY`, so the folder does not have to be
  /// readable.
  ///
  /// - Parameter path: The path of the folder; empty for the current folder. If the path belongs to a
  ///   ``GuardedFolder``, symbolic links are not followed.
  package init(path: String) throws(SystemError) {
    if let opened = try GuardedFolders.open(path) {
      (held, guardRoot) = (opened.descriptor, opened.root)
    } else {
      held = try calling { open(FilePath.shown(path), liveedit_o_path | O_DIRECTORY | O_CLOEXEC) }
      guardRoot = nil
    }
    self.path = path
  }

  /// Opens a folder inside another folder without following symbolic links. If the folder does not exist, this object
  /// represents a missing folder, in which nothing can be found or created.
  ///
  /// - Parameter place: The relative path of the folder; nil for a missing folder.
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

  /// Whether the folder existed when it was opened.
  package var isThere: Bool { held != nil }

  /// The descriptor of the folder.
  ///
  /// - Throws: ``SystemError`` (ENOENT) if the folder does not exist.
  var descriptor: Int32 {
    get throws(SystemError) {
      guard let held else { throw SystemError.notFound }
      return held
    }
  }

  /// Splits a path at the folder after which symbolic links are no longer followed, and opens that folder. That folder
  /// is the parent of the first of liveedit's own folders on the path. If the path contains none of liveedit's own
  /// folders, that folder is the last folder on the path.
  ///
  /// - Returns: The folder, and the rest of the path.
  package static func leading(to path: String) throws(SystemError) -> (folder: HeldFolder, place: String) {
    let parts = parts(of: path)
    return (try HeldFolder(path: parts.folder), parts.place)
  }

  /// Splits a path at the folder after which symbolic links are no longer followed.
  static func parts(of path: String) -> (folder: String, place: String) {
    var parts = path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).map { Substring($0) }[...]
    while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    let own = parts.dropLast().firstIndex { $0.hasPrefix(ownPrefix) } ?? parts.endIndex - 1
    let place = parts[own...].filter { !$0.isEmpty && $0 != "." }
    parts = parts[..<own]
    // An empty first component stands for the root folder.
    let folder = parts.count == 1 && parts.first == "" ? "/" : parts.joined(separator: "/")
    return (folder, place.joined(separator: "/"))
  }

  /// Returns the folder's path joined with a relative path, for users and for other programs.
  package func path(_ place: String) -> String { FilePath.joined(path, place) }

  /// The folder's path without symbolic links, as provided by the kernel. The bytes do not have to be valid UTF-8.
  ///
  /// The corresponding C function is `readlink` on `/proc/self/fd`.
  package var realPath: [UInt8] {
    get throws(SystemError) { try targetOfLink("/proc/self/fd/\(try descriptor)") }
  }

  /// Runs a closure with the descriptor of the folder that contains a file, and with the file's name.
  ///
  /// - Throws: ``EditError`` if something other than a folder is on the path, ``SystemError`` (ENOENT if a folder is
  ///   missing), or any error that the closure throws.
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

  /// Opens a folder by its name in another folder. Symbolic links are rejected.
  ///
  /// - Parameter shown: The path of the folder. This path is evaluated only if an error occurs, since this function is
  ///   called for every component of every path.
  static func openFolder(
    _ name: String, in parent: Int32, shown: @autoclosure () -> String
  ) throws -> Int32 {
    let opened: Int32
    do {
      opened = try calling { openat(parent, name, liveedit_o_path | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    } catch {
      guard error.code == ENOTDIR || error.code == ELOOP else { throw error }
      throw strange(shown(), wantsFolder: true, try FileStatus(name, in: parent))
    }
    do {
      try checkOwner(FileStatus(descriptor: opened), in: parent, shown: shown())
      return opened
    } catch {
      close(opened)
      throw error
    }
  }

  /// Rejects another user's entry in a sticky folder, where all users can create entries.
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

  /// Returns the error for an entry of an unexpected kind.
  static func strange(_ shown: String, wantsFolder: Bool = false, _ status: FileStatus) -> EditError {
    let what: Message =
      switch status.kind {
      case .symbolicLink: "is a symbolic link, and links are not followed here"
      case .folder: "is a folder, not a file"
      case .regular: "is a file, not a folder"
      case .other where wantsFolder: "is a pipe, a socket or a device, not a folder"
      case .other: "is a pipe, a socket or a device, not a file"
      }
    return EditError(
      .inTheWay, file: shown, what, remedy: "liveedit did not create it: check it and move it elsewhere")
  }
}
