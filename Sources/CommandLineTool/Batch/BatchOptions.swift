import Workflows

/// The options of commands that change many Live Photos.
struct BatchOptions: Sendable {
  /// Whether each Live Photo is changed independently. If this is false, either all or none of a folder's Live Photos
  /// are changed.
  var isEach: Bool
  /// Whether the command only prints what it would do.
  var isDryRun: Bool
  /// The number of Live Photos that are processed in parallel; nil to use the configured number.
  var jobs: Int?
  /// The form in which progress is displayed.
  var progress: Progress.Form
  /// Whether removed metadata is listed for each Live Photo instead of being summarised.
  var isVerbose: Bool
  /// Whether standard error output is limited to failures.
  var isQuiet: Bool
  /// The identifier of the interrupted batch to resume; empty for the most recent batch. Nil starts a new batch.
  var resumed: String?
  /// The layout of the library, which determines where rendered files are stored.
  var layout: LibraryLayout

  private static let each = OptionDeclaration(
    name: "each", synonyms: ["keep-going", "k"],
    help:
      "change files independently (default: a folder's named files together)"
  )
  /// The option that sets the number of items to process in parallel.
  static let jobs = OptionDeclaration(
    name: "jobs", type: .wholeNumber(1...999), placeholder: "N", synonyms: ["threads", "parallel", "j"],
    help: "process N items in parallel (default: see liveedit config)")
  private static let resume = OptionDeclaration(
    name: "resume", type: .optionalText, placeholder: "[=BATCH]", synonyms: ["continue", "go-on"],
    proposal: .batches(isInterrupted: true),
    help: "resume the last interrupted batch, or BATCH; name no files")
  private static let verbose = OptionDeclaration(
    name: "verbose", synonyms: ["v"], help: "list everything removed from each Live Photo")

  /// The option that prevents all changes to files.
  static let dryRun = OptionDeclaration(
    name: "dry-run", synonyms: ["n", "dryrun", "simulate", "preview", "whatif", "plan", "test"],
    help: "show what would happen without changing anything")
  /// The option that suppresses progress and summaries.
  static let quiet = OptionDeclaration(
    name: "quiet", synonyms: ["q", "silent", "s"], help: "hide progress and summary")
  /// The option that sets the form of the progress display.
  static let progress = OptionDeclaration(
    name: "progress", type: .word(["text", "json"]), placeholder: "FORM", standard: "text",
    synonyms: ["status"],
    help: "show progress as text (default) or json, one object per second")

  /// The options that all batch commands share.
  static let options = [each] + resuming
  /// The options that can be combined with `--resume`.
  static let resuming = [dryRun, resume, jobs, progress, quiet, verbose]

  /// Reads the options.
  ///
  /// - Throws: ``UsageError`` if an option is invalid.
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

  /// Returns the form of the progress display that the options request.
  static func form(_ arguments: ParsedArguments) -> Progress.Form {
    arguments.has(quiet) ? .none : arguments[progress] == "json" ? .json : .text
  }
}
