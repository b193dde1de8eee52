import Basics
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
      parts.append(SpokenText.text("liveedit \(command.name) COMMAND --help shows the options of one."))
    }
    let related = related(command)
    if !related.isEmpty { parts.append(SpokenText.text("See also: \(related.joined(separator: ", "))")) }
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

  /// The lines of an example.
  private static func lines(_ example: CommandDeclaration.Example) -> [String] {
    ["liveedit " + example.line] + SpokenText.lines(example.meaning, behind: "    ", indent: 2)
  }

  private static func section(_ title: Message, _ lines: [String]) -> String {
    "\(title.spoken):\n" + lines.map { "  " + $0 }.joined(separator: "\n")
  }

  /// The program's name in one line.
  static let summary: Message = "Edits Live Photos, the photo and its movie as one, and keeps the originals."

  /// The first command lines of somebody new.
  static let examples = [
    CommandDeclaration.Example("rotate --degrees 90 IMG_0001.JPG", "Turns a photo together with its movie."),
    CommandDeclaration.Example("revert IMG_0001.JPG", "Goes back; the original was never changed."),
  ]

  /// The subjects that `help` explains besides commands.
  static let topics: [(name: String, summary: Message, text: Message)] = [
    ("filters", "The language of --filter.", FilterHelp.text)
  ]

  /// The subject of a name; nil for any other word.
  static func topic(_ word: String) -> (name: String, summary: Message, text: Message)? {
    topics.first { $0.name == word.lowercased() || $0.name == word.lowercased() + "s" }
  }

  private static var general: String {
    let all = CommandTable.commands
    let groups = CommandDeclaration.Kind.allCases.map { kind in
      let width = all.map(\.name.count).max() ?? 0
      return "\(kind.title.spoken):\n" + table(all.filter { $0.kind == kind }, width: width)
    }
    let parts =
      [SpokenText.text(summary), section("Usage", ["liveedit COMMAND [options] FILE…"])] + groups + [
        Message("Options").spoken + ":\n" + table(OptionDeclaration.ofProgram),
        section("Examples", examples.flatMap(lines)),
        SpokenText.text(pointers) + "\n" + SpokenText.text(statuses),
      ]
    return parts.joined(separator: "\n\n")
  }

  private static let pointers: Message = """
    liveedit COMMAND --help, or liveedit help COMMAND, shows a command's options with examples;
    liveedit help filters explains --filter. man liveedit is the manual, where it is installed.
    """
  private static let statuses: Message =
    "Exit status: 0 done, 1 something failed, 2 nothing to do, 64 wrong usage."

  private static func table(_ commands: [CommandDeclaration], width: Int = 0) -> String {
    let width = max(width, commands.map(\.name.count).max() ?? 0)
    return commands.flatMap { command in
      SpokenText.lines(command.summary, behind: "  " + TerminalText.padded(command.name, to: width) + "  ")
    }.joined(separator: "\n")
  }

  private static func table(_ options: [OptionDeclaration]) -> String {
    let names = options.map { option in (option.letter.map { "-\($0), " } ?? "    ") + option.spelled }
    let width = names.map(\.count).max() ?? 0
    return zip(names, options).flatMap { name, option in
      SpokenText.lines(
        option.help, behind: "  " + TerminalText.padded(name, to: width) + "  ", columns: columns)
    }.joined(separator: "\n")
  }

  /// The columns that English options take at most.
  private static let columns = 100
}
