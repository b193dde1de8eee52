internal import FoundationEssentials

/// A JSON object that was encoded already, to stand in another one.
struct RawJSON: Codable, Sendable {
  private enum Value: Codable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case array([Value])
    case object([String: Value])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .boolean(value)
      } else if let value = try? container.decode(Int.self) {
        self = .integer(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else if let value = try? container.decode(String.self) {
        self = .text(value)
      } else if let value = try? container.decode([Value].self) {
        self = .array(value)
      } else {
        self = .object(try container.decode([String: Value].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .boolean(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      case .array(let value): try container.encode(value)
      case .object(let value): try container.encode(value)
      }
    }

    /// The value with every text changed.
    func mapTexts(_ change: (String) -> String) -> Value {
      switch self {
      case .text(let text): .text(change(text))
      case .array(let values): .array(values.map { $0.mapTexts(change) })
      case .object(let members): .object(members.mapValues { $0.mapTexts(change) })
      default: self
      }
    }
  }

  private let value: Value

  /// - Parameters:
  ///   - text: the object.
  ///   - roots: paths of folders that are taken out of all texts in it.
  init(relative text: String, roots: [String]) {
    let value = (try? JSONDecoder().decode(Value.self, from: Data(text.utf8))) ?? .object([:])
    let prefixes = Set(roots).sorted { $0.utf8.count > $1.utf8.count }.map { $0 + "/" }
    self.value = value.mapTexts { text in
      if roots.contains(text) { return "" }
      return prefixes.reduce(text) { $0.contains($1) ? $0.replacing($1, with: "") : $0 }
    }
  }

  init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

  /// A text that is a member.
  func text(_ name: String) -> String? {
    guard case .object(let members) = value, case .text(let text)? = members[name] else { return nil }
    return text
  }
}
