import Basics

/// Parses a command line. Options may appear anywhere after the command; `--` ends the options.
struct ArgumentParser {
  private var parsed = ParsedArguments()
  private var known = OptionDeclaration.ofProgram

  /// Parses the arguments.
  ///
  /// - Parameter words: The arguments without the program's name.
  /// - Throws: ``UsageError`` if a command or option is unknown, if a value is missing, superfluous or invalid, if an
  ///   option is given twice, or if a name is empty.
  static func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
    var parser = ArgumentParser()
    do throws(UsageError) {
      try parser.read(words)
    } catch {
      throw parser.parsed.command.map(error.of) ?? error
    }
    return parser.parsed
  }

  private mutating func read(_ words: [String]) throws(UsageError) {
    parsed.words = words
    var rest = words[...]
    while let word = rest.popFirst() {
      if try isOfOther(word, &rest) {
        continue
      } else if word == "--" {
        parsed.files += rest
        break
      } else if word.hasPrefix("--") {
        try long(String(word.dropFirst(2)), &rest)
      } else if word.hasPrefix("-"), word != "-" {
        try short(word, &rest)
      } else if parsed.command?.subcommands.isEmpty ?? false {
        parsed.files.append(word)
      } else {
        try command(word)
      }
    }
    // An empty name is usually caused by an unset shell variable. Such a name must not refer to the current folder.
    if parsed.files.contains(""), parsed.command?.takesEmptyNames != true {
      throw UsageError(message: "a file name is empty; is a variable unset?")
    }
  }

  /// Adds a word to the embedded command line, unless the word is one of the command's own options.
  ///
  /// - Returns: False if the command does not accept an embedded command line, or if the word is an option that
  ///   precedes the embedded command.
  private mutating func isOfOther(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> Bool
  {
    guard parsed.command?.takesCommand == true else { return false }
    let isOwn =
      word.hasPrefix("--") && known.contains { "--" + $0.name == word.split(separator: "=").first ?? "" }
    if !parsed.files.contains("--"), isOwn || parsed.files.isEmpty && word.hasPrefix("-") { return false }
    parsed.files.append(word)
    return true
  }

  /// Uses a word as the command or subcommand.
  private mutating func command(_ word: String) throws(UsageError) {
    let parent = parsed.command
    let commands = parent?.subcommands ?? CommandTable.commands
    guard let command = commands.first(where: { $0.word == word }) else {
      if let parent {
        let hint = Suggestion.sentence(for: word, among: commands.map(\.choice), prefix: parent.name + " ")
        let all = Suggestion.all(commands.map(\.word))
        throw UsageError(message: "\(parent.name) has no subcommand “\(word)”\(hint.isEmpty ? all : hint)")
      }
      throw UsageError(message: "unknown command “\(word)”\(CommandTable.hint(for: word))")
    }
    parsed.command = command
    known = command.allOptions
    let given = Array(parsed.options.keys) + Array(parsed.lists.keys)
    if let name = given.sorted().first(where: { name in !known.contains { $0.name == name } }) {
      throw UsageError(message: "\(command.name) does not accept --\(name)")
    }
  }

  private mutating func long(_ text: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let cut = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(cut[0])
    let spelled = Spelling.find(name, among: known.map(\.name))
    guard let option = known.first(where: { $0.name == spelled }) else {
      throw UsageError(message: "unknown option --\(name)\(hint(for: name))")
    }
    try take(option, attached: cut.count > 1 ? String(cut[1]) : nil, &rest)
  }

  /// Returns a suggestion for an unknown option.
  private func hint(for name: String) -> Message {
    guard let command = parsed.command else {
      return "; the command comes first: liveedit COMMAND --\(name) …"
    }
    let choices = known.map(\.choice)
    if let option = Suggestion.exact(name, among: choices) { return "; did you mean --\(option)?" }
    if let word = Suggestion.exact(name, among: command.subcommands.map(\.choice)) {
      return "; did you mean \(command.name) \(word)?"
    }
    if let reason = Self.reason(name) { return reason }
    let others = CommandTable.all.filter { $0.options.contains { $0.name == name } }.map(\.name)
    if 1...6 ~= others.count {
      return "; use it with liveedit \(others.alternatives), not with \(command.name)"
    }
    let near = Suggestion.sentence(for: name, among: choices, prefix: "--")
    let own = command.options.map { "--" + $0.name }
    if !near.isEmpty || own.count > 8 { return near }
    if own.isEmpty { return "; \(command.name) has no options of its own" }
    return "; \(command.name) accepts \(own.joined(separator: ", "))"
  }

  private static func reason(_ name: String) -> Message? {
    OptionDeclaration.absent.first { $0.key == name }.map { "; \($0.value)" }
  }

  private mutating func short(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let letters = word.dropFirst()
    if letters.count == 1, let option = known.first(where: { $0.letter == letters.first }) {
      return try take(option, attached: nil, &rest)
    }
    throw UsageError(message: "unknown option \(word)\(hint(forShort: String(letters)))")
  }

  /// Returns a suggestion for unknown letters that follow a dash.
  private func hint(forShort letters: String) -> Message {
    let name = String(letters.prefix { $0 != "=" })
    let file: Message = "; to name a file that begins with a dash, put -- before it"
    guard let command = parsed.command else {
      return "; the command comes first: liveedit COMMAND -\(letters) …"
    }
    if Double(letters) != nil {
      let takers = known.filter { $0.takes("-" + letters) }
      return takers.count == 1
        ? "; write --\(takers[0].name) -\(letters)" : "; a number must follow its option\(file)"
    }
    if known.contains(where: { $0.name == name }) { return "; did you mean --\(name)?" }
    if letters.count > 1, let option = known.first(where: { $0.letter == letters.first }) {
      if option.type != .flag { return "; write -\(letters.prefix(1)) \(letters.dropFirst())" }
      return "; write each letter separately: \(letters.map { "-\($0)" }.joined(separator: " "))"
    }
    if let option = known.first(where: { $0.synonyms.contains(name) }) {
      return "; did you mean --\(option.name)?"
    }
    if let reason = Self.reason(name) { return reason }
    let other = CommandTable.all.flatMap(\.allOptions).first { $0.letter.map(String.init) == name }
    return other.map { "; it is short for --\($0.name), but \(command.name) does not have that option" }
      ?? file
  }

  private mutating func take(
    _ option: OptionDeclaration, attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    guard parsed.options[option.name] == nil else {
      throw UsageError(message: "--\(option.name) is given twice; give it once")
    }
    guard option.type != .flag else {
      if attached != nil {
        throw UsageError(message: "--\(option.name) does not accept a value; remove the “=”")
      }
      parsed.options[option.name] = ""
      return
    }
    if option.type == .optionalText {
      parsed.options[option.name] = attached ?? ""
      return
    }
    guard let typed = attached ?? rest.popFirst(), !typed.isEmpty else {
      throw UsageError(message: "--\(option.name) needs a value: \(option.expected)")
    }
    let value = option.spelled(typed)
    if case .word(let choices) = option.type, !choices.contains(value) {
      throw UsageError(message: option.refusal(of: value, choices))
    }
    if option.isRepeatable {
      parsed.lists[option.name, default: []].append(value)
    } else {
      parsed.options[option.name] = value
    }
  }
}

extension OptionDeclaration {
  /// The accepted values, as text for an error message.
  var expected: Message {
    switch type {
    case .word(let words), .words(let words): Message(words.joined(separator: ", "))
    case .number(let range, _):
      "a number from \(decimal: TextNumber.short(range.lowerBound)) to \(decimal: TextNumber.short(range.upperBound))"
    case .wholeNumber(let range, true): "a whole number of pixels, at least \(range.lowerBound)"
    case .wholeNumber(let range, false) where range.upperBound == .max:
      "a whole number, at least \(range.lowerBound)"
    case .wholeNumber(let range, false): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .file: "the path of a file"
    case .folder: "the path of a folder"
    case .flag, .name, .text, .optionalText: Message(spelled)
    }
  }

  /// Returns a value in the spelling of the option's accepted words.
  fileprivate func spelled(_ value: String) -> String {
    switch type {
    case .word(let words), .name(let words): Spelling.find(value, among: words) ?? value
    case .words(let words):
      value.split(separator: ",", omittingEmptySubsequences: false).map {
        Spelling.find(String($0), among: words) ?? String($0)
      }.joined(separator: ",")
    default: value
    }
  }

  /// Returns whether the option accepts a number.
  fileprivate func takes(_ number: String) -> Bool {
    switch type {
    case .word(let words): words.contains(number)
    case .number(let range, _): Double(number).map(range.contains) ?? false
    default: false
    }
  }

  /// Returns the message that rejects a value. If a similar accepted value exists, the message suggests that value.
  fileprivate func refusal(of value: String, _ choices: [String]) -> Message {
    let known = choices.map { choice in
      Suggestion.Choice(word: choice, synonyms: synonymsOfValues.filter { $0.value == choice }.map(\.key))
    }
    let hint = Suggestion.sentence(for: value, among: known)
    return "--\(name) does not accept “\(value)”; choose from \(choices.joined(separator: ", "))\(hint)"
  }
}
