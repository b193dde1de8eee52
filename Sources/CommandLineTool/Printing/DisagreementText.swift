import Basics
import EditModel
import Workflows

/// The contradiction between two halves, as text and as JSON.
extension Disagreement {
  /// The sentence that suggests how to resolve the contradiction.
  static let offer: Message = "liveedit repair --agree gives both halves the photo's date and location"

  private var originals: Answer.Originals { Answer.Originals(asset) }
  private var names: String { [originals.photo, originals.movie].compactMap { $0 }.joined(separator: " + ") }

  /// The contradictory values of both halves.
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

  /// The lines that describe the contradiction, and the values that both halves will be given.
  var lines: [Message] {
    [
      "\(names): the halves disagree: \(evidence.joined(separator: "; "))",
      Report.indented(
        "both halves get the photo's metadata, which lists show for the Live Photo: \(words.joined(separator: ", "))"
      ),
    ]
  }

  /// Returns the lines that describe the result.
  func linesDone(_ outcome: EditOutcome?) -> [Message] {
    lines + ["  → \((outcome?.written ?? []).joined(separator: ", "))"]
  }

  /// Returns the JSON object that describes the planned or completed change.
  ///
  /// - Parameter outcome: The result; nil if the change is only planned.
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

  /// Returns the JSON object for a Live Photo that was left unchanged.
  ///
  /// - Parameter photo: The photo's path.
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
