internal import Basics
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
    /// Is text in the language of whoever asked.
    case message(Message)

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
        let members = try container.decode([String: Value].self)
        let message = members[EnglishText.member] == nil ? nil : try? container.decode([String: Message].self)
        self = message?[EnglishText.member].map { .message($0) } ?? .object(members)
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
      case .message(let value): try container.encode(Spoken(value))
      }
    }

    /// The value with every text changed.
    func mapTexts(_ change: (String) -> String) -> Value {
      switch self {
      case .text(let text): .text(change(text))
      case .array(let values): .array(values.map { $0.mapTexts(change) })
      case .object(let members): .object(members.mapValues { $0.mapTexts(change) })
      case .message(let message): .message(message.mapTexts(change))
      default: self
      }
    }
  }

  private var value: Value

  /// - Parameters:
  ///   - content: the object.
  ///   - roots: paths of folders that are taken out of all texts in it.
  init(_ content: some Encodable, relativeTo roots: [String]) {
    let encoder = JSONEncoder()
    if let key = EnglishText.keepsMessages { encoder.userInfo[key] = true }
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
    let value = (try? encoder.encode(content)).flatMap { try? JSONText.decode(Value.self, from: $0) }
    let prefixes = Set(roots).sorted { $0.utf8.count > $1.utf8.count }.map { $0 + "/" }
    self.value = (value ?? .object([:])).mapTexts { text in
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

extension Message {
  /// The message with every text in it changed.
  func mapTexts(_ change: (String) -> String) -> Message {
    let arguments = arguments.map { argument -> Argument in
      switch argument {
      case .text(let text): .text(change(text))
      case .decimal: argument
      case .message(let message): .message(message.mapTexts(change))
      case .clause(let sentence): .clause(sentence.mapTexts(change))
      }
    }
    return Message(format: change(format), arguments: arguments, plural: plural)
  }
}
