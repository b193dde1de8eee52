import Basics
import FileSystem
import Workflows

/// The command that removes the stored records of assets.
struct ForgetCommand: Command {
  /// The selected files.
  let selection: FileSelection
  /// The folder for versions that cannot be rendered again.
  let destination: String?
  /// Whether the command only prints what it would do.
  let isDryRun: Bool

  private static let to = OptionDeclaration(
    name: "to", type: .folder, placeholder: "DIR", synonyms: ["keep", "output", "into"],
    help: "save to DIR any versions that cannot be rendered again")

  /// The declaration of the command `forget`.
  static let declaration = CommandDeclaration(
    name: "forget", summary: "Delete the records and earlier versions of Live Photos.",
    about: """
      Keeps the originals, the current edited files and their adjustment data, and permanently deletes
      earlier versions. If an earlier version cannot be rendered again, nothing is deleted unless you
      use --to.
      """,
    kind: .versions, forms: [.init()], options: [to, BatchOptions.dryRun], selects: true,
    synonyms: ["rm", "delete", "remove", "drop", "purge", "clean", "prune"], endings: .ofAnswers,
    related: ["revert", "history"],
    examples: [
      .init("forget --dry-run IMG_0001.JPG", "Shows what would be deleted."),
      .init(
        "forget --to kept IMG_0001.JPG", "Saves versions that cannot be rendered again to the folder kept."),
    ]
  ) { arguments throws(UsageError) in
    ForgetCommand(
      selection: try FileSelection(arguments, isByName: true), destination: arguments[to],
      isDryRun: arguments.has(BatchOptions.dryRun))
  }

  /// Removes the record of each asset.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let files = try selection.files { tally.fail($0, file: $1) }
    var seen: Set<ExactName> = []
    for file in files.paths where TerminationSignals.pending == nil {
      do throws(EditError) {
        let (folder, name) = FilePath.split(file)
        try FolderListing.checkReadable(folder)
        if let destination { try FolderListing.checkReadable(destination) }
        let library =
          try isDryRun || files.isWholesale
          ? Library.forReading(
            folder, layout: selection.layout, beforeWriting: isDryRun && !files.isWholesale,
            report: { Report.notice($0) })
          : Library.forWriting(folder, layout: selection.layout, report: { Report.notice($0) })
        defer { library.close() }
        // If a folder was given, only assets with a record are processed.
        if files.isWholesale {
          guard let known = try library.record(named: name),
            seen.insert(ExactName(folder + "/" + known.stem)).inserted
          else { continue }
        }
        let (record, kept) = try forget(name, in: library, folder)
        tally.didEdit = true
        let originals = record.originals.map { FilePath.joined(folder, $0.name) }
        let names = originals.joined(separator: " + ")
        tally.print(
          Answer(
            isDryRun ? .planned : .forgotten, file: file, originals: Answer.Originals(record, in: folder),
            ["kept": .strings(kept)]),
          [
            kept.isEmpty
              ? "\(names): forgotten" : "\(names): forgotten; kept \(kept.joined(separator: ", "))"
          ])
      } catch {
        tally.fail(error, file: file)
      }
    }
    return tally.readStatus
  }

  private func forget(
    _ name: String, in library: Library, _ folder: String
  ) throws(EditError) -> (record: AssetRecord, kept: [String]) {
    if isDryRun { return try library.planForgetting(name, keepingIn: destination) }
    if library.isOpenForWriting { return try library.forget(name, keepingIn: destination) }
    let library = try Library.forWriting(
      folder, layout: selection.layout, report: { Report.notice($0) })
    defer { library.close() }
    return try library.forget(name, keepingIn: destination)
  }
}
