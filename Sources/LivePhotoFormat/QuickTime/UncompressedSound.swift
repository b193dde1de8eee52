import Basics

/// How the numbers of an uncompressed sound track are laid down.
struct UncompressedSound: Hashable, Sendable {
  /// The type of a number.
  enum Kind: Hashable, Sendable {
    /// Two's complement.
    case signed
    /// Silence is in the middle.
    case unsigned
    /// IEEE 754.
    case float
  }

  let kind: Kind
  /// Bytes of a number: 1 to 4, or 8.
  let size: Int
  let isBigEndian: Bool
}

extension UncompressedSound {
  /// Reads the sound description of a track (QuickTime File Format, “Sound Sample Description (Version 2)” and
  /// “Uncompressed Audio Formats”).
  ///
  /// - Returns: nil where the sound is compressed.
  /// - Throws: ``MediaError`` when it is of an unknown kind. It is the first one of the track.
  init?(_ track: Track) throws {
    var reader = BigEndianReader(track.descriptions.bytes)
    try reader.skip(12)
    let format = try reader.fourCC()
    try reader.skip(8)
    let version = try reader.uint16()
    try reader.skip(8)
    let bits = Int(try reader.uint16())
    try reader.skip(8)
    // Numbers of 24 and 32 bits and floats are big-endian unless a `wave` atom holds an `enda` atom that says 1: found by
    // its bytes, for what lies around it has no fixed form.
    let isSwapped = track.descriptions.bytes.firstIndex(of: Array("enda".utf8) + [0, 1]) != nil
    switch format {
    case "lpcm":
      guard version == 2 else { throw Self.unknown(format) }
      try reader.skip(20)
      let bits = Int(try reader.uint32())
      let flags = try reader.uint32()
      let (isFloat, isBig, isSigned) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
      // Packed (8), and not one channel after another (32).
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
    MediaError("its sound (“\(format)”) is laid down in a way that is not handled", isUnsupported: true)
  }

  /// Multiplies numbers, rounded to nearest, halves away from zero.
  ///
  /// - Parameters:
  ///   - bytes: whole numbers; a rest shorter than one is left as it is.
  ///   - factor: from 0 to 1.
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
