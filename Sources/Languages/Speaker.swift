public import Basics

/// A translator of messages into a language.
public struct Speaker: Sendable {
  /// The language of the output.
  public let language: Language
  private let catalogue: MessageCatalogue?

  /// A translator that leaves messages in English.
  public static let english = Speaker(.english)

  /// - Parameter language: The language. Its catalogue is compiled into the program; English does not need a catalogue.
  public init(_ language: Language) {
    self.language = language
    catalogue = EmbeddedCatalogue.bytes(language.name.rawValue).flatMap { MessageCatalogue($0) }
  }

  /// Returns the text of a message. Parts without a translation are in English.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - missing: A closure that is called with the English text of each part that has no translation.
  public func text(_ message: Message, missing: ((String) -> Void)? = nil) -> String {
    guard let catalogue else { return message.description }
    return message.text(point: language.point) { part in
      let found = catalogue.translation(of: part.format, number: part.plural?.count)
      if found == nil { missing?(part.format) }
      return found
    }
  }

  /// The strings that are looked up by name, such as those of the studio's page. Each string includes all of its plural
  /// forms, in the order of the catalogue's rule. English has no such strings.
  public var named: [String: [String]] { catalogue?.named ?? [:] }
}
