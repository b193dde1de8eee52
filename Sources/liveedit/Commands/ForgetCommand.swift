import Basics
import FileSystem
import LiveEdit

/// The command that drops what is recorded of assets.
struct ForgetCommand: Command {
  /// The files that were named, at least one.
  let files: [String]
  /// The place of the renders.
  let layout: LibraryLayout
  /// The folder of the versions that cannot be rendered again.
  let destination: String?

  private static let to = OptionDeclaration(
    name: "to", type: .folder, placeholder: "DIR", help: "put versions there that cannot be rendered again")

  /// The command `forget`.
  static let declaration = CommandDeclaration(
    name: "forget", summary: "Drop the records and earlier versions of Live Photos.",
    usage: "forget [--to DIR] [--json] FILE…", kind: .versions, options: [to],
    examples: ["forget --to kept IMG_0001.JPG"]
  ) { arguments throws(UsageError) in
    ForgetCommand(files: try arguments.namedFiles, layout: arguments.layout, destination: arguments[to])
  }

  /// Forgets each asset.
  func run(_ tally: inout Tally) -> ExitStatus {
    TerminationSignals.block()
    for file in files where TerminationSignals.pending == nil {
      do throws(EditError) {
        let (folder, name) = FilePath.split(file)
        try FolderListing.checkReadable(folder)
        if let destination { try FolderListing.checkReadable(destination) }
        let library = try Library.forWriting(folder, layout: layout, report: { Report.notice($0) })
        defer { library.close() }
        let (record, kept) = try library.forget(name, keepingIn: destination)
        tally.didEdit = true
        let originals = record.originals.map { FilePath.joined(folder, $0.name) }
        let rest = kept.isEmpty ? "" : "; kept " + kept.joined(separator: ", ")
        tally.print(
          .object([
            "status": .string("forgotten"), "originals": Report.strings(originals),
            "kept": Report.strings(kept),
          ]), [originals.joined(separator: " + ") + ": forgotten" + rest])
      } catch {
        tally.fail(error, file: file)
      }
    }
    return tally.readStatus
  }
}
