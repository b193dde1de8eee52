import Basics
import EditModel
import FileSystem
import Workflows

/// The command that shows the settings in force.
struct ConfigCommand: Command {
  /// The command `config`.
  static let declaration = CommandDeclaration(
    name: "config",
    summary: "Show the settings that hold where no option says otherwise, and where each comes from.",
    about: """
      A setting is a line “name = value” of the configuration file. A variable of the environment overrides it,
      and an option overrides both.

      \(Setting.allCases.map { "  \($0.rawValue), or \($0.variable): \($0.values)" }.joined(separator: "\n"))
      """,
    kind: .program, forms: [.init(operands: "")], operands: [.nothing],
    synonyms: ["settings", "configuration", "defaults", "preferences", "options", "env"], endings: .ofAnswers,
    files: [.configuration, .cache], related: ["version", "help"],
    examples: [
      .init("config", "Shows each setting, its value and where it comes from."),
      .init("config --json", "Prints the same for programs, an object a line."),
    ]
  ) { arguments throws(UsageError) in
    guard arguments.files.isEmpty else {
      throw UsageError(
        message: Configuration.path.map {
          "config takes no names: settings are lines “name = value” of \($0)"
        } ?? "config takes no names: settings are lines “name = value” of its file")
    }
    return ConfigCommand()
  }

  /// Prints each setting.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    let configuration = try Configuration()
    var columns: [(name: String, value: Message, source: Message)] = []
    for setting in Setting.allCases {
      let (value, source) = configuration.value(of: setting)
      var members = ["name": setting.rawValue, "value": value]
      var words: Message
      switch source {
      case .builtIn:
        words = "liveedit's own"
        members["source"] = "builtIn"
      case .environment:
        words = "\(setting.variable) of the environment"
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
        shown = "\(value) MB, \(TextNumber.bytes(cache.size)) of it in use"
        words = "\(words); kept in \(cache.path)"
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
      Configuration.path.map { "Settings are lines “name = value” of \($0)." }
        ?? "Settings are lines “name = value” of nowhere: set XDG_CONFIG_HOME or HOME.")
    return .done
  }
}
