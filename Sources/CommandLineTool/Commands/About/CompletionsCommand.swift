import Basics
import FileSystem
import Workflows

/// The command that makes shells complete command lines of liveedit.
struct CompletionsCommand: Command {
  private let lines: [String]

  private static let at = OptionDeclaration(
    name: "at", type: .wholeNumber(0...Int.max), placeholder: "N",
    help: "propose words for the Nth word, from 0, of the command line that follows --; the scripts do this")

  /// The command `completions`.
  static let declaration = CommandDeclaration(
    name: "completions", summary: "Print the script by which bash, zsh or fish completes command lines.",
    about: """
      Completed are commands, options and their values, presets, versions of the Live Photo on the command line,
      batches, albums, filters and names of files. The scripts ask liveedit itself.

        ~/.bashrc                   source <(liveedit completions bash)
        ~/.zshrc, after compinit    source <(liveedit completions zsh)
        ~/.config/fish/config.fish  liveedit completions fish | source

      Packages put the scripts where each shell looks for them: as liveedit, _liveedit and liveedit.fish.
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
      .init("completions --at 1 -- rotate --deg", "Proposes what --deg can become, as the scripts do."),
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
      throw UsageError(message: "completions needs one shell: \(shells.alternatives)")
    }
    guard let script = CompletionScript(rawValue: shell) else {
      let hint = Suggestion.sentence(for: shell, among: shells)
      throw UsageError(
        message: "there are no completions for “\(shell)”, but for \(shells.joined(separator: ", "))\(hint)")
    }
    lines = script.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Prints the script, or the words.
  func run(_ tally: inout Tally) -> ExitStatus {
    StandardStream.output.write(paths: lines, end: "\n")
    return .done
  }
}
