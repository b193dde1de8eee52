import Basics
import EditModel
import FileSystem
import LiveEdit

/// Puts outcomes into words, for people and for programs.
enum Report {
  /// The lines that say what was done with one asset of a batch.
  ///
  /// - Parameters:
  ///   - isPlan: whether it is only going to be done.
  ///   - listsRemovals: whether whatever was removed is named.
  static func lines(_ outcome: Batch.Outcome, isPlan: Bool, listsRemovals: Bool) -> [String] {
    switch outcome {
    case .edited(let one): lines(one, isPlan: isPlan, listsRemovals: listsRemovals)
    case .switched(let one): lines(one)
    case .doneBefore: []
    }
  }

  private static func lines(_ outcome: EditOutcome, isPlan: Bool, listsRemovals: Bool) -> [String] {
    let asset = outcome.asset
    let originals = asset.halves.map { asset.path($0.name) }.joined(separator: " + ")
    var lines: [String] = []
    switch outcome.action {
    case .rendered:
      let plan = isPlan ? " (\(outcome.edit.words))" : ""
      lines.append(originals + " → " + outcome.written.joined(separator: ", ") + plan)
    case .removed:
      let shown = outcome.written.isEmpty ? "the original" : outcome.written.joined(separator: ", ")
      let removed = outcome.removed.isEmpty ? "" : "; removed " + outcome.removed.joined(separator: ", ")
      lines.append(originals + " → " + shown + removed)
    case .unchanged:
      let reason = outcome.edit.isIdentity ? "the edit changes nothing" : "it is edited like that already"
      lines.append(originals + ": nothing to do, " + reason)
    }
    if listsRemovals { lines += self.lines(outcome.result?.removals ?? []) }
    for note in outcome.notes { lines.append("  note: " + note) }
    return lines
  }

  /// The lines that say what was done with an asset whose photo another program edited.
  static func lines(_ outcome: Adoption.Outcome, isPlan: Bool) -> [String] {
    let edited = outcome.edited
    guard edited.action == .rendered else {
      let asset = edited.asset
      let originals = asset.halves.map { asset.path($0.name) }.joined(separator: " + ")
      return ["\(originals): nothing to do"] + edited.notes.map { "  note: " + $0 }
    }
    let words = edited.edit.isIdentity ? "nothing that a movie could show" : edited.edit.words
    var lines = lines(edited, isPlan: false, listsRemovals: !isPlan)
    lines.insert("  found in \(outcome.photo ?? "it"): \(words)", at: 1)
    return lines
  }

  private static func lines(_ one: VersionSwitch) -> [String] {
    func name(_ number: Int) -> String { number == 0 ? "the original" : "version \(number)" }
    let originals = one.record.originals.map { FilePath.joined(one.folder, $0.name) }
    var line = originals.joined(separator: " + ")
    if one.from == one.to {
      line += ": nothing to do, \(name(one.to)) is current"
    } else {
      line += " → \(name(one.to))"
      if !one.shown.isEmpty { line += ": " + one.shown.joined(separator: ", ") }
    }
    return [line] + one.notes.map { "  note: " + $0 }
  }

  /// The lines that say what was not carried over.
  static func lines(_ removals: [Removal]) -> [String] {
    removals.map { "  removed from the \($0.half.rawValue): \($0.name) (\($0.reason))" }
  }

  /// Prints what went wrong, as one sentence on standard error.
  static func fail(_ error: EditError) { StandardStream.error.write(line: "liveedit: \(error)") }

  /// Prints that a command line cannot be understood.
  static func fail(_ error: UsageError) {
    StandardStream.error.write(lines: ["liveedit: \(error.message)", error.remedy + "."])
  }

  /// Sums up what was done, on standard error.
  ///
  /// - Parameters:
  ///   - counts: the numbers of assets with what became of them; those of which there are none are left out.
  ///   - wasStopped: whether not all was done.
  static func summary(_ counts: [(number: Int, word: String)], wasStopped: Bool) {
    let total = counts.reduce(0) { $0 + $1.number }
    let parts = counts.filter { $0.number > 0 }.map { "\($0.number) \($0.word)" }
    StandardStream.error.write(
      line: (wasStopped ? "stopped: " : "") + parts.joined(separator: ", ") + " of \(total)")
  }

  /// A line on standard error that is no failure.
  static func notice(_ text: String) { StandardStream.error.write(line: "liveedit: " + text) }
}
