import Basics
import EditModel

/// Metadata of a picture in a format that Live Photos do not use.
package struct ForeignMetadata: Hashable, Sendable {
  /// The Exif block, or nil if there is none.
  var exif: [UInt8]?
  /// The XMP packet, or nil if there is none.
  var xmp: [UInt8]?
  /// The IPTC datasets, or nil if there are none.
  var iptc: [UInt8]?
}

extension ForeignPhoto {
  /// The maximum size of an Exif block. No real block is larger.
  private static let largestExif = 1 << 20
  /// The maximum size of an XMP packet that is read.
  private static let largestXMP = 1 << 24

  /// Reads a picture's metadata other than pixels and colours: from the chunks `eXIf` and `iTXt` of a PNG (ISO/IEC
  /// 15948 section 11.3), from `EXIF` and `XMP ` in a WebP (RFC 9649 section 2.7.1.5), or from the directories, XMP
  /// (tag 700) and IPTC (tag 33723) of a TIFF.
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
      // Each dataset begins with this byte.
      iptc: iptc?.first == 0x1C ? iptc : nil)
  }

  /// Reads the Exif block of a PNG or WebP file, or creates one from the directories of a TIFF file. Returns nil if
  /// there is none.
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

  /// Returns the range of a chunk's content. PNG chunks consist of size, name, content and checksum. RIFF chunks
  /// consist of name, size and content, padded to an even length.
  ///
  /// - Parameter text: The text that the content must begin with.
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

  /// Adds the metadata of another picture with the same pixels to a JPEG without metadata, and updates it to describe
  /// the JPEG: the orientation, the sizes, and the absence of an embedded movie and additional pictures.
  ///
  /// - Parameters:
  ///   - metadata: The metadata. A damaged or oversized Exif block is omitted.
  ///   - profile: An ICC profile, or nil for none.
  /// - Returns: The JPEG, and whether the XMP packet was omitted because it was too large.
  /// - Throws: ``MediaError`` if the XMP exceeds a limit.
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
    // A Photoshop resource: signature, number, empty name and size.
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

  /// Returns an XMP packet that fits into the available space, without the padding at its end if necessary.
  ///
  /// - Returns: The packet, or nil if it is too large even without padding.
  private static func trimmed(_ packet: [UInt8], to room: Int) -> [UInt8]? {
    guard packet.count > room else { return packet }
    guard let end = packet.firstIndex(of: "<?xpacket end") else { return nil }
    var start = end
    while start > 0, XMLScanner.isSpace(packet[start - 1]) { start -= 1 }
    guard start + packet.count - end <= room else { return nil }
    return Array(packet[..<start] + packet[end...])
  }
}
