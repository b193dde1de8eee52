import EditLibrary
import EditModel
import FileSystem
import LiveEdit

/// Puts outcomes into words, for people and for programs.
enum Report {
  /// The lines that say what was done with one asset.
  static func text(_ outcome: EditOutcome) -> String {
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
    return lines.map { printable($0) + "\n" }.joined()
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

  /// What was not carried over, for programs.
  static func json(_ removals: [Removal]) -> CanonicalJSON {
    .array(
      removals.map { removal in
        .object([
          "half": .string(removal.half.rawValue), "name": .string(removal.name),
          "reason": .string(removal.reason),
        ])
      })
  }

  /// One JSON object that says what went wrong with a file.
  static func json(_ error: EditError, file: String) -> CanonicalJSON {
    var failure: [String: CanonicalJSON] = [
      "code": .string(error.code.rawValue), "problem": .string(error.problem),
    ]
    if let file = error.file { failure["file"] = .string(file) }
    if let remedy = error.remedy { failure["remedy"] = .string(remedy) }
    return .object(["status": .string("failed"), "file": .string(file), "error": .object(failure)])
  }

  /// One sentence that says what went wrong with a file.
  static func sentence(_ error: EditError, file: String) -> String {
    var error = error
    error.file = error.file ?? file
    return printable("liveedit: \(error)") + "\n"
  }

  /// A line on standard error that is no failure.
  static func notice(_ text: String) {
    StandardStream.error.write(printable("liveedit: " + text) + "\n")
  }

  private static func notes(_ outcome: EditOutcome) -> [String] {
    outcome.asset.notes + (outcome.result?.notes ?? [])
  }

  /// An array of strings.
  static func strings(_ strings: [String]) -> CanonicalJSON { .array(strings.map { .string($0) }) }

  /// A line with its control characters made visible, so that a file's name cannot steer the terminal.
  static func printable(_ line: String) -> String {
    var text = ""
    for scalar in line.unicodeScalars {
      if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
