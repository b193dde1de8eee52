public import Basics
import EditModel

/// What identity, pairing and planning need to know of a photo, from the first kilobytes of its file.
public struct PhotoSummary: Hashable, Sendable {
  /// Stored width in pixels.
  public let width: Int
  /// Stored height in pixels.
  public let height: Int
  /// How the stored picture is displayed; the identity when Exif does not say.
  public let orientation: Orientation
  /// The identifier in Apple's maker note that ties a Live Photo's halves.
  public let contentIdentifier: String?
  /// When it was taken, as Exif writes it, with fraction and time zone as far as known:
  /// `2019:12:29 19:01:15.505-08:00`.
  public let captureDate: String?
  /// The camera's maker.
  public let make: String?
  /// The camera's model.
  public let model: String?
  /// Whether XMP says that a movie is embedded in the file.
  public let isMotionPhoto: Bool

  /// Reads a photo's header, of whatever kind its content is.
  ///
  /// - Parameter source: the file.
  /// - Throws: ``MediaError`` when it is no photo or its header is damaged; what `source` throws.
  public init(reading source: some ByteSource) throws {
    switch try PhotoKind.detect(source) {
    case .jpeg: try self.init(jpeg: source)
    case .heif: try self.init(heif: HEIFFile(reading: source), source: source)
    case .other: throw MediaError("it is not a photo", remedy: "name a JPEG or HEIC photo")
    }
  }

  /// Reads Exif and XMP of a HEIF file whose boxes are known already. Its properties say how it is turned: HEIF
  /// readers pass Exif's orientation over.
  init(heif file: HEIFFile, source: some ByteSource) throws {
    let size = file.spatialExtents(of: file.primaryItem)
    width = size?.width ?? 0
    height = size?.height ?? 0
    orientation = file.photoOrientation
    let exif = try file.exif(from: source)?.block
    contentIdentifier = exif?.contentIdentifier
    captureDate = exif?.captureDate
    make = exif?.make
    model = exif?.model
    isMotionPhoto = try file.isMotionPhoto(source)
  }

  /// Reads a JPEG's header, segment by segment.
  ///
  /// - Parameter source: the file.
  /// - Throws: ``MediaError`` when it is no JPEG or damaged before its first scan; what `source` throws.
  public init(jpeg source: some ByteSource) throws {
    try self.init(header: JPEGHeader(reading: source), source: source)
  }

  /// Reads Exif and XMP of a header that is known already.
  init(header: JPEGHeader, source: some ByteSource) throws {
    width = header.frame.width
    height = header.frame.height
    var exif: TIFFBlock?
    var isMotionPhoto: Bool?
    for segment in header.segments where segment.marker == 0xE1 && (exif == nil || isMotionPhoto == nil) {
      let start = segment.payload.lowerBound
      let head = try source.read(at: start, count: min(segment.payload.count, JPEGMetadataKind.longestPrefix))
      guard let kind = JPEGMetadataKind(marker: 0xE1, payload: head) else { continue }
      let prefix = kind.signature.prefix.count
      func content() throws -> [UInt8] {
        try source.read(at: start + prefix, count: segment.payload.count - prefix)
      }
      if kind == .exif, exif == nil {
        exif = TIFFBlock(exif: try content())
      } else if kind == .xmp, isMotionPhoto == nil {
        isMotionPhoto = XMPPacket(try content())?.isMotionPhoto
      }
    }
    orientation = exif?.orientation ?? .identity
    contentIdentifier = exif?.contentIdentifier
    captureDate = exif?.captureDate
    make = exif?.make
    model = exif?.model
    self.isMotionPhoto = isMotionPhoto ?? false
  }
}
