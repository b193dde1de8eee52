import Basics
import FileSystem

/// All commands, those of one kind in the order of the help.
enum CommandTable {
  /// The commands.
  static let commands = [
    RotateCommand.declaration,
    FlipCommand.declaration,
    CropCommand.declaration,
    StraightenCommand.declaration,
    PerspectiveCommand.declaration,
    AdjustCommand.declaration,
    AutoCommand.declaration,
    ApplyCommand.declaration,
    TrimCommand.declaration,
    KeyPhotoCommand.declaration,
    SoundCommand.declaration,
    LiveCommand.declaration,
    EffectCommand.declaration,
    DateCommand.declaration,
    PlaceCommand.declaration,
    DescribeCommand.declaration,
    PlanCommand.declaration,
    WorkCommand.declaration,
    CommitCommand.declaration,
    PresetCommand.declaration,
    AdoptCommand.declaration,
    RevertCommand.declaration,
    RedoCommand.declaration,
    HistoryCommand.declaration,
    MoveCommand.declaration,
    CheckCommand.declaration,
    ForgetCommand.declaration,
    InspectCommand.declaration,
    VerifyCommand.declaration,
    DuplicatesCommand.declaration,
    ListCommand.declaration,
    MarkCommand.declaration,
    AlbumCommand.declaration,
    StudioCommand.declaration,
    ServeCommand.declaration,
    CreateCommand.declaration,
    PairCommand.declaration,
    RepairCommand.declaration,
    ExportCommand.declaration,
    SheetCommand.declaration,
    PreviewCommand.declaration,
    WatchCommand.declaration,
    ConfigCommand.declaration,
    HelpCommand.declaration,
    VersionCommand.declaration,
    CompletionsCommand.declaration,
  ]

  /// The commands, with their sub-commands behind them.
  static var all: [CommandDeclaration] { commands.flatMap { [$0] + $0.subcommands } }

  /// The command, or the sub-command, of a name.
  ///
  /// - Parameter words: its words; those that follow are not looked at.
  static func command(_ words: [String]) -> CommandDeclaration? {
    guard let command = commands.first(where: { $0.name == words.first }) else { return nil }
    return command.subcommands.first { words.count > 1 && $0.word == words[1] } ?? command
  }

  /// The words to type in the place of an unknown command: a command, or the only one that has such an option; before a file
  /// any command.
  static func hint(for word: String) -> Message {
    if let topic = HelpText.topic(word) { return "; did you mean liveedit help \(topic.name)?" }
    let near = Suggestion.sentence(for: word, among: commands.map(\.choice), prefix: "liveedit ")
    if !near.isEmpty { return near }
    let owners = all.filter { $0.subcommands.isEmpty && $0.options.contains { $0.name == word.lowercased() } }
    if owners.count == 1 { return "; did you mean liveedit \(owners[0].name) --\(word.lowercased())?" }
    if (try? FileStatus(path: word)) != nil {
      return "; the command comes before the file, as in liveedit inspect \(word)"
    }
    return "; liveedit help lists all commands"
  }
}
