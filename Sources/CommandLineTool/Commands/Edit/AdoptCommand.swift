import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that edits movies to match photos that were edited by other programs.
struct AdoptCommand: Command {
  /// The selected files.
  let selection: FileSelection
  /// The edited photo; nil to use the edited photos next to the originals.
  let photo: String?
  /// The part of an edit to which detection is limited; nil to detect all parts.
  let only: Adoption.Part?
  /// The folder for reports, which are pictures that show the detected edit.
  let reports: String?
  /// Whether the command only prints what it would do.
  let isDryRun: Bool

  private static let photo = OptionDeclaration(
    name: "photo", type: .file, placeholder: "EDITED", synonyms: ["from", "edited", "still"],
    help: "the edited photo: JPEG, HEIC, PNG, TIFF or WebP (default: IMG_E0001.* beside FILE)")
  private static let only = OptionDeclaration(
    name: "only", type: .word(Adoption.Part.self), placeholder: "PART", synonyms: ["parts"],
    synonymsOfValues: ["crop": "geometry"],
    help: "find only geometry (rotation, straightening, perspective, crop) or only color")
  private static let report = OptionDeclaration(
    name: "report", type: .folder, placeholder: "DIR", synonyms: ["diff", "compare"],
    help: "write to DIR, for each photo, a picture of the edit that was found and the remaining difference")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    name: "adopt", summary: "Apply another program's photo edit to the movie.",
    about: """
      Finds the edit by comparing the edited photo with the original, and applies it to every movie frame.
      The edited photo is kept; its lost metadata is restored from the original. Only PNG, TIFF and WebP
      pictures are re-encoded, once. The result is a normal version: later edits change both halves,
      revert undoes it, and apply --from copies the edit.

      Exact values in Apple's adjustment data (IMG_0001.AAE) are used; without an edited photo, only these
      values are applied. Edits that a movie cannot show, such as retouched spots, are reported. A picture
      that was not made from the photo is refused.
      """,
    kind: .editing, forms: [.init(), .init(options: [photo], operands: "FILE")],
    options: [photo, only, report, BatchOptions.dryRun], selects: true,
    synonyms: ["take", "sync"], endings: .ofAnswers,
    related: ["apply", "revert", "history"],
    examples: [
      .init("adopt --dry-run IMG_0001.JPG", "Shows how IMG_E0001.JPG was edited, without changing anything."),
      .init("adopt --photo edited.tif IMG_0001.JPG", "Uses a photo that another program exported."),
      .init("adopt -r Photos", "Adopts all photos under Photos that were edited without their movies."),
    ]
  ) { arguments throws(UsageError) in
    let selection = try FileSelection(arguments)
    if arguments[photo] != nil, arguments.files.count != 1 {
      throw UsageError(message: "--photo needs exactly one FILE")
    }
    return AdoptCommand(
      selection: selection, photo: arguments[photo], only: arguments.value(only),
      reports: arguments[report], isDryRun: arguments.has(BatchOptions.dryRun))
  }

  /// Adopts the edited photo of each asset. If folders, lists or filters were given, assets without an edited photo are
  /// skipped.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    if let reports { try FolderListing.checkReadable(reports) }
    let files = try selection.files { tally.fail($0, file: $1) }
    let adoption = Adoption(
      renderer: try HelperRenderer(), layout: selection.layout, only: only, reports: reports,
      isTrial: isDryRun,
      isCancelled: { TerminationSignals.pending != nil }, report: { Report.notice($0) })
    for file in files.paths where TerminationSignals.pending == nil {
      do throws(EditError) {
        let outcome = try adoption.adopt(file, from: photo)
        if files.isWholesale, outcome.photo == nil { continue }
        if outcome.edited.action != .unchanged { tally.didEdit = true }
        tally.print(
          Answer(outcome, file: file, isPlan: isDryRun),
          Report.lines(outcome, isPlan: isDryRun))
      } catch {
        tally.fail(error, file: file)
      }
    }
    return tally.status
  }
}
