import Basics

/// One marker segment of a JPEG (ITU-T T.81 B.1.1.4).
package struct JPEGSegment: Hashable, Sendable {
  /// The marker's second byte: 0xE1 for APP1.
  package let marker: UInt8
  /// Where it stands in the file, marker and length included, fill bytes before it not.
  package let range: Range<Int>

  /// Where its payload stands in the file: what follows the length field. Empty for a bare marker.
  package var payload: Range<Int> { min(range.lowerBound + 4, range.upperBound)..<range.upperBound }

  /// True if it carries metadata (APPn or COM) and no part of the compressed picture.
  package var isMetadata: Bool { 0xE0...0xEF ~= marker || marker == 0xFE }

  /// A segment's bytes.
  ///
  /// - Parameter payload: at most ``JPEGParts/payloadLimit`` bytes.
  static func bytes(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + ByteOrder.big.bytes(of: payload.count + 2, width: 2) + payload
  }

  /// True if the marker stands alone, without a length (TEM and RSTn).
  static func isBare(_ marker: UInt8) -> Bool { marker == 0x01 || 0xD0...0xD7 ~= marker }
}

/// Everything in a JPEG before its first scan. Reading it costs a few kilobytes of the file, however
/// large the picture is.
package struct JPEGHeader: Sendable {
  /// The file.
  let source: any ByteSource
  /// The segments between SOI and the first SOS, in file order.
  package let segments: [JPEGSegment]
  /// Where the first SOS marker stands.
  package let scanStart: Int
  /// The frame header.
  package let frame: JPEGFrame

  /// Reads segment by segment up to the first scan.
  ///
  /// - Throws: ``MediaError`` when it is no JPEG, damaged before its first scan, or has too many segments there; what `source` throws.
  package init(reading source: any ByteSource) throws {
    self.source = source
    // Segments are far apart: a page is read where one begins.
    var page: (start: Int, bytes: [UInt8]) = (0, [])
    func byte(at offset: Int) throws -> UInt8 {
      if !(page.start..<page.start + page.bytes.count).contains(offset) {
        guard offset < source.count else { throw Self.truncated }
        page = (offset, try source.read(at: offset, count: min(512, source.count - offset)))
      }
      return page.bytes[offset - page.start]
    }
    guard try byte(at: 0) == 0xFF, try byte(at: 1) == 0xD8 else {
      throw MediaError("it is not a JPEG file", remedy: "name a photo")
    }
    let damaged = MediaError("its JPEG segments are damaged", remedy: "copy it again from the phone")
    let most = ReadingLimit.segments.value
    var segments: [JPEGSegment] = []
    var frame: JPEGFrame?
    var at = 2
    while true {
      guard try byte(at: at) == 0xFF else { throw damaged }
      let marker = try byte(at: at + 1)
      switch marker {
      case 0xFF:  // a fill byte
        at += 1
        continue
      case 0x00, 0xD8, 0xD9:
        throw damaged
      case 0xDA:
        guard let frame else { throw damaged }
        self.segments = segments
        scanStart = at
        self.frame = frame
        return
      default:
        break
      }
      guard segments.count < most else {
        throw MediaError(beyond: .segments, "it has more than \(most) JPEG segments before its picture")
      }
      var size = 2
      if !JPEGSegment.isBare(marker) {
        let length = Int(try byte(at: at + 2)) << 8 | Int(try byte(at: at + 3))
        guard length >= 2, length <= source.count - at - 2 else { throw Self.truncated }
        size += length
      }
      let segment = JPEGSegment(marker: marker, range: at..<at + size)
      segments.append(segment)
      if JPEGFrame.isFrame(marker) || marker == 0xDB {
        let payload = try source.read(at: segment.payload.lowerBound, count: segment.payload.count)
        if marker == 0xDB {
          try Self.checkQuantisation(payload)
        } else if frame == nil {
          frame = try JPEGFrame(marker: marker, payload: payload)
        }
      }
      at += size
    }
  }

  /// Makes sure that the tables of a segment DQT are whole (ITU-T T.81 B.2.4.1).
  private static func checkQuantisation(_ payload: [UInt8]) throws {
    var at = 0
    while at < payload.count {
      let size = payload[at] >> 4 == 0 ? 64 : 128
      guard payload[at] & 15 < 4, payload.count - at > size else {
        throw MediaError("its JPEG quantisation tables are damaged", remedy: "copy it again from the phone")
      }
      at += 1 + size
    }
  }

  static let truncated = MediaError(
    "it ends before its picture does", remedy: "copy it again from the phone")
}

/// The facts of a JPEG that its segments hold.
extension JPEGHeader: PhotoContainer {
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xFF, 0xD8, 0xFF]) }

  /// The whole file.
  ///
  /// - Throws: ``MediaError`` when it is too large, or damaged.
  func wholeFile() throws -> JPEGFile { try JPEGFile(source.wholePhoto(), header: self) }

  func exif() throws -> TIFFBlock? { try first(.exif) { TIFFBlock(exif: $0) } }

  func exifBlocks() throws -> [TIFFBlock] { try JPEGParts(wholeFile()).exifBlocks }

  func iccProfile() throws -> [UInt8]? { try ICCProfile.bytes(in: self) }

  func isMotionPhoto() throws -> Bool { try announcesMovie() && holdsMovie() }

  func announcesMovie() throws -> Bool {
    if try (first(.xmp) { try XMPPacket($0) })?.isMotionPhoto ?? false { return true }
    return try SamsungTrailer.listsMovie(source)
  }

  /// True if a movie begins where XMP or Samsung's directory says, of which a few bytes are read, or anywhere else behind the
  /// picture.
  private func holdsMovie() throws -> Bool {
    for length in try (first(.xmp) { try XMPPacket($0) })?.movieLengths ?? []
    where 8...max(8, source.count - scanStart) ~= length && length <= source.count {
      let type = try source.read(at: source.count - length + 4, count: 4)
      if type.elementsEqual("ftyp".utf8) { return true }
    }
    return try SamsungTrailer.holdsMovie(source) || embeddedMovie() != nil
  }

  func xmp() throws -> [UInt8]? { try first(.xmp) { $0 } }

  func metadata() throws -> PhotoMetadata {
    var metadata = try PhotoMetadata(
      exif: try exif(), xmp: try xmp(), stored: frame.size, orientation: nil,
      hasGainMap: try first(.gainMap) { _ in true })
    // A mark alone is no movie. Whether one is there is not looked for in files that cannot be read whole.
    let isMarked = try metadata.subtypes.contains(.motionPhoto) || SamsungTrailer.listsMovie(source)
    if isMarked, try holdsMovie() {
      metadata.subtypes.insert(.motionPhoto)
    } else {
      metadata.subtypes.remove(.motionPhoto)
    }
    return metadata
  }

  func describe(_ facts: PhotoMetadata, in inspection: inout PhotoInspection) throws {
    try inspection.read(self)
  }

  func findings() -> [VerificationFinding] { [] }

  func checkPicture() throws { _ = try JPEGFile.pictureEnd(in: source, from: scanStart) }

  /// The first segment of a kind whose content can be used.
  ///
  /// - Parameter use: called with the content of one segment after the other, until it returns something.
  /// - Returns: nil when there is none.
  private func first<Value>(_ kind: JPEGMetadataKind, use: ([UInt8]) throws -> Value?) throws -> Value? {
    let (marker, prefix) = kind.signature
    for segment in segments where segment.marker == marker {
      let start = segment.payload.lowerBound
      let head = try source.read(at: start, count: min(segment.payload.count, JPEGMetadataKind.longestPrefix))
      guard JPEGMetadataKind(marker: marker, payload: head) == kind else { continue }
      let content = try source.read(at: start + prefix.count, count: segment.payload.count - prefix.count)
      if let value = try use(content) { return value }
    }
    return nil
  }
}
