import EditModel
import FileSystem
import Foundation
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
  /// The photo of a Motion Photo, its movie, and the photo's place in that in seconds.
  struct MotionPhotoFiles {
    let photo: String
    let movie: String
    let stillTime: Double?
  }

  /// Takes a Motion Photo apart, into files of the folder.
  ///
  /// - Returns: nil for any other photo.
  /// - Throws: ``Basics/EditError`` when it cannot be read, or holds no movie.
  func parts(ofMotionPhoto path: String) throws(EditError) -> MotionPhotoFiles? {
    guard try readFile(path, { try Photo($0).isMotionPhoto() }) else { return nil }
    let (photo, movie) = (file("photo-alone"), file("movie-alone"))
    try changeFile(path, to: photo) { try MotionPhoto.Parts(Photo($0)).writePhoto(to: $1) }
    try changeFile(path, to: movie) { try MotionPhoto.Parts(Photo($0)).writeMovie(to: $1) }
    let time = try readFile(path) { try MotionPhoto.Parts(Photo($0)).stillTime }
    return MotionPhotoFiles(photo: photo, movie: movie, stillTime: time)
  }
}
