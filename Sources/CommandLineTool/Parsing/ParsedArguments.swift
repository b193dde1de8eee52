import Basics
import FileSystem
import Workflows

/// The words of a command line, sorted out by the declaration of its command.
struct ParsedArguments: Sendable {
  /// The words, without the program's name.
  var words: [String] = []
  /// The command; nil when there is none.
  var command: CommandDeclaration?
  /// The options that were given, by long name; the value is empty for a flag.
  var options: [String: String] = [:]
  /// The values of options that can be given several times, by long name, in their order.
  var lists: [String: [String]] = [:]
  /// The files that were named.
  var files: [String] = []

  /// True if JSON is to be printed.
  var isJSON: Bool { has(.json) }

  /// The place of renders and versions.
  ///
  /// - Parameter folder: the folder in which the words were given; empty for the current one.
  func layout(in folder: String) -> LibraryLayout {
    func path(_ word: String) -> String { word.hasPrefix("/") ? word : FilePath.joined(folder, word) }
    return LibraryLayout(
      library: self[.library].map(path), trees: has(FileSelection.recursive) ? files.map(path) : [])
  }

  /// The place of renders and versions.
  var layout: LibraryLayout { layout(in: "") }

  /// The folder of `-o`, where a command needs one.
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

  /// True if a flag was given.
  func has(_ flag: OptionDeclaration) -> Bool { options[flag.name] == "" }

  /// The value of an option as it was typed; nil when it was not given.
  subscript(option: OptionDeclaration) -> String? { options[option.name] }

  /// All values of an option that can be given several times.
  func all(_ option: OptionDeclaration) -> [String] { lists[option.name] ?? [] }

  /// The case of an enumeration whose word was given.
  func value<Value: CaseIterable & RawRepresentable<String>>(_ option: OptionDeclaration) -> Value? {
    self[option].flatMap { text in Value.allCases.first { $0.rawValue.dashed == text } }
  }

  /// The number that was given.
  ///
  /// - Throws: ``UsageError`` when it is no number.
  func anyNumber(_ option: OptionDeclaration) throws(UsageError) -> Double? {
    guard let text = self[option] else { return nil }
    guard text.utf8.count <= 40, let value = Double(text), value.isFinite else {
      // A comma in the place of the point, as many countries write it.
      let point = text.replacing(",", with: ".")
      let hint: Message = point != text && Double(point) != nil ? "; write \(point)" : ""
      throw UsageError(
        message: "--\(option.name) needs a number\(Self.range(of: option)), not “\(text)”\(hint)")
    }
    return value
  }

  /// The whole number that was given, within the option's range.
  ///
  /// - Throws: ``UsageError`` if the value is not a whole number, or lies outside the range.
  func wholeNumber(_ option: OptionDeclaration) throws(UsageError) -> Int? {
    guard let text = self[option] else { return nil }
    guard case .wholeNumber(let range, _) = option.type, let number = Int(text), range.contains(number) else {
      throw UsageError(message: "--\(option.name) does not accept “\(text)”; give \(option.expected)")
    }
    return number
  }

  /// The number that was given, within the option's range.
  ///
  /// - Throws: ``UsageError`` when it is no number, or not within the range.
  func number(_ option: OptionDeclaration) throws(UsageError) -> Double? {
    guard let value = try anyNumber(option) else { return nil }
    guard case .number(let range, _) = option.type, !range.contains(value) else { return value }
    throw UsageError(
      message: "--\(option.name) cannot be \(self[option] ?? ""); give a number\(Self.range(of: option))")
  }

  /// “ from -1 to 1”, or nothing for a number without bounds.
  private static func range(of option: OptionDeclaration) -> Message {
    guard case .number(let range, _) = option.type else { return "" }
    return
      " from \(decimal: TextNumber.short(range.lowerBound)) to \(decimal: TextNumber.short(range.upperBound))"
  }
}

/// A command line that cannot be understood.
struct UsageError: Error, Hashable {
  /// One sentence for the user.
  var message: Message
  /// The command that it is about; nil when that is not known.
  var command: String?

  /// The same error, about a command unless it knows one already.
  func of(_ declaration: CommandDeclaration) -> UsageError {
    UsageError(message: message, command: command ?? declaration.name)
  }

  /// The command that shows how it is right.
  var remedy: Message {
    guard let command else { return "see liveedit --help" }
    return "see liveedit \(command) --help"
  }
}

extension String {
  /// `blackPoint` as it is typed: `black-point`.
  var dashed: String { words(joinedBy: "-") }
}
