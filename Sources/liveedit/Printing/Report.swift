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

  /// One JSON object that says what was done with one asset of a batch.
  static func json(_ outcome: Batch.Outcome, isPlan: Bool) -> CanonicalJSON {
    switch outcome {
    case .edited(let one): json(one, isPlan: isPlan)
    case .switched(let one): json(one, isPlan: isPlan)
    case .doneBefore: .object([:])
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
    for note in notes(outcome) { lines.append("  note: " + note) }
    return lines
  }

  private static func json(_ outcome: EditOutcome, isPlan: Bool) -> CanonicalJSON {
    let originals = outcome.asset.halves.map {
      ($0.kind.rawValue, CanonicalJSON.string(outcome.asset.path($0.name)))
    }
    var members: [String: CanonicalJSON] = [
      "status": .string(
        isPlan && outcome.action != .unchanged ? "planned" : String(describing: outcome.action)),
      "originals": .object(Dictionary(uniqueKeysWithValues: originals)),
      "written": strings(outcome.written),
      "removed": strings(outcome.removed),
      "edit": outcome.edit.canonicalJSON,
      "settings": outcome.settings.canonicalJSON,
      "notes": strings(notes(outcome)),
      "notCarriedOver": json(outcome.result?.removals ?? []),
    ]
    if let version = outcome.version { members["version"] = .integer(version) }
    if let identifier = outcome.identifier { members["identifier"] = .string(identifier) }
    if let result = outcome.result {
      let methods = ["photo": result.photo, "movie": result.movie]
      members["method"] = .object(methods.compactMapValues { $0.map { .string($0.rawValue) } })
    }
    return .object(members)
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

  private static func json(_ one: VersionSwitch, isPlan: Bool) -> CanonicalJSON {
    .object([
      "status": .string(one.from == one.to ? "unchanged" : isPlan ? "planned" : "switched"),
      "originals": strings(one.record.originals.map { FilePath.joined(one.folder, $0.name) }),
      "from": .integer(one.from), "to": .integer(one.to), "shown": strings(one.shown),
      "rendered": .boolean(one.isRendered), "notes": strings(one.notes),
    ])
  }

  /// The lines that say what was not carried over.
  static func lines(_ removals: [Removal]) -> [String] {
    removals.map { "  removed from the \($0.half.rawValue): \($0.name) (\($0.reason))" }
  }

  /// The metadata that was not carried over, for programs.
  static func json(_ removals: [Removal]) -> CanonicalJSON {
    .array(
      removals.map {
        .object(["half": .string($0.half.rawValue), "name": .string($0.name), "reason": .string($0.reason)])
      })
  }

  /// Prints what went wrong: one sentence on standard error, and one object where JSON is asked for.
  ///
  /// - Parameters:
  ///   - file: the argument that it happened with, if it was one in particular.
  ///   - isRepeated: whether the sentence stands there already.
  static func fail(_ error: EditError, file: String? = nil, isRepeated: Bool = false, isJSON: Bool) {
    var error = error
    error.file = error.file ?? file
    if !isRepeated { StandardStream.error.write(line: "liveedit: \(error)") }
    guard isJSON else { return }
    fail(
      error.code.rawValue, error.problem, remedy: error.remedy, file: error.file, asked: file ?? error.file)
  }

  /// Prints that a command line cannot be understood.
  static func fail(_ error: UsageError, isJSON: Bool) {
    StandardStream.error.write(lines: ["liveedit: \(error.message)", error.remedy + "."])
    if isJSON { fail("usage", error.message, remedy: error.remedy, file: nil, asked: nil) }
  }

  /// Prints the object of a failure: `file` is the one at fault, `asked` the one that was named.
  private static func fail(
    _ code: String, _ problem: String, remedy: String?, file: String?, asked: String?
  ) {
    let error = ["code": code, "problem": problem, "remedy": remedy, "file": file].compactMapValues { $0 }
    var members: [String: CanonicalJSON] = ["status": .string("failed")]
    members["error"] = .object(error.mapValues { .string($0) })
    members["file"] = asked.map { .string($0) }
    print(.object(members))
  }

  /// Prints an object on a line of its own.
  static func print(_ json: CanonicalJSON) { StandardStream.output.write(json: json.text) }

  /// A line on standard error that is no failure.
  static func notice(_ text: String) { StandardStream.error.write(line: "liveedit: " + text) }

  private static func notes(_ outcome: EditOutcome) -> [String] {
    outcome.asset.notes + (outcome.result?.notes ?? [])
  }

  /// An array of strings.
  static func strings(_ strings: [String]) -> CanonicalJSON { .array(strings.map { .string($0) }) }
}
