import Basics
import FileSystem
import Workflows

/// The command that prints scripts for completing liveedit command lines in a shell.
struct CompletionsCommand: Command {
  private let lines: [String]

  private static let at = OptionDeclaration(
    name: "at", type: .wholeNumber(0...Int.max), placeholder: "N",
    help: "list completions for word N (counted from 0) of the command line after --; used by the scripts")

  /// The declaration of the command `completions`.
  static let declaration = CommandDeclaration(
    name: "completions", summary: "Print the completion script for bash, zsh or fish.",
    about: """
      The scripts complete commands, options and their values, presets, versions of the named Live Photo,
      batches, albums, filters and file names, all by calling liveedit.

        ~/.bashrc                   source <(liveedit completions bash)
        ~/.zshrc, after compinit    source <(liveedit completions zsh)
        ~/.config/fish/config.fish  liveedit completions fish | source

      Packages install the scripts where each shell looks for them: as liveedit, _liveedit and
      liveedit.fish.
      """,
    kind: .program,
    forms: [
      .init(operands: CompletionScript.allCases.map(\.rawValue).joined(separator: "|")),
      .init(options: [at], operands: "-- WORD…"),
    ],
    options: [at], hasJSON: false, takesEmptyNames: true,
    operands: [.words(CompletionScript.allCases.map(\.rawValue)), .nothing],
    synonyms: ["completion", "complete", "autocomplete", "shell"], endings: .ofAnswers, related: ["help"],
    examples: [
      .init("completions bash", "Prints the script for bash."),
      .init("completions --at 1 -- rotate --deg", "Lists the completions of --deg."),
    ]
  ) { arguments throws(UsageError) in try CompletionsCommand(arguments) }

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    if let index = try arguments.wholeNumber(Self.at) {
      let found = Completion(arguments.files, at: index)
      lines = [found.names.rawValue] + found.candidates.map { $0.word + "\t" + $0.meaning }
      return
    }
    let shells = CompletionScript.allCases.map(\.rawValue)
    guard arguments.files.count == 1, let shell = arguments.files.first else {
      throw UsageError(message: "completions needs the name of a shell: \(shells.alternatives)")
    }
    guard let script = CompletionScript(rawValue: shell) else {
      let hint = Suggestion.sentence(for: shell, among: shells)
      throw UsageError(
        message:
          "no completions are available for “\(shell)”, only for \(shells.joined(separator: ", "))\(hint)")
    }
    lines = script.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Prints the completion script or the completions.
  func run(_ tally: inout Tally) -> ExitStatus {
    StandardStream.output.write(paths: lines, end: "\n")
    return .done
  }
}
