import Basics

/// A whole JPEG in memory, taken apart: the segments before the picture, the compressed picture, and what
/// follows it.
package struct JPEGFile: Sendable {
  /// The file.
  package let bytes: [UInt8]
  /// Everything before the first scan.
  package let header: JPEGHeader
  /// The APPn and COM segments that stand between scans. Nobody reads them as metadata of the photo.
  let laterMetadata: [JPEGSegment]
  /// Where these stand, with the fill bytes before them.
  private let laterRanges: RangeSet<Int>
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
    var ranges = RangeSet<Int>()
    let end = try Self.pictureEnd(in: MemoryByteSource(bytes), from: header.scanStart) { segment, range in
      later.append(segment)
      ranges.insert(contentsOf: range)
    }
    (laterMetadata, laterRanges) = (later, ranges)
    picture = header.scanStart..<end
  }

  /// The compressed picture without the metadata between its scans.
  var scans: [UInt8] {
    RangeSet([picture]).subtracting(laterRanges).ranges.flatMap { bytes[$0] }
  }

  /// The comments between scans.
  var laterComments: [JPEGSegment] { laterMetadata.filter { $0.marker == 0xFE } }

  /// The payload of a segment of this file.
  func payload(_ segment: JPEGSegment) -> [UInt8] { Array(bytes[segment.payload]) }

  /// The compressed picture with the tables before it, behind SOI, without the metadata before it.
  var codedPicture: [UInt8] {
    header.segments.filter { !$0.isMetadata }.flatMap { bytes[$0.range] } + bytes[picture]
  }

  private static let blockSize = 1 << 18

  /// Finds where the picture ends, behind its scans and the tables between them (ITU-T T.81 B.1.1), without holding the
  /// file in memory.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - start: where the first SOS marker stands.
  ///   - metadata: called with each APPn and COM segment between the scans, and with its range from the first of the fill bytes
  ///     before it: left behind they would be those of another marker, or make one of what comes next.
  /// - Returns: the offset after EOI.
  /// - Throws: ``MediaError`` when the file ends before.
  static func pictureEnd(
    in source: some ByteSource, from start: Int, metadata: (JPEGSegment, Range<Int>) -> Void = { _, _ in }
  ) throws -> Int {
    var at = start
    var fills = 0
    while source.count - at >= 2 {
      let block = try source.read(at: at, count: min(blockSize, source.count - at))
      var index = 0
      // A marker's four bytes are looked at together, so the block's last ones wait for the next block.
      let end = block.count == source.count - at ? block.count - 1 : block.count - 3
      while index < end {
        // Entropy-coded data goes on to the next marker.
        let next = block[index..<end].firstIndex(of: 0xFF) ?? end
        if next > index { fills = 0 }
        index = next
        guard index < end else { break }
        switch block[index + 1] {
        case 0xFF:
          index += 1
          fills += 1
        case 0x00, 0x01, 0xD0...0xD7:
          index += 2
          fills = 0
        case 0xD9: return at + index + 2
        case let marker:
          guard marker >= 0xC0, marker != 0xD8,
            let length = ByteOrder.big.number(block, at: index + 2, width: 2), length >= 2,
            length <= source.count - at - index - 2
          else { throw JPEGHeader.truncated }
          let segment = JPEGSegment(marker: marker, range: at + index..<at + index + 2 + length)
          if segment.isMetadata {
            metadata(segment, segment.range.lowerBound - fills..<segment.range.upperBound)
          }
          index += 2 + length
          fills = 0
        }
      }
      at += max(index, 1)
    }
    throw JPEGHeader.truncated
  }
}
