import Basics
import FileSystem
import Workflows

/// The words of a command line, parsed according to the declaration of its command.
struct ParsedArguments: Sendable {
  /// The words of the command line, without the program's name.
  var words: [String] = []
  /// The command; nil if the command line names no command.
  var command: CommandDeclaration?
  /// The options that were given, keyed by their long names. The value of a flag is empty.
  var options: [String: String] = [:]
  /// The values of repeatable options, keyed by their long names. The values are in the order in which they were given.
  var lists: [String: [String]] = [:]
  /// The files that the user named.
  var files: [String] = []

  /// Whether JSON output is requested.
  var isJSON: Bool { has(.json) }

  /// Returns the layout of the library, which determines where rendered files and versions are stored.
  ///
  /// - Parameter folder: The folder in which the command was started; empty for the current folder.
  func layout(in folder: String) -> LibraryLayout {
    func path(_ word: String) -> String { word.hasPrefix("/") ? word : FilePath.joined(folder, word) }
    return LibraryLayout(
      library: self[.library].map(path), trees: has(FileSelection.recursive) ? files.map(path) : [])
  }

  /// The layout of the library, which determines where rendered files and versions are stored.
  var layout: LibraryLayout { layout(in: "") }

  /// The output folder that was given with `-o`, for commands that require an output folder.
  var destination: String {
    get throws(UsageError) {
      guard let folder = self[.destination] else {
        throw UsageError(
          message: command.map { "\($0.name) needs -o DIR; existing files are never changed" }
            ?? "this needs -o DIR; existing files are never changed")
      }
      return folder
    }
  }

  /// Returns whether a flag was given.
  func has(_ flag: OptionDeclaration) -> Bool { options[flag.name] == "" }

  /// The value of an option as it was typed; nil if the option was not given.
  subscript(option: OptionDeclaration) -> String? { options[option.name] }

  /// Returns all values of a repeatable option.
  func all(_ option: OptionDeclaration) -> [String] { lists[option.name] ?? [] }

  /// Returns the enumeration case for the word that was given.
  func value<Value: CaseIterable & RawRepresentable<String>>(_ option: OptionDeclaration) -> Value? {
    self[option].flatMap { text in Value.allCases.first { $0.rawValue.dashed == text } }
  }

  /// Returns the number that was given, without checking its range.
  ///
  /// - Throws: ``UsageError`` if the value is not a number.
  func anyNumber(_ option: OptionDeclaration) throws(UsageError) -> Double? {
    guard let text = self[option] else { return nil }
    guard text.utf8.count <= 40, let value = Double(text), value.isFinite else {
      // A comma is accepted as the decimal separator, because many countries use it.
      let point = text.replacing(",", with: ".")
      let hint: Message = point != text && Double(point) != nil ? "; write \(point)" : ""
      throw UsageError(
        message: "--\(option.name) needs a number\(Self.range(of: option)), not “\(text)”\(hint)")
    }
    return value
  }

  /// Returns the integer that was given, after checking that it is within the option's range.
  ///
  /// - Throws: ``UsageError`` if the value is not an integer or is outside the range.
  func wholeNumber(_ option: OptionDeclaration) throws(UsageError) -> Int? {
    guard let text = self[option] else { return nil }
    guard case .wholeNumber(let range, _) = option.type, let number = Int(text), range.contains(number) else {
      throw UsageError(message: "--\(option.name) does not accept “\(text)”; give \(option.expected)")
    }
    return number
  }

  /// Returns the number that was given, after checking that it is within the option's range.
  ///
  /// - Throws: ``UsageError`` if the value is not a number or is outside the range.
  func number(_ option: OptionDeclaration) throws(UsageError) -> Double? {
    guard let value = try anyNumber(option) else { return nil }
    guard case .number(let range, _) = option.type, !range.contains(value) else { return value }
    throw UsageError(
      message: "--\(option.name) cannot be \(self[option] ?? ""); give a number\(Self.range(of: option))")
  }

  /// Returns a phrase such as “ from -1 to 1”; empty if the number has no limits.
  private static func range(of option: OptionDeclaration) -> Message {
    guard case .number(let range, _) = option.type else { return "" }
    return
      " from \(decimal: TextNumber.short(range.lowerBound)) to \(decimal: TextNumber.short(range.upperBound))"
  }
}

/// An error in the command line.
struct UsageError: Error, Hashable {
  /// The message for the user, as one sentence.
  var message: Message
  /// The command that the error is about; nil if the command is unknown.
  var command: String?

  /// Returns the same error with a command's name added, unless the error already has a command's name.
  func of(_ declaration: CommandDeclaration) -> UsageError {
    UsageError(message: message, command: command ?? declaration.name)
  }

  /// The command that shows the correct usage.
  var remedy: Message {
    guard let command else { return "see liveedit --help" }
    return "see liveedit \(command) --help"
  }
}

extension String {
  /// The name as users type it: `black-point` for `blackPoint`.
  var dashed: String { words(joinedBy: "-") }
}
