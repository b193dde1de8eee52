/// An option of a command, declared once: parsing and help go by it.
struct OptionDeclaration: Sendable {
  /// The long name without the dashes.
  var name: String
  /// A one-letter name.
  var letter: Character?
  /// The values that it takes.
  var type = OptionType.flag
  /// The word that stands for the value in the help; nil for a flag.
  var placeholder: String?
  /// The value that counts where the option is not given; nil for a flag, and where nothing does.
  var standard: String?
  /// True if it can be given several times.
  var isRepeatable = false
  /// One line of help.
  var help: String
}

/// The values that an option takes.
enum OptionType: Hashable, Sendable {
  /// None: the option is given or it is not.
  case flag
  /// A number within a range, in a unit.
  case number(ClosedRange<Double>, unit: String? = nil)
  /// A whole number that is not below another one.
  case wholeNumber(from: Int)
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
  var alternatives: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
  }
}

extension OptionDeclaration {
  /// The option of every command that prints.
  static let json = OptionDeclaration(
    name: "json", help: "print one JSON object a line for each Live Photo or file")
  /// The option that shows the help.
  static let help = OptionDeclaration(name: "help", letter: "h", help: "show this help")
  /// The option that shows the program's version.
  static let version = OptionDeclaration(name: "version", help: "show the version")
  /// The option of every command that looks at versions or changes them.
  static let library = OptionDeclaration(
    name: "library", type: .folder, placeholder: "DIR",
    help: "keep renders, versions, marks and albums in DIR; nothing is written beside the originals")
  /// The options that are understood everywhere.
  static let general = [help, version]
  /// The option of every command that makes files.
  static let destination = OptionDeclaration(
    name: "output", letter: "o", type: .folder, placeholder: "DIR",
    help: "the folder that the new files go into")
}
