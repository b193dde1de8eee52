import Basics
import EditModel
import FileSystem
import Workflows

/// The command `revert`. Its choice of a version is also used by the command `redo`.
enum RevertCommand {
  private static let to = OptionDeclaration(
    name: "to", type: .name(["previous", "original"]), placeholder: "VERSION", standard: "previous",
    synonyms: ["version"], proposal: .versions(["previous", "original"]),
    help: "return to previous (default), original, or a number from liveedit history")

  private static let batch = OptionDeclaration(
    name: "batch", type: .text, placeholder: "BATCH", synonyms: ["undo"],
    proposal: .batches(isInterrupted: false),
    help: "undo everything this batch did; name no files")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    name: "revert", summary: "Return to an earlier version.",
    about: """
      Each revert goes back one version, down to the original; redo goes forward again. Reverting deletes
      nothing: all versions stay in the history.

      An edit made after a revert deletes the versions that redo could have reached, with their files.
      Versions that liveedit cannot render again, because another program made the version or its base,
      are kept, but only --to NUMBER can return to them. The edit, and a --dry-run of the edit, list the
      deleted and the kept versions.

      The summary of each batch shows the name that --batch needs.
      """,
    kind: .versions, forms: [.init(), .init(options: [to]), .init(options: [batch], operands: "")],
    options: [to, batch], selects: true, isBatch: true,
    synonyms: ["undo", "reset", "restore", "original", "back", "unedit", "rollback", "checkout"],
    files: [.batches],
    related: ["redo", "history", "forget"],
    examples: [
      .init("revert IMG_0001.JPG", "Returns to the version before the last edit."),
      .init(
        "revert --to original -r Photos",
        "Returns to the original of everything in Photos and its subfolders."),
      .init("revert --to 1 IMG_0001.JPG", "Makes version 1 current, as numbered by liveedit history."),
      .init("revert --batch 20260401-101500-k3f9", "Undoes all changes of that batch."),
    ]
  ) { arguments throws(UsageError) in
    guard let batch = arguments[batch] else {
      return try command(arguments, to: try choice(arguments[to] ?? "previous"))
    }
    guard arguments.files.isEmpty, arguments[to] == nil else {
      throw UsageError(
        message: "--batch accepts no files and no --to: it restores the versions from before the batch")
    }
    return BatchCommand(
      words: arguments.words, options: try BatchOptions(arguments), verb: verb, task: .undo(batch))
  }

  /// Creates a batch command that makes another version of each asset current.
  static func command(
    _ arguments: ParsedArguments, to choice: VersionChoice
  ) throws(UsageError) -> BatchCommand {
    let options = try BatchOptions(arguments)
    if options.resumed != nil { return try BatchCommand(resuming: arguments, options, verb: verb) }
    return BatchCommand(
      words: arguments.words, options: options, verb: verb,
      task: .go(choice, try FileSelection(arguments, isByName: true)))
  }

  /// The past participle that messages use.
  private static let verb: Message = "changed"

  private static func choice(_ text: String) throws(UsageError) -> VersionChoice {
    switch text {
    case "previous": return .previous
    case "original": return .original
    default:
      guard let number = Int(text), number >= 0 else {
        throw UsageError(
          message: "--to accepts previous, original or a version number, not “\(text)”"
            + "\(Suggestion.sentence(for: text, among: ["previous", "original"]))")
      }
      return .number(number)
    }
  }
}
