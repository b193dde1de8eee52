import Basics

/// The number format of the samples in an uncompressed audio track.
struct UncompressedSound: Hashable, Sendable {
  /// The type of a number.
  enum Kind: Hashable, Sendable {
    /// A signed integer in two's complement.
    case signed
    /// An unsigned integer. Silence is the middle value.
    case unsigned
    /// An IEEE 754 floating-point number.
    case float
  }

  let kind: Kind
  /// The size of a number in bytes: 1 to 4, or 8.
  let size: Int
  let isBigEndian: Bool
}

extension UncompressedSound {
  /// Reads the first audio sample description of a track (QuickTime File Format, “Sound Sample Description (Version 2)”
  /// and “Uncompressed Audio Formats”).
  ///
  /// - Returns: The number format, or nil if the audio is compressed.
  /// - Throws: ``MediaError`` if the number format is unknown.
  init?(_ track: Track) throws {
    var reader = BigEndianReader(track.descriptions.bytes)
    try reader.skip(12)
    let format = try reader.fourCC()
    try reader.skip(8)
    let version = try reader.uint16()
    try reader.skip(8)
    let bits = Int(try reader.uint16())
    try reader.skip(8)
    // Floating-point numbers and integers of 24 or 32 bits are big-endian, unless a `wave` atom contains an `enda` atom
    // with the value 1. This code searches for the bytes of the `enda` atom, because the surrounding structure varies.
    let isSwapped = track.descriptions.bytes.firstIndex(of: Array("enda".utf8) + [0, 1]) != nil
    switch format {
    case "lpcm":
      guard version == 2 else { throw Self.unknown(format) }
      try reader.skip(20)
      let bits = Int(try reader.uint32())
      let flags = try reader.uint32()
      let (isFloat, isBig, isSigned) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
      // The numbers must be packed (flag 8) and the channels interleaved (flag 32 not set).
      guard flags & 8 != 0, flags & 32 == 0,
        isFloat ? bits == 32 || bits == 64 : [8, 16, 24, 32].contains(bits),
        isFloat || isSigned || bits == 8
      else { throw Self.unknown(format) }
      self.init(kind: isFloat ? .float : isSigned ? .signed : .unsigned, size: bits / 8, isBigEndian: isBig)
    case "sowt" where bits == 16 || bits == 8: self.init(kind: .signed, size: bits / 8, isBigEndian: false)
    case "twos" where bits == 16 || bits == 8: self.init(kind: .signed, size: bits / 8, isBigEndian: true)
    case "raw " where bits == 8: self.init(kind: .unsigned, size: 1, isBigEndian: true)
    case "in24": self.init(kind: .signed, size: 3, isBigEndian: !isSwapped)
    case "in32": self.init(kind: .signed, size: 4, isBigEndian: !isSwapped)
    case "fl32": self.init(kind: .float, size: 4, isBigEndian: !isSwapped)
    case "fl64": self.init(kind: .float, size: 8, isBigEndian: !isSwapped)
    case "sowt", "twos", "raw ", "NONE": throw Self.unknown(format)
    default: return nil
    }
  }

  private static func unknown(_ format: FourCC) -> MediaError {
    MediaError("the audio format “\(format)” has an unsupported layout", isUnsupported: true)
  }

  /// Multiplies numbers by a factor. Integer results are rounded to the nearest integer, with halves rounded away from
  /// zero.
  ///
  /// - Parameters:
  ///   - bytes: The numbers. Remaining bytes that do not form a complete number do not change.
  ///   - factor: A factor from 0 to 1.
  func scale(_ bytes: inout [UInt8], by factor: Double) {
    let middle = kind == .unsigned ? 128.0 : 0
    for start in stride(from: 0, through: bytes.count - size, by: size) {
      var raw: UInt64 = 0
      for index in 0..<size {
        raw = raw << 8 | UInt64(bytes[start + (isBigEndian ? index : size - 1 - index)])
      }
      switch (kind, size) {
      case (.float, 4): raw = UInt64(Float(Double(Float(bitPattern: UInt32(raw))) * factor).bitPattern)
      case (.float, _): raw = (Double(bitPattern: raw) * factor).bitPattern
      case (.unsigned, _):
        raw = UInt64(bitPattern: Int64(((Double(raw) - middle) * factor).rounded() + middle))
      case (.signed, _):
        let unused = UInt64(64 - 8 * size)
        let value = Int64(bitPattern: raw << unused) >> Int64(unused)
        raw = UInt64(bitPattern: Int64((Double(value) * factor).rounded()))
      }
      for index in 0..<size {
        bytes[start + (isBigEndian ? size - 1 - index : index)] = UInt8(
          truncatingIfNeeded: raw >> UInt64(8 * index))
      }
    }
  }
}
