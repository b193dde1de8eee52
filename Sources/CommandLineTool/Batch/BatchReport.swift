import Basics
import EditModel
import FileSystem
import Synchronization
import Workflows

/// Prints a batch's results as they arrive, from any thread, and prints a summary at the end.
final class BatchReport: Sendable {
  private struct State {
    var tally: Tally
    var changed = 0
    var unchanged = 0
    var doneBefore = 0
    var left = 0
    var withdrawn: [String: Int] = [:]
    /// The folders for which the command has already explained why nothing was changed.
    var explained: Set<String> = []
    var failures: [(file: String, error: EditError)] = []
    /// The number of photos and movies, keyed by the kind of removed metadata and the reason for its removal.
    var removals: [Removal: Int] = [:]
  }
  private let state: Mutex<State>
  private let options: BatchOptions
  private let start = ContinuousClock.now
  /// The past participle that messages use, such as “edited”.
  private let verb: Message

  init(_ tally: Tally, _ options: BatchOptions, verb: Message) {
    state = Mutex(State(tally: tally))
    (self.options, self.verb) = (options, verb)
  }

  /// The tally of the results so far.
  var tally: Tally { state.withLock { $0.tally } }

  /// Whether the batch was stopped.
  var wasStopped: Bool { state.withLock { $0.left > 0 } }

  /// Prints the result for an asset.
  ///
  /// - Parameters:
  ///   - item: The asset that the result belongs to.
  ///   - isPlan: Whether the change is only planned.
  ///   - isSummedUp: Whether removals are counted for the summary instead of being printed.
  func done(_ outcome: Batch.Outcome, _ item: Batch.Item, isPlan: Bool = false, isSummedUp: Bool) {
    state.withLock { state in
      if case .doneBefore = outcome {
        state.doneBefore += 1
      } else if outcome.isChange {
        state.changed += 1
        state.tally.didEdit = true
      } else {
        state.unchanged += 1
      }
      let removals = if case .edited(let one) = outcome { one.result?.removals ?? [] } else { [Removal]() }
      if isSummedUp { for removal in removals { state.removals[removal, default: 0] += 1 } }
      state.tally.print(
        Answer(outcome, item, isPlan: isPlan),
        Report.lines(outcome, isPlan: isPlan, listsRemovals: !isSummedUp))
    }
  }

  /// Counts an asset whose change was planned, and prints the remarks about the asset.
  func plan(_ outcome: Batch.Outcome, _ item: Batch.Item) {
    state.withLock { state in
      state.tally.didEdit = true
      let hasNotes = if case .edited(let one) = outcome { !one.notes.isEmpty } else { false }
      state.tally.print(
        Answer(outcome, item, isPlan: true),
        hasNotes ? Report.lines(outcome, isPlan: true, listsRemovals: false) : [])
    }
  }

  /// Prints the reason why an asset was not changed.
  func fail(_ error: EditError, file: String, _ asset: OriginalFiles? = nil) {
    state.withLock { state in
      var error = error
      error.file = error.file ?? file
      state.failures.append((file, error))
      state.tally.fail(error, file: file, originals: asset.map { Answer.Originals($0) })
    }
  }

  /// Counts an asset that was left unchanged because another asset in its folder failed.
  func withdraw(_ file: String, _ asset: OriginalFiles) {
    state.withLock { state in
      state.withdrawn[asset.folder, default: 0] += 1
      state.tally.leave(file, Answer.Originals(asset), because: .failure)
    }
  }

  /// Counts an asset that was left unchanged because the batch was stopped.
  func leave(_ file: String, _ asset: OriginalFiles) {
    state.withLock { state in
      state.left += 1
      state.tally.leave(file, Answer.Originals(asset), because: .stop)
    }
  }

  /// Explains, once for each unchanged folder, why nothing was changed.
  func explainWithdrawals() {
    let folders = state.withLock { state in
      state.withdrawn.keys.sorted().filter { state.explained.insert($0).inserted }
    }
    for folder in folders {
      Report.notice(
        folder.isEmpty
          ? "nothing was changed in this folder, because files that you name change together or not at all; "
            + "use --each to change them independently"
          : "nothing was changed in \(folder), because files that you name change together or not at all; "
            + "use --each to change them independently")
    }
  }

  /// Prints a summary to standard error if the batch contains more than one asset.
  ///
  /// - Parameters:
  ///   - batch: The batch's identifier; nil if the batch has no list.
  ///   - resume: The command that resumes the batch; nil if there is nothing to resume.
  ///   - undo: The command that undoes the batch; nil if the batch cannot be undone.
  func summarize(batch: String?, resume: String?, undo: String?) {
    let commands = ["batch": batch, "resume": resume, "undo": undo].compactMapValues { $0 }
    let state = state.withLock { state in
      state.tally.summary = commands.mapValues { .string($0) }
      return state
    }
    let time = ContinuousClock.now - start
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let withdrawn = state.withdrawn.values.reduce(0, +)
    let total =
      state.changed + state.doneBefore + state.unchanged + state.failures.count + withdrawn + state.left
    guard total > 1, !options.isQuiet else { return }
    let word: Message = options.isDryRun ? "to be \(verb)" : verb
    var parts: [Message] = ["\(state.changed) \(word)"]
    if state.doneBefore > 0 { parts.append("\(state.doneBefore) already \(verb)") }
    if state.unchanged > 0 { parts.append("\(state.unchanged) unchanged") }
    if !state.failures.isEmpty { parts.append("\(state.failures.count) failed") }
    if withdrawn > 0 { parts.append("\(withdrawn) not \(verb) because of failures") }
    if state.left > 0 { parts.append("\(state.left) not processed") }
    var line: Message = "\(parts.joined(separator: ", ")), \(total) in total"
    if state.left > 0 { line = "stopped: \(line)" }
    if !options.isDryRun { line = "\(line) in \(decimal: Progress.duration(seconds, digits: 1))" }
    var lines: [Message] = [line]
    for (removal, count) in Self.sorted(state.removals) {
      let files =
        removal.half == .photo ? TextNumber.count(count, "photo") : TextNumber.count(count, "movie")
      lines.append("removed from \(files): \(removal.name) (\(removal.reason))")
    }
    if state.failures.count > 1 || state.changed + state.doneBefore + state.unchanged > 20 {
      var counts: [EditError: Int] = [:]
      for (_, error) in state.failures { counts[error, default: 0] += 1 }
      for (_, error) in state.failures {
        guard let count = counts.removeValue(forKey: error) else { continue }
        lines.append(count > 1 ? "failed: \(error) (\(count) times)" : "failed: \(error)")
      }
    }
    if let resume { lines.append("resume with: \(resume)") }
    if let undo, state.changed > 0 { lines.append("undo with: \(undo)") }
    StandardStream.error.write(lines: lines.map(\.spoken))
  }

  private static func sorted(_ removals: [Removal: Int]) -> [(Removal, Int)] {
    removals.sorted {
      ($1.value, $0.key.name, $0.key.reason.description)
        < ($0.value, $1.key.name, $1.key.reason.description)
    }
    .map { ($0.key, $0.value) }
  }
}
