import Basics
import EditModel
import FileSystem
import LiveEdit

/// The commands that make another version current: `revert` and `redo`.
enum SwitchCommand {
  private static let to = OptionDeclaration(
    name: "to", type: .name(["previous", "original"]), placeholder: "VERSION", standard: "previous",
    help: "previous (the default), original, or a number that history shows")

  private static let batch = OptionDeclaration(
    name: "batch", type: .text, placeholder: "BATCH", help: "undo what this batch did; takes no files")

  /// The command `revert`.
  static let revert = CommandDeclaration(
    name: "revert", summary: "Go back to an earlier version; nothing is lost.",
    usage: "revert [--to previous|original|N] [options] FILE… | --batch BATCH", kind: .versions,
    options: [to, batch], selects: true, isBatch: true,
    examples: [
      "revert IMG_0001.JPG", "revert --to original -r Photos", "revert --batch 20260401-101500-k3f9",
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

  /// The command `redo`.
  static let redo = CommandDeclaration(
    name: "redo", summary: "Take the last revert back.",
    usage: "redo [options] FILE…", kind: .versions, selects: true, isBatch: true,
    examples: ["redo IMG_0001.JPG"]
  ) { arguments throws(UsageError) in try command(arguments, to: .next) }

  private static func command(
    _ arguments: ParsedArguments, to choice: VersionChoice
  ) throws(UsageError) -> BatchCommand {
    let options = try BatchOptions(arguments)
    if options.resumed != nil { return try BatchCommand(resuming: arguments, options, verb: verb) }
    return BatchCommand(
      words: arguments.words, options: options, verb: verb, task: .go(choice, try FileSelection(arguments)))
  }

  /// The participle for people.
  private static let verb = "changed"

  private static func choice(_ text: String) throws(UsageError) -> VersionChoice {
    switch text {
    case "previous": return .previous
    case "original": return .original
    default:
      guard let number = Int(text), number >= 0 else {
        throw UsageError(message: "--to takes previous, original or the number of a version")
      }
      return .number(number)
    }
  }
}
