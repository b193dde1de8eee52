import Basics
import EditModel
import FileSystem
import LiveEdit

/// The command that hands assets on in other forms.
struct ExportCommand: Command {
  private static let form = OptionDeclaration(
    name: "as", type: .word(ExportForm.self), placeholder: "FORM",
    synonyms: ["format", "form", "type", "to"],
    synonymsOfValues: [
      "photo": "still", "jpeg": "still", "jpg": "still", "video": "movie", "mov": "movie", "mp4": "movie",
      "live": "pair", "livephoto": "pair", "motionphoto": "motion-photo", "android": "motion-photo",
    ],
    help: ExportForm.words.joined(separator: ", "))
  private static let version = OptionDeclaration(
    name: "version", type: .name(["original"]), placeholder: "VERSION", synonyms: ["v", "revision"],
    proposal: .versions(["original"]),
    help: "original, or a number that history shows; otherwise the current one")
  private static let strip = OptionDeclaration(
    name: "strip", type: .word(PrivateMetadata.self), placeholder: "WHAT",
    synonyms: ["remove", "private", "anonymize"],
    synonymsOfValues: [
      "gps": "location", "place": "location", "exif": "all", "metadata": "all", "everything": "all",
    ],
    help: "take private metadata out: location, or all of place, person, camera and time")
  private static let container = OptionDeclaration(
    name: "container", type: .word(MovieConversion.Container.self), placeholder: "KIND",
    standard: MovieConversion.Container.mov.rawValue,
    help:
      "of a movie alone: \(MovieConversion.Container.words.joined(separator: " (the default) or "))")
  private static let samsung = OptionDeclaration(
    name: "samsung", help: "give a Motion Photo the trailer that Samsung's phones look for")

  /// The command `export`.
  static let declaration = CommandDeclaration(
    name: "export", summary: "Hand on Live Photos: as pairs, stills, movies, Motion Photos or bundles.",
    about: """
      The current version is handed on, or the one of --version. The files that are named are never changed:
      the new ones go into the folder of -o, where nothing is overwritten. A new file appears whole or not at
      all.
      """,
    kind: .making, forms: [.init(options: [form, .destination])],
    options: [
      form, .destination, version, strip, container, samsung, BatchOptions.dryRun, BatchOptions.progress,
      BatchOptions.quiet, .library,
    ], selects: true,
    synonyms: ["convert", "share", "save", "send", "publish", "extract"], related: ["create", "revert"],
    examples: [
      .init("export --as motion-photo -o out IMG_0001.JPG", "Makes one file of it that Android phones play."),
      .init(
        "export --as still --strip all -o out IMG_0001.JPG", "Hands the photo on, without anything private."),
    ]
  ) { arguments throws(UsageError) in try ExportCommand(arguments) }

  private let selection: FileSelection
  private let folder: String
  private let isDryRun: Bool
  private let progress: Progress.Form
  private let options: ExportOptions

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    selection = try FileSelection(arguments)
    isDryRun = arguments.has(BatchOptions.dryRun)
    progress = BatchOptions.form(arguments)
    folder = try arguments.destination
    guard let form: ExportForm = arguments.value(Self.form) else {
      throw UsageError(message: "export needs --as with a form: \(ExportForm.words.joined(separator: ", "))")
    }
    options = ExportOptions(
      form, version: try Self.version(arguments[Self.version]),
      stripping: arguments.value(Self.strip),
      container: arguments.value(Self.container) ?? .mov,
      hasSamsungTrailer: arguments.has(Self.samsung))
    if options.hasSamsungTrailer, form != .motionPhoto {
      throw UsageError(message: "--samsung goes with --as motion-photo only")
    }
    if arguments[Self.container] != nil, form != .movie {
      throw UsageError(message: "--container goes with --as movie only")
    }
  }

  private static func version(_ text: String?) throws(UsageError) -> Int? {
    guard let text else { return nil }
    if text == "original" { return 0 }
    guard let number = Int(text), number >= 0 else {
      throw UsageError(message: "--version takes original or the number of a version, not “\(text)”")
    }
    return number
  }

  /// Exports each asset.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let exporter = Exporter(
      renderer: try HelperRenderer(), layout: selection.layout,
      isCancelled: { TerminationSignals.pending != nil })
    var locator = AssetLocator(layout: selection.layout)
    var seen: Set<OriginalFiles.Identity> = []
    let files = try selection.files { tally.fail($0, file: $1) }.paths
    let progress = Progress(progress, verb: "exported")
    progress.begin(total: files.count)
    defer { progress.finish() }
    var planned: Set<String> = []
    for file in files where TerminationSignals.pending == nil {
      progress.begin(0, file)
      defer { progress.end() }
      do throws(EditError) {
        let asset = try locator.locate(file)
        guard seen.insert(asset.identity).inserted else { continue }
        let outcome = try exporter.export(asset, options, into: folder, isTrial: isDryRun)
        if isDryRun, let taken = outcome.writtenPaths.first(where: { !planned.insert($0).inserted }) {
          throw FilePublisher.taken(taken)
        }
        tally.didEdit = true
        tally.print(answer(outcome, file, asset), Self.lines(outcome))
      } catch {
        tally.fail(error, file: file)
      }
    }
    return tally.status
  }

  private static func lines(_ outcome: ExportOutcome) -> [String] {
    let line =
      "\(outcome.sourcePaths.joined(separator: " + ")) → \(outcome.writtenPaths.joined(separator: ", "))"
    let notes = outcome.notes.map { "  note: " + $0 }
    return [line] + Report.lines(outcome.removals) + notes
  }

  private func answer(_ outcome: ExportOutcome, _ file: String, _ asset: OriginalFiles) -> Answer {
    Answer(
      isDryRun ? .planned : .exported, file: file, originals: Answer.Originals(asset),
      [
        "sources": Report.strings(outcome.sourcePaths), "written": Report.strings(outcome.writtenPaths),
        "notCarriedOver": Report.json(outcome.removals), "notes": Report.strings(outcome.notes),
      ])
  }
}
