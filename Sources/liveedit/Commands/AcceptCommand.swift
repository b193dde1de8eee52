import Basics
import EditModel
import FileSystem
import LiveEdit

/// The command `check --accept`, which takes in originals into which another program wrote tags.
struct AcceptCommand: Command {
  /// The files that were named, at least one.
  let files: [String]
  /// The place of the renders.
  let layout: LibraryLayout

  /// Takes in the originals of each asset.
  func run(_ tally: inout Tally) -> ExitStatus {
    TerminationSignals.block()
    for file in files where TerminationSignals.pending == nil {
      do throws(EditError) {
        let (folder, name) = FilePath.split(layout.originalPath(file))
        try FolderListing.checkReadable(folder)
        let library = try Library.forWriting(folder, layout: layout, report: { Report.notice($0) })
        defer { library.close() }
        let accepted = try library.accept(name)
        if !accepted.originals.isEmpty { tally.didEdit = true }
        tally.print(Self.json(accepted, file), Self.lines(accepted, file))
      } catch {
        tally.fail(error, file: file)
      }
    }
    return tally.status
  }

  private static func lines(_ accepted: AcceptedOriginals, _ file: String) -> [String] {
    guard !accepted.originals.isEmpty else {
      return ["\(file): nothing to do, the original is as it was recorded"]
    }
    var lines = accepted.originals.map {
      "\($0.path): taken in, only its tags were changed; SHA-256 \($0.oldSHA256) → \($0.newSHA256)"
    }
    if !accepted.unrendered.isEmpty {
      let numbers = accepted.unrendered.map(String.init)
      lines.append(
        "  note: \(numbers.count == 1 ? "version" : "versions") \(numbers.joined(separator: ", ")) will be rendered "
          + "again with other bytes than the first time, which carry the new tags")
    }
    return lines + accepted.notes.map { "  note: " + $0 }
  }

  private static func json(_ accepted: AcceptedOriginals, _ file: String) -> CanonicalJSON {
    .object([
      "status": .string(accepted.originals.isEmpty ? "unchanged" : "accepted"), "file": .string(file),
      "originals": .array(
        accepted.originals.map {
          .object([
            "file": .string($0.path), "oldSHA256": .string($0.oldSHA256), "newSHA256": .string($0.newSHA256),
          ])
        }),
      "unrendered": .array(accepted.unrendered.map { .integer($0) }),
      "notes": Report.strings(accepted.notes),
    ])
  }
}
