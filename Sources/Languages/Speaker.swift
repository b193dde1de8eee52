public import Basics

/// Says messages in a language.
public struct Speaker: Sendable {
  /// The language.
  public let language: Language
  private let catalogue: MessageCatalogue?

  /// Says messages in English.
  public static let english = Speaker(.english)

  /// - Parameter language: the language. Its catalogue is part of the program; English needs none.
  public init(_ language: Language) {
    self.language = language
    catalogue = EmbeddedCatalogue.bytes(language.name.rawValue).flatMap { MessageCatalogue($0) }
  }

  /// The text of a message. What has no translation is said in English.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - missing: told of the English text of what has no translation.
  public func text(_ message: Message, missing: ((String) -> Void)? = nil) -> String {
    guard let catalogue else { return message.description }
    return message.text(point: language.point) { part in
      let found = catalogue.translation(of: part.format, number: part.plural?.count)
      if found == nil { missing?(part.format) }
      return found
    }
  }

  /// The texts that are looked up by a name, as those of the studio's page; each with all of its plural forms, in the order of
  /// the catalogue's rule. There are none in English.
  public var named: [String: [String]] { catalogue?.named ?? [:] }
}
