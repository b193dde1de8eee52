import Basics

/// A complete JPEG in memory, divided into the segments before the compressed picture, the compressed picture itself,
/// and the data after the picture.
package struct JPEGFile: Sendable {
  /// The bytes of the file.
  package let bytes: [UInt8]
  /// Everything before the first scan.
  package let header: JPEGHeader
  /// The APPn and COM segments between scans. No known program reads these segments as the photo's metadata.
  let laterMetadata: [JPEGSegment]
  /// The ranges of the segments between scans, including the fill bytes before them.
  private let laterRanges: RangeSet<Int>
  /// The range from the first SOS marker to the end of EOI.
  package let picture: Range<Int>

  /// The bytes of the file up to the end of the picture.
  package var untilEOI: [UInt8] { Array(bytes[..<picture.upperBound]) }

  /// The range after EOI, which may contain further pictures, a Motion Photo's movie, or other data.
  var trailer: Range<Int> { picture.upperBound..<bytes.count }

  /// Divides a JPEG into its parts without decoding it.
  ///
  /// - Throws: ``MediaError`` if the data is not a JPEG, is damaged, or ends before EOI.
  package init(_ bytes: [UInt8]) throws {
    try self.init(bytes, header: JPEGHeader(reading: MemoryByteSource(bytes)))
  }

  /// Divides a JPEG into its parts, using a header that has already been read.
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

  /// Returns the payload of a segment of the file.
  func payload(_ segment: JPEGSegment) -> [UInt8] { Array(bytes[segment.payload]) }

  /// The compressed picture and the coding tables that precede it, without SOI and without the metadata before the
  /// first scan.
  var codedPicture: [UInt8] {
    header.segments.filter { !$0.isMetadata }.flatMap { bytes[$0.range] } + bytes[picture]
  }

  private static let blockSize = 1 << 18

  /// Finds the end of the picture without loading the file into memory. The picture includes the scans and the tables
  /// between them (ITU-T T.81 B.1.1).
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - start: The offset of the first SOS marker.
  ///   - metadata: A function that receives each APPn or COM segment between scans, and the segment's range including
  ///     the preceding fill bytes. If these fill bytes remained after the segment's removal, they would join the
  ///     following bytes and could form another marker.
  /// - Returns: The offset directly after EOI.
  /// - Throws: ``MediaError`` if the file ends before EOI.
  static func pictureEnd(
    in source: some ByteSource, from start: Int, metadata: (JPEGSegment, Range<Int>) -> Void = { _, _ in }
  ) throws -> Int {
    var at = start
    var fills = 0
    while source.count - at >= 2 {
      let block = try source.read(at: at, count: min(blockSize, source.count - at))
      var index = 0
      // The four bytes of a marker and its length are examined together. The last bytes of a block are therefore
      // examined along with the next block.
      let end = block.count == source.count - at ? block.count - 1 : block.count - 3
      while index < end {
        // The entropy-coded data extends to the next marker.
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
