/// A message that is text in answers for programs: English, or the message itself where the encoder keeps messages, so that a
/// server can say it in the language of whoever asked.
@propertyWrapper
package struct EnglishText: Hashable, Sendable {
  /// Set to true in the `userInfo` of an encoder that keeps messages.
  package static let keepsMessages = CodingUserInfoKey(rawValue: "liveedit.keepsMessages")
  /// The only member of the object that a message is where messages are kept. No answer has a member of this name.
  package static let member = "\u{0}message"

  /// The message.
  package var wrappedValue: Message

  /// - Parameter wrappedValue: the message.
  package init(wrappedValue: Message) { self.wrappedValue = wrappedValue }
}

extension EnglishText: Codable {
  /// Reads English text.
  package init(from decoder: any Decoder) throws {
    self.init(wrappedValue: Message(try decoder.singleValueContainer().decode(String.self)))
  }

  /// Writes English text, or the message.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let key = Self.keepsMessages, encoder.userInfo[key] as? Bool == true {
      try container.encode([Self.member: wrappedValue])
    } else {
      try container.encode(wrappedValue.description)
    }
  }
}
