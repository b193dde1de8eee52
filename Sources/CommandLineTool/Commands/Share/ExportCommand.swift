import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that exports assets in other forms.
struct ExportCommand: Command {
  private static let form = OptionDeclaration(
    name: "as", type: .word(ExportForm.self), placeholder: "FORM",
    synonyms: ["form", "type", "to"],
    synonymsOfValues: [
      "photo": "still", "jpeg": "image", "jpg": "image", "png": "image", "thumbnail": "image",
      "picture": "image",
      "mov": "movie", "mp4": "movie", "h264": "video", "web": "image",
      "live": "pair", "livephoto": "pair", "motionphoto": "motion-photo", "android": "motion-photo",
      "photos": "apple", "icloud": "apple", "aae": "apple",
    ],
    help: "what to create: \(ExportForm.words.joined(separator: ", "))")
  private static let version = OptionDeclaration(
    name: "version", type: .name(["original"]), placeholder: "VERSION", synonyms: ["v", "revision"],
    proposal: .versions(["original"]),
    help: "version to export: original, or a number from liveedit history (default: the current version)")
  private static let strip = OptionDeclaration(
    name: "strip", type: .word(PrivateMetadata.self), placeholder: "WHAT",
    synonyms: ["remove", "private", "anonymize"],
    synonymsOfValues: [
      "gps": "location", "place": "location", "exif": "all", "metadata": "all", "everything": "all",
    ],
    help: "remove private metadata: location, or all (location, people, camera and time)")
  private static let container = OptionDeclaration(
    name: "container", type: .word(MovieConversion.Container.self), placeholder: "KIND",
    standard: MovieConversion.Container.mov.rawValue,
    help:
      "for a movie: \(MovieConversion.Container.words.joined(separator: " (the default) or "))")
  private static let samsung = OptionDeclaration(
    name: "samsung", help: "for a Motion Photo: add the trailer that Samsung phones look for")
  private static let size = OptionDeclaration(
    name: "size", type: .wholeNumber(1...Int.max, ofPixels: true), placeholder: "PIXELS",
    synonyms: ["resize", "scale", "max-size"],
    help: "limit the longer side of an image, or the shorter side of a video (720 for 720p)")
  private static let format = OptionDeclaration(
    name: "format", type: .word(ImageConversion.Format.self), placeholder: "KIND",
    standard: ImageConversion.Format.jpeg.rawValue, synonymsOfValues: ["jpg": "jpeg"],
    help: "for an image: \(ImageConversion.Format.words.alternatives)")
  private static let profile = OptionDeclaration(
    name: "profile", type: .word(ImageConversion.Profile.self), placeholder: "COLOURS",
    standard: ImageConversion.Profile.keep.rawValue, synonyms: ["icc", "colors", "colours"],
    help: "for an image: keep the photo's colour profile, or srgb for viewers without colour management")
  private static let quality = OptionDeclaration(
    name: "quality", type: .word(RenderSettings.Quality.self), placeholder: "LEVEL",
    standard: RenderSettings.Quality.standard.rawValue, synonyms: ["crf"],
    synonymsOfValues: ["best": "high", "good": "standard", "medium": "standard", "low": "small"],
    help: "for an image or a video: \(RenderSettings.Quality.words.alternatives)")
  private static let effect = OptionDeclaration(
    name: "effect", type: .word(["loop", "bounce", "none"]), placeholder: "EFFECT",
    synonyms: ["motion", "play"],
    help: "for a movie, video, gif or webp: loop, bounce or none, instead of the version's effect")
  private static let name = OptionDeclaration(
    name: "name", type: .text, placeholder: "PATTERN", synonyms: ["template", "pattern", "rename"],
    help:
      "name files by {\(ExportName.Field.allCases.map(\.rawValue).joined(separator: "}, {"))}; slashes create folders"
  )
  private static let number = OptionDeclaration(
    name: "number", help: "add a number to a name that is already used: IMG_0001-2")

  /// The declaration of the command `export`.
  static let declaration = CommandDeclaration(
    name: "export",
    summary: "Export Live Photos as pairs, photos, movies and more.",
    about: """
      Writes to DIR, which is created if it does not exist. Files that you name are never changed, and
      nothing is overwritten. New files appear complete or not at all.

      --as apple writes original, edited files and adjustment data under the names that Apple's Photos
      expects for an edit, so that you can undo the edit there. Names of any other form than IMG_0001 are
      changed to that form.

      Images and videos are stored upright, and every browser can show them.
      """,
    kind: .making, forms: [.init(options: [form, .destination])],
    options: [
      form, .destination, size, format, profile, quality, effect, name, number, version, strip, container,
      samsung,
      BatchOptions.dryRun, BatchOptions.jobs, BatchOptions.progress, BatchOptions.quiet, .library,
    ], selects: true,
    synonyms: ["convert", "share", "save", "send", "publish", "extract"], related: ["create", "revert"],
    examples: [
      .init("export --as motion-photo -o out IMG_0001.JPG", "Creates one file that plays on Android phones."),
      .init(
        "export --as still --strip all -o out IMG_0001.JPG", "Exports the photo without private metadata."),
      .init(
        "export --as image --size 1440 --name '{date:%Y-%m}/{stem}' -o out IMG_*.JPG",
        "Creates pictures for a website, in one folder per month."),
      .init(
        "export --as gif --effect bounce -o out IMG_0001.JPG",
        "Creates an animation that plays forwards, then backwards."),
      .init(
        "export --as video --size 720 -o out IMG_0001.MOV", "Creates a video that plays in every browser."),
      .init(
        "export --as apple -o out IMG_0001.JPG", "Exports the edit for Photos, where it can be undone."),
    ]
  ) { arguments throws(UsageError) in try ExportCommand(arguments) }

  private let selection: FileSelection
  private let folder: String
  private let isDryRun: Bool
  private let progress: Progress.Form
  private let isQuiet: Bool
  private let jobs: Int?
  /// Whether the default quality applies because no quality was chosen.
  private let hasUsualQuality: Bool
  private let options: ExportOptions

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    selection = try FileSelection(arguments)
    isDryRun = arguments.has(BatchOptions.dryRun)
    progress = BatchOptions.form(arguments)
    isQuiet = arguments.has(BatchOptions.quiet)
    jobs = try arguments.wholeNumber(BatchOptions.jobs)
    hasUsualQuality = arguments[Self.quality] == nil
    folder = try arguments.destination
    guard let form: ExportForm = arguments.value(Self.form) else {
      throw UsageError(message: "export needs --as with one of: \(ExportForm.words.joined(separator: ", "))")
    }
    options = ExportOptions(
      form, version: try Self.version(arguments[Self.version]),
      stripping: arguments.value(Self.strip),
      container: arguments.value(Self.container) ?? .mov,
      hasSamsungTrailer: arguments.has(Self.samsung), size: try Self.size(arguments, form),
      imageFormat: arguments.value(Self.format) ?? .jpeg, profile: arguments.value(Self.profile) ?? .keep,
      quality: arguments.value(Self.quality) ?? .standard, name: try Self.name(arguments[Self.name]),
      isNumbered: arguments.has(Self.number), effect: arguments.value(Self.effect))
    if form == .apple {
      for option in [Self.strip, Self.name] where arguments[option] != nil {
        throw UsageError(
          message:
            "--\(option.name) cannot be used with --as apple, which exports the original unchanged under a name "
            + "that Photos recognises")
      }
    }
    if options.hasSamsungTrailer, form != .motionPhoto {
      throw UsageError(message: "--samsung works only with --as motion-photo")
    }
    if arguments[Self.container] != nil, form != .movie {
      throw UsageError(message: "--container works only with --as movie")
    }
    for option in [Self.size, Self.quality]
    where arguments[option] != nil && ![.image, .video].contains(form) {
      throw UsageError(message: "--\(option.name) works only with --as image and --as video")
    }
    if options.effect != nil, ![.movie, .video, .gif, .webp].contains(form) {
      throw UsageError(message: "--effect works only with --as movie, --as video, --as gif and --as webp")
    }
    for option in [Self.format, Self.profile] where arguments[option] != nil && form != .image {
      throw UsageError(message: "--\(option.name) works only with --as image")
    }
  }

  private static func size(_ arguments: ParsedArguments, _ form: ExportForm) throws(UsageError) -> Int? {
    let pixels = try arguments.wholeNumber(size)
    // Video encoders do not support smaller frames.
    if let pixels, form == .video, pixels < 16 {
      throw UsageError(
        message: "--size does not accept “\(pixels)”; use a whole number of at least 16")
    }
    return pixels
  }

  private static func name(_ text: String?) throws(UsageError) -> ExportName? {
    guard let text else { return nil }
    do { return try ExportName(text) } catch {
      throw UsageError(message: EditError(error.code, error.problem, remedy: error.remedy).message)
    }
  }

  private static func version(_ text: String?) throws(UsageError) -> Int? {
    guard let text else { return nil }
    if text == "original" { return 0 }
    guard let number = Int(text), number >= 0 else {
      throw UsageError(message: "--version accepts original or a version number, not “\(text)”")
    }
    return number
  }

  /// Exports each asset.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let configuration = try Configuration()
    var options = options
    if hasUsualQuality { options.quality = configuration.renderSettings.quality }
    let exporter = Exporter(
      renderer: try HelperRenderer(), layout: selection.layout,
      isCancelled: { TerminationSignals.pending != nil })
    let files = try selection.files { tally.fail($0, file: $1) }.paths
    let progress = Progress(progress, verb: "exported")
    progress.begin(total: files.count)
    let batch = ExportBatch(exporter, options, isTrial: isDryRun)
    let (done, exported, failed, left) = batch.run(
      files, jobs: jobs ?? configuration.jobs, into: (tally: tally, exported: 0, failed: 0, left: 0),
      target: { [folder] _ in folder }, begin: { progress.begin($0, files[$0]) },
      end: { progress.end($0, hasFailed: $1) }
    ) { report, index, result in
      switch result {
      case .exported(let outcome, let asset):
        report.tally.didEdit = true
        report.exported += 1
        report.tally.print(answer(outcome, files[index], asset), Self.lines(outcome))
      case .failed(let error):
        report.failed += 1
        report.tally.fail(error, file: files[index])
      case .stopped:
        report.left += 1
        report.tally.leave(files[index], nil, because: .stop)
      case .repeated: break
      }
    }
    progress.finish()
    tally = done
    if exported + failed + left > 1, !isQuiet {
      Report.summary(
        [
          (exported, isDryRun ? "to be exported" : "exported"), (failed, "failed"),
          (left, "not exported (run the command again for the rest)"),
        ], wasStopped: left > 0)
    }
    return tally.status
  }

  private static func lines(_ outcome: ExportOutcome) -> [Message] {
    let line: Message =
      "\(outcome.sourcePaths.joined(separator: " + ")) → \(outcome.writtenPaths.joined(separator: ", "))"
    return [line] + Report.lines(outcome.removals) + outcome.notes.map(Report.note)
  }

  private func answer(_ outcome: ExportOutcome, _ file: String, _ asset: OriginalFiles) -> Answer {
    var members: [String: JSONValue] = [
      "sources": .strings(outcome.sourcePaths), "written": .strings(outcome.writtenPaths),
      "notCarriedOver": .removals(outcome.removals), "notes": .messages(outcome.notes),
    ]
    if let size = outcome.size {
      members["width"] = .integer(size.width)
      members["height"] = .integer(size.height)
      members["format"] = .string(options.form == .image ? options.imageFormat.rawValue : "mp4")
    }
    return Answer(
      isDryRun ? .planned : .exported, file: file, originals: Answer.Originals(asset), members)
  }
}
