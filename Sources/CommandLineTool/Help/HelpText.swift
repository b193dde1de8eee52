import Basics
import FileSystem

/// The help text, generated from the command declarations.
enum HelpText {
  /// Returns the lines of the help text for the program or for a command.
  ///
  /// - Parameter command: The command; nil for the program's own help.
  static func lines(_ command: CommandDeclaration?) -> [String] {
    (command.map(text) ?? general).split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0)
    }
  }

  private static func text(_ command: CommandDeclaration) -> String {
    var parts = [SpokenText.text(command.summary), section("Usage", command.usage)]
    if !command.about.isEmpty { parts.append(SpokenText.text(command.about)) }
    if command.subcommands.isEmpty {
      parts += command.optionGroups.map { group in "\(group.title.spoken):\n\(table(group.options))" }
    } else {
      parts.append(Message("Commands").spoken + ":\n" + table(command.subcommands))
    }
    parts.append(
      section("Examples", command.examples.flatMap(lines)))
    if command.subcommands.isEmpty {
      parts.append(
        section(
          "Exit status",
          command.endings.meanings.flatMap {
            SpokenText.lines($0.meaning, behind: width($0.status) + " ", indent: 2)
          }))
    } else {
      parts.append(
        SpokenText.text("liveedit \(command.name) COMMAND --help shows the options of a subcommand."))
    }
    let related = related(command)
    if !related.isEmpty { parts.append(SpokenText.text("See also: \(related.joined(separator: ", "))")) }
    return parts.joined(separator: "\n\n")
  }

  /// Returns the lines that refer to related help pages.
  private static func related(_ command: CommandDeclaration) -> [String] {
    var pages = command.related.map { "liveedit \($0) --help" }
    if command.selects { pages.append("liveedit help filters") }
    return pages
  }

  private static func width(_ status: ExitStatus) -> String {
    TerminalText.padded(String(status.rawValue), to: 2)
  }

  /// Returns the lines of an example.
  private static func lines(_ example: CommandDeclaration.Example) -> [String] {
    ["liveedit " + example.line] + SpokenText.lines(example.meaning, behind: "    ", indent: 2)
  }

  private static func section(_ title: Message, _ lines: [String]) -> String {
    "\(title.spoken):\n" + lines.map { "  " + $0 }.joined(separator: "\n")
  }

  /// The program's one-line summary.
  static let summary: Message =
    "Edits Live Photos, photo and movie together, and never changes the originals."

  /// Examples for new users.
  static let examples = [
    CommandDeclaration.Example("rotate --degrees 90 IMG_0001.JPG", "Rotates the photo and its movie."),
    CommandDeclaration.Example("revert IMG_0001.JPG", "Returns to the previous version."),
  ]

  /// The topics that `help` explains in addition to commands.
  static let topics: [(name: String, summary: Message, text: @Sendable () -> String)] = [
    ("commands", "All commands by subject.", { allCommands }),
    ("filters", "The language of --filter.", { SpokenText.text(FilterHelp.text) }),
  ]

  /// Returns the topic with a given name; nil if no topic has this name.
  static func topic(_ word: String) -> (name: String, summary: Message, text: @Sendable () -> String)? {
    topics.first { $0.name == word.lowercased() || $0.name == word.lowercased() + "s" }
  }

  /// The names of the commands that are described in the program's help. `help commands` describes all commands.
  private static let common = [
    "rotate", "crop", "adjust", "auto", "apply", "trim", "key-photo", "revert", "history", "export", "list",
    "studio",
  ]

  private static var general: String {
    let commands = CommandTable.commands
    let parts = [
      SpokenText.text(summary), section("Usage", ["liveedit COMMAND [options] FILE…"]),
      Message("Common commands").spoken + ":\n" + table(commands.filter { common.contains($0.name) }),
      Message("All commands").spoken + ":\n" + names(of: commands),
      Message("Options").spoken + ":\n" + table(OptionDeclaration.ofProgram),
      section("Examples", examples.flatMap(lines)),
      SpokenText.text(pointers) + "\n" + SpokenText.text(statuses),
    ]
    return parts.joined(separator: "\n\n")
  }

  /// Returns the names of all commands, on one or more lines for each topic.
  private static func names(of commands: [CommandDeclaration]) -> String {
    let titles = CommandDeclaration.Kind.allCases.map { $0.title.spoken }
    let width = titles.map(TerminalText.width).max() ?? 0
    return zip(CommandDeclaration.Kind.allCases, titles).flatMap { kind, title in
      let names = commands.filter { $0.kind == kind }.map(\.name).joined(separator: ", ")
      return SpokenText.lines(
        "\(names)", behind: "  " + TerminalText.padded(title, to: width) + "  ", columns: columns)
    }.joined(separator: "\n")
  }

  /// All commands with their summaries, grouped by topic.
  private static var allCommands: String {
    let commands = CommandTable.commands
    let width = commands.map(\.name.count).max() ?? 0
    return CommandDeclaration.Kind.allCases.map { kind in
      "\(kind.title.spoken):\n" + table(commands.filter { $0.kind == kind }, width: width)
    }.joined(separator: "\n\n")
  }

  private static let pointers: Message = """
    liveedit help COMMAND shows a command's options and examples.
    liveedit help commands describes all commands; liveedit help filters explains --filter.
    """
  private static let statuses: Message =
    "Exit status: 0 done, 1 something failed, 2 nothing to do, 64 invalid command line."

  private static func table(_ commands: [CommandDeclaration], width: Int = 0) -> String {
    let width = max(width, commands.map(\.name.count).max() ?? 0)
    return commands.flatMap { command in
      SpokenText.lines(command.summary, behind: "  " + TerminalText.padded(command.name, to: width) + "  ")
    }.joined(separator: "\n")
  }

  private static func table(_ options: [OptionDeclaration]) -> String {
    let single = options.filter { $0.family == nil }
    let width = single.map { line($0).count }.max() ?? 0
    var lines = single.flatMap { option in
      SpokenText.lines(
        option.help, behind: "  " + TerminalText.padded(line(option), to: width) + "  ", columns: columns)
    }
    for (index, option) in options.enumerated() {
      guard let family = option.family, options.firstIndex(where: { $0.family == family }) == index else {
        continue
      }
      let names = options.filter { $0.family == family }.map(\.spelled).joined(separator: ", ")
      lines += SpokenText.divided("      " + names, width: Spoken.isEnglish ? columns : SpokenText.columns)
      lines += SpokenText.lines(family, behind: String(repeating: " ", count: 10), columns: columns)
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the option's letter and name as a line of the help.
  private static func line(_ option: OptionDeclaration) -> String {
    (option.letter.map { "-\($0), " } ?? "    ") + option.spelled
  }

  /// The maximum width of option lines in English, in columns.
  private static let columns = 100
}
