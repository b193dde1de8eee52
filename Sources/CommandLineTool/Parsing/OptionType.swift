import Basics

/// The values that an option takes.
enum OptionType: Hashable, Sendable {
  /// None: the option is given or it is not.
  case flag
  /// A number within a range, in a unit.
  case number(ClosedRange<Double>, unit: String? = nil)
  /// A whole number within a range, which may be a number of pixels.
  case wholeNumber(ClosedRange<Int>, ofPixels: Bool = false)
  /// One of these words. Parsing refuses any other.
  case word([String])
  /// One of these words, or what the command knows besides: a number, a file.
  case name([String])
  /// Several of these words, divided by commas.
  case words([String])
  /// The path of a file.
  case file
  /// The path of a folder.
  case folder
  /// Text of another form, which the command reads.
  case text
  /// Text that can be left out; it follows the option's name after “=”.
  case optionalText

  /// The words of an enumeration's cases.
  static func word<Value: CaseIterable & RawRepresentable<String>>(_ type: Value.Type) -> OptionType {
    .word(type.words)
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// The words by which the cases are typed.
  static var words: [String] { allCases.map(\.rawValue.dashed) }

  /// True if a word means this case, with dashes or as the code writes it.
  func isTyped(_ word: String) -> Bool { word == rawValue || word == rawValue.dashed }
}

extension [String] {
  /// The words as a choice: `small, standard or high`.
  var alternatives: Message {
    count < 2 ? Message(joined()) : "\(dropLast().joined(separator: ", ")) or \(self[count - 1])"
  }
}
