import Basics
import EditModel
import FileSystem
import Workflows

/// The command that shows the effective settings.
struct ConfigCommand: Command {
  /// The declaration of the command `config`.
  static let declaration = CommandDeclaration(
    name: "config",
    summary: "Show the effective settings and where each comes from.",
    about: """
      Each setting is a line “name = value” in the configuration file. Environment variables override the
      file, and options override both.

      \(Setting.allCases.map { "  \($0.rawValue), or \($0.variable): \($0.values)" }.joined(separator: "\n"))
      """,
    kind: .program, forms: [.init(operands: "")], operands: [.nothing],
    synonyms: ["settings", "configuration", "defaults", "preferences", "options", "env"], endings: .ofAnswers,
    files: [.configuration, .cache], related: ["version", "help"],
    examples: [
      .init("config", "Shows the value and source of each setting."),
      .init("config --json", "Prints the settings as JSON, one object per line."),
    ]
  ) { arguments throws(UsageError) in
    guard arguments.files.isEmpty else {
      throw UsageError(
        message: Configuration.path.map {
          "config accepts no names: settings are lines “name = value” in \($0)"
        } ?? "config accepts no names: settings are lines “name = value” in the configuration file")
    }
    return ConfigCommand()
  }

  /// Prints the settings.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    let configuration = try Configuration()
    var columns: [(name: String, value: Message, source: Message)] = []
    for setting in Setting.allCases {
      let (value, source) = configuration.value(of: setting)
      var members = ["name": setting.rawValue, "value": value]
      var words: Message
      switch source {
      case .builtIn:
        words = "default"
        members["source"] = "builtIn"
      case .environment:
        words = "environment variable \(setting.variable)"
        members["source"] = "environment"
        members["variable"] = setting.variable
      case .file(let line):
        let path = Configuration.path ?? ""
        words = "\(path), line \(line)"
        members["source"] = "file"
        members["path"] = path
      }
      var shown: Message = "\(value)"
      let kept = setting == .cache ? configuration.cache : setting == .previews ? configuration.previews : nil
      if let cache = kept {
        shown = "\(value) MB, \(Message.size(cache.size)) in use"
        words = "\(words); stored in \(cache.path)"
        members["path"] = cache.path
      }
      columns.append((setting.rawValue, shown, words))
      tally.print(Answer(.shown, members.mapValues { .string($0) }))
    }
    guard !tally.isJSON else { return .done }
    let rows = columns.map { [$0.name, $0.value.spoken, $0.source.spoken] }
    let widths = (0..<2).map { index in rows.map { TerminalText.width($0[index]) }.max() ?? 0 }
    for row in rows {
      StandardStream.output.write(
        line: zip(row, widths).map { TerminalText.padded($0, to: $1 + 2) }.joined() + row[2])
    }
    StandardStream.output.say(
      Configuration.path.map { "Settings are lines “name = value” in \($0)." }
        ?? "No configuration file is used: set XDG_CONFIG_HOME or HOME.")
    return .done
  }
}
