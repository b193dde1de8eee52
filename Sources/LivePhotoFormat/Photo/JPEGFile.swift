import Basics

/// A whole JPEG in memory, taken apart: the segments before the picture, the compressed picture, and what
/// follows it.
package struct JPEGFile: Sendable {
  /// The file.
  package let bytes: [UInt8]
  /// Everything before the first scan.
  package let header: JPEGHeader
  /// The APPn and COM segments that stand between scans.
  let laterMetadata: [JPEGSegment]
  /// From the first SOS marker to the end of EOI.
  package let picture: Range<Int>

  /// The file without what follows its picture.
  package var untilEOI: [UInt8] { Array(bytes[..<picture.upperBound]) }

  /// The range behind EOI: further pictures, a motion photo's movie, or anything else.
  var trailer: Range<Int> { picture.upperBound..<bytes.count }

  /// Takes a JPEG apart; decodes nothing.
  ///
  /// - Throws: ``MediaError`` when it is no JPEG, or damaged, or ends before EOI.
  package init(_ bytes: [UInt8]) throws {
    try self.init(bytes, header: JPEGHeader(reading: MemoryByteSource(bytes)))
  }

  /// Takes a JPEG apart whose header is known.
  init(_ bytes: [UInt8], header: JPEGHeader) throws {
    self.bytes = bytes
    self.header = header
    var later: [JPEGSegment] = []
    let end = try JPEGScans.end(in: MemoryByteSource(bytes), from: header.scanStart) { later.append($0) }
    laterMetadata = later
    picture = header.scanStart..<end
  }

  /// The payload of a segment of this file.
  func payload(_ segment: JPEGSegment) -> [UInt8] { Array(bytes[segment.payload]) }
}
