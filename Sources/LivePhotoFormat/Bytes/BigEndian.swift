import Basics

/// Reads big-endian numbers one after another and throws at the end of the bytes.
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

  /// How many bytes are left.
  var remaining: Int { bytes.endIndex - position }

  /// How many bytes were read.
  var offset: Int { position - bytes.startIndex }

  mutating func read(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else {
      throw MediaError("one of its atoms is shorter than its own content")
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

  /// A time, which takes eight bytes in the later version of an atom, and four in the earlier one.
  mutating func time(isWide: Bool) throws -> UInt64 { isWide ? try uint64() : UInt64(try uint32()) }

  /// A 32-bit number of table entries, checked to fit into what is left.
  ///
  /// - Parameter entrySize: bytes an entry.
  mutating func count(entrySize: Int) throws -> Int {
    let count = Int(try uint32())
    guard count <= remaining / entrySize else {
      throw MediaError("one of its tables says that it has \(count) entries and is shorter than that")
    }
    return count
  }
}

extension Array where Element == UInt8 {
  /// Numbers of 32 bits, signed or not; of wider ones the low bits.
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

  /// Overwrites bytes with a number; the caller has checked that they exist.
  mutating func replace<T: FixedWidthInteger>(at offset: Int, bigEndian value: T) {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: value)
    replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }
}
