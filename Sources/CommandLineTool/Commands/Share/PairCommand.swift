import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that pairs a photo and a movie.
struct PairCommand: Command {
  /// The declaration of the command `pair`.
  static let declaration = CommandDeclaration(
    name: "pair", summary: "Re-pair a photo and a movie.",
    about: """
      Writes paired copies to DIR. Input files are never changed, and nothing is overwritten. The copies
      share the existing identifier, or a new identifier if neither file has an identifier or the two
      identifiers differ. All other contents stay the same.
      """,
    kind: .making, forms: [.init(options: [.destination], operands: "PHOTO MOVIE")],
    options: [.destination, BatchOptions.dryRun],
    synonyms: ["join", "tie", "link", "merge", "combine", "match"],
    related: ["repair", "create", "verify"],
    examples: [
      .init("pair -o out IMG_0001.JPG IMG_0002.MOV", "Writes a paired photo and movie to the folder out."),
      .init(
        "pair --dry-run -o out IMG_0001.JPG IMG_0002.MOV",
        "Shows whether the two files could be paired."),
    ]
  ) { arguments throws(UsageError) in try PairCommand(arguments) }

  private let files: [String]
  private let folder: String
  private let isDryRun: Bool

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    files = arguments.files
    guard files.count == 2 else {
      throw UsageError(
        message: "pair needs a photo and a movie, for example pair -o out IMG_0001.JPG IMG_0001.MOV")
    }
    folder = try arguments.destination
    isDryRun = arguments.has(BatchOptions.dryRun)
  }

  /// Writes the paired copies.
  func run(_ tally: inout Tally) -> ExitStatus {
    TerminationSignals.block()
    do throws(EditError) {
      let tying = try PairTying(files[0], files[1])
      if tying.isTied {
        tally.print(
          Self.answer(.unchanged, tying),
          ["\(tying.photo) + \(tying.movie): nothing to do, already paired"])
      } else {
        let (written, removals) = try tying.write(
          into: folder, isTrial: isDryRun, checkedBy: try HelperRenderer(),
          isCancelled: { TerminationSignals.pending != nil })
        tally.didEdit = true
        tally.print(
          Self.answer(isDryRun ? .planned : .paired, tying, written, removals),
          Self.lines(tying, written, removals))
      }
    } catch {
      tally.fail(error, file: files[0])
    }
    return tally.status
  }

  /// Returns the lines that describe the result.
  static func lines(_ tying: PairTying, _ written: [String], _ removals: [Removal]) -> [Message] {
    ["\(tying.photo) + \(tying.movie) → \(written.joined(separator: ", "))"] + Report.lines(removals)
  }

  /// Returns the JSON object that describes the result.
  static func answer(
    _ status: Answer.Status, _ tying: PairTying, _ written: [String] = [], _ removals: [Removal] = []
  ) -> Answer {
    Answer(
      status, file: tying.photo, originals: Answer.Originals(photo: tying.photo, movie: tying.movie),
      [
        "identifier": .string(tying.identifier), "written": .strings(written),
        "notCarriedOver": .removals(removals),
      ])
  }
}
