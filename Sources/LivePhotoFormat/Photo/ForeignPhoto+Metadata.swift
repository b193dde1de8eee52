import Basics
import EditModel

/// Metadata of a picture in a format that Live Photos do not use.
package struct ForeignMetadata: Hashable, Sendable {
  /// The Exif block, or nil if the picture has no Exif block.
  var exif: [UInt8]?
  /// The XMP packet, or nil if the picture has no XMP packet.
  var xmp: [UInt8]?
  /// The IPTC datasets, or nil if the picture has no IPTC datasets.
  var iptc: [UInt8]?
}

extension ForeignPhoto {
  /// The maximum size in bytes of an Exif block. Real Exif blocks are smaller.
  private static let largestExif = 1 << 20
  /// The maximum size in bytes of an XMP packet that is read.
  private static let largestXMP = 1 << 24

  /// Reads a picture's metadata, without its pixels and colours. The metadata of a PNG is in the chunks `eXIf` and
  /// `iTXt` (ISO/IEC 15948 section 11.3). The metadata of a WebP is in `EXIF` and `XMP ` (RFC 9649 section 2.7.1.5).
  /// The metadata of a TIFF is in tags of its directories, including XMP (tag 700) and IPTC (tag 33723).
  ///
  /// - Throws: ``MediaError`` if an Exif block is too large, or any error that `source` throws.
  package func metadata(in source: any ByteSource) throws -> ForeignMetadata {
    let exif = try exif(in: source)
    guard self == .tiff, let file = try TIFFFile(source) else {
      return ForeignMetadata(exif: exif, xmp: try xmp(in: source))
    }
    func value(_ tag: Int, _ limit: Int) throws -> [UInt8]? {
      try file.main.first { $0.tag == tag }.flatMap { try file.value($0, limit: limit) }
    }
    let iptc = try value(0x83BB, JPEGParts.payloadLimit)
    return ForeignMetadata(
      exif: exif, xmp: try value(0x02BC, Self.largestXMP),
      // Every dataset begins with this byte.
      iptc: iptc?.first == 0x1C ? iptc : nil)
  }

  /// Reads the Exif block of a PNG or WebP file, or creates one from the directories of a TIFF file. Returns nil if the
  /// file has no Exif metadata.
  package func exif(in source: any ByteSource) throws -> [UInt8]? {
    // Some space is reserved for the pairing identifier.
    if self == .tiff { return try TIFFFile(source)?.exif(room: JPEGMetadataKind.exif.room - 4096) }
    guard let place = try chunk(self == .png ? "eXIf" : "EXIF", in: source) else { return nil }
    guard place.count <= Self.largestExif else {
      throw MediaError("the Exif block is larger than \(Self.largestExif >> 20) MB", isUnsupported: true)
    }
    let content = try source.read(at: place.lowerBound, count: place.count)
    return content.hasPrefix("Exif\0\0") ? Array(content[6...]) : content
  }

  /// Reads the XMP packet of a PNG or WebP file.
  private func xmp(in source: any ByteSource) throws -> [UInt8]? {
    let start = self == .png ? PNGChunks.xmpKeyword + "\0" : ""
    guard let place = try chunk(self == .png ? "iTXt" : "XMP ", beginning: start, in: source),
      place.count <= Self.largestXMP
    else { return nil }
    let content = try source.read(at: place.lowerBound, count: place.count)
    return self == .png ? PNGChunks.xmp(content) : content
  }

  /// Returns the range of a chunk's content. A PNG chunk consists of size, name, content and checksum. A RIFF chunk
  /// consists of name, size and content, and is padded to an even length.
  ///
  /// - Parameter text: The string with which the content must begin.
  private func chunk(
    _ name: String, beginning text: String = "", in source: any ByteSource
  ) throws -> Range<Int>? {
    let order = self == .png ? ByteOrder.big : .little
    var at = self == .png ? 8 : 12
    for _ in 0..<100_000 where at <= source.count - 8 {
      let head = try source.read(at: at, count: 8)
      guard let size = order.number(head, at: self == .png ? 0 : 4, width: 4), size <= source.count - at - 8
      else { return nil }
      let isNamed = head[(self == .png ? 4 : 0)...].prefix(4).elementsEqual(name.utf8)
      if isNamed,
        try text.isEmpty
          || source.read(at: at + 8, count: min(size, text.utf8.count)).elementsEqual(text.utf8)
      {
        return at + 8..<at + 8 + size
      }
      at += 8 + size + (self == .png ? 4 : size % 2)
    }
    return nil
  }

  /// Adds metadata to a JPEG that has no metadata. The metadata comes from another picture with the same pixels, and is
  /// updated to describe the JPEG: its orientation, its width and height, and the absence of an embedded movie and
  /// additional pictures.
  ///
  /// - Parameters:
  ///   - metadata: The metadata to add. A damaged or oversized Exif block is omitted.
  ///   - profile: The ICC profile to add, or nil to add no profile.
  /// - Returns: The JPEG, and whether the XMP packet was omitted because it was too large.
  /// - Throws: ``MediaError`` if the XMP packet exceeds a limit.
  package static func jpeg(
    _ jpeg: [UInt8], carrying metadata: ForeignMetadata, profile: [UInt8]?
  ) throws -> (bytes: [UInt8], lostXMP: Bool) {
    var parts = JPEGParts(try JPEGFile(Self.jpeg(jpeg, exif: metadata.exif, profile: profile)))
    var lostXMP = false
    if let packet = metadata.xmp.flatMap({ trimmed($0, to: JPEGMetadataKind.xmp.room) }) {
      parts.insert(packet, as: .xmp, behind: [.jfif, .jfxx, .exif])
    } else {
      lostXMP = metadata.xmp != nil
    }
    // A Photoshop resource consists of signature, number, empty name, size and data.
    if let iptc = metadata.iptc, iptc.count <= JPEGMetadataKind.photoshop.room - 13 {
      let head = Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + ByteOrder.big.bytes(of: iptc.count, width: 4)
      let resource = head + iptc + (iptc.count % 2 == 0 ? [] : [0])
      parts.insert(resource, as: .photoshop, behind: [.jfif, .jfxx, .exif, .xmp])
    }
    let size = parts.file.header.frame.size
    func change(isNewPicture: Bool) -> PictureChange {
      PictureChange(
        transform: .identity, projection: nil, orientation: parts.exifBlocks.first?.orientation ?? .identity,
        old: size, new: size, isNewPicture: isNewPicture)
    }
    var exif = try JPEGRewriter(parts: parts, change: change(isNewPicture: false))
    // The thumbnail remains valid.
    try exif.rewriteExif(identifier: nil, thumbnail: nil)
    var xmp = try JPEGRewriter(parts: exif.parts, change: change(isNewPicture: true))
    try xmp.rewriteXMP()
    return (try xmp.parts.assembled(), lostXMP)
  }

  /// Returns an XMP packet that fits into the available space. If necessary, the padding at the packet's end is
  /// removed.
  ///
  /// - Returns: The packet, or nil if the packet is too large even without padding.
  private static func trimmed(_ packet: [UInt8], to room: Int) -> [UInt8]? {
    guard packet.count > room else { return packet }
    guard let end = packet.firstIndex(of: "<?xpacket end") else { return nil }
    var start = end
    while start > 0, XMLScanner.isSpace(packet[start - 1]) { start -= 1 }
    guard start + packet.count - end <= room else { return nil }
    return Array(packet[..<start] + packet[end...])
  }
}
