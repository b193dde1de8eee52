import Basics
import FileSystem

/// A folder that files go into, made where it is missing. What was made of it goes away with this value as long as it is
/// empty, so that nothing stays of work that failed.
final class TargetFolder {
  /// The folders that were made, the outermost first.
  private var made: [String] = []

  /// Makes the folders that are missing.
  ///
  /// - Parameters:
  ///   - folder: the folder as the user named it, whose links are followed; empty for the current one.
  ///   - place: a folder below it, on the way to which no link is followed; empty for none.
  ///   - option: the option of the command line that names the folder.
  /// - Throws: ``EditError`` when something that is no folder has one of the names, or a folder cannot be made.
  init(_ folder: String, below place: String, _ option: String) throws(EditError) {
    for missing in try Self.missing(folder, option) {
      try whileWriting(missing) {
        guard try Folder.create(missing) else { return }
        made.append(missing)
        do {
          try HeldFolder(path: FilePath.split(missing).folder).syncFolder()
        } catch SystemError.notPermitted {
          // A folder that may be written and not read cannot be synced.
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

  /// Finds a folder without making it.
  ///
  /// - Returns: the folder; one that is not there where it could be made.
  /// - Throws: ``EditError`` when something that is no folder has one of the names, or a folder could not be made.
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

  /// The folders on the way to a path that are not there, the outermost first.
  ///
  /// - Throws: ``EditError`` when the outermost would lie in something that is no folder.
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

  /// A place's folders and itself: `a`, `a/b`, `a/b/c`.
  private static func ancestors(_ place: String) -> [String] {
    let parts = place.split(separator: "/")
    return parts.indices.map { parts[...$0].joined(separator: "/") }
  }
}
