import Basics
import EditModel

/// Photos in formats that Live Photos do not use, and the data that is copied from such photos into a JPEG.
package enum ForeignPhoto: Hashable, Sendable {
  /// Portable Network Graphics (ISO/IEC 15948).
  case png
  /// TIFF 6.0.
  case tiff
  /// WebP (RFC 9649).
  case webp

  /// The name of the format in libavformat.
  package var container: String {
    switch self {
    case .png: "png_pipe"
    case .tiff: "tiff_pipe"
    case .webp: "webp_pipe"
    }
  }

  /// Recognises a file's format by its first bytes.
  ///
  /// - Returns: The format, or nil if the format is not PNG, TIFF or WebP.
  package init?(_ source: any ByteSource) throws {
    let head = try source.read(at: 0, count: min(12, source.count))
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if head.starts(with: [0x49, 0x49, 0x2A, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
      self = .tiff
    } else if head.hasPrefix("RIFF"), head.count == 12, head[8...].elementsEqual("WEBP".utf8) {
      self = .webp
    } else {
      return nil
    }
  }

  /// Returns the orientation in which the picture is displayed, as stated in the picture's Exif block.
  package func orientation(of source: any ByteSource) throws -> Orientation {
    switch self {
    case .tiff: try TIFFFile(source)?.number(TIFFBlock.Tag.orientation).flatMap(Orientation.init) ?? .identity
    case .png, .webp: try exif(in: source).flatMap { TIFFBlock(exif: $0)?.orientation } ?? .identity
    }
  }

  /// Returns whether colour values are premultiplied by opacity, which is possible in TIFF files (TIFF 6.0 section 18,
  /// ExtraSamples).
  package func isPremultiplied(_ source: any ByteSource) throws -> Bool {
    try self == .tiff && TIFFFile(source)?.number(0x0152) == 1
  }

  /// Adds metadata to a JPEG that has no metadata.
  ///
  /// - Parameters:
  ///   - exif: The Exif block to add, or nil to add no Exif block. A damaged or oversized block is omitted.
  ///   - profile: The ICC profile to add, or nil to add no profile.
  package static func jpeg(_ jpeg: [UInt8], exif: [UInt8]?, profile: [UInt8]?) throws -> [UInt8] {
    var parts = JPEGParts(try JPEGFile(jpeg))
    if let profile {
      let place = parts.list.firstIndex { $0.kind != .jfif } ?? 0
      let segments = ICCProfile.segments(of: profile)
      parts.list.insert(
        contentsOf: segments.map { JPEGParts.Part(marker: 0xE2, kind: nil, content: $0) }, at: place)
    }
    if var block = exif.flatMap({ TIFFBlock(exif: $0) }) {
      block.complete(describing: parts.exifPicture)
      if block.bytes.count <= JPEGMetadataKind.exif.room { parts.insertExif(block.bytes) }
    }
    return try parts.assembled()
  }
}
