import Basics

/// The kind of value that an option accepts.
enum OptionType: Hashable, Sendable {
  /// No value. The option is either given or not given.
  case flag
  /// A number within a range, with an optional unit.
  case number(ClosedRange<Double>, unit: String? = nil)
  /// An integer within a range, optionally a number of pixels.
  case wholeNumber(ClosedRange<Int>, ofPixels: Bool = false)
  /// One of the given words. Any other word is rejected during parsing.
  case word([String])
  /// One of the given words, or another value that the command accepts, such as a number or a file.
  case name([String])
  /// Several of the given words, separated by commas.
  case words([String])
  /// The path of a file.
  case file
  /// The path of a folder.
  case folder
  /// Text in another format that the command parses.
  case text
  /// Optional text that follows the option's name after “=”.
  case optionalText

  /// Returns the type for the words of an enumeration's cases.
  static func word<Value: CaseIterable & RawRepresentable<String>>(_ type: Value.Type) -> OptionType {
    .word(type.words)
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// The words that users type for the cases.
  static var words: [String] { allCases.map(\.rawValue.dashed) }

  /// Returns whether a word denotes this case, either with dashes or as written in the code.
  func isTyped(_ word: String) -> Bool { word == rawValue || word == rawValue.dashed }
}

extension [String] {
  /// The words as a list of alternatives, such as `small, standard or high`.
  var alternatives: Message {
    count < 2 ? Message(joined()) : "\(dropLast().joined(separator: ", ")) or \(self[count - 1])"
  }
}
