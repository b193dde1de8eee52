import FileSystem

/// The help, made from the declarations of the commands.
enum HelpText {
  /// The lines of the help of the program or of one command.
  ///
  /// - Parameter command: the command; nil for the program's own help.
  static func lines(_ command: CommandDeclaration?) -> [String] {
    (command.map(text) ?? general).split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0)
    }
  }

  private static func text(_ command: CommandDeclaration) -> String {
    var parts = [command.summary, section("Usage", command.usage)]
    if !command.about.isEmpty { parts.append(command.about) }
    if command.subcommands.isEmpty {
      parts += command.optionGroups.map { group in "\(group.title):\n\(table(group.options))" }
    } else {
      parts.append("Commands:\n" + table(command.subcommands))
    }
    parts.append(
      section("Examples", command.examples.flatMap { ["liveedit " + $0.line, "    " + $0.meaning] }))
    if command.subcommands.isEmpty {
      parts.append(
        section("Exit status", command.endings.meanings.map { "\(width($0.status)) \($0.meaning)" }))
    } else {
      parts.append("liveedit \(command.name) COMMAND --help shows the options of one.")
    }
    let related = related(command)
    if !related.isEmpty { parts.append("See also: " + related.joined(separator: ", ")) }
    return parts.joined(separator: "\n\n")
  }

  /// The pages that readers of a command's help may look for besides.
  private static func related(_ command: CommandDeclaration) -> [String] {
    var pages = command.related.map { "liveedit \($0) --help" }
    if command.selects { pages.append("liveedit help filters") }
    return pages
  }

  private static func width(_ status: ExitStatus) -> String {
    TerminalText.padded(String(status.rawValue), to: 2)
  }

  private static func section(_ title: String, _ lines: [String]) -> String {
    "\(title):\n" + lines.map { "  " + $0 }.joined(separator: "\n")
  }

  /// The program's name in one line.
  static let summary = "Edits Live Photos, the photo and its movie as one, and keeps the originals."

  /// The first command lines of somebody new.
  static let examples = [
    CommandDeclaration.Example("rotate --degrees 90 IMG_0001.JPG", "Turns a photo together with its movie."),
    CommandDeclaration.Example("revert IMG_0001.JPG", "Goes back; the original was never changed."),
  ]

  /// The subjects that `help` explains besides commands.
  static let topics = [
    (name: "filters", summary: "The language of --filter.", text: FilterHelp.text)
  ]

  /// The subject of a name; nil for any other word.
  static func topic(_ word: String) -> (name: String, summary: String, text: String)? {
    topics.first { $0.name == word.lowercased() || $0.name == word.lowercased() + "s" }
  }

  private static var general: String {
    let all = CommandTable.commands
    let groups = CommandDeclaration.Kind.allCases.map { kind in
      let width = all.map(\.name.count).max() ?? 0
      return "\(kind.rawValue):\n" + table(all.filter { $0.kind == kind }, width: width)
    }
    return """
      \(summary)

      Usage:
        liveedit COMMAND [options] FILE…

      \(groups.joined(separator: "\n\n"))

      Options:
      \(table(OptionDeclaration.ofProgram))

      \(section("Examples", examples.flatMap { ["liveedit " + $0.line, "    " + $0.meaning] }))

      liveedit COMMAND --help, or liveedit help COMMAND, shows a command's options with examples;
      liveedit help filters explains --filter. man liveedit is the manual, where it is installed.
      Exit status: 0 done, 1 something failed, 2 nothing to do, 64 wrong usage.
      """
  }

  private static func table(_ commands: [CommandDeclaration], width: Int = 0) -> String {
    let width = max(width, commands.map(\.name.count).max() ?? 0)
    return commands.map { "  " + TerminalText.padded($0.name, to: width) + "  " + $0.summary }
      .joined(separator: "\n")
  }

  private static func table(_ options: [OptionDeclaration]) -> String {
    let names = options.map { option in (option.letter.map { "-\($0), " } ?? "    ") + option.spelled }
    let width = names.map(\.count).max() ?? 0
    return zip(names, options).flatMap { name, option in
      lines(of: option.help, width: columns - width - 4).enumerated().map { index, line in
        "  " + TerminalText.padded(index == 0 ? name : "", to: width) + "  " + line
      }
    }.joined(separator: "\n")
  }

  /// The columns that the help takes at most.
  private static let columns = 100

  /// Text divided between words into lines.
  private static func lines(of text: String, width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
