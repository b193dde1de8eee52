import Basics
import FoundationEssentials

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
  /// Text for people, a string in English.
  case message(Message)
  /// A whole number.
  case integer(Int)
  /// A decimal fraction: so many units of the last of `digits` places behind the point. Trailing zeros are not
  /// written, so 50 with two digits is `0.5`.
  case decimal(Int, digits: Int)
  /// True or false.
  case boolean(Bool)

  /// The text as UTF-8.
  package var bytes: [UInt8] { Array(text.utf8) }

  /// The text.
  package var text: String {
    switch self {
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      return "{" + sorted.map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
    case .array(let elements): return "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .string(let string): return Self.quoted(string)
    case .message(let message): return Self.quoted(message.description)
    case .integer(let number): return String(number)
    case .decimal(let units, let digits): return Self.decimal(units, max(digits, 0))
    case .boolean(let value): return String(value)
    }
  }

  /// A decimal fraction of a number, which is taken to the nearest billion where it is beyond.
  ///
  /// - Parameters:
  ///   - value: the number.
  ///   - digits: the places behind the point, at most nine.
  package static func rounded(_ value: Double, digits: Int) -> CanonicalJSON {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return .decimal(Int((min(max(-1e9, value), 1e9) * scale).rounded()), digits: digits)
  }

  private static func decimal(_ units: Int, _ digits: Int) -> String {
    var number = String(units.magnitude)
    number = String(repeating: "0", count: max(digits + 1 - number.count, 0)) + number
    var fraction = number.suffix(digits)
    while fraction.last == "0" { fraction.removeLast() }
    return (units < 0 ? "-" : "") + number.dropLast(digits) + (fraction.isEmpty ? "" : "." + fraction)
  }

  private static func quoted(_ string: String) -> String {
    var bytes = [UInt8(ascii: "\"")]
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        bytes += Array((byte < 16 ? "\\u000" : "\\u00").utf8) + Array(String(byte, radix: 16).utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
  }
}

extension CanonicalJSON: Encodable {
  private struct Member: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package func encode(to encoder: any Encoder) throws {
    if case .object(let members) = self {
      var container = encoder.container(keyedBy: Member.self)
      for (name, value) in members { try container.encode(value, forKey: Member(stringValue: name)) }
      return
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .object: break
    case .array(let elements): try container.encode(elements)
    case .string(let string): try container.encode(string)
    case .message(let message): try container.encode(EnglishText(wrappedValue: message))
    case .integer(let number): try container.encode(number)
    case .decimal(let units, let digits):
      let sign: FloatingPointSign = units < 0 ? .minus : .plus
      try container.encode(Decimal(sign: sign, exponent: -digits, significand: Decimal(units.magnitude)))
    case .boolean(let value): try container.encode(value)
    }
  }
}
