import Basics
import EditModel
import FileSystem
import LiveEdit

/// The command that ties the photos and movies of a folder that belong together.
struct RepairCommand: Command {
  private static let dryRun = OptionDeclaration(name: "dry-run", help: "show the plan and write nothing")

  /// The command `repair`.
  static let declaration = CommandDeclaration(
    name: "repair", summary: "Tie all photos and movies of a folder that lost each other.",
    usage: "repair -o DIR|--dry-run [--json] [FOLDER]", kind: .making, options: [.destination, dryRun],
    examples: ["repair --dry-run Photos", "repair -o tied Photos"]
  ) { arguments throws(UsageError) in try RepairCommand(arguments) }

  private let folder: String
  /// The folder of the tied copies; nil shows the plan only.
  private let destination: String?

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    guard arguments.files.count <= 1 else { throw UsageError(message: "repair takes one folder") }
    folder = arguments.files.first ?? ""
    destination = arguments.has(Self.dryRun) ? nil : try arguments.destination
  }

  /// Ties what belongs together, or shows the plan.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let plan = try RepairPlan(folder: folder)
    for pair in plan.pairs where TerminationSignals.pending == nil {
      do throws(EditError) {
        let tying = try PairTying(pair.photo, pair.movie)
        tally.didEdit = true
        guard let destination else {
          tally.print(
            Self.adding(pair, to: PairCommand.json("planned", tying)),
            ["\(pair.photo) + \(pair.movie): \(Self.reason(pair))"])
          continue
        }
        let (written, removals) = try tying.write(
          into: destination, checkedBy: try HelperRenderer(),
          isCancelled: { TerminationSignals.pending != nil })
        tally.print(
          Self.adding(pair, to: PairCommand.json("paired", tying, written, removals)),
          PairCommand.lines(tying, written, removals) + ["  \(Self.reason(pair))"])
      } catch {
        tally.fail(error, file: pair.photo)
      }
    }
    for rest in plan.rest {
      tally.print(
        .object([
          "status": .string("left"), "files": Report.strings(rest.files), "problem": .string(rest.problem),
        ]),
        ["\(rest.files.joined(separator: " + ")): left as they are: \(rest.problem)"])
    }
    if !tally.isJSON {
      StandardStream.output.write(
        line: "\(TextNumber.count(plan.pairs.count, "Live Photo")) to tie, \(plan.wholeCount) whole")
    }
    return tally.status
  }

  private static func reason(_ pair: RepairPlan.Pair) -> String {
    switch pair.basis {
    case .identifier: "they carry one identifier"
    case .nameAndTime(let apart):
      "they have one name and were taken \(TextNumber.short(Double(apart) / 1000)) s apart"
    }
  }

  private static func adding(_ pair: RepairPlan.Pair, to json: CanonicalJSON) -> CanonicalJSON {
    guard case .object(var members) = json else { return json }
    switch pair.basis {
    case .identifier: members["basis"] = .string("identifier")
    case .nameAndTime(let apart):
      members["basis"] = .string("nameAndTime")
      members["seconds"] = .decimal(apart, digits: 3)
    }
    return .object(members)
  }
}
