import Basics
import EditModel
import FileSystem
import RenderClient
import Synchronization
import Workflows

/// The command that commits the results of a plan.
struct CommitCommand: Command {
  /// The locations of the plan's files.
  let place: PlanPlace
  /// The fraction of the results, from 0 to 1, to render again and compare before the commit.
  let rechecked: Double
  /// The path of the new plan for the failed jobs; nil if no new plan is written.
  let again: String?
  /// The number of folders to process in parallel; nil to use the configured number.
  let jobs: Int?
  /// Whether the summary is suppressed.
  let isQuiet: Bool

  private static let recheck = OptionDeclaration(
    name: "recheck", type: .text, placeholder: "PERCENT", synonyms: ["sample", "verify"],
    help: "first render this share of the results again, for example 1%, and reject results that differ")
  private static let again = OptionDeclaration(
    name: "again", type: .file, placeholder: "FILE", synonyms: ["retry", "failed"],
    help: "write a plan for the failed items to FILE")

  /// The declaration of the command `commit`.
  static let declaration = CommandDeclaration(
    name: "commit", summary: "Make the rendered results of a plan current.",
    about: """
      Checks that each result is byte-identical to the file that was rendered, that photo and movie carry
      the same pairing identifier, and that the Live Photo has not changed since it was planned. Then
      makes the results current, many results of a folder in one change. Failed items stay unchanged and
      are listed. Run commit again for later results; nothing is committed twice. Afterwards you can
      delete the results folder.
      """,
    kind: .spreading, forms: [.init(operands: "FILE")],
    options: [recheck, again] + PlanPlace.options + [BatchOptions.jobs, BatchOptions.quiet],
    operands: [.files(), .nothing], synonyms: ["finish", "apply-plan"],
    related: ["plan", "work", "revert"],
    examples: [
      .init(
        "commit --recheck 1% turn.plan",
        "Renders 1% of the results again to compare them, then commits all results."),
      .init(
        "commit --again rest.plan turn.plan", "Commits the valid results, and plans the failed items again."),
    ]
  ) { arguments throws(UsageError) in
    var share = 0.0
    if let text = arguments[recheck] {
      let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
      guard let percent = Double(digits), 0...100 ~= percent else {
        throw UsageError(message: "--recheck needs a share from 0% to 100%, not “\(text)”")
      }
      share = percent / 100
    }
    return CommitCommand(
      place: try PlanPlace(arguments), rechecked: share, again: arguments[again],
      jobs: try arguments.wholeNumber(BatchOptions.jobs), isQuiet: arguments.has(BatchOptions.quiet))
  }

  private struct State {
    var tally: Tally
    var failed: [Int] = []
    var done = 0
    var doneBefore = 0
  }

  /// Checks the results and commits them.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let isCancelled: @Sendable () -> Bool = { TerminationSignals.pending != nil }
    let plan = try WorkPlan(reading: place.file)
    let root = place.root ?? plan.head.root
    let results = try PlanResults(at: place.results)
    let jobs = if let jobs { jobs } else { try Configuration().jobs }
    let commit = PlanCommit(
      plan, root: root, layout: plan.layout(in: root), results: results,
      isCancelled: isCancelled, report: { Report.notice($0) })
    let state = Mutex(State(tally: tally))
    let tell: @Sendable (PlanCommit.Event) -> Void = { event in
      state.withLock { Self.take(event, plan, root, &$0) }
    }
    if rechecked > 0 {
      let worker = try PlanWorker(
        plan, root: root, results: results, by: try HelperRenderer(), isCancelled: isCancelled)
      let count = commit.recheck(rechecked, by: worker, jobs: jobs, tell)
      if !isQuiet { Report.notice("\(count) rendered again and compared") }
    }
    let refused = Set(state.withLock { $0.failed })
    do throws(EditError) {
      try commit.record()
    } catch {
      Report.notice("this commit cannot be undone as a batch: \(error)")
    }
    commit.run(jobs: jobs, skipping: refused, tell)
    let end = state.withLock { $0 }
    tally = end.tally
    let left = plan.jobs.count - end.done - end.doneBefore - end.failed.count
    var parts: [Message] = ["\(end.done) committed"]
    if end.doneBefore > 0 { parts.append("\(end.doneBefore) committed before") }
    if !end.failed.isEmpty { parts.append("\(end.failed.count) failed") }
    if left > 0 { parts.append("\(left) unchanged") }
    if !isQuiet { Report.notice("\(parts.joined(separator: ", ")); \(plan.jobs.count) in the plan") }
    if end.done > 0 {
      let undo = plan.head.undoCommand
      if !isQuiet { Report.notice("undo with: \(undo)") }
      tally.summary = ["batch": .string(plan.head.plan), "undo": .string(undo)]
    }
    if let again, !end.failed.isEmpty { try planAgain(end.failed.sorted(), of: plan, root, again, &tally) }
    return tally.status
  }

  private static func take(_ event: PlanCommit.Event, _ plan: WorkPlan, _ root: String, _ state: inout State)
  {
    func file(_ index: Int) -> String { FilePath.joined(root, plan.jobs[index].place) }
    switch event {
    case .done(let index, let outcome):
      state.done += 1
      state.tally.didEdit = true
      let item = Batch.Item(asset: outcome.asset, file: file(index), position: nil, target: nil)
      state.tally.print(
        Answer(.edited(outcome), item, isPlan: false),
        Report.lines(.edited(outcome), isPlan: false, listsRemovals: false))
    case .doneBefore(let index):
      state.doneBefore += 1
      let folder = FilePath.split(file(index)).folder
      let (photo, movie) = (plan.jobs[index].photo, plan.jobs[index].movie)
      state.tally.print(
        Answer(
          .doneBefore, file: file(index),
          originals: Answer.Originals(
            photo: photo.map { FilePath.joined(folder, $0) }, movie: movie.map { FilePath.joined(folder, $0) }
          )))
    case .failed(let index, let error):
      state.failed.append(index)
      state.tally.fail(error, file: file(index))
    }
  }

  /// Writes a new plan for the assets that failed.
  private func planAgain(
    _ failed: [Int], of plan: WorkPlan, _ root: String, _ file: String, _ tally: inout Tally
  ) throws(EditError) {
    let files = failed.map { FilePath.joined(root, plan.jobs[$0].place) }
    let command: PlanCommand
    do {
      command = try PlanCommand(plan.head.words, again: files, to: file, root: root)
    } catch {
      throw EditError(
        .unsupported, file: place.file, "was made by a liveedit version with different options",
        remedy: "use that version")
    }
    _ = try command.run(&tally)
  }
}
