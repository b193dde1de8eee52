import Basics
import EditModel
import FileSystem
import Workflows

/// The command `check --accept`, which accepts originals whose tags another program has changed.
struct AcceptCommand: Command {
  /// The selected files.
  let selection: FileSelection
  /// Whether the command only prints what it would do.
  let isDryRun: Bool

  /// Accepts the originals of each asset. If folders, lists or filters were given, assets without versions are skipped.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let files = try selection.files { tally.fail($0, file: $1) }
    var seen: Set<ExactName> = []
    for file in files.paths where TerminationSignals.pending == nil {
      do throws(EditError) {
        let (folder, name) = FilePath.split(file)
        try FolderListing.checkReadable(folder)
        let library = try open(folder)
        defer { library.close() }
        // If a folder was given, each photo found in it represents the whole asset, even if the movie has a different
        // name.
        if let record = try files.isWholesale ? library.record(named: name) : library.record(ofFile: name) {
          guard seen.insert(ExactName(FilePath.joined(folder, record.stem))).inserted else { continue }
        } else if files.isWholesale {
          continue
        }
        let accepted = try library.accept(name, isTrial: isDryRun)
        if files.isWholesale, accepted.originals.isEmpty { continue }
        if !accepted.originals.isEmpty { tally.didEdit = true }
        tally.print(answer(accepted, file, in: folder), lines(accepted, file))
      } catch {
        tally.fail(error, file: file)
      }
    }
    return tally.status
  }

  private func open(_ folder: String) throws(EditError) -> Library {
    isDryRun
      ? try Library.forReading(
        folder, layout: selection.layout, beforeWriting: true, report: { Report.notice($0) })
      : try Library.forWriting(folder, layout: selection.layout, report: { Report.notice($0) })
  }

  private func lines(_ accepted: AcceptedOriginals, _ file: String) -> [Message] {
    guard !accepted.originals.isEmpty else {
      return ["\(file): nothing to do, the original has not changed"]
    }
    let lines = accepted.originals.map { one -> Message in
      let change: Message = "only its metadata changed; SHA-256 \(one.oldSHA256) → \(one.newSHA256)"
      return isDryRun ? "\(one.path): would be accepted, \(change)" : "\(one.path): accepted, \(change)"
    }
    var notes: [Message] = []
    if !accepted.unrendered.isEmpty {
      let numbers = accepted.unrendered.map(String.init).joined(separator: ", ")
      notes.append(
        .plural(
          accepted.unrendered.count,
          "version \(numbers) will be rendered again with the new metadata, so its files will not be byte-identical",
          "versions \(numbers) will be rendered again with the new metadata, so their files will not be byte-identical"
        ))
    }
    return lines + (notes + accepted.notes).map(Report.note)
  }

  private func answer(_ accepted: AcceptedOriginals, _ file: String, in folder: String) -> Answer {
    Answer(
      accepted.originals.isEmpty ? .unchanged : isDryRun ? .planned : .accepted, file: file,
      originals: Answer.Originals(accepted.record, in: folder),
      [
        "accepted": .array(
          accepted.originals.map {
            .object([
              "file": .string($0.path), "oldSHA256": .string($0.oldSHA256),
              "newSHA256": .string($0.newSHA256),
            ])
          }),
        "unrendered": .array(accepted.unrendered.map { .integer($0) }),
        "notes": .messages(accepted.notes),
      ])
  }
}
