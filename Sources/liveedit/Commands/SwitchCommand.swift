import Basics
import EditModel
import FileSystem
import LiveEdit

/// The commands that make another version current: `revert` and `redo`.
struct SwitchCommand: Command {
  /// Files of the assets, at least one.
  let files: [String]
  /// True if JSON is to be printed.
  let isJSON: Bool
  /// The version that becomes current.
  let choice: VersionChoice

  /// Makes the versions current, all of a folder or none, and prints them.
  func run() throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let bar = ProgressBar()
    let editor = try AssetEditor(bar)
    var result = Tally()
    for block in FolderBlock.blocks(files) where TerminationSignals.pending == nil {
      bar.begin(block.files.joined(separator: ", "))
      do throws(EditError) {
        try FolderListing.checkReadable(block.folder)
        let switches = try editor.switchVersions(of: block.names, in: block.folder, to: choice)
        bar.end()
        for one in switches {
          if one.from != one.to { result.didEdit = true }
          Report.print(isJSON: isJSON, Self.json(one), Self.lines(one))
        }
      } catch {
        bar.end()
        block.fail(error, &result, isJSON: isJSON)
      }
    }
    return result.status
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
    func strings(_ all: [String]) -> CanonicalJSON { .array(all.map { .string($0) }) }
    return .object([
      "status": .string(one.from == one.to ? "unchanged" : "switched"),
      "originals": Report.strings(one.record.originals.map { FilePath.joined(one.folder, $0.name) }),
      "from": .integer(one.from), "to": .integer(one.to), "shown": Report.strings(one.shown),
      "rendered": .boolean(one.isRendered), "notes": Report.strings(one.notes),
    ])
  }
}
