import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that ties a photo and a movie.
struct PairCommand: Command {
  /// The command `pair`.
  static let declaration = CommandDeclaration(
    name: "pair", summary: "Tie a photo and a movie into a Live Photo again.",
    about: """
      The files that are named are never changed: tied copies go into the folder of -o, where nothing is
      overwritten. The identifier of the one that has it ties both, or a new one where neither has or they
      differ; nothing else in them changes.
      """,
    kind: .making, forms: [.init(options: [.destination], operands: "PHOTO MOVIE")],
    options: [.destination, BatchOptions.dryRun],
    synonyms: ["join", "tie", "link", "merge", "combine", "match"],
    related: ["repair", "create", "verify"],
    examples: [
      .init("pair -o out IMG_0001.JPG IMG_0002.MOV", "Puts copies that belong together into the folder out."),
      .init(
        "pair --dry-run -o out IMG_0001.JPG IMG_0002.MOV",
        "Says whether that could be done, and does nothing."),
    ]
  ) { arguments throws(UsageError) in try PairCommand(arguments) }

  private let files: [String]
  private let folder: String
  private let isDryRun: Bool

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    files = arguments.files
    guard files.count == 2 else {
      throw UsageError(message: "pair takes a photo and a movie, as in pair -o out IMG_0001.JPG IMG_0001.MOV")
    }
    folder = try arguments.destination
    isDryRun = arguments.has(BatchOptions.dryRun)
  }

  /// Writes the tied copies.
  func run(_ tally: inout Tally) -> ExitStatus {
    TerminationSignals.block()
    do throws(EditError) {
      let tying = try PairTying(files[0], files[1])
      if tying.isTied {
        tally.print(
          Self.answer(.unchanged, tying),
          ["\(tying.photo) + \(tying.movie): nothing to do, they are tied already"])
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

  /// The lines that say what was done.
  static func lines(_ tying: PairTying, _ written: [String], _ removals: [Removal]) -> [Message] {
    ["\(tying.photo) + \(tying.movie) → \(written.joined(separator: ", "))"] + Report.lines(removals)
  }

  /// The object that says what was done.
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
