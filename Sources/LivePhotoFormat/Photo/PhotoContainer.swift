import Basics
import EditModel

/// The headers of a photo of one kind: how its file is read, described and rewritten. Decodes no pixel.
protocol PhotoContainer: Sendable {
  /// True if a file of this kind begins so.
  ///
  /// - Parameter bytes: the file, or its first 256 bytes.
  static func begins(_ bytes: [UInt8]) -> Bool

  /// Reads the headers.
  ///
  /// - Throws: ``MediaError`` when they are damaged; what `source` throws.
  init(reading source: any ByteSource) throws

  /// The photo's first Exif block that can be read; nil without one.
  func exif() throws -> TIFFBlock?

  /// All Exif blocks of the photo that can be read.
  func exifBlocks() throws -> [TIFFBlock]

  /// The ICC profile of the photo's colours; nil without one.
  func iccProfile() throws -> [UInt8]?

  /// True if the file says that a movie is embedded in it, and one is.
  func isMotionPhoto() throws -> Bool

  /// True if the file says that a movie is embedded in it, whether or not one is.
  func announcesMovie() throws -> Bool

  /// The photo's XMP packet; nil without one.
  func xmp() throws -> [UInt8]?

  /// The photo's capture, by its headers.
  func metadata() throws -> PhotoMetadata

  /// Adds what only this kind of file has to its description for display.
  func describe(_ facts: PhotoMetadata, in inspection: inout PhotoInspection) throws

  /// The rules that the list of the file's parts breaks.
  func findings() throws -> [VerificationFinding]

  /// Adds what decides how the photo looks, besides its orientation and its ICC profile.
  func addCodedMedia(to media: inout CodedMedia) throws

  /// Adds the coded picture alone, see ``Photo/codedPicture()``.
  func addCodedPicture(to media: inout CodedMedia) throws

  /// Makes sure that the coded picture is whole, as far as that is seen without decoding.
  func checkPicture() throws

  /// Writes the photo with another identifier, or without one; see ``Photo/write(tiedBy:replacesNote:completing:to:)``.
  func write(_ tie: PhotoTie, to sink: any ByteSink) throws -> [Removal]

  /// Writes the photo with metadata that is true of a frame of its movie; see ``Photo/write(describing:to:)``.
  func write(describing frame: KeyFrame, to sink: any ByteSink) throws -> [Removal]

  /// Writes the photo with other facts; see ``Photo/write(stating:to:)``.
  func write(stating rewrite: FactsRewrite, to sink: any ByteSink) throws -> [Removal]

  /// Writes the photo with metadata that say Display P3; see ``Photo/write(asDisplayP3:to:)``.
  func write(asDisplayP3 profile: [UInt8], to sink: any ByteSink) throws -> [Removal]

  /// Writes the photo without private metadata; see ``Photo/write(without:identifier:to:)``.
  ///
  /// - Returns: names of what went beyond what was asked for.
  func write(without what: PrivateMetadata, identifier: String?, to sink: any ByteSink) throws -> [String]

  /// The movies in the file that nothing here reads, in file order; see ``UnknownMovie``.
  func unknownMovies() throws -> [UnknownMovie]

  /// Writes the photo without such movies, with as much of what stands around them as nothing is known to refer to them.
  ///
  /// - Returns: names of what goes with them.
  func write(withoutUnknown movies: [UnknownMovie], to sink: any ByteSink) throws -> [String]

  /// The movie in the file; nil without one.
  func embeddedMovie() throws -> MotionPhoto.Movie?

  /// Writes the photo without the movie in the file.
  func write(without movie: MotionPhoto.Movie, keepsMakersNames: Bool, to sink: any ByteSink) throws

  /// Writes the photo up to where a movie's own bytes begin.
  ///
  /// - Returns: what follows the movie, and what the photo does not carry any more.
  func write(
    announcing movie: MotionPhoto.Announcement, to sink: any ByteSink
  ) throws -> MotionPhoto.Announcement.Written
}
