import EditLibrary
import EditModel
import FileSystem
import LiveEdit

/// The command that drops what is recorded of assets.
struct ForgetCommand: Command {
  private let files: [String]
  private let isJSON: Bool
  private let destination: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    files = try arguments.namedFiles
    isJSON = arguments.isJSON
    destination = arguments.options["to"]
  }

  /// Forgets each asset.
  func run() -> ExitStatus {
    TerminationSignals.block()
    var result = Tally()
    for file in files where TerminationSignals.pending == nil {
      do throws(EditError) {
        let (folder, name) = splitPath(file)
        let library = try Library.forWriting(folder, report: { Report.notice($0) })
        defer { library.close() }
        let (record, kept) = try library.forget(name, keepingIn: destination)
        result.didEdit = true
        let originals = record.originals.map { AssetFiles.path(folder, $0.name) }
        if isJSON {
          let answer = CanonicalJSON.object([
            "status": .string("forgotten"), "originals": .array(originals.map { .string($0) }),
            "kept": .array(kept.map { .string($0) }),
          ])
          StandardStream.output.write(answer.text + "\n")
        } else {
          let rest = kept.isEmpty ? "" : "; kept " + kept.joined(separator: ", ")
          StandardStream.output.write(
            Report.printable(originals.joined(separator: " + ") + ": forgotten" + rest) + "\n")
        }
      } catch {
        result.fail(error, file: file, isJSON: isJSON)
      }
    }
    return result.didFail ? .failed : .done
  }
}
