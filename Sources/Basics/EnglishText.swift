/// A message that is encoded as text in responses for programs. The text is normally English. If the encoder keeps
/// messages, the message itself is encoded, so that a server can translate the message into the client's language.
@propertyWrapper
package struct EnglishText: Hashable, Sendable {
  /// The `userInfo` key that is set to true for an encoder that keeps messages.
  package static let keepsMessages = CodingUserInfoKey(rawValue: "liveedit.keepsMessages")
  /// The only member of the object that represents a kept message. No member of a response has this name.
  package static let member = "\u{0}message"

  /// The message.
  package var wrappedValue: Message

  /// - Parameter wrappedValue: The message.
  package init(wrappedValue: Message) { self.wrappedValue = wrappedValue }
}

extension EnglishText: Codable {
  /// Reads English text.
  package init(from decoder: any Decoder) throws {
    self.init(wrappedValue: Message(try decoder.singleValueContainer().decode(String.self)))
  }

  /// Writes the message as English text, or the message itself if the encoder keeps messages.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let key = Self.keepsMessages, encoder.userInfo[key] as? Bool == true {
      try container.encode([Self.member: wrappedValue])
    } else {
      try container.encode(wrappedValue.description)
    }
  }
}
