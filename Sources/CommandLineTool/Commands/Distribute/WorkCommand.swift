import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The locations of a plan's files on this computer.
struct PlanPlace: Sendable {
  /// The path of the plan.
  let file: String
  /// The folder that contains the plan's inputs; nil to use the folder named in the plan.
  let root: String?
  /// The folder for the plan's results.
  let results: String

  private static let root = OptionDeclaration(
    name: "root", type: .folder, placeholder: "DIR", synonyms: ["base", "prefix"],
    help: "folder that contains the originals on this computer (default: as planned)")
  private static let results = OptionDeclaration(
    name: "results", type: .folder, placeholder: "DIR", synonyms: OptionDeclaration.synonymsOfOutput,
    help: "folder for the results (default: FILE.results beside the plan)")

  /// The options that set the locations of the plan's files.
  static let options = [root, results]

  /// Reads the options.
  ///
  /// - Throws: ``UsageError`` if the number of named files is not exactly one.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard arguments.files.count == 1 else {
      throw UsageError(message: "name exactly one plan, a file that liveedit plan has written")
    }
    file = arguments.files[0]
    root = arguments[Self.root]
    results = arguments[Self.results] ?? file + ".results"
  }
}

/// The command that renders the tasks of a plan.
struct WorkCommand: Command {
  /// The locations of the plan's files.
  let place: PlanPlace
  /// The tasks to render.
  let choice: Choice
  /// The number of renders that run in parallel; nil to use the configured number.
  let jobs: Int?
  /// The form in which progress is displayed.
  let progress: Progress.Form

  /// The tasks to render.
  enum Choice: Sendable {
    /// All unclaimed tasks, one after another.
    case all
    /// The next unclaimed task.
    case next
    /// The task with this number.
    case task(Int)
  }

  private static let task = OptionDeclaration(
    name: "task", type: .wholeNumber(1...Int.max), placeholder: "N", synonyms: ["t", "index", "number"],
    help: "render only this task, for job arrays")
  private static let next = OptionDeclaration(
    name: "next", synonyms: ["n", "one"], help: "render the next unclaimed task, then exit")

  /// The declaration of the command `work`.
  static let declaration = CommandDeclaration(
    name: "work", summary: "Render the tasks of a plan.",
    about: """
      Without --task or --next, renders one task after another until none is left. Any number of workers
      can share a plan, on any number of computers: each worker claims a task in the results folder, and
      the system releases the claim if the worker dies. Finished renders are not repeated. Originals that
      have changed since the plan was made are refused, and so are libraries that differ from the plan's.
      """,
    kind: .spreading, forms: [.init(operands: "FILE")],
    options: [task, next] + PlanPlace.options + [
      BatchOptions.jobs, BatchOptions.progress, BatchOptions.quiet,
    ],
    operands: [.files(), .nothing], synonyms: ["render", "worker"], related: ["plan", "commit"],
    examples: [
      .init("work turn.plan", "Renders the remaining tasks of the plan."),
      .init(
        "work turn.plan --task 1 --root Photos",
        "Renders the first task, with the originals in another folder."),
    ]
  ) { arguments throws(UsageError) in
    let number = try arguments.wholeNumber(task)
    guard number == nil || !arguments.has(next) else {
      throw UsageError(message: "--task and --next cannot be combined")
    }
    return WorkCommand(
      place: try PlanPlace(arguments),
      choice: number.map { .task($0) } ?? (arguments.has(next) ? .next : .all),
      jobs: try arguments.wholeNumber(BatchOptions.jobs), progress: BatchOptions.form(arguments))
  }

  /// Renders the tasks.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let plan = try WorkPlan(reading: place.file)
    let tasks = plan.tasks
    let results = try PlanResults(at: place.results)
    let worker = try PlanWorker(
      plan, root: place.root ?? plan.head.root, results: results, by: try HelperRenderer(),
      isCancelled: { TerminationSignals.pending != nil })
    let jobs = if let jobs { jobs } else { try Configuration().jobs }
    var (done, isBusy) = (0, false)
    let numbers: ClosedRange<Int>
    if case .task(let number) = choice {
      numbers = number...number
    } else {
      numbers = 1...max(1, tasks.count)
    }
    guard numbers.upperBound <= tasks.count else {
      throw EditError(
        .notFound, file: place.file, "has no task \(numbers.upperBound)",
        remedy: "name a task from 1 to \(tasks.count)")
    }
    for number in numbers where TerminationSignals.pending == nil {
      let claim = try results.claim(number)
      guard case .taken = claim else {
        if case .busy = claim { isBusy = true } else { done += 1 }
        continue
      }
      let isWhole = withExtendedLifetime(claim) { render(plan, tasks[number - 1], worker, jobs, &tally) }
      if isWhole {
        try results.finish(number)
        done += 1
      }
      if case .next = choice { break }
    }
    if done == tasks.count {
      Report.notice("everything is rendered; continue with: liveedit commit \(place.file)")
    }
    if isBusy, !tally.didEdit, !tally.didFail {
      Report.notice("other workers are rendering the remaining tasks")
    }
    return tally.status
  }

  /// Renders the jobs of a task.
  ///
  /// - Returns: Whether all jobs have results.
  private func render(
    _ plan: WorkPlan, _ task: Range<Int>, _ worker: PlanWorker, _ jobs: Int, _ tally: inout Tally
  ) -> Bool {
    let progress = Progress(progress, verb: "rendered")
    progress.begin(total: task.count)
    let end = WorkerThread.inOrder(
      task.count, among: jobs, into: (tally: tally, missing: task.count),
      until: { TerminationSignals.pending != nil }
    ) { index -> Result<Bool, EditError> in
      let job = plan.jobs[task.lowerBound + index]
      progress.begin(index, job.place)
      let result = Result { () throws(EditError) in try worker.render(job) { progress.show(index, $0) } }
      if case .failure = result { progress.end(index, hasFailed: true) } else { progress.end(index) }
      return result
    } take: { state, index, result in
      let job = plan.jobs[task.lowerBound + index]
      switch result {
      case .success(let isNew):
        state.missing -= 1
        if isNew { state.tally.didEdit = true }
        state.tally.print(
          Answer(isNew ? .rendered : .doneBefore, file: job.place, ["task": .integer(job.task)]),
          [isNew ? "\(job.place): rendered" : "\(job.place): already rendered"])
      case .failure(let error):
        if error.code != .cancelled || TerminationSignals.pending == nil {
          state.tally.fail(error, file: job.place)
        }
      }
    }
    progress.finish()
    tally = end.tally
    return end.missing == 0
  }
}
