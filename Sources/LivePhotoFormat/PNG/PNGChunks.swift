import EditModel

/// Functions that read and write PNG chunks (ISO/IEC 15948 sections 5.3 and 11.3.4).
enum PNGChunks {
  /// Returns a chunk with the given kind and content.
  static func chunk(_ kind: FourCC, _ content: [UInt8]) -> [UInt8] {
    let named = kind.bytes + content
    return ByteOrder.big.bytes(of: content.count, width: 4) + named
      + ByteOrder.big.bytes(of: checksum(named[...]), width: 4)
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 0 ? crc >> 1 : 0xEDB8_8320 ^ crc >> 1 }
  }

  /// Returns the CRC of a chunk's kind and content (annex D).
  static func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
    var crc: UInt32 = 0xFFFF_FFFF
    bytes.withUnsafeBytes { bytes in
      table.withUnsafeBufferPointer { table in
        for byte in bytes { crc = table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8 }
      }
    }
    return Int(~crc)
  }

  /// The maximum number of bytes of compressed picture data in a chunk.
  private static let room = 1 << 20

  /// Returns the chunks of a coded picture.
  static func picture(_ data: [UInt8]) -> [UInt8] {
    stride(from: 0, to: max(data.count, 1), by: room).flatMap { start in
      chunk("IDAT", Array(data[start..<min(start + room, data.count)]))
    }
  }

  /// The keyword of an iTXt chunk that contains XMP.
  static let xmpKeyword = "XML:com.adobe.xmp"

  /// Returns the XMP packet in an iTXt chunk. The packet is preceded by the keyword, two bytes for the compression, the
  /// language, and the translated keyword. The language and the keywords end with a NUL (section 11.3.4.5; XMP
  /// specification part 3, section 1.1.5).
  ///
  /// - Returns: nil if the text is not XMP.
  static func xmp(_ content: [UInt8]) -> [UInt8]? {
    guard content.hasPrefix(xmpKeyword + "\0") else { return nil }
    let rest = content.dropFirst(xmpKeyword.utf8.count + 1)
    let parts = rest.dropFirst(2).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    guard rest.count > 2, parts.count == 3 else { return nil }
    let text = Array(parts[2])
    return rest.first == 0 ? text : Deflate.inflated(text, limit: 1 << 24, format: .zlib)
  }

  /// Returns a chunk that contains an XMP packet.
  static func xmp(packet: [UInt8]) -> [UInt8] {
    chunk("iTXt", Array(xmpKeyword.utf8) + [0, 0, 0, 0, 0] + packet)
  }

  /// Returns whether a text chunk (section 11.3.4) other than XMP contains a text-encoded JPEG. The encoding is either
  /// hexadecimal digits, as ImageMagick uses for Photoshop resources, or base64.
  static func spellsJPEG(_ content: [UInt8]) -> Bool {
    guard xmp(content) == nil, let end = content.firstIndex(of: 0) else { return false }
    let text = content[(end + 1)...]
    // In zTXt, a single byte precedes the compressed text. In iTXt, two bytes, a language and a keyword precede the
    // text.
    let parts = text.dropFirst(2).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    let compressed = [Array(text.dropFirst()), parts.count == 3 ? Array(parts[2]) : []]
    return spellsJPEG(text: Array(text))
      || compressed.contains { data in
        Deflate.inflated(data, limit: 1 << 24, format: .zlib).map(spellsJPEG(text:)) ?? false
      }
  }

  private static func spellsJPEG(text: [UInt8]) -> Bool {
    let digits = text.filter { !XMLScanner.isSpace($0) }
    return digits.spellsJPEG || ["ffd8ff", "FFD8FF"].contains { digits.firstIndex(of: $0) != nil }
  }

  /// Returns the keyword of a text chunk.
  static func keyword(_ content: [UInt8]) -> String {
    String(decoding: content.prefix(80).prefix { $0 != 0 }, as: UTF8.self)
  }
}
