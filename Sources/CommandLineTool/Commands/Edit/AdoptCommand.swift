import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that brings movies along with photos that other programs edited.
struct AdoptCommand: Command {
  /// The files.
  let selection: FileSelection
  /// The edited photo; nil for those beside the originals.
  let photo: String?
  /// The only part of edits that is looked for; nil for all of them.
  let only: Adoption.Part?
  /// The folder for pictures of what was found.
  let reports: String?
  /// True if nothing is to be done but to say what would be.
  let isDryRun: Bool

  private static let photo = OptionDeclaration(
    name: "photo", type: .file, placeholder: "EDITED", synonyms: ["from", "edited", "still"],
    help: "the edited photo: JPEG, HEIC, PNG, TIFF or WebP; otherwise the one beside FILE (IMG_E0001.*)")
  private static let only = OptionDeclaration(
    name: "only", type: .word(Adoption.Part.self), placeholder: "PART", synonyms: ["parts"],
    synonymsOfValues: ["colour": "color", "crop": "geometry"],
    help: "look for geometry (turn, straightening, perspective, crop) or color alone")
  private static let report = OptionDeclaration(
    name: "report", type: .folder, placeholder: "DIR", synonyms: ["diff", "compare"],
    help: "put a picture there of each photo, with the edit that was found and what it leaves")

  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    name: "adopt", summary: "Bring the movie along with a photo that another program edited.",
    about: """
      Finds out by comparing pictures what was done to the photo, and does it to every frame of its movie. The
      edited photo itself stays as it is, with the metadata of the original where it has lost them; only a PNG,
      TIFF or WebP picture is encoded, once. The result is a version like any other: later edits apply to both
      halves, revert goes back, apply --from copies the edit that was found to others.

      What Apple's adjustment data beside the photo (IMG_0001.AAE) says exactly is taken from there; without the
      edited photo that part alone. What a movie cannot show, such as retouched places, is told. A picture that
      was not made of the photo is refused.
      """,
    kind: .editing, forms: [.init(), .init(options: [photo], operands: "FILE")],
    options: [photo, only, report, BatchOptions.dryRun], selects: true,
    synonyms: ["take", "sync"], endings: .ofAnswers,
    related: ["apply", "revert", "history"],
    examples: [
      .init("adopt --dry-run IMG_0001.JPG", "Says what was done to IMG_E0001.JPG, and changes nothing."),
      .init("adopt --photo edited.tif IMG_0001.JPG", "Takes in a photo that another program exported."),
      .init("adopt -r Photos", "Does it for all photos below Photos that were edited without their movies."),
    ]
  ) { arguments throws(UsageError) in
    let selection = try FileSelection(arguments)
    if arguments[photo] != nil, arguments.files.count != 1 {
      throw UsageError(message: "--photo goes with one FILE")
    }
    return AdoptCommand(
      selection: selection, photo: arguments[photo], only: arguments.value(only),
      reports: arguments[report], isDryRun: arguments.has(BatchOptions.dryRun))
  }

  /// Takes in the edited photo of each asset. Of folders, lists and filters those without one are left out.
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
