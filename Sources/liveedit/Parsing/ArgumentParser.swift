/// Sorts out the words of a command line. Options may stand anywhere after the command; `--` ends them.
struct ArgumentParser {
  private var parsed = ParsedArguments()
  private var known = OptionDeclaration.general

  /// Sorts out the words.
  ///
  /// - Parameter words: the arguments without the program's name.
  /// - Throws: ``UsageError`` for an unknown command or option, a missing, superfluous or impossible value,
  ///   an option given twice, and an empty name.
  static func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
    var parser = ArgumentParser()
    parser.parsed.words = words
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        parser.parsed.files += rest
        break
      } else if word.hasPrefix("--") {
        try parser.long(String(word.dropFirst(2)), &rest)
      } else if word.hasPrefix("-"), word != "-" {
        try parser.short(word, &rest)
      } else if parser.parsed.command == nil {
        try parser.command(word)
      } else {
        parser.parsed.files.append(word)
      }
    }
    // An empty name is as a rule what became of a variable that is not set; it must not mean the current folder.
    if parser.parsed.files.contains("") { throw UsageError(message: "a name is empty") }
    return parser.parsed
  }

  private mutating func command(_ word: String) throws(UsageError) {
    guard let command = CommandTable.commands.first(where: { $0.name == word }) else {
      let hint = Suggestion.sentence(for: word, among: CommandTable.commands.map(\.name))
      throw UsageError(message: "unknown command “\(word)”" + hint)
    }
    parsed.command = command
    known = command.allOptions
  }

  private mutating func long(_ text: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let cut = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(cut[0])
    guard let option = known.first(where: { $0.name == name }) else {
      let hint = Suggestion.sentence(for: "--" + name, among: known.map { "--" + $0.name })
      throw UsageError(message: "unknown option --\(name)" + hint)
    }
    try take(option, attached: cut.count > 1 ? String(cut[1]) : nil, &rest)
  }

  private mutating func short(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    guard word.count == 2, let letter = word.last, let option = known.first(where: { $0.letter == letter })
    else {
      throw UsageError(message: "unknown option \(word); a file of that name goes after --")
    }
    try take(option, attached: nil, &rest)
  }

  private mutating func take(
    _ option: OptionDeclaration, attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    guard parsed.options[option.name] == nil else {
      throw UsageError(message: "--\(option.name) is given twice")
    }
    guard option.type != .flag else {
      if attached != nil { throw UsageError(message: "--\(option.name) takes no value") }
      parsed.options[option.name] = ""
      return
    }
    if option.type == .optionalText {
      parsed.options[option.name] = attached ?? ""
      return
    }
    guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
      throw UsageError(message: "--\(option.name) needs a value")
    }
    if case .word(let choices) = option.type, !choices.contains(value) {
      throw UsageError(
        message: "--\(option.name) does not take “\(value)”: it takes \(choices.joined(separator: ", "))")
    }
    if option.isRepeatable {
      parsed.lists[option.name, default: []].append(value)
    } else {
      parsed.options[option.name] = value
    }
  }
}
