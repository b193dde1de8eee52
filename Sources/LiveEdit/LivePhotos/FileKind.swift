import EditLibrary
import FileSystem
import LivePhotoFormat

/// The kind of a file that is looked at alone: its name counts as little as possible.
enum FileKind {
  case photo
  case movie
  case adjustments

  /// Looks at the first bytes, and at the extension where they do not tell.
  init(_ source: FileByteSource, name: String) throws {
    if try Photo(source).kind != nil {
      self = .photo
      return
    }
    let fileExtension = RenderNames.Parts(name).fileExtension
    if fileExtension.lowercased() == "aae" {
      self = .adjustments
    } else {
      self = HalfKind(fileExtension: fileExtension) == .photo ? .photo : .movie
    }
  }
}

/// A path as folder and name.
package func splitPath(_ path: String) -> (folder: String, name: String) {
  guard let slash = path.lastIndex(of: "/") else { return ("", path) }
  return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
}
