import Basics
import EditModel
import Workflows

/// A disagreement in words, and for programs.
extension Disagreement {
  /// The sentence that says what can be done.
  static let offer: Message = "liveedit repair --agree gives both halves the photo's date and location"

  private var originals: Answer.Originals { Answer.Originals(asset) }
  private var names: String { [originals.photo, originals.movie].compactMap { $0 }.joined(separator: " + ") }

  /// The words of the halves against each other.
  private var evidence: [Message] {
    var parts: [Message] = []
    if agreement.datesDisagree, let one = agreement.photo.created, let other = agreement.movie.created {
      parts.append("the photo's date is \(one.text), the movie's is \(other.text)")
    }
    if agreement.placesDisagree, let metres = agreement.distance {
      parts.append("their locations are \(decimal: TextNumber.short(metres / 1000)) km apart")
    }
    return parts
  }

  /// The lines that say what contradicts what, and what both halves are to get.
  var lines: [Message] {
    [
      "\(names): the halves disagree: \(evidence.joined(separator: "; "))",
      Report.indented(
        "the photo's metadata is used, because lists show it for the Live Photo: \(words.joined(separator: ", "))"
      ),
    ]
  }

  /// The lines that say what was done.
  func linesDone(_ outcome: EditOutcome?) -> [Message] {
    lines + ["  → \((outcome?.written ?? []).joined(separator: ", "))"]
  }

  /// The object that says what is to be done, or was.
  ///
  /// - Parameter outcome: what was done; nil where that is only planned.
  func answer(_ outcome: EditOutcome?) -> Answer {
    var members: [String: JSONValue] = [
      "kept": .string("photo"), "photoSays": Self.object(agreement.photo),
      "movieSays": Self.object(agreement.movie), "words": .messages(words),
    ]
    if agreement.placesDisagree, let metres = agreement.distance {
      members["metres"] = .integer(Int(metres.rounded()))
    }
    if let outcome {
      members["written"] = .strings(outcome.written)
      if let version = outcome.version { members["version"] = .integer(version) }
    }
    return Answer(
      outcome == nil ? .planned : .rendered, file: originals.photo, originals: originals, members)
  }

  /// The object that says that the Live Photo was left as it is.
  ///
  /// - Parameter photo: the photo's path.
  func leaving(_ photo: String) -> Answer {
    Answer(
      .left, file: photo,
      [
        "files": .strings([originals.photo, originals.movie].compactMap { $0 }),
        "problem": .message("the halves disagree: \(evidence.joined(separator: "; ")); \(Self.offer)"),
      ])
  }

  private static func object(_ facts: HalfFacts) -> JSONValue {
    var members: [String: JSONValue] = [:]
    if let date = facts.created { members["date"] = .string(date.text) }
    if let place = facts.location { members["location"] = PlaceChange(place).canonicalJSON }
    return .object(members)
  }
}
