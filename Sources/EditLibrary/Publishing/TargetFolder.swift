import Basics
import FileSystem

/// A destination folder, created if it is missing. The created folders are removed with this value if they are empty,
/// so that a failed operation leaves no folders behind.
final class TargetFolder {
  /// The created folders, the outermost first.
  private var made: [String] = []

  /// Creates the missing folders.
  ///
  /// - Parameters:
  ///   - folder: The folder as the user named it; symbolic links in this path are followed. Empty for the current
  ///     folder.
  ///   - place: The path of a subfolder, in which no symbolic link is followed; empty for no subfolder.
  ///   - option: The command-line option that specifies the folder.
  /// - Throws: ``EditError`` if something other than a folder has one of the names, or a folder cannot be created.
  init(_ folder: String, below place: String, _ option: String) throws(EditError) {
    for missing in try Self.missing(folder, option) {
      try whileWriting(missing) {
        guard try Folder.create(missing) else { return }
        made.append(missing)
        do {
          try HeldFolder(path: FilePath.split(missing).folder).syncFolder()
        } catch SystemError.notPermitted {
          // A folder that is writable but not readable cannot be synced.
        }
      }
    }
    guard !place.isEmpty else { return }
    let root = try whileWriting(FilePath.shown(folder)) { try HeldFolder(path: folder) }
    for below in Self.ancestors(place) {
      let shown = root.path(below)
      try whileWriting(shown) {
        guard try root.makeFolder(below) else { return }
        made.append(shown)
        try root.syncFolder(FilePath.split(below).folder)
      }
    }
  }

  deinit {
    for folder in made.reversed() { _ = try? Folder.remove(folder) }
  }

  /// Finds a folder without creating it.
  ///
  /// - Returns: The folder, which may not exist yet if it could be created.
  /// - Throws: ``EditError`` if something other than a folder has one of the names, or a folder could not be created.
  static func found(_ folder: String, below place: String, _ option: String) throws(EditError) -> HeldFolder {
    let missing = try missing(folder, option)
    let first = missing.first.map { FilePath.split($0).folder } ?? folder
    return try whileWriting(FilePath.shown(missing.first ?? folder)) {
      let root = try HeldFolder(path: first)
      let rest = folder.dropFirst(first.count).split(separator: "/") + place.split(separator: "/")
      let target = try rest.isEmpty ? root : HeldFolder(rest.joined(separator: "/"), in: root)
      try (target.isThere ? target : root).checkWritable()
      return target
    }
  }

  /// Returns the missing folders in a path, the outermost first.
  ///
  /// - Throws: ``EditError`` if the parent of the outermost missing folder is not a folder.
  private static func missing(_ path: String, _ option: String) throws(EditError) -> [String] {
    var missing: [String] = []
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    while !path.isEmpty, path != "/", (try? FileStatus(path: path)) == nil {
      missing.append(path)
      path = FilePath.split(path).folder
    }
    if !missing.isEmpty { try FilePublisher.checkIsFolder(path, option) }
    return missing.reversed()
  }

  /// Returns all prefixes of a path and the path itself: `a`, `a/b`, `a/b/c`.
  private static func ancestors(_ place: String) -> [String] {
    let parts = place.split(separator: "/")
    return parts.indices.map { parts[...$0].joined(separator: "/") }
  }
}
