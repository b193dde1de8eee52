/// A four-character code that identifies an atom, a handler or a format, stored as a big-endian number.
struct FourCC: Hashable, Sendable, CustomStringConvertible {
  let rawValue: UInt32

  /// The user data item for the location, `©xyz` (QuickTime File Format, “User Data Atoms”): length, language, text.
  static let userDataPlace = FourCC(rawValue: 0xA978_797A)
  /// The user data item for the date as text, `©day` (QuickTime File Format, “User Data Atoms”).
  static let userDataDay = FourCC(rawValue: 0xA964_6179)

  /// Whether the code begins with ©, which identifies text in user data.
  var isCode: Bool { rawValue >> 24 == 0xA9 }

  /// The four bytes of the code.
  var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) } }

  /// The four characters of the code, read as Latin-1, with control characters shown as dots. Old files use Mac OS
  /// Roman.
  var description: String {
    bytes.map { $0 < 0x20 ? "." : String(Unicode.Scalar($0)) }.joined()
  }
}

extension FourCC: ExpressibleByStringLiteral {
  /// Creates a code from the low byte of each of the first four characters in `name`. A shorter name is padded with
  /// spaces.
  init(stringLiteral name: String) {
    var value: UInt32 = 0
    var scalars = name.unicodeScalars.makeIterator()
    for _ in 0..<4 { value = value << 8 | (scalars.next()?.value ?? 0x20) & 0xFF }
    rawValue = value
  }
}
