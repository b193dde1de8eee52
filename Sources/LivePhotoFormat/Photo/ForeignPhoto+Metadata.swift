import Basics
import EditModel

/// Metadata of a picture of a kind that Live Photos do not hold.
package struct ForeignMetadata: Hashable, Sendable {
  /// An Exif block.
  var exif: [UInt8]?
  /// An XMP packet.
  var xmp: [UInt8]?
  /// IPTC datasets.
  var iptc: [UInt8]?
}

extension ForeignPhoto {
  /// No real Exif block is larger.
  private static let largestExif = 1 << 20
  /// No larger XMP packet is read.
  private static let largestXMP = 1 << 24

  /// Reads what a file says of the picture besides its pixels and their colours: in a PNG its chunks `eXIf` and `iTXt` (ISO/IEC
  /// 15948 section 11.3), in a WebP `EXIF` and `XMP ` (RFC 9649 section 2.7.1.5), in a TIFF the directories, XMP (tag 700) and
  /// IPTC (tag 33723).
  ///
  /// - Throws: ``MediaError`` when an Exif block is impossibly large; what `source` throws.
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

  /// The Exif block in a PNG or WebP file, or one of the directories of a TIFF file; nil when there is none.
  package func exif(in source: any ByteSource) throws -> [UInt8]? {
    // Room is left for what ties the photo.
    if self == .tiff { return try TIFFFile(source)?.exif(room: JPEGMetadataKind.exif.room - 4096) }
    guard let place = try chunk(self == .png ? "eXIf" : "EXIF", in: source) else { return nil }
    guard place.count <= Self.largestExif else {
      throw MediaError("its Exif block is larger than \(Self.largestExif >> 20) MB", isUnsupported: true)
    }
    let content = try source.read(at: place.lowerBound, count: place.count)
    return content.hasPrefix("Exif\0\0") ? Array(content[6...]) : content
  }

  /// The XMP packet in a PNG or WebP file.
  private func xmp(in source: any ByteSource) throws -> [UInt8]? {
    let start = self == .png ? PNGChunks.xmpKeyword + "\0" : ""
    guard let place = try chunk(self == .png ? "iTXt" : "XMP ", beginning: start, in: source),
      place.count <= Self.largestXMP
    else { return nil }
    let content = try source.read(at: place.lowerBound, count: place.count)
    return self == .png ? PNGChunks.xmp(content) : content
  }

  /// Where the content of a chunk stands. PNG: size, name, content, checksum; RIFF: name, size, content, padded to even.
  ///
  /// - Parameter text: what its content begins with.
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

  /// Puts metadata of another picture of the same pixels into a JPEG that has none, and makes it true of the JPEG: orientation
  /// and sizes, no movie and no further pictures behind it.
  ///
  /// - Parameters:
  ///   - metadata: what it says. An Exif block that is damaged or too large is left out.
  ///   - profile: an ICC profile; nil for none.
  /// - Returns: the JPEG, and whether the XMP packet was too large for it.
  /// - Throws: ``MediaError`` when XMP is beyond a limit.
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
    // A resource of Photoshop's: signature, number, an empty name, size.
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
    // A thumbnail stays true.
    try exif.rewriteExif(identifier: nil, thumbnail: nil)
    var xmp = try JPEGRewriter(parts: exif.parts, change: change(isNewPicture: true))
    try xmp.rewriteXMP()
    return (try xmp.parts.assembled(), lostXMP)
  }

  /// An XMP packet without so much of the padding at its end as there is no room for.
  ///
  /// - Returns: nil where it is too large without it.
  private static func trimmed(_ packet: [UInt8], to room: Int) -> [UInt8]? {
    guard packet.count > room else { return packet }
    guard let end = packet.firstIndex(of: "<?xpacket end") else { return nil }
    var start = end
    while start > 0, XMLScanner.isSpace(packet[start - 1]) { start -= 1 }
    guard start + packet.count - end <= room else { return nil }
    return Array(packet[..<start] + packet[end...])
  }
}
