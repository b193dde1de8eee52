import Basics
import EditModel

/// The headers of a photo of a specific kind, with functions that read, describe and rewrite the file. No pixels are
/// decoded.
protocol PhotoContainer: Sendable {
  /// Returns whether the given bytes are the beginning of a file of this kind.
  ///
  /// - Parameter bytes: The complete file or its first 256 bytes.
  static func begins(_ bytes: [UInt8]) -> Bool

  /// Reads the photo's headers.
  ///
  /// - Throws: ``MediaError`` if the headers are damaged, or any error that `source` throws.
  init(reading source: any ByteSource) throws

  /// Returns the photo's first readable Exif block, or nil if the photo has no readable Exif block.
  func exif() throws -> TIFFBlock?

  /// Returns all readable Exif blocks of the photo.
  func exifBlocks() throws -> [TIFFBlock]

  /// Returns the ICC profile of the photo's colours, or nil if the photo has no profile.
  func iccProfile() throws -> [UInt8]?

  /// Returns whether the file declares an embedded movie and actually contains that movie.
  func isMotionPhoto() throws -> Bool

  /// Returns whether the file declares an embedded movie, even if the movie is missing.
  func announcesMovie() throws -> Bool

  /// Returns the photo's XMP packet, or nil if the photo has no XMP packet.
  func xmp() throws -> [UInt8]?

  /// Returns the photo's capture metadata, read from its headers.
  func metadata() throws -> PhotoMetadata

  /// Adds the information that is specific to this kind of file to a photo's inspection.
  func describe(_ facts: PhotoMetadata, in inspection: inout PhotoInspection) throws

  /// Returns a finding for each rule that the list of the file's parts violates.
  func findings() throws -> [VerificationFinding]

  /// Adds the data that determines what the photo looks like, except for its orientation and ICC profile.
  func addCodedMedia(to media: inout CodedMedia) throws

  /// Adds the coded picture alone. See ``Photo/codedPicture()``.
  func addCodedPicture(to media: inout CodedMedia) throws

  /// Checks, without decoding, that the coded picture is complete.
  func checkPicture() throws

  /// Writes the photo with a new identifier, or without an identifier. See
  /// ``Photo/write(tiedBy:replacesNote:completing:to:)``.
  func write(_ tie: PhotoTie, to sink: any ByteSink) throws -> [Removal]

  /// Writes the photo with metadata that describes a frame of its movie. See ``Photo/write(describing:to:)``.
  func write(describing frame: KeyFrame, to sink: any ByteSink) throws -> [Removal]

  /// Writes the photo with a changed date, location or description. See ``Photo/write(stating:to:)``.
  func write(stating rewrite: FactsRewrite, to sink: any ByteSink) throws -> [Removal]

  /// Writes the photo with metadata that declares Display P3. See ``Photo/write(asDisplayP3:to:)``.
  func write(asDisplayP3 profile: [UInt8], to sink: any ByteSink) throws -> [Removal]

  /// Writes the photo without private metadata. See ``Photo/write(without:identifier:to:)``.
  ///
  /// - Returns: The names of the parts that were removed in addition to the requested metadata.
  func write(without what: PrivateMetadata, identifier: String?, to sink: any ByteSink) throws -> [String]

  /// Returns the movies that are stored in the file in an unknown layout, in file order. See ``UnknownMovie``.
  func unknownMovies() throws -> [UnknownMovie]

  /// Writes the photo without movies in an unknown layout. Data around these movies is also omitted, unless the file is
  /// known to refer to that data.
  ///
  /// - Returns: The names of the parts that were removed along with the movies.
  func write(withoutUnknown movies: [UnknownMovie], to sink: any ByteSink) throws -> [String]

  /// Returns the movie embedded in the file, or nil if the file has no embedded movie.
  func embeddedMovie() throws -> MotionPhoto.Movie?

  /// Writes the photo without the embedded movie.
  func write(without movie: MotionPhoto.Movie, keepsMakersNames: Bool, to sink: any ByteSink) throws

  /// Writes the photo up to the position at which an embedded movie begins.
  ///
  /// - Returns: The data that follows the movie, and the parts that were not copied.
  func write(
    announcing movie: MotionPhoto.Announcement, to sink: any ByteSink
  ) throws -> MotionPhoto.Announcement.Written
}
