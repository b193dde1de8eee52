import Basics
import EditModel
import FileSystem
import LiveEdit

/// Puts outcomes into words, for people and for programs.
enum Report {
  /// The lines that say what was done with one asset.
  static func lines(_ outcome: EditOutcome) -> [String] {
    let asset = outcome.asset
    let originals = asset.halves.map { asset.path($0.name) }.joined(separator: " + ")
    var lines: [String] = []
    switch outcome.action {
    case .rendered: lines.append(originals + " → " + outcome.written.joined(separator: ", "))
    case .removed:
      let shown = outcome.written.isEmpty ? "the original" : outcome.written.joined(separator: ", ")
      let removed = outcome.removed.isEmpty ? "" : "; removed " + outcome.removed.joined(separator: ", ")
      lines.append(originals + " → " + shown + removed)
    case .unchanged:
      let reason = outcome.edit.isIdentity ? "the edit changes nothing" : "it is edited like that already"
      lines.append(originals + ": nothing to do, " + reason)
    }
    lines += self.lines(outcome.result?.removals ?? [])
    for note in notes(outcome) { lines.append("  note: " + note) }
    return lines
  }

  /// One JSON object that says what was done with one asset.
  static func json(_ outcome: EditOutcome) -> CanonicalJSON {
    let status =
      switch outcome.action {
      case .rendered: "rendered"
      case .removed: "removed"
      case .unchanged: "unchanged"
      }
    var members: [String: CanonicalJSON] = [
      "status": .string(status),
      "originals": .object(
        Dictionary(
          uniqueKeysWithValues: outcome.asset.halves.map {
            ($0.kind.word, .string(outcome.asset.path($0.name)))
          })),
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
      let methods = [("photo", result.photo), ("movie", result.movie)]
      members["method"] = .object(
        Dictionary(
          uniqueKeysWithValues: methods.compactMap { half, method in
            method.map { (half, .string($0.rawValue)) }
          }))
    }
    return .object(members)
  }

  /// The lines that say what was not carried over.
  static func lines(_ removals: [Removal]) -> [String] {
    removals.map { "  removed from the \($0.half.rawValue): \($0.name) (\($0.reason))" }
  }

  /// The metadata that was not carried over, for programs.
  static func json(_ removals: [Removal]) -> CanonicalJSON {
    .array(
      removals.map { removal in
        .object([
          "half": .string(removal.half.rawValue), "name": .string(removal.name),
          "reason": .string(removal.reason),
        ])
      })
  }

  /// Prints what went wrong: one sentence on standard error, and one object where JSON is asked for.
  ///
  /// - Parameter file: the argument that it happened with, if it was one in particular.
  static func fail(_ error: EditError, file: String? = nil, isJSON: Bool) {
    var error = error
    error.file = error.file ?? file
    StandardStream.error.write(line: "liveedit: \(error)")
    guard isJSON else { return }
    var members = failure(error.code.rawValue, error.problem, remedy: error.remedy)
    if let file = error.file { members["file"] = .string(file) }
    print(failed(members, file: file ?? error.file))
  }

  /// Prints that a command line cannot be understood.
  static func fail(_ error: UsageError, isJSON: Bool) {
    let remedy = "liveedit --help shows how it is used"
    StandardStream.error.write(lines: ["liveedit: \(error.message)", remedy + "."])
    if isJSON { print(failed(failure("usage", error.message, remedy: remedy), file: nil)) }
  }

  private static func failure(_ code: String, _ problem: String, remedy: String?) -> [String: CanonicalJSON] {
    var members: [String: CanonicalJSON] = ["code": .string(code), "problem": .string(problem)]
    if let remedy { members["remedy"] = .string(remedy) }
    return members
  }

  private static func failed(_ failure: [String: CanonicalJSON], file: String?) -> CanonicalJSON {
    var members: [String: CanonicalJSON] = ["status": .string("failed"), "error": .object(failure)]
    if let file { members["file"] = .string(file) }
    return .object(members)
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
