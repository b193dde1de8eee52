import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// The photo and the movie of a Motion Photo as two separate files in memory.
struct MotionPhotoFiles {
  /// The photo without its movie.
  let photo: FileByteSource
  /// The movie.
  let movie: FileByteSource
  /// The way in which the Motion Photo's file declares its movie.
  let dialect: MotionPhoto.Dialect
  /// The photo's time in the movie, in seconds, or nil if the file does not state this time.
  let stillTime: Double?
  /// The metadata that neither file contains.
  let lost: [Removal]

  /// Splits a Motion Photo into its photo and its movie.
  ///
  /// - Parameter keepsMakersNames: Whether the photo keeps the manufacturer's own movie declarations, because another
  ///   movie will be appended.
  /// - Returns: Nil if the file is not a Motion Photo.
  /// - Throws: ``MediaError`` if the file contains no movie. File system errors are passed on.
  init?(path: String, keepsMakersNames: Bool = false) throws {
    let whole = try Photo(FileByteSource(path: path))
    guard whole.kind != nil, try whole.isMotionPhoto() else { return nil }
    let parts = try MotionPhoto.Parts(whole)
    photo = try FileByteSource.inMemory { try parts.writePhoto(keepsMakersNames: keepsMakersNames, to: $0) }
    movie = try FileByteSource.inMemory { try parts.writeMovie(to: $0) }
    (dialect, stillTime, lost) = (parts.dialect, parts.stillTime, parts.lost)
  }
}
