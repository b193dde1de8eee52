/// The four-character code that names an atom, a handler or a format, as a big-endian number.
struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  let rawValue: UInt32

  init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// User data with a place, `©xyz` (QuickTime File Format, “User Data Atoms”): length, language, text.
  static let userDataPlace = FourCC(rawValue: 0xA978_797A)

  /// Takes the low byte of each of the first four characters; shorter names are padded with spaces.
  init(stringLiteral name: String) {
    var value: UInt32 = 0
    let scalars = Array(name.unicodeScalars.prefix(4))
    for index in 0..<4 {
      let byte = index < scalars.count ? UInt8(truncatingIfNeeded: scalars[index].value) : 0x20
      value = value << 8 | UInt32(byte)
    }
    rawValue = value
  }

  /// The four characters (Mac OS Roman in old files; read as Latin-1, control characters as dots).
  var description: String {
    var text = ""
    for shift in [24, 16, 8, 0] as [UInt32] {
      let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
      text.unicodeScalars.append(byte < 0x20 ? "." : Unicode.Scalar(byte))
    }
    return text
  }
}
