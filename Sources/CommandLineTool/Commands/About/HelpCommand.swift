import Basics
import FileSystem
import Workflows

/// The command that shows help and manual pages.
struct HelpCommand: Command {
  private let lines: [String]

  private static let man = OptionDeclaration(
    name: "man", synonyms: ["roff", "manual", "manpage"],
    help: "print the manual page in roff format, for man -l -")

  /// The declaration of the command `help`.
  static let declaration = CommandDeclaration(
    name: "help", summary: "Show the help of liveedit or a command.",
    about: """
      liveedit COMMAND --help shows the same text.
      """,
    kind: .program, forms: [.init(operands: "[COMMAND]"), .init(options: [man], operands: "[COMMAND]")],
    options: [man], hasJSON: false, operands: [.commands], synonyms: ["man", "usage", "manual", "?"],
    endings: .ofAnswers,
    related: ["version", "completions"],
    examples: [
      .init("help rotate", "Shows the options of rotate, with examples."),
      .init("help preset save", "Shows the options of the subcommand preset save."),
      .init("help filters", "Explains the expressions of --filter."),
      .init("help --man rotate", "Prints the manual page liveedit-rotate(1)."),
    ]
  ) { arguments throws(UsageError) in try HelpCommand(arguments) }

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    let words = arguments.files
    let isMan = arguments.has(Self.man)
    if let first = words.first, let topic = HelpText.topic(first) {
      guard words.count == 1 else {
        throw UsageError(message: "help \(topic.name) accepts no further words; leave out “\(words[1])”")
      }
      guard !isMan else {
        throw UsageError(message: "\(topic.name) has no manual page of its own")
      }
      lines = topic.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      return
    }
    guard let first = words.first else {
      lines = isMan ? ManPage.lines(nil) : HelpText.lines(nil)
      return
    }
    guard let command = CommandTable.command(words) else {
      throw UsageError(message: "there is no command “\(first)”\(CommandTable.hint(for: first))")
    }
    guard command.name == words.joined(separator: " ") else {
      var hint = Suggestion.sentence(
        for: words[1], among: command.subcommands.map(\.choice), prefix: "liveedit \(command.name) ")
      if hint.isEmpty { hint = "; liveedit help \(command.name) lists its subcommands" }
      throw UsageError(message: "\(command.name) has no subcommand “\(words[1])”\(hint)")
    }
    if isMan, words.count > 1 {
      throw UsageError(message: "\(command.name) has no manual page of its own; see the page of \(first)")
    }
    lines = isMan ? ManPage.lines(command) : HelpText.lines(command)
  }

  /// Prints the help.
  func run(_ tally: inout Tally) -> ExitStatus {
    StandardStream.output.write(lines: lines)
    return .done
  }
}
