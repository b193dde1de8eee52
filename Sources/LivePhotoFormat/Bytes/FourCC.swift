/// The four-character code that names an atom, a handler or a format, as a big-endian number.
struct FourCC: Hashable, Sendable, CustomStringConvertible {
  let rawValue: UInt32

  /// User data with a place, `©xyz` (QuickTime File Format, “User Data Atoms”): length, language, text.
  static let userDataPlace = FourCC(rawValue: 0xA978_797A)
  /// User data with a date as text, `©day` (QuickTime File Format, “User Data Atoms”).
  static let userDataDay = FourCC(rawValue: 0xA964_6179)

  /// True for user data with text: its code begins with ©.
  var isCode: Bool { rawValue >> 24 == 0xA9 }

  /// The four bytes.
  var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) } }

  /// The four characters (Mac OS Roman in old files; read as Latin-1, control characters as dots).
  var description: String {
    bytes.map { $0 < 0x20 ? "." : String(Unicode.Scalar($0)) }.joined()
  }
}

extension FourCC: ExpressibleByStringLiteral {
  /// Takes the low byte of each of the first four characters; shorter names are padded with spaces.
  init(stringLiteral name: String) {
    var value: UInt32 = 0
    var scalars = name.unicodeScalars.makeIterator()
    for _ in 0..<4 { value = value << 8 | (scalars.next()?.value ?? 0x20) & 0xFF }
    rawValue = value
  }
}
