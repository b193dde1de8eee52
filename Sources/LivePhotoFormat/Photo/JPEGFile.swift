import Basics

/// A whole JPEG in memory, taken apart: the segments before the picture, the compressed picture, and what
/// follows it.
public struct JPEGFile: Sendable {
  /// The file.
  public let bytes: [UInt8]
  /// Everything before the first scan.
  public let header: JPEGHeader
  /// The APPn and COM segments that stand between scans.
  public let laterMetadata: [JPEGSegment]
  /// From the first SOS marker to the end of EOI.
  public let picture: Range<Int>

  /// What follows EOI: further pictures, a motion photo's movie, or anything else.
  public var trailer: Range<Int> { picture.upperBound..<bytes.count }

  /// Takes a JPEG apart; decodes nothing.
  ///
  /// - Parameter bytes: the file.
  /// - Throws: ``MediaError`` when it is no JPEG, or damaged, or ends before EOI.
  public init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    header = try JPEGHeader(reading: MemoryByteSource(bytes))
    var later: [JPEGSegment] = []
    let end = try Self.endOfPicture(bytes, from: header.scanStart) { later.append($0) }
    laterMetadata = later
    picture = header.scanStart..<end
  }

  /// The payload of a segment of this file.
  func payload(_ segment: JPEGSegment) -> [UInt8] { Array(bytes[segment.payload]) }

  /// Walks scans and the tables between them.
  ///
  /// - Returns: the offset after EOI.
  private static func endOfPicture(
    _ bytes: [UInt8], from start: Int, metadata: (JPEGSegment) -> Void
  ) throws -> Int {
    var at = start
    while at < bytes.count - 1 {
      guard bytes[at] == 0xFF else {
        at += 1  // entropy-coded data
        continue
      }
      let marker = bytes[at + 1]
      if marker == 0xD9 { return at + 2 }
      if marker == 0xFF {
        at += 1
      } else if marker == 0x00 || JPEGSegment.isBare(marker) {
        at += 2
      } else {
        guard marker >= 0xC0, marker != 0xD8, let length = ByteOrder.big.number(bytes, at: at + 2, width: 2),
          length >= 2, length <= bytes.count - at - 2
        else { throw JPEGHeader.truncated }
        let segment = JPEGSegment(marker: marker, range: at..<at + 2 + length)
        if segment.isMetadata { metadata(segment) }
        at += 2 + length
      }
    }
    throw JPEGHeader.truncated
  }
}
