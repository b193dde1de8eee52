import Basics

/// The compressed picture of a JPEG: its scans, and the tables between them (ITU-T T.81 B.1.1).
enum JPEGScans {
  private static let blockSize = 1 << 18

  /// Finds where the picture ends, without holding the file in memory.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - start: where the first SOS marker stands.
  ///   - metadata: called with each APPn and COM segment between the scans.
  /// - Returns: the offset after EOI.
  /// - Throws: ``MediaError`` when the file ends before.
  static func end(
    in source: some ByteSource, from start: Int, metadata: (JPEGSegment) -> Void = { _ in }
  ) throws -> Int {
    var at = start
    while source.count - at >= 2 {
      let block = try source.read(at: at, count: min(blockSize, source.count - at))
      var index = 0
      // A marker's four bytes are looked at together, so the block's last ones wait for the next block.
      let end = block.count == source.count - at ? block.count - 1 : block.count - 3
      while index < end {
        guard block[index] == 0xFF else {
          index += 1  // entropy-coded data
          continue
        }
        switch block[index + 1] {
        case 0xFF: index += 1
        case 0x00, 0x01, 0xD0...0xD7: index += 2
        case 0xD9: return at + index + 2
        case let marker:
          guard marker >= 0xC0, marker != 0xD8,
            let length = ByteOrder.big.number(block, at: index + 2, width: 2), length >= 2,
            length <= source.count - at - index - 2
          else { throw JPEGHeader.truncated }
          let segment = JPEGSegment(marker: marker, range: at + index..<at + index + 2 + length)
          if segment.isMetadata { metadata(segment) }
          index += 2 + length
        }
      }
      at += max(index, 1)
    }
    throw JPEGHeader.truncated
  }
}
