internal import Basics
internal import FoundationEssentials

/// An encoded JSON object that can be embedded in another JSON object.
struct RawJSON: Codable, Sendable {
  private var value: JSONValue

  /// - Parameters:
  ///   - content: The object.
  ///   - roots: The folder paths to remove from all strings in the object.
  init(_ content: some Encodable, relativeTo roots: [String]) {
    let encoder = JSONEncoder()
    if let key = EnglishText.keepsMessages { encoder.userInfo[key] = true }
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
    let decoder = JSONDecoder()
    decoder.userInfo = encoder.userInfo
    let value = (try? encoder.encode(content)).flatMap {
      try? JSONText.decode(JSONValue.self, from: $0, by: decoder)
    }
    let prefixes = Set(roots).sorted { $0.utf8.count > $1.utf8.count }.map { $0 + "/" }
    self.value = (value ?? .object([:])).mapTexts { text in
      if roots.contains(text) { return "" }
      return prefixes.reduce(text) { $0.contains($1) ? $0.replacing($1, with: "") : $0 }
    }
  }

  init(from decoder: any Decoder) throws { value = try JSONValue(from: decoder) }

  func encode(to encoder: any Encoder) throws {
    let voice = Voice.key.flatMap { encoder.userInfo[$0] as? Voice }
    try value.spoken { voice?.text($0) ?? $0.description }.encode(to: encoder)
  }

  /// Returns the member with a given name if the member is a string.
  func text(_ name: String) -> String? { value[name]?.text }
}

extension JSONValue {
  /// Returns a copy of the value in which every string is transformed.
  fileprivate func mapTexts(_ change: (String) -> String) -> JSONValue {
    switch self {
    case .string(let text): .string(change(text))
    case .array(let values): .array(values.map { $0.mapTexts(change) })
    case .object(let members): .object(members.mapValues { $0.mapTexts(change) })
    case .message(let message): .message(message.mapTexts(change))
    default: self
    }
  }

  /// Returns a copy of the value in which every message is replaced with its text.
  fileprivate func spoken(_ say: (Message) -> String) -> JSONValue {
    switch self {
    case .array(let values): .array(values.map { $0.spoken(say) })
    case .object(let members): .object(members.mapValues { $0.spoken(say) })
    case .message(let message): .string(say(message))
    default: self
    }
  }
}

extension Message {
  /// Returns a copy of the message in which every string is transformed.
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
