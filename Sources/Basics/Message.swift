/// A sentence, or a part of one, for people: what stays the same, and what is put into it.
///
/// A string literal is a message, and its interpolations become arguments: `"\(count) of \(total) bytes"` has the format
/// `%1 of %2 bytes`. The format is the key by which a catalogue of translations is asked (`msgid` in GNU gettext's terms,
/// with the placeholders of its `qt-format`: `%1` to `%99`; a `%` before anything but a digit is itself). ``description`` is
/// the English text; messages of the same English text are equal.
public struct Message: Sendable {
  /// A value that is put into a message.
  public enum Argument: Sendable {
    /// Text that is the same in all languages, such as a name.
    case text(String)
    /// A number with a decimal point, which some languages write with a comma.
    case decimal(String)
    /// Another message.
    case message(Message)
    /// A message that is a sentence, as a clause: without its full stop, and its first letter a small one.
    case clause(Message)
  }

  /// The English text with placeholders; where there are plural forms, that of one.
  public private(set) var format: String
  /// The values of the placeholders, the first that of `%1`.
  public private(set) var arguments: [Argument]
  /// The English text of any other number than one, and the number; nil where there are no plural forms.
  public private(set) var plural: Plural?

  /// The second form of a message that depends on a number.
  public struct Plural: Hashable, Sendable, Codable {
    /// The English text with placeholders of any number but one.
    public let format: String
    /// The number.
    public let count: Int
  }

  /// A message of its parts.
  ///
  /// - Parameters:
  ///   - format: the English text with placeholders.
  ///   - arguments: the values of the placeholders.
  ///   - plural: the second form, where the message depends on a number.
  public init(format: String, arguments: [Argument], plural: Plural? = nil) {
    (self.format, self.arguments, self.plural) = (format, arguments, plural)
  }

  /// A message of English text that was made elsewhere. Text that a catalogue has as a whole is translated.
  ///
  /// - Parameter english: the text.
  public init(_ english: String) {
    self.init(format: "", arguments: [])
    append(literal: english)
  }

  /// A message that depends on a number.
  ///
  /// - Parameters:
  ///   - count: the number.
  ///   - one: the message for one.
  ///   - other: the message for any other number. It has the arguments of the first.
  public static func plural(_ count: Int, _ one: Message, _ other: Message) -> Message {
    Message(
      format: one.format, arguments: other.arguments, plural: Plural(format: other.format, count: count))
  }

  /// True if there is no text.
  public var isEmpty: Bool { description.isEmpty }

  /// One message of two literals that stand on two lines. What is a message of its own is interpolated instead.
  public static func + (first: Message, second: Message) -> Message {
    let shift = first.arguments.count
    let format = MessageFormat.filled(second.format) { "%\($0 + shift)" }
    return Message(format: first.format + format, arguments: first.arguments + second.arguments)
  }

  /// Adds text to the format, or as an argument where a digit in it would be read as part of a placeholder.
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
  /// The parts of a literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var message = Message(format: "", arguments: [])

    /// Begins a message.
    public init(literalCapacity: Int, interpolationCount: Int) {
      message.format.reserveCapacity(literalCapacity + 2 * interpolationCount)
    }

    /// Adds what stays the same.
    public mutating func appendLiteral(_ literal: String) { message.append(literal: literal) }

    /// Adds another message.
    public mutating func appendInterpolation(_ value: Message) { message.append(.message(value)) }

    /// Adds an error, as a message where it is one.
    public mutating func appendInterpolation(_ error: any Error) {
      message.append((error as? any MessageConvertible).map { .message($0.message) } ?? .text("\(error)"))
    }

    /// Adds what is told in a message.
    public mutating func appendInterpolation(_ value: some MessageConvertible) {
      message.append(.message(value.message))
    }

    /// Adds what is told in a message, and is an error too.
    public mutating func appendInterpolation(_ value: some MessageConvertible & Error) {
      message.append(.message(value.message))
    }

    /// Adds text that is the same in all languages.
    public mutating func appendInterpolation<Value>(_ value: Value) { message.append(.text("\(value)")) }

    /// Adds a number with the decimal separator of the language.
    public mutating func appendInterpolation(_ value: Double) { message.append(.decimal("\(value)")) }

    /// Adds a sentence as a clause, which stands behind a colon.
    public mutating func appendInterpolation(clause sentence: Message) { message.append(.clause(sentence)) }

    /// Adds a number with a decimal point.
    ///
    /// - Parameter text: the number as English writes it.
    public mutating func appendInterpolation(decimal text: String) { message.append(.decimal(text)) }
  }

  /// A message of a literal with interpolations.
  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.message }

  /// A message of a literal.
  public init(stringLiteral value: String) { self.init(value) }
}

extension Message: CustomStringConvertible {
  /// The English text.
  public var description: String { text { _ in nil } }

  /// A sentence as a clause.
  private static func clause(_ sentence: String) -> String {
    sentence.prefix(1).lowercased()
      + (sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]).dropFirst()
  }

  /// The text in the language of a translation.
  ///
  /// - Parameters:
  ///   - point: the decimal separator.
  ///   - translate: the format in the other language, of a message whose own arguments do not matter; nil where there is none.
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
  /// True if both have the same English text.
  public static func == (one: Message, other: Message) -> Bool { one.description == other.description }

  /// Hashes the English text.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// A value that is told in a message.
public protocol MessageConvertible {
  /// The message.
  var message: Message { get }
}

extension Sequence where Element == Message {
  /// The messages one behind the other.
  ///
  /// - Parameter separator: what stands between them.
  public func joined(separator: Message) -> Message { Array(self)[...].joinedByHalves(separator) }
}

extension ArraySlice<Message> {
  /// The messages one behind the other, half by half: a hundred thousand must not lie so deep in each other.
  fileprivate func joinedByHalves(_ separator: Message) -> Message {
    guard count > 1 else { return first ?? "" }
    let middle = startIndex + (count + 1) / 2
    return
      "\(self[..<middle].joinedByHalves(separator))\(separator)\(self[middle...].joinedByHalves(separator))"
  }
}

extension Message {
  /// True if the English text has a text in it.
  public func contains(_ text: String) -> Bool { description.contains(text) }

  /// True if the English text begins with a text.
  public func hasPrefix(_ text: String) -> Bool { description.hasPrefix(text) }

  /// True if the English text ends with a text.
  public func hasSuffix(_ text: String) -> Bool { description.hasSuffix(text) }
}
