import Basics

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

  func isMotionPhoto() throws -> Bool { try first(.xmp) { XMPPacket($0) }?.isMotionPhoto ?? false }

  func metadata() throws -> PhotoMetadata {
    PhotoMetadata(
      exif: try exif(), xmp: try first(.xmp) { $0 }, stored: frame.size, orientation: nil,
      hasGainMap: try first(.gainMap) { _ in true } ?? false)
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
  private func first<Value>(_ kind: JPEGMetadataKind, use: ([UInt8]) -> Value?) throws -> Value? {
    let (marker, prefix) = kind.signature
    for segment in segments where segment.marker == marker {
      let start = segment.payload.lowerBound
      let head = try source.read(at: start, count: min(segment.payload.count, JPEGMetadataKind.longestPrefix))
      guard JPEGMetadataKind(marker: marker, payload: head) == kind else { continue }
      let content = try source.read(at: start + prefix.count, count: segment.payload.count - prefix.count)
      if let value = use(content) { return value }
    }
    return nil
  }
}
