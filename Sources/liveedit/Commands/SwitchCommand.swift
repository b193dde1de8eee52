import Basics
import EditModel
import FileSystem
import LiveEdit

/// The commands that make another version current: `revert` and `redo`.
struct SwitchCommand: Command {
  /// Files of the assets, at least one.
  let files: [String]
  /// The version that becomes current.
  let choice: VersionChoice
  /// The place of the renders.
  let layout: LibraryLayout

  private static let to = OptionDeclaration(
    name: "to", type: .name(["previous", "original"]), placeholder: "VERSION", standard: "previous",
    help: "previous (the default), original, or a number that history shows")

  /// The command `revert`.
  static let revert = CommandDeclaration(
    name: "revert", summary: "Go back to an earlier version; nothing is lost.",
    usage: "revert [--to previous|original|N] [--json] FILE…", kind: .versions, options: [to],
    examples: ["revert IMG_0001.JPG", "revert --to original IMG_0001.JPG"]
  ) { arguments throws(UsageError) in
    SwitchCommand(
      files: try arguments.namedFiles, choice: try choice(arguments[to] ?? "previous"),
      layout: arguments.layout)
  }

  /// The command `redo`.
  static let redo = CommandDeclaration(
    name: "redo", summary: "Take the last revert back.",
    usage: "redo [--json] FILE…", kind: .versions,
    examples: ["redo IMG_0001.JPG"]
  ) { arguments throws(UsageError) in
    SwitchCommand(files: try arguments.namedFiles, choice: .next, layout: arguments.layout)
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

  /// Makes the versions current, all of a folder or none, and prints them.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let bar = ProgressBar()
    let editor = try AssetEditor(bar, layout)
    for block in FolderBlock.blocks(files, layout) where TerminationSignals.pending == nil {
      bar.begin(block.files.joined(separator: ", "))
      do throws(EditError) {
        try FolderListing.checkReadable(block.folder)
        let switches = try editor.switchVersions(of: block.names, in: block.folder, to: choice)
        bar.end()
        for one in switches {
          if one.from != one.to { tally.didEdit = true }
          tally.print(Self.json(one), Self.lines(one))
        }
      } catch {
        bar.end()
        block.fail(error, &tally)
      }
    }
    return tally.status
  }

  private static func name(_ number: Int) -> String { number == 0 ? "the original" : "version \(number)" }

  private static func lines(_ one: VersionSwitch) -> [String] {
    let originals = one.record.originals.map { FilePath.joined(one.folder, $0.name) }
    var line = originals.joined(separator: " + ")
    if one.from == one.to {
      line += ": nothing to do, \(name(one.to)) is current"
    } else {
      line += " → \(name(one.to))"
      if !one.shown.isEmpty { line += ": " + one.shown.joined(separator: ", ") }
    }
    return [line] + one.notes.map { "  note: " + $0 }
  }

  private static func json(_ one: VersionSwitch) -> CanonicalJSON {
    .object([
      "status": .string(one.from == one.to ? "unchanged" : "switched"),
      "originals": Report.strings(one.record.originals.map { FilePath.joined(one.folder, $0.name) }),
      "from": .integer(one.from), "to": .integer(one.to), "shown": Report.strings(one.shown),
      "rendered": .boolean(one.isRendered), "notes": Report.strings(one.notes),
    ])
  }
}
