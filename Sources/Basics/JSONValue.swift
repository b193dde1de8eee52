import FoundationEssentials
import Synchronization

/// A JSON or property list value whose structure is not known in advance, or a value that is built for writing.
package indirect enum JSONValue: Hashable, Sendable {
  /// A dictionary of values by name.
  case object([String: JSONValue])
  /// A list of values.
  case array([JSONValue])
  /// A string.
  case string(String)
  /// Text for people: an English string, or the message itself if the encoder keeps messages. See ``EnglishText``.
  case message(Message)
  /// A whole number.
  case integer(Int)
  /// A decimal fraction, stored as a whole number of units in the last of `digits` decimal places. Trailing zeros are
  /// not written, so 50 with two digits is written as `0.5`.
  case decimal(Int, digits: Int)
  /// A number of any other kind.
  case number(Double)
  /// True or false.
  case boolean(Bool)
  /// Binary data from a property list, written as Base64 in JSON.
  case data([UInt8])
  /// A date from a property list, written as ISO 8601 in JSON.
  case date(Date)
  /// The null value.
  case null

  /// Reads JSON.
  ///
  /// - Parameter json: The text in UTF-8.
  /// - Returns: Nil if the text is not JSON or exceeds the limits of a ``ReadingBudget``.
  package init?(json: [UInt8]) {
    let decoder = JSONDecoder()
    if let key = CodingUserInfoKey.budget { decoder.userInfo[key] = JSONBudget() }
    guard json.count <= ReadingBudget.largest,
      let value = try? JSONText.decode(Self.self, from: json, by: decoder)
    else {
      return nil
    }
    self = value
  }

  /// The value of the member with the given name; nil if this is not an object or has no such member.
  package subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The text, if this value is a string.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number, if this value is a number.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .decimal: Double(canonicalText)
    default: nil
    }
  }

  /// The numbers, if this value is an array that contains only numbers.
  package var numbers: [Double]? {
    guard case .array(let elements) = self else { return nil }
    let numbers = elements.compactMap(\.number)
    return numbers.count == elements.count ? numbers : nil
  }

  /// Returns a number as a decimal fraction. Numbers are clamped to the range from minus a billion to a billion.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - digits: The number of decimal places, at most nine.
  package static func rounded(_ value: Double, digits: Int) -> JSONValue {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return .decimal(Int((min(max(-1e9, value), 1e9) * scale).rounded()), digits: digits)
  }
}

// MARK: - The canonical text

extension JSONValue {
  /// The canonical text of the value: object keys sorted by their UTF-8 bytes, no white space, and only the escapes
  /// required by RFC 8259 section 7. Equal values have the same canonical text, which can therefore be hashed and
  /// compared.
  package var canonicalText: String {
    switch self {
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      return "{" + sorted.map { Self.quoted($0.key) + ":" + $0.value.canonicalText }.joined(separator: ",")
        + "}"
    case .array(let elements): return "[" + elements.map(\.canonicalText).joined(separator: ",") + "]"
    case .string(let string): return Self.quoted(string)
    case .message(let message): return Self.quoted(message.description)
    case .integer(let number): return String(number)
    case .decimal(let units, let digits): return Self.decimal(units, max(digits, 0))
    case .number(let number): return String(number)
    case .boolean(let value): return String(value)
    case .data(let bytes): return Self.quoted(Data(bytes).base64EncodedString())
    case .date(let date): return Self.quoted(date.formatted(.iso8601))
    case .null: return "null"
    }
  }

  /// The canonical text as UTF-8.
  package var canonicalBytes: [UInt8] { Array(canonicalText.utf8) }

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

// MARK: - Coding

/// Limits how much is read from a single property list or JSON document: the number of values, the size of text and
/// data in bytes, and the nesting depth. Foundation's property list reader has no such limits.
package struct ReadingBudget {
  /// The maximum size in bytes of adjustment data, both in a file and after decompression. Real adjustment data is
  /// never larger, although painted masks can occupy several megabytes.
  package static let largest = 16 << 20
  /// The maximum number of values in adjustment data. Real adjustment data never contains more: a long brush stroke has
  /// a few thousand numbers.
  package static let mostValues = 1 << 17
  /// The maximum nesting depth. Apple's adjustment data has four levels.
  private static let deepest = 64

  private var values = mostValues
  private var bytes = largest

  /// The error for a property list or document that is damaged, or that is larger or more deeply nested than any real
  /// one.
  package struct Refusal: Error {
    package init() {}
  }

  package init() {}

  /// Deducts one value from the remaining budget.
  ///
  /// - Parameters:
  ///   - bytes: The length of the value's text or data in the file.
  ///   - depth: The number of values that contain this value.
  package mutating func spend(bytes count: Int = 0, depth: Int) throws(Refusal) {
    guard values > 0, bytes >= count, depth <= Self.deepest else { throw Refusal() }
    values -= 1
    bytes -= count
  }
}

/// The budget of a single JSON document, shared by the decoders of its values.
private final class JSONBudget: Sendable {
  let left = Mutex(ReadingBudget())
}

extension CodingUserInfoKey {
  fileprivate static let budget = CodingUserInfoKey(rawValue: "org.liveedit.budget")
}

extension JSONValue: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads any value. If the decoder keeps messages, messages are read in the format that ``EnglishText`` writes.
  package init(from decoder: any Decoder) throws {
    let budget = CodingUserInfoKey.budget.flatMap { decoder.userInfo[$0] } as? JSONBudget
    try budget?.left.withLock { try $0.spend(depth: decoder.codingPath.count) }
    if let members = try? decoder.container(keyedBy: Name.self) {
      if let key = EnglishText.keepsMessages, decoder.userInfo[key] as? Bool == true,
        let message = try? members.decode(Message.self, forKey: Name(stringValue: EnglishText.member))
      {
        self = .message(message)
        return
      }
      var object: [String: JSONValue] = [:]
      for name in members.allKeys { object[name.stringValue] = try members.decode(Self.self, forKey: name) }
      self = .object(object)
    } else if var elements = try? decoder.unkeyedContainer() {
      var array: [JSONValue] = []
      while !elements.isAtEnd { array.append(try elements.decode(Self.self)) }
      self = .array(array)
    } else {
      self = try Self.scalar(try decoder.singleValueContainer())
    }
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
    if container.decodeNil() { return .null }
    if let text = try? container.decode(String.self) { return .string(text) }
    if let value = try? container.decode(Bool.self) { return .boolean(value) }
    if let number = try? container.decode(Int.self) { return .integer(number) }
    return .number(try container.decode(Double.self))
  }

  /// Writes the value as JSON.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in members {
        // Data from a file must not be mistaken for one of liveedit's messages.
        let name = name == EnglishText.member ? "message" : name
        try container.encode(value, forKey: Name(stringValue: name))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .string(let text): try container.encode(text)
      case .message(let message): try container.encode(EnglishText(wrappedValue: message))
      case .integer(let number): try container.encode(number)
      case .decimal(let units, let digits):
        let sign: FloatingPointSign = units < 0 ? .minus : .plus
        try container.encode(Decimal(sign: sign, exponent: -digits, significand: Decimal(units.magnitude)))
      case .number(let number): try container.encode(number)
      case .boolean(let value): try container.encode(value)
      case .data(let bytes): try container.encode(Data(bytes).base64EncodedString())
      case .date(let date): try container.encode(date.formatted(.iso8601))
      default: try container.encodeNil()
      }
    }
  }
}
