import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// The photo and the movie of a Motion Photo in files of their own, which are in memory alone.
struct MotionPhotoFiles {
  /// The photo without its movie.
  let photo: FileByteSource
  /// The movie.
  let movie: FileByteSource
  /// How the file says that it holds the movie.
  let dialect: MotionPhoto.Dialect
  /// The photo's place in the movie in seconds; nil when the file does not say.
  let stillTime: Double?
  /// What none of these carries on.
  let lost: [Removal]

  /// Takes a file apart.
  ///
  /// - Parameter keepsMakersNames: whether a maker's own names of the movie stay in the photo, because another movie will follow.
  /// - Returns: nil for other files.
  /// - Throws: ``MediaError`` when there is no movie in it; what the file system throws.
  init?(path: String, keepsMakersNames: Bool = false) throws {
    let whole = try Photo(FileByteSource(path: path))
    guard whole.kind != nil, try whole.isMotionPhoto() else { return nil }
    let parts = try MotionPhoto.Parts(whole)
    photo = try FileByteSource.inMemory { try parts.writePhoto(keepsMakersNames: keepsMakersNames, to: $0) }
    movie = try FileByteSource.inMemory { try parts.writeMovie(to: $0) }
    (dialect, stillTime, lost) = (parts.dialect, parts.stillTime, parts.lost)
  }
}
