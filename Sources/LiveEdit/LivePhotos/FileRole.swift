import EditLibrary
import FileSystem
import LivePhotoFormat

extension FileRole {
  /// Tells what a file is that is looked at alone: by its first bytes, and by the extension where they do not tell.
  init(_ source: FileByteSource, name: String) throws {
    let fileExtension = RenderNames.Parts(name).fileExtension
    if try Photo(source).kind != nil || HalfKind(fileExtension: fileExtension) == .photo {
      self = .photo
    } else {
      self = fileExtension.lowercased() == "aae" ? .adjustments : .movie
    }
  }
}
