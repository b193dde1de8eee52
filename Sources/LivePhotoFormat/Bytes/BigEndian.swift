import Basics

/// A reader of consecutive big-endian numbers. Reading past the end of the bytes throws an error.
struct BigEndianReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  init(_ bytes: [UInt8]) {
    self.init(bytes[...])
  }

  /// The number of bytes that have not been read yet.
  var remaining: Int { bytes.endIndex - position }

  /// The number of bytes read so far.
  var offset: Int { position - bytes.startIndex }

  mutating func read(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else {
      throw MediaError("an atom is shorter than its contents")
    }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func skip(_ count: Int) throws {
    _ = try read(count)
  }

  mutating func integer<T: FixedWidthInteger>(_: T.Type = T.self) throws -> T {
    var value: T = 0
    for byte in try read(T.bitWidth / 8) {
      value = value << 8 | T(truncatingIfNeeded: byte)
    }
    return value
  }

  mutating func uint16() throws -> UInt16 { try integer() }
  mutating func uint32() throws -> UInt32 { try integer() }
  mutating func int32() throws -> Int32 { try integer() }
  mutating func uint64() throws -> UInt64 { try integer() }
  mutating func fourCC() throws -> FourCC { FourCC(rawValue: try integer()) }

  /// Reads a time, which occupies eight bytes in the later version of an atom and four bytes in the earlier version.
  mutating func time(isWide: Bool) throws -> UInt64 { isWide ? try uint64() : UInt64(try uint32()) }

  /// Reads a table's 32-bit entry count and checks that the remaining bytes can contain that many entries.
  ///
  /// - Parameter entrySize: The size of an entry in bytes.
  mutating func count(entrySize: Int) throws -> Int {
    let count = Int(try uint32())
    guard count <= remaining / entrySize else {
      throw MediaError("a table declares \(count) entries but is too short to contain them")
    }
    return count
  }
}

extension Array where Element == UInt8 {
  /// Creates a byte array from 32-bit numbers, signed or unsigned. Only the low 32 bits of each number are used.
  init(words: [Int]) {
    self = []
    for word in words { append(bigEndian: UInt32(truncatingIfNeeded: word)) }
  }

  mutating func append<T: FixedWidthInteger>(bigEndian value: T) {
    var shift = T.bitWidth - 8
    while shift >= 0 {
      append(UInt8(truncatingIfNeeded: value >> T(shift)))
      shift -= 8
    }
  }

  /// Overwrites bytes with a number. The caller must ensure that the byte array is long enough.
  mutating func replace<T: FixedWidthInteger>(at offset: Int, bigEndian value: T) {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: value)
    replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }
}
