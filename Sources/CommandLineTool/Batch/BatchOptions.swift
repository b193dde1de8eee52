import Workflows

/// The options of commands that change many Live Photos.
struct BatchOptions: Sendable {
  /// True if each Live Photo is changed for itself, instead of all of a folder or none.
  var isEach: Bool
  /// True if nothing is to be done but to say what would be.
  var isDryRun: Bool
  /// The number of Live Photos that are worked on at a time; nil for the setting.
  var jobs: Int?
  /// The form of the progress.
  var progress: Progress.Form
  /// True if whatever was removed is named for each Live Photo, instead of summed up.
  var isVerbose: Bool
  /// True if only failures are printed on standard error.
  var isQuiet: Bool
  /// The interrupted batch that goes on: its identifier, or an empty text for the last one; nil for a new batch.
  var resumed: String?
  /// The place of the renders.
  var layout: LibraryLayout

  private static let each = OptionDeclaration(
    name: "each", synonyms: ["keep-going", "k"],
    help:
      "change files independently; by default, individually named files of a folder change together or not at all"
  )
  /// The option that works on several at a time.
  static let jobs = OptionDeclaration(
    name: "jobs", type: .wholeNumber(1...999), placeholder: "N", synonyms: ["threads", "parallel", "j"],
    help: "process N in parallel (default: see liveedit config)")
  private static let resume = OptionDeclaration(
    name: "resume", type: .optionalText, placeholder: "[=BATCH]", synonyms: ["continue", "go-on"],
    proposal: .batches(isInterrupted: true),
    help: "resume the last interrupted batch, or BATCH; name no files")
  private static let verbose = OptionDeclaration(
    name: "verbose", synonyms: ["v"], help: "list everything removed from each Live Photo")

  /// The option that writes nothing.
  static let dryRun = OptionDeclaration(
    name: "dry-run", synonyms: ["n", "dryrun", "simulate", "preview", "whatif", "plan", "test"],
    help: "show what would happen without changing anything")
  /// The option that silences progress and summaries.
  static let quiet = OptionDeclaration(
    name: "quiet", synonyms: ["q", "silent", "s"], help: "hide progress and summary")
  /// The option that chooses the form of the progress.
  static let progress = OptionDeclaration(
    name: "progress", type: .word(["text", "json"]), placeholder: "FORM", standard: "text",
    synonyms: ["status"],
    help: "show progress as text (default) or json, one object per second on standard error")

  /// The options.
  static let options = [each] + resuming
  /// The options that go with `--resume`.
  static let resuming = [dryRun, resume, jobs, progress, quiet, verbose]

  /// Reads the options.
  ///
  /// - Throws: ``UsageError`` when one of them makes no sense.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    layout = arguments.layout
    isEach = arguments.has(Self.each)
    isDryRun = arguments.has(Self.dryRun)
    isQuiet = arguments.has(Self.quiet)
    isVerbose = arguments.has(Self.verbose)
    progress = Self.form(arguments)
    resumed = arguments[Self.resume]
    jobs = try arguments.wholeNumber(Self.jobs)
  }

  /// The form of the progress that the options ask for.
  static func form(_ arguments: ParsedArguments) -> Progress.Form {
    arguments.has(quiet) ? .none : arguments[progress] == "json" ? .json : .text
  }
}
