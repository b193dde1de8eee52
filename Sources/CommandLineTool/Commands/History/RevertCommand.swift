import Basics
import EditModel
import FileSystem
import Workflows

/// The command `revert`, and the choice of a version that it shares with `redo`.
enum RevertCommand {
  private static let to = OptionDeclaration(
    name: "to", type: .name(["previous", "original"]), placeholder: "VERSION", standard: "previous",
    synonyms: ["version"], proposal: .versions(["previous", "original"]),
    help: "previous (the default), original, or a number that history shows")

  private static let batch = OptionDeclaration(
    name: "batch", type: .text, placeholder: "BATCH", synonyms: ["undo"],
    proposal: .batches(isInterrupted: false),
    help: "undo what this batch did; takes no files")

  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    name: "revert", summary: "Go back to an earlier version.",
    about: """
      Each revert goes back to the version before, at last to the original; redo goes forward again. Reverting
      deletes nothing: all versions stay in the history, and --to reaches any of them.

      A later edit does. Made after a revert, it takes the place of the versions that redo would have reached:
      they are dropped, with their files. Only those stay that liveedit cannot render again, because another
      program made them or the one that they build on; revert --to reaches these by number alone. The edit
      says which versions it drops and which it leaves by number alone, and so does its --dry-run.

      Files of one folder that are named together change together, or none does. --batch undoes all that one
      batch did; its summary names it.
      """,
    kind: .versions, forms: [.init(), .init(options: [to]), .init(options: [batch], operands: "")],
    options: [to, batch], selects: true, isBatch: true,
    synonyms: ["undo", "reset", "restore", "original", "back", "unedit", "rollback", "checkout"],
    files: [.batches],
    related: ["redo", "history", "forget"],
    examples: [
      .init("revert IMG_0001.JPG", "Goes back to the version before the last edit."),
      .init(
        "revert --to original -r Photos", "Shows all originals below Photos again, and keeps their versions."),
      .init("revert --to 1 IMG_0001.JPG", "Makes version 1 of liveedit history current."),
      .init("revert --batch 20260401-101500-k3f9", "Undoes what that batch did."),
    ]
  ) { arguments throws(UsageError) in
    guard let batch = arguments[batch] else {
      return try command(arguments, to: try choice(arguments[to] ?? "previous"))
    }
    guard arguments.files.isEmpty, arguments[to] == nil else {
      throw UsageError(
        message: "--batch takes no files and no --to: it goes back to what was before the batch")
    }
    return BatchCommand(
      words: arguments.words, options: try BatchOptions(arguments), verb: verb, task: .undo(batch))
  }

  /// A batch that makes another version of each asset current.
  static func command(
    _ arguments: ParsedArguments, to choice: VersionChoice
  ) throws(UsageError) -> BatchCommand {
    let options = try BatchOptions(arguments)
    if options.resumed != nil { return try BatchCommand(resuming: arguments, options, verb: verb) }
    return BatchCommand(
      words: arguments.words, options: options, verb: verb,
      task: .go(choice, try FileSelection(arguments, isByName: true)))
  }

  /// The participle for people.
  private static let verb: Message = "changed"

  private static func choice(_ text: String) throws(UsageError) -> VersionChoice {
    switch text {
    case "previous": return .previous
    case "original": return .original
    default:
      guard let number = Int(text), number >= 0 else {
        throw UsageError(
          message: "--to takes previous, original or the number of a version, not “\(text)”"
            + "\(Suggestion.sentence(for: text, among: ["previous", "original"]))")
      }
      return .number(number)
    }
  }
}
