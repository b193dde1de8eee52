/// A sentence for people, or a part of a sentence. It consists of a fixed text and the values that are inserted into
/// this text.
///
/// A string literal is a message, and its interpolations become arguments: `"\(count) of \(total) bytes"` has the
/// format `%1 of %2 bytes`. The format is the key for looking up a translation (`msgid` in GNU gettext's terms).
/// Placeholders follow gettext's `qt-format`: `%1` to `%99`. A `%` that is not followed by a digit stands for itself.
/// ``description`` is the English text. Messages with the same English text are equal.
public struct Message: Sendable {
  /// A value that is inserted into a message.
  public enum Argument: Sendable {
    /// Text that is the same in all languages, such as a name.
    case text(String)
    /// A number with a decimal point, which is replaced with a comma in some languages.
    case decimal(String)
    /// Another message.
    case message(Message)
    /// A message that is a sentence but is inserted as a clause: without its full stop and with a lower-case first
    /// letter.
    case clause(Message)
  }

  /// The English text with placeholders. If the message has plural forms, this is the singular form.
  public private(set) var format: String
  /// The values of the placeholders, beginning with the value of `%1`.
  public private(set) var arguments: [Argument]
  /// The English text for all numbers other than one, and the number itself; nil if the message has no plural forms.
  public private(set) var plural: Plural?

  /// The plural form of a message that depends on a number.
  public struct Plural: Hashable, Sendable, Codable {
    /// The English text with placeholders, for all numbers other than one.
    public let format: String
    /// The number on which the message depends.
    public let count: Int
  }

  /// Creates a message from its parts.
  ///
  /// - Parameters:
  ///   - format: The English text with placeholders.
  ///   - arguments: The values of the placeholders.
  ///   - plural: The plural form, if the message depends on a number.
  public init(format: String, arguments: [Argument], plural: Plural? = nil) {
    (self.format, self.arguments, self.plural) = (format, arguments, plural)
  }

  /// Creates a message from English text that is not a literal. The text is translated if a catalogue contains the
  /// whole text.
  ///
  /// - Parameter english: The text.
  public init(_ english: String) {
    self.init(format: "", arguments: [])
    append(literal: english)
  }

  /// Returns a message that depends on a number.
  ///
  /// - Parameters:
  ///   - count: The number on which the message depends.
  ///   - one: The message for the number one.
  ///   - other: The message for any other number. This message has the same arguments as the first message.
  public static func plural(_ count: Int, _ one: Message, _ other: Message) -> Message {
    Message(
      format: one.format, arguments: other.arguments, plural: Plural(format: other.format, count: count))
  }

  /// Whether the text is empty.
  public var isEmpty: Bool { description.isEmpty }

  /// Joins two literals that are written on two lines into a single message. To insert a separate message, use
  /// interpolation instead.
  public static func + (first: Message, second: Message) -> Message {
    let shift = first.arguments.count
    let format = MessageFormat.filled(second.format) { "%\($0 + shift)" }
    return Message(format: first.format + format, arguments: first.arguments + second.arguments)
  }

  /// Appends text to the format. If one of the text's digits would otherwise be read as part of a placeholder, the text
  /// becomes an argument.
  fileprivate mutating func append(literal: String) {
    let endsWithPlaceholder = format.utf8.last.map { 0x30...0x39 ~= $0 } ?? false && !arguments.isEmpty
    let beginsWithDigit = literal.utf8.first.map { 0x30...0x39 ~= $0 } ?? false
    if MessageFormat.hasPlaceholder(literal) || (endsWithPlaceholder && beginsWithDigit) {
      append(.text(literal))
    } else {
      format += literal
    }
  }

  fileprivate mutating func append(_ argument: Argument) {
    arguments.append(argument)
    format += "%\(arguments.count)"
  }
}

extension Message: ExpressibleByStringInterpolation {
  /// Collects the parts of a string literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var message = Message(format: "", arguments: [])

    /// Creates an empty message.
    public init(literalCapacity: Int, interpolationCount: Int) {
      message.format.reserveCapacity(literalCapacity + 2 * interpolationCount)
    }

    /// Appends fixed text.
    public mutating func appendLiteral(_ literal: String) { message.append(literal: literal) }

    /// Appends another message.
    public mutating func appendInterpolation(_ value: Message) { message.append(.message(value)) }

    /// Appends an error. If the error can be converted to a message, it is appended as a message.
    public mutating func appendInterpolation(_ error: any Error) {
      message.append((error as? any MessageConvertible).map { .message($0.message) } ?? .text("\(error)"))
    }

    /// Appends a value that can be converted to a message.
    public mutating func appendInterpolation(_ value: some MessageConvertible) {
      message.append(.message(value.message))
    }

    /// Appends an error that can be converted to a message.
    public mutating func appendInterpolation(_ value: some MessageConvertible & Error) {
      message.append(.message(value.message))
    }

    /// Appends text that is the same in all languages.
    public mutating func appendInterpolation<Value>(_ value: Value) { message.append(.text("\(value)")) }

    /// Appends a number with the language's decimal separator.
    public mutating func appendInterpolation(_ value: Double) { message.append(.decimal("\(value)")) }

    /// Appends a sentence as a clause, for use after a colon.
    public mutating func appendInterpolation(clause sentence: Message) { message.append(.clause(sentence)) }

    /// Appends a number with a decimal point.
    ///
    /// - Parameter text: The number as it is written in English.
    public mutating func appendInterpolation(decimal text: String) { message.append(.decimal(text)) }
  }

  /// Creates a message from a literal with interpolations.
  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.message }

  /// Creates a message from a literal.
  public init(stringLiteral value: String) { self.init(value) }
}

extension Message: CustomStringConvertible {
  /// The English text.
  public var description: String { text { _ in nil } }

  /// Returns a sentence as a clause.
  private static func clause(_ sentence: String) -> String {
    sentence.prefix(1).lowercased()
      + (sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]).dropFirst()
  }

  /// Returns the text in the language of a translation.
  ///
  /// - Parameters:
  ///   - point: The decimal separator.
  ///   - translate: A function that returns the translated format of a message, regardless of the message's arguments.
  ///     The function returns nil if there is no translation.
  public func text(point: String = ".", translate: (Message) -> String?) -> String {
    var filled = self.format
    if let plural, plural.count != 1 { filled = plural.format }
    if MessageFormat.hasWords(filled), let other = translate(self) { filled = other }
    if arguments.isEmpty { return filled }
    return MessageFormat.filled(filled) { number in
      guard arguments.indices.contains(number - 1) else { return nil }
      switch arguments[number - 1] {
      case .text(let text): return text
      case .decimal(let text): return point == "." ? text : text.replacing(".", with: point)
      case .message(let message): return message.text(point: point, translate: translate)
      case .clause(let sentence): return Self.clause(sentence.text(point: point, translate: translate))
      }
    }
  }
}

extension Message: Hashable {
  /// Returns whether both messages have the same English text.
  public static func == (one: Message, other: Message) -> Bool { one.description == other.description }

  /// Hashes the English text.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// A value that can be converted to a message.
public protocol MessageConvertible {
  /// The value as a message.
  var message: Message { get }
}

extension Sequence where Element == Message {
  /// Returns the messages joined into a single message.
  ///
  /// - Parameter separator: The message that is inserted between two messages.
  public func joined(separator: Message) -> Message { Array(self)[...].joinedByHalves(separator) }
}

extension ArraySlice<Message> {
  /// Joins the messages by recursive halving, so that a hundred thousand messages are not nested too deeply.
  fileprivate func joinedByHalves(_ separator: Message) -> Message {
    guard count > 1 else { return first ?? "" }
    let middle = startIndex + (count + 1) / 2
    return
      "\(self[..<middle].joinedByHalves(separator))\(separator)\(self[middle...].joinedByHalves(separator))"
  }
}

extension Message {
  /// Returns whether the English text contains another text.
  public func contains(_ text: String) -> Bool { description.contains(text) }

  /// Returns whether the English text begins with another text.
  public func hasPrefix(_ text: String) -> Bool { description.hasPrefix(text) }

  /// Returns whether the English text ends with another text.
  public func hasSuffix(_ text: String) -> Bool { description.hasSuffix(text) }
}
