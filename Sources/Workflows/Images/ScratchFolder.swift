import EditModel
import FileSystem
import FoundationEssentials
import LivePhotoFormat

/// A folder for files in between, which goes away with this value.
final class ScratchFolder {
  private let url: URL

  init() throws(EditError) {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("liveedit-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw EditError(.fileSystem, file: url.filePath, "cannot be made", remedy: "set TMPDIR to a folder")
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in it.
  func file(_ name: String) -> String { url.filePath + "/" + name }
}

extension ScratchFolder {
  /// Writes one half of a Motion Photo into a file of the folder.
  ///
  /// - Returns: its path; nil for any other photo.
  /// - Throws: ``Basics/EditError`` when it cannot be read, or holds no movie.
  func half(_ half: HalfKind, ofMotionPhoto path: String) throws(EditError) -> String? {
    guard try readFile(path, { try Photo($0).isMotionPhoto() }) else { return nil }
    let file = file("\(half.rawValue)-alone")
    try changeFile(path, to: file) { source, sink in
      let parts = try MotionPhoto.Parts(Photo(source))
      switch half {
      case .photo: try parts.writePhoto(to: sink)
      case .movie: try parts.writeMovie(to: sink)
      }
    }
    return file
  }
}
