import Basics
import EditLibrary
import EditModel
import FileSystem
import LiveEdit
import LivePhotoFormat

/// The command that hands assets on in other forms.
struct ExportCommand: Command {
  static let specification = CommandSpecification(
    name: "export", summary: "Hand on Live Photos: as pairs, stills, movies, Motion Photos or bundles.",
    usage: "export --as FORM -o DIR [options] FILE…",
    options: [
      OptionSpecification(
        name: "as", value: "FORM", choices: ExportForm.allCases.map(\.rawValue),
        help: ExportForm.allCases.map(\.rawValue).joined(separator: ", ")),
      CommandTable.destination,
      OptionSpecification(
        name: "version", value: "VERSION",
        help: "original, or a number that history shows; otherwise the current one"),
      OptionSpecification(
        name: "strip", value: "WHAT", choices: PrivateMetadata.allCases.map(\.rawValue),
        help: "take private metadata out: location, or all of place, person, camera and time"),
      OptionSpecification(
        name: "container", value: "KIND", choices: MovieConversion.Container.allCases.map(\.rawValue),
        help: "of a movie alone: mov (the default) or mp4"),
      OptionSpecification(
        name: "samsung", help: "give a Motion Photo the trailer that Samsung's phones look for"),
    ], command: Self.self, kind: .making)

  private let files: [String]
  private let folder: String
  private let options: ExportOptions
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    files = try arguments.namedFiles
    folder = try arguments.destination
    isJSON = arguments.isJSON
    guard let form = arguments.options["as"].flatMap({ ExportForm(rawValue: $0) }) else {
      throw UsageError(message: "export needs --as with a form")
    }
    options = ExportOptions(
      form, version: try Self.version(arguments.options["version"]),
      stripping: arguments.options["strip"].flatMap { PrivateMetadata(rawValue: $0) },
      container: arguments.options["container"].flatMap { MovieConversion.Container(rawValue: $0) } ?? .mov,
      hasSamsungTrailer: arguments.options["samsung"] != nil)
    if options.hasSamsungTrailer, form != .motionPhoto {
      throw UsageError(message: "--samsung goes with --as motion-photo only")
    }
    if arguments.options["container"] != nil, form != .movie {
      throw UsageError(message: "--container goes with --as movie only")
    }
  }

  private static func version(_ text: String?) throws(UsageError) -> Int? {
    guard let text else { return nil }
    if text == "original" { return 0 }
    guard let number = Int(text), number >= 0 else {
      throw UsageError(message: "--version takes original or the number of a version")
    }
    return number
  }

  /// Exports each asset.
  func run() throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let exporter = Exporter(
      renderer: try HelperRenderer(), isCancelled: { TerminationSignals.pending != nil })
    var result = Tally()
    var locator = AssetLocator()
    var seen: Set<OriginalFiles.Identity> = []
    for file in files where TerminationSignals.pending == nil {
      do throws(EditError) {
        let asset = try locator.locate(file)
        guard seen.insert(asset.identity).inserted else { continue }
        let outcome = try exporter.export(asset, options, into: folder)
        result.didEdit = true
        Report.print(isJSON: isJSON, Self.json(outcome), Self.lines(outcome))
      } catch {
        result.fail(error, file: file, isJSON: isJSON)
      }
    }
    return result.status
  }

  private static func lines(_ outcome: ExportOutcome) -> [String] {
    let line = "\(outcome.sources.joined(separator: " + ")) → \(outcome.written.joined(separator: ", "))"
    let notes = outcome.notes.map { "  note: " + $0 }
    return [line] + Report.lines(outcome.removals) + notes
  }

  private static func json(_ outcome: ExportOutcome) -> CanonicalJSON {
    .object([
      "status": .string("exported"), "sources": Report.strings(outcome.sources),
      "written": Report.strings(outcome.written), "notCarriedOver": Report.json(outcome.removals),
      "notes": Report.strings(outcome.notes),
    ])
  }
}
