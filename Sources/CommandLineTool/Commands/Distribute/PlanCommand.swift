import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that plans another command's renders, so that any number of computers can carry out the plan.
struct PlanCommand: Command {
  /// The command whose renders are planned.
  let edit: BatchCommand
  /// The path of the plan to write.
  let file: String
  /// The folder that contains all inputs; nil for the deepest folder that contains all assets.
  let root: String?

  private static let plan = OptionDeclaration(
    name: "plan", type: .file, placeholder: "FILE", synonyms: ["output", "o", "to"],
    help: "write the plan to FILE")
  /// The option that sets the folder that contains all inputs.
  static let root = OptionDeclaration(
    name: "root", type: .folder, placeholder: "DIR", synonyms: ["base", "prefix"],
    help: "folder that contains all originals (default: their nearest common folder)")

  /// The declaration of the command `plan`.
  static let declaration = CommandDeclaration(
    name: "plan", summary: "Plan an edit for several computers to render.",
    about: """
      Accepts any editing command with its options and files. Nothing is edited or locked. The plan
      contains a job for each Live Photo and groups the jobs into tasks of about a minute. It records
      input files by their path inside a common folder and by their SHA-256. liveedit work renders the
      tasks on any computer that mounts this folder; liveedit commit makes the results current. If you
      edit a Live Photo in the meantime, commit keeps your edit and reports the Live Photo.
      """,
    kind: .spreading, forms: [.init(options: [plan], operands: "COMMAND…")], options: [plan, root],
    takesCommand: true, takesEmptyNames: true, operands: [.commands, .files()], synonyms: ["jobs", "spread"],
    related: ["work", "commit"],
    examples: [
      .init(
        "plan rotate --degrees 90 -r Photos --plan turn.plan",
        "Plans the rotation of all Live Photos under Photos; liveedit work turn.plan renders them."),
      .init(
        "plan apply --preset vivid Photos --root . --plan vivid.plan",
        "Plans a preset; workers need the contents of the current folder."),
    ]
  ) { arguments throws(UsageError) in
    guard let file = arguments[plan] else {
      throw UsageError(message: "plan needs --plan FILE, the file to write the plan to")
    }
    return PlanCommand(
      edit: try command(try ArgumentParser.parse(arguments.files)), file: file, root: arguments[root])
  }

  /// Returns the editing command that a command line contains.
  private static func command(_ arguments: ParsedArguments) throws(UsageError) -> BatchCommand {
    guard let command = try arguments.command?.make(arguments) as? BatchCommand, let request = command.request
    else {
      throw UsageError(
        message: "plan needs an editing command, for example liveedit plan rotate --degrees 90 -r DIR")
    }
    guard !command.options.isDryRun, request.output == nil else {
      throw UsageError(
        message: "plan cannot be combined with --dry-run or -o, because liveedit work renders the plan")
    }
    return command
  }

  /// Plans the same command for other files.
  ///
  /// - Parameters:
  ///   - words: The arguments of the planned command line.
  ///   - files: The files to plan for.
  ///   - file: The path of the plan to write.
  ///   - root: The folder that contains all inputs.
  init(_ words: [String], again files: [String], to file: String, root: String) throws(UsageError) {
    var arguments = try ArgumentParser.parse(words)
    arguments.files = files
    for option in FileSelection.options { arguments.options[option.name] = nil }
    self.init(edit: try Self.command(arguments), file: file, root: root)
  }

  private init(edit: BatchCommand, file: String, root: String?) {
    (self.edit, self.file, self.root) = (edit, file, root)
  }

  /// Plans each asset and writes the plan.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    if (try? FileStatus.exists(file)) == true {
      throw EditError(.inTheWay, file: file, "already exists", remedy: "name another file")
    }
    let engine = try HelperRenderer().engine()
    let report = BatchReport(tally, edit.options, verb: "planned")
    var planner: WorkPlanner?
    try edit.planEach(report) { folders throws(EditError) in
      let root = if let root { root } else { try WorkPlanner.root(of: folders) }
      planner = try WorkPlanner(root: root, engine: engine)
    } take: { planned in
      do throws(EditError) {
        if try planner?.add(planned) == true, let outcome = planned.outcome {
          report.plan(outcome, planned.item)
        } else if let outcome = planned.outcome {
          report.done(outcome, planned.item, isPlan: true, isSummedUp: true)
        }
      } catch {
        report.fail(error, file: planned.item.file, planned.item.asset)
      }
    }
    tally = report.tally
    guard TerminationSignals.pending == nil, var planner, planner.count > 0 else { return tally.status }
    let plan = try planner.plan(edit.words, edit.options.layout)
    try plan.write(to: file)
    let hours = Progress.duration(plan.jobs.reduce(0) { $0 + $1.seconds }, digits: 0)
    tally.print(
      Answer(.saved, file: file, ["jobs": .integer(planner.count), "tasks": .integer(planner.taskCount)]),
      [
        "\(file): \(TextNumber.count(planner.count, "job")) in \(TextNumber.count(planner.taskCount, "task")), about \(decimal: hours) on one processor",
        "continue with: liveedit work \(file)",
      ])
    return tally.status
  }
}
