import LiveEdit

/// The command that goes back to an earlier version.
enum RevertCommand {
  private static let to = OptionDeclaration(
    name: "to", type: .name(["previous", "original"]), placeholder: "VERSION", standard: "previous",
    help: "previous (the default), original, or a number that history shows")

  /// The command `revert`.
  static let declaration = CommandDeclaration(
    name: "revert", summary: "Go back to an earlier version; nothing is lost.",
    usage: "revert [--to previous|original|N] [--json] FILE…", kind: .versions, options: [to],
    examples: ["revert IMG_0001.JPG", "revert --to original IMG_0001.JPG"]
  ) { arguments throws(UsageError) in
    SwitchCommand(
      files: try arguments.namedFiles, isJSON: arguments.isJSON,
      choice: try choice(arguments[to] ?? "previous"))
  }

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
