/// The command `redo`.
enum RedoCommand {
  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    name: "redo", summary: "Take the last revert back.",
    about: """
      Goes forward to the version that revert left, once for each revert. An edit after a revert ends that
      line: then there is nothing to redo.
      """,
    kind: .versions, forms: [.init()], selects: true, isBatch: true,
    synonyms: ["again", "forward", "unrevert"],
    files: [.batches], related: ["revert", "history"],
    examples: [
      .init("redo IMG_0001.JPG", "Shows the version again that the last revert left."),
      .init("redo --dry-run -r Photos", "Says which photos and movies below Photos could be redone."),
    ]
  ) { arguments throws(UsageError) in try RevertCommand.command(arguments, to: .next) }
}
