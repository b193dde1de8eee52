import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// The photo and the movie of a Motion Photo, stored in two new files.
package struct MotionPhotoFiles {
  /// The path of the photo without its movie.
  package let photo: String
  /// The path of the movie.
  package let movie: String
  /// The photo's time in the movie in seconds, or nil if the file does not state this time.
  private(set) var stillTime: Double?
  /// The format in which the file declares its movie.
  private(set) var dialect = MotionPhoto.Dialect()
  /// The data that neither file contains.
  private(set) var lost: [Removal] = []

  /// Splits a Motion Photo.
  ///
  /// - Parameters:
  ///   - path: The path of the Motion Photo.
  ///   - photo: The path of the new photo.
  ///   - movie: The path of the new movie.
  ///   - keepsMakersNames: Whether the photo keeps the manufacturer's own movie declarations, because another movie
  ///     will be appended.
  /// - Throws: ``Basics/EditError`` if the file cannot be read or contains no movie.
  init(
    of path: String, photo: String, movie: String, keepsMakersNames: Bool = false
  ) throws(EditError) {
    (self.photo, self.movie) = (photo, movie)
    try changeFile(path, to: photo) { source, sink in
      let parts = try MotionPhoto.Parts(Photo(source))
      (stillTime, dialect, lost) = (parts.stillTime, parts.dialect, parts.lost)
      try parts.writePhoto(keepsMakersNames: keepsMakersNames, to: sink)
    }
    try changeFile(path, to: movie) { try MotionPhoto.Parts(Photo($0)).writeMovie(to: $1) }
  }

  /// Splits a Motion Photo into files in a folder.
  ///
  /// - Returns: Nil if the photo is not a Motion Photo.
  /// - Throws: ``Basics/EditError`` if the file cannot be read.
  package init?(ifIn path: String, _ folder: ScratchFolder) throws(EditError) {
    guard try Self.isMotionPhoto(path) else { return nil }
    try self.init(of: path, photo: folder.file("photo-alone"), movie: folder.file("movie-alone"))
  }

  /// Returns whether a photo contains a movie.
  static func isMotionPhoto(_ path: String) throws(EditError) -> Bool {
    try readFile(path) { try Photo($0).isMotionPhoto() }
  }
}
