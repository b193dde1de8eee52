import LiveEdit

/// The command that takes the last revert back.
enum RedoCommand {
  /// The command `redo`.
  static let declaration = CommandDeclaration(
    name: "redo", summary: "Take the last revert back.",
    usage: "redo [--json] FILE…", kind: .versions,
    examples: ["redo IMG_0001.JPG"]
  ) { arguments throws(UsageError) in
    SwitchCommand(files: try arguments.namedFiles, isJSON: arguments.isJSON, choice: .next)
  }
}
