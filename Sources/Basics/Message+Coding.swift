extension Message: Codable {
  private enum CodingKeys: String, CodingKey { case format, arguments, plural }

  /// Reads a message from an object with the message's parts, or from English text alone, which older versions write.
  public init(from decoder: any Decoder) throws {
    if let english = try? decoder.singleValueContainer().decode(String.self) {
      self.init(english)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      format: try container.decode(String.self, forKey: .format),
      arguments: try container.decodeIfPresent([Argument].self, forKey: .arguments) ?? [],
      plural: try container.decodeIfPresent(Plural.self, forKey: .plural))
    // If nested messages could each contain a placeholder twice, their text could grow beyond any memory.
    guard [format, plural?.format ?? ""].allSatisfy(MessageFormat.hasEachOnce) else {
      throw DecodingError.dataCorruptedError(
        forKey: .format, in: container, debugDescription: "it says something twice")
    }
  }

  /// Writes only the English text if a catalogue can look up the whole text. Otherwise writes an object with the
  /// message's parts.
  public func encode(to encoder: any Encoder) throws {
    if isPlain {
      var container = encoder.singleValueContainer()
      try container.encode(description)
      return
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(format, forKey: .format)
    try container.encode(arguments, forKey: .arguments)
    try container.encodeIfPresent(plural, forKey: .plural)
  }

  /// Whether the English text represents the whole message, because the message has no arguments.
  var isPlain: Bool { arguments.isEmpty && plural == nil }
}

extension Message.Argument: Codable {
  private enum CodingKeys: String, CodingKey { case decimal, message, clause }

  /// Reads an argument: text, or an object with a number or a message.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self = .text(text)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let number = try container.decodeIfPresent(String.self, forKey: .decimal) {
      self = .decimal(number)
    } else if let sentence = try container.decodeIfPresent(Message.self, forKey: .clause) {
      self = .clause(sentence)
    } else {
      self = .message(try container.decode(Message.self, forKey: .message))
    }
  }

  /// Writes text as a string, and any other argument as an object.
  public func encode(to encoder: any Encoder) throws {
    if case .text(let text) = self {
      var container = encoder.singleValueContainer()
      try container.encode(text)
      return
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .text: break
    case .decimal(let number): try container.encode(number, forKey: .decimal)
    case .message(let message): try container.encode(message, forKey: .message)
    case .clause(let sentence): try container.encode(sentence, forKey: .clause)
    }
  }
}
