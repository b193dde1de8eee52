import Basics
import FoundationEssentials
import Synchronization

/// A value of JSON or of a property list whose structure is not known beforehand.
public indirect enum StructuredValue: Hashable, Sendable {
  /// Values by name.
  case object([String: StructuredValue])
  /// Values in order.
  case array([StructuredValue])
  /// Text.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// True or false.
  case boolean(Bool)
  /// Bytes of a property list.
  case data([UInt8])
  /// A date of a property list.
  case date(Date)
  /// Nothing.
  case null

  /// Reads JSON.
  ///
  /// - Parameter json: the text in UTF-8.
  /// - Returns: nil when it is no JSON, or larger or deeper than adjustments are.
  init?(json: [UInt8]) {
    let decoder = JSONDecoder()
    if let key = CodingUserInfoKey.budget { decoder.userInfo[key] = JSONBudget() }
    guard json.count <= ReadingBudget.largest,
      let value = try? JSONText.decode(Self.self, from: json, by: decoder)
    else {
      return nil
    }
    self = value
  }

  /// The value of a name; nil where there is none, or for anything but an object.
  public subscript(name: String) -> StructuredValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The text of a string.
  public var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The value of a number.
  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  /// The values of an array that holds nothing but numbers.
  var numbers: [Double]? {
    guard case .array(let elements) = self else { return nil }
    let numbers = elements.compactMap(\.number)
    return numbers.count == elements.count ? numbers : nil
  }

  /// The value that a canonical text says.
  init(_ canonical: CanonicalJSON) {
    switch canonical {
    case .object(let members): self = .object(members.mapValues(Self.init))
    case .array(let elements): self = .array(elements.map(Self.init))
    case .string(let text): self = .string(text)
    case .message(let message): self = .string(message.description)
    case .integer(let number): self = .integer(Int64(number))
    case .decimal: self = .number(Double(canonical.text) ?? 0)
    case .boolean(let value): self = .boolean(value)
    }
  }
}

/// Shares the budget of one JSON document among the decoders of its values.
private final class JSONBudget: Sendable {
  let left = Mutex(ReadingBudget())
}

extension CodingUserInfoKey {
  fileprivate static let budget = CodingUserInfoKey(rawValue: "org.liveedit.budget")
}

extension StructuredValue: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) {
      nil
    }
  }

  /// Reads whatever is there.
  public init(from decoder: any Decoder) throws {
    let budget = CodingUserInfoKey.budget.flatMap { decoder.userInfo[$0] } as? JSONBudget
    try budget?.left.withLock { try $0.spend(depth: decoder.codingPath.count) }
    if let members = try? decoder.container(keyedBy: Name.self) {
      var object: [String: StructuredValue] = [:]
      for name in members.allKeys { object[name.stringValue] = try members.decode(Self.self, forKey: name) }
      self = .object(object)
    } else if var elements = try? decoder.unkeyedContainer() {
      var array: [StructuredValue] = []
      while !elements.isAtEnd { array.append(try elements.decode(Self.self)) }
      self = .array(array)
    } else {
      self = try Self.scalar(try decoder.singleValueContainer())
    }
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> StructuredValue {
    if container.decodeNil() { return .null }
    if let text = try? container.decode(String.self) { return .string(text) }
    if let value = try? container.decode(Bool.self) { return .boolean(value) }
    if let number = try? container.decode(Int64.self) { return .integer(number) }
    return .number(try container.decode(Double.self))
  }

  /// Writes JSON: bytes in base 64, dates in ISO 8601.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in members {
        // What a file says is no message of liveedit's.
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
      case .integer(let number): try container.encode(number)
      case .number(let number): try container.encode(number)
      case .boolean(let value): try container.encode(value)
      case .data(let bytes): try container.encode(Data(bytes).base64EncodedString())
      case .date(let date): try container.encode(date.formatted(.iso8601))
      default: try container.encodeNil()
      }
    }
  }
}
