import Basics

/// Finds where a JPEG's picture ends without holding the file in memory.
enum JPEGEnd {
  private static let blockSize = 1 << 18

  /// Walks scans and the tables between them (ITU-T T.81 B.1.1).
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - start: where the first SOS marker stands.
  /// - Returns: the offset after EOI.
  /// - Throws: ``MediaError`` when the file ends before.
  static func offset(_ source: some ByteSource, from start: Int) throws -> Int {
    var at = start
    while source.count - at >= 2 {
      let block = try source.read(at: at, count: min(blockSize, source.count - at))
      var index = 0
      // A marker's four bytes are looked at together, so the block's last ones wait for the next block.
      let end = block.count == source.count - at ? block.count - 1 : block.count - 3
      scan: while index < end {
        guard block[index] == 0xFF else {
          index += 1
          continue
        }
        switch block[index + 1] {
        case 0xFF: index += 1
        case 0x00, 0x01, 0xD0...0xD7: index += 2
        case 0xD9: return at + index + 2
        case let marker:
          guard marker >= 0xC0, marker != 0xD8,
            let length = ByteOrder.big.number(block, at: index + 2, width: 2),
            length >= 2
          else { throw JPEGHeader.truncated }
          index += 2 + length
        }
      }
      at += max(index, 1)
    }
    throw JPEGHeader.truncated
  }
}
