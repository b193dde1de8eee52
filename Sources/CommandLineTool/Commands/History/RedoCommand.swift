/// The command `redo`.
enum RedoCommand {
  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    name: "redo", summary: "Undo the last revert.",
    about: """
      Each redo undoes one revert. After a new edit, earlier reverts can no longer be undone.
      """,
    kind: .versions, forms: [.init()], selects: true, isBatch: true,
    synonyms: ["again", "forward", "unrevert"],
    files: [.batches], related: ["revert", "history"],
    examples: [
      .init("redo IMG_0001.JPG", "Returns to the version that was current before the last revert."),
      .init("redo --dry-run -r Photos", "Shows which reverts in Photos and its subfolders could be undone."),
    ]
  ) { arguments throws(UsageError) in try RevertCommand.command(arguments, to: .next) }
}
