import Basics
import EditModel

/// Photos of kinds that Live Photos do not hold, and what is carried from them into a JPEG.
package enum ForeignPhoto: Hashable, Sendable {
  /// Portable Network Graphics (ISO/IEC 15948).
  case png
  /// TIFF 6.0.
  case tiff
  /// WebP (RFC 9649).
  case webp

  /// Libavformat's name of the kind.
  package var container: String {
    switch self {
    case .png: "png_pipe"
    case .tiff: "tiff_pipe"
    case .webp: "webp_pipe"
    }
  }

  /// Looks at the first bytes of a file.
  ///
  /// - Returns: nil for any other kind.
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

  /// No real Exif block is larger.
  private static let largestExif = 1 << 20

  /// How the picture is displayed, by its Exif block.
  package func orientation(of source: any ByteSource) throws -> Orientation {
    try exif(in: source).flatMap { TIFFBlock(exif: $0)?.orientation } ?? .identity
  }

  /// The Exif block in a PNG (`eXIf`) or WebP (`EXIF`) file; of a TIFF file one with its orientation.
  ///
  /// - Returns: nil when there is none.
  package func exif(in source: any ByteSource) throws -> [UInt8]? {
    switch self {
    case .tiff:
      let head = try source.read(at: 0, count: min(source.count, source.largestPhoto))
      let orientation = TIFFBlock(exif: head)?.orientation ?? .identity
      return TIFFBlock.minimal(orientation: orientation, contentIdentifier: nil).bytes
    case .png: return try chunk("eXIf", in: source, from: 8, .big)
    case .webp: return try chunk("EXIF", in: source, from: 12, .little)
    }
  }

  /// The content of a chunk. PNG: size, name, content, checksum; RIFF: name, size, content, padded to even.
  private func chunk(
    _ name: String, in source: any ByteSource, from start: Int, _ order: ByteOrder
  ) throws -> [UInt8]? {
    var at = start
    for _ in 0..<100_000 where at <= source.count - 8 {
      let head = try source.read(at: at, count: 8)
      guard let size = order.number(head, at: self == .png ? 0 : 4, width: 4), size <= source.count - at - 8
      else {
        return nil
      }
      let isWanted = head[(self == .png ? 4 : 0)...].prefix(4).elementsEqual(name.utf8)
      if isWanted {
        guard size <= Self.largestExif else {
          throw MediaError("its Exif block is larger than \(Self.largestExif >> 20) MB", isUnsupported: true)
        }
        let content = try source.read(at: at + 8, count: size)
        return content.hasPrefix("Exif\0\0") ? Array(content[6...]) : content
      }
      at += 8 + size + (self == .png ? 4 : size % 2)
    }
    return nil
  }

  /// Puts metadata into a JPEG that has none.
  ///
  /// - Parameters:
  ///   - exif: an Exif block; nil for none. One that is damaged or too large is left out.
  ///   - profile: an ICC profile; nil for none.
  package static func jpeg(_ jpeg: [UInt8], exif: [UInt8]?, profile: [UInt8]?) throws -> [UInt8] {
    var parts = JPEGParts(try JPEGFile(jpeg))
    if let profile {
      let place = parts.list.firstIndex { $0.kind != .jfif } ?? 0
      let segments = ICCProfile.segments(of: profile)
      parts.list.insert(
        contentsOf: segments.map { JPEGParts.Part(marker: 0xE2, kind: nil, content: $0) }, at: place)
    }
    if let exif, exif.count <= JPEGParts.payloadLimit - 6, TIFFBlock(exif: exif) != nil {
      parts.insertExif(exif)
    }
    return try parts.assembled()
  }
}
