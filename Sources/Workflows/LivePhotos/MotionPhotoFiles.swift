import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// The photo and the movie of a Motion Photo in two new files.
package struct MotionPhotoFiles {
  /// The path of the photo without its movie.
  package let photo: String
  /// The path of the movie.
  package let movie: String
  /// The photo's time in the movie, in seconds; nil if the file does not say.
  private(set) var stillTime: Double?
  /// The way in which the file announces its movie.
  private(set) var dialect = MotionPhoto.Dialect()
  /// The data that neither file contains.
  private(set) var lost: [Removal] = []

  /// Splits a Motion Photo.
  ///
  /// - Parameters:
  ///   - path: the Motion Photo.
  ///   - photo: the path of the new photo.
  ///   - movie: the path of the new movie.
  ///   - keepsMakersNames: whether the photo keeps a maker's own names of the movie, because another movie will follow.
  /// - Throws: ``Basics/EditError`` if the file cannot be read, or contains no movie.
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

  /// Splits a photo into files of a folder.
  ///
  /// - Returns: nil for a photo that is no Motion Photo.
  /// - Throws: ``Basics/EditError`` if the file cannot be read.
  package init?(ifIn path: String, _ folder: ScratchFolder) throws(EditError) {
    guard try Self.isMotionPhoto(path) else { return nil }
    try self.init(of: path, photo: folder.file("photo-alone"), movie: folder.file("movie-alone"))
  }

  /// True if a photo contains a movie.
  static func isMotionPhoto(_ path: String) throws(EditError) -> Bool {
    try readFile(path) { try Photo($0).isMotionPhoto() }
  }
}
