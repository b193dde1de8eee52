/// A JSON value with one way to be written: object keys sorted by their UTF-8 bytes, no white space, only
/// the escapes that RFC 8259 section 7 demands.
///
/// Equal values have equal bytes, so that they can be hashed and compared.
package enum CanonicalJSON: Hashable, Sendable {
  /// An object.
  case object([String: CanonicalJSON])
  /// An array.
  case array([CanonicalJSON])
  /// A string.
  case string(String)
  /// A whole number.
  case integer(Int)
  /// A decimal fraction: so many units of the last of `digits` places behind the point. Trailing zeros are not
  /// written, so 50 with two digits is `0.5`.
  case decimal(Int, digits: Int)
  /// True or false.
  case boolean(Bool)

  /// The text as UTF-8.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// The text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in sorted.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.append(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .string(let string): Self.append(string, to: &bytes)
    case .integer(let number): bytes += Array(String(number).utf8)
    case .decimal(let units, let digits): Self.append(units, digits: digits, to: &bytes)
    case .boolean(let value): bytes += Array((value ? "true" : "false").utf8)
    }
  }

  private static func append(_ units: Int, digits: Int, to bytes: inout [UInt8]) {
    var number = Array(String(units.magnitude).utf8)
    if number.count <= digits {
      number = [UInt8](repeating: UInt8(ascii: "0"), count: digits + 1 - number.count) + number
    }
    var fraction = number.suffix(max(digits, 0))
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    if units < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes += number.dropLast(max(digits, 0))
    if !fraction.isEmpty { bytes += [UInt8(ascii: ".")] + fraction }
  }

  private static func append(_ string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
