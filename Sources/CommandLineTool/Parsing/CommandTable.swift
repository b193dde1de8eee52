import Basics
import FileSystem

/// The table of all commands. Commands of the same kind are listed in the order of the help.
enum CommandTable {
  /// The top-level commands.
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

  /// All commands, each followed by its subcommands.
  static var all: [CommandDeclaration] { commands.flatMap { [$0] + $0.subcommands } }

  /// Returns the command or subcommand with a given name.
  ///
  /// - Parameter words: The words of the name. Additional words are ignored.
  static func command(_ words: [String]) -> CommandDeclaration? {
    guard let command = commands.first(where: { $0.name == words.first }) else { return nil }
    return command.subcommands.first { words.count > 1 && $0.word == words[1] } ?? command
  }

  /// Returns a suggestion for an unknown command: a similar command, or the only command that has an option of that
  /// name. If the word is a file, the suggestion is to put the command first.
  static func hint(for word: String) -> Message {
    if let topic = HelpText.topic(word) { return "; did you mean liveedit help \(topic.name)?" }
    let near = Suggestion.sentence(for: word, among: commands.map(\.choice), prefix: "liveedit ")
    if !near.isEmpty { return near }
    let owners = all.filter { $0.subcommands.isEmpty && $0.options.contains { $0.name == word.lowercased() } }
    if owners.count == 1 { return "; did you mean liveedit \(owners[0].name) --\(word.lowercased())?" }
    if (try? FileStatus(path: word)) != nil {
      return "; the command comes before the file, for example liveedit inspect \(word)"
    }
    return "; liveedit help lists all commands"
  }
}
