/// All commands, in the order of the help.
enum CommandTable {
  /// The commands.
  static let commands = [
    RotateOptions.declaration,
    RotateOptions.flip,
    CropOptions.declaration,
    StraightenOptions.declaration,
    PerspectiveOptions.declaration,
    AdjustOptions.declaration,
    AutoOptions.declaration,
    ApplyOptions.declaration,
    PresetCommand.declaration,
    SwitchCommand.revert,
    SwitchCommand.redo,
    HistoryCommand.declaration,
    MoveCommand.declaration,
    CheckCommand.declaration,
    ForgetCommand.declaration,
    InspectCommand.declaration,
    VerifyCommand.declaration,
    ListCommand.declaration,
    MarkCommand.declaration,
    AlbumCommand.declaration,
    CreateCommand.declaration,
    PairCommand.declaration,
    RepairCommand.declaration,
    ExportCommand.declaration,
    WatchCommand.declaration,
    ConfigCommand.declaration,
  ]
}
