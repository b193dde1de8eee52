import Basics

/// A marker segment of a JPEG (ITU-T T.81 B.1.1.4).
package struct JPEGSegment: Hashable, Sendable {
  /// The second byte of the marker, for example 0xE1 for APP1.
  package let marker: UInt8
  /// The range of the segment in the file, including the marker and the length but not the fill bytes before the
  /// marker.
  package let range: Range<Int>

  /// The range of the payload in the file, after the length field. The range is empty if the marker has no length
  /// field.
  package var payload: Range<Int> { min(range.lowerBound + 4, range.upperBound)..<range.upperBound }

  /// Whether the segment contains metadata (APPn or COM) rather than part of the compressed picture.
  package var isMetadata: Bool { 0xE0...0xEF ~= marker || marker == 0xFE }

  /// Returns the bytes of a segment.
  ///
  /// - Parameter payload: The payload, which has at most ``JPEGParts/payloadLimit`` bytes.
  static func bytes(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + ByteOrder.big.bytes(of: payload.count + 2, width: 2) + payload
  }

  /// Returns whether a marker has no length and no payload (TEM and RSTn).
  static func isBare(_ marker: UInt8) -> Bool { marker == 0x01 || 0xD0...0xD7 ~= marker }
}

/// The part of a JPEG before its first scan. Only a few kilobytes of the file are read, regardless of the picture's
/// size.
package struct JPEGHeader: Sendable {
  /// The source of the file's bytes.
  let source: any ByteSource
  /// The segments between SOI and the first SOS, in file order.
  package let segments: [JPEGSegment]
  /// The offset of the first SOS marker.
  package let scanStart: Int
  /// The frame header.
  package let frame: JPEGFrame

  /// Reads the segments before the first scan.
  ///
  /// - Throws: ``MediaError`` if the file is not a JPEG, if the file is damaged or has too many segments before the
  ///   first scan, or any error that `source` throws.
  package init(reading source: any ByteSource) throws {
    self.source = source
    // Segments may be far apart, so a page is read at the start of each segment.
    var page: (start: Int, bytes: [UInt8]) = (0, [])
    func byte(at offset: Int) throws -> UInt8 {
      if !(page.start..<page.start + page.bytes.count).contains(offset) {
        guard offset < source.count else { throw Self.truncated }
        page = (offset, try source.read(at: offset, count: min(512, source.count - offset)))
      }
      return page.bytes[offset - page.start]
    }
    guard try byte(at: 0) == 0xFF, try byte(at: 1) == 0xD8 else {
      throw MediaError("the file is not a JPEG", remedy: "specify a photo")
    }
    let damaged = MediaError("the JPEG segments are damaged", remedy: "copy the file from the phone again")
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
        throw MediaError(beyond: .segments, "the file has more than \(most) JPEG segments before its picture")
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

  /// Checks that the tables of a DQT segment are complete (ITU-T T.81 B.2.4.1).
  private static func checkQuantisation(_ payload: [UInt8]) throws {
    var at = 0
    while at < payload.count {
      let size = payload[at] >> 4 == 0 ? 64 : 128
      guard payload[at] & 15 < 4, payload.count - at > size else {
        throw MediaError(
          "the JPEG quantisation tables are damaged", remedy: "copy the file from the phone again")
      }
      at += 1 + size
    }
  }

  static let truncated = MediaError(
    "the file ends before its picture is complete", remedy: "copy the file from the phone again")
}

/// Reads a photo's date, location and other metadata from JPEG segments.
extension JPEGHeader: PhotoContainer {
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xFF, 0xD8, 0xFF]) }

  /// Reads the complete file.
  ///
  /// - Throws: ``MediaError`` if the file is too large or damaged.
  func wholeFile() throws -> JPEGFile { try JPEGFile(source.wholePhoto(), header: self) }

  func exif() throws -> TIFFBlock? { try first(.exif) { TIFFBlock(exif: $0) } }

  func exifBlocks() throws -> [TIFFBlock] { try JPEGParts(wholeFile()).exifBlocks }

  func iccProfile() throws -> [UInt8]? { try ICCProfile.bytes(in: self) }

  func isMotionPhoto() throws -> Bool { try announcesMovie() && holdsMovie() }

  func announcesMovie() throws -> Bool {
    if try (first(.xmp) { try XMPPacket($0) })?.isMotionPhoto ?? false { return true }
    return try SamsungTrailer.listsMovie(source)
  }

  /// Returns whether a movie begins anywhere after the picture. The positions stated by XMP or Samsung's directory are
  /// checked first, because that check reads only a few bytes.
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
    // Motion Photo metadata alone does not prove that the file contains a movie. A file that is too large to be loaded
    // completely is not searched for a movie.
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

  /// Returns the value from the first segment of a given kind that contains a suitable value.
  ///
  /// - Parameter use: A function that receives the content of each segment until the function returns a value.
  /// - Returns: The value, or nil if no segment contains a suitable value.
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
