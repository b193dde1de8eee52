import Basics
import EditModel
import FileSystem
import Workflows

/// Converts results to text for users and for programs.
enum Report {
  /// Returns the lines that describe the result for a single asset of a batch.
  ///
  /// - Parameters:
  ///   - isPlan: Whether the change is only planned.
  ///   - listsRemovals: Whether removed metadata is listed.
  static func lines(_ outcome: Batch.Outcome, isPlan: Bool, listsRemovals: Bool) -> [Message] {
    switch outcome {
    case .edited(let one): lines(one, isPlan: isPlan, listsRemovals: listsRemovals)
    case .switched(let one): lines(one)
    case .doneBefore: []
    }
  }

  private static func lines(_ outcome: EditOutcome, isPlan: Bool, listsRemovals: Bool) -> [Message] {
    let asset = outcome.asset
    let originals = asset.halves.map { asset.path($0.name) }.joined(separator: " + ")
    let written = outcome.written.joined(separator: ", ")
    var lines: [Message] = []
    switch outcome.action {
    case .rendered:
      lines.append(isPlan ? "\(originals) → \(written) (\(outcome.edit.words))" : "\(originals) → \(written)")
    case .removed:
      let shown: Message = outcome.written.isEmpty ? "the original" : "\(written)"
      let removed: Message =
        outcome.removed.isEmpty ? "" : "; removed \(outcome.removed.joined(separator: ", "))"
      lines.append("\(originals) → \(shown)\(removed)")
    case .unchanged:
      lines.append(
        outcome.edit.isIdentity
          ? "\(originals): nothing to do, the edit changes nothing"
          : "\(originals): nothing to do, already edited that way")
    }
    if listsRemovals { lines += self.lines(outcome.result?.removals ?? []) }
    lines += outcome.notes.map(note)
    return lines
  }

  /// Returns the lines that describe the result for an asset whose photo was edited by another program.
  static func lines(_ outcome: Adoption.Outcome, isPlan: Bool) -> [Message] {
    let edited = outcome.edited
    guard edited.action == .rendered else {
      let asset = edited.asset
      let originals = asset.halves.map { asset.path($0.name) }.joined(separator: " + ")
      return ["\(originals): nothing to do"] + edited.notes.map(note)
    }
    let words: Message = edited.edit.isIdentity ? "no edit that applies to the movie" : edited.edit.words
    var lines = lines(edited, isPlan: false, listsRemovals: !isPlan)
    let found: Message = outcome.photo.map { "found in \($0): \(words)" } ?? "found in the file: \(words)"
    lines.insert(indented(found), at: 1)
    return lines
  }

  private static func lines(_ one: VersionSwitch) -> [Message] {
    func name(_ number: Int) -> Message { number == 0 ? "the original" : "version \(number)" }
    let originals = one.record.originals.map { FilePath.joined(one.folder, $0.name) }.joined(separator: " + ")
    let shown = one.shown.joined(separator: ", ")
    let line: Message =
      one.from == one.to
      ? "\(originals): nothing to do, \(name(one.to)) is already current"
      : shown.isEmpty ? "\(originals) → \(name(one.to))" : "\(originals) → \(name(one.to)): \(shown)"
    return [line] + one.notes.map(note)
  }

  /// Returns the lines that list the metadata that was not carried over.
  static func lines(_ removals: [Removal]) -> [Message] {
    removals.map { removal in
      indented(
        removal.half == .photo
          ? "removed from the photo: \(removal.name) (\(removal.reason))"
          : "removed from the movie: \(removal.name) (\(removal.reason))")
    }
  }

  /// Returns the line for a note.
  static func note(_ text: Message) -> Message { indented("note: \(text)") }

  /// Returns an indented line that belongs to the preceding line.
  static func indented(_ text: Message) -> Message { "  \(text)" }

  /// Prints an error to standard error as a single sentence.
  static func fail(_ error: EditError) {
    StandardStream.error.write(line: "liveedit: " + error.message.spoken)
  }

  /// Prints an error in the command line.
  static func fail(_ error: UsageError) {
    StandardStream.error.write(lines: ["liveedit: " + error.message.spoken, error.remedy.spoken + "."])
  }

  /// Prints a summary of the results to standard error.
  ///
  /// - Parameters:
  ///   - counts: The number of assets for each kind of result. Kinds that did not occur are omitted.
  ///   - wasStopped: Whether the command was stopped before it finished.
  static func summary(_ counts: [(number: Int, word: Message)], wasStopped: Bool) {
    let total = counts.reduce(0) { $0 + $1.number }
    let parts = counts.filter { $0.number > 0 }.map { one -> Message in "\(one.number) \(one.word)" }
      .joined(separator: ", ")
    let line: Message = wasStopped ? "stopped: \(parts) of \(total)" : "\(parts) of \(total)"
    StandardStream.error.write(line: line.spoken)
  }

  /// Prints a line that is not an error to standard error.
  static func notice(_ text: Message) { StandardStream.error.write(line: "liveedit: " + text.spoken) }
}
