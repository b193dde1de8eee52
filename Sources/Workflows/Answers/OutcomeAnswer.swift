import Basics
import EditLibrary
import EditModel

extension Answer {
  /// Creates the object that describes the result for one asset of a batch.
  ///
  /// - Parameters:
  ///   - outcome: The result.
  ///   - item: The asset.
  ///   - isPlan: Whether the change is only planned.
  package init(_ outcome: Batch.Outcome, _ item: Batch.Item, isPlan: Bool) {
    self =
      switch outcome {
      case .edited(let one): Answer(one, isPlan: isPlan)
      case .switched(let one): Answer(one, isPlan: isPlan)
      case .doneBefore: Answer(.doneBefore)
      }
    (file, originals) = (item.file, Originals(item.asset))
  }

  private init(_ outcome: EditOutcome, isPlan: Bool) {
    let status: Answer.Status =
      switch outcome.action {
      case .unchanged: .unchanged
      case .rendered: isPlan ? .planned : .rendered
      case .removed: isPlan ? .planned : .removed
      }
    var members: [String: JSONValue] = [
      "written": .strings(outcome.written),
      "removed": .strings(outcome.removed),
      "edit": outcome.edit.canonicalJSON,
      "settings": outcome.settings.canonicalJSON,
      "notes": .messages(outcome.notes),
      "notCarriedOver": .removals(outcome.result?.removals ?? []),
    ]
    if let version = outcome.version { members["version"] = .integer(version) }
    if let identifier = outcome.identifier { members["identifier"] = .string(identifier) }
    if let result = outcome.result {
      let methods = ["photo": result.photo, "movie": result.movie]
      members["method"] = .object(methods.compactMapValues { $0.map { .string($0.rawValue) } })
    }
    self.init(status, members)
  }

  /// Creates the object that describes the result for an asset whose photo was edited by another program.
  ///
  /// - Parameters:
  ///   - outcome: The result.
  ///   - file: The file that the user named.
  ///   - isPlan: Whether the change is only planned.
  package init(_ outcome: Adoption.Outcome, file: String, isPlan: Bool) {
    self.init(outcome.edited, isPlan: isPlan)
    (self.file, originals) = (file, Originals(outcome.edited.asset))
    if let photo = outcome.photo { members["photo"] = .string(photo) }
    guard let found = outcome.found else { return }
    func decimal(_ value: Double) -> JSONValue { .rounded(value, digits: 3) }
    var numbers = ["placeError": decimal(found.placeError), "unexplained": decimal(found.unexplained)]
    if let error = found.colorError { numbers["colorError"] = decimal(error) }
    if let place = found.unexplainedPlace {
      numbers["unexplainedPlace"] = .array([place.left, place.top, place.width, place.height].map(decimal))
    }
    members["found"] = .object(numbers)
  }

  private init(_ one: VersionSwitch, isPlan: Bool) {
    self.init(
      one.from == one.to ? .unchanged : isPlan ? .planned : .switched,
      [
        "from": .integer(one.from), "to": .integer(one.to), "shown": .strings(one.shown),
        "rendered": .boolean(one.isRendered), "notes": .messages(one.notes),
      ])
  }
}

extension EditOutcome {
  /// Remarks for the user, one sentence each.
  package var notes: [Message] { asset.notes + (result?.notes ?? []) }
}

extension JSONValue {
  /// Returns a JSON array of strings.
  package static func strings(_ strings: [String]) -> JSONValue { .array(strings.map { .string($0) }) }

  /// Returns a JSON array of messages for the user.
  package static func messages(_ messages: [Message]) -> JSONValue {
    .array(messages.map { .message($0) })
  }

  /// Returns a JSON array of the metadata that was not carried over.
  package static func removals(_ removals: [Removal]) -> JSONValue {
    .array(
      removals.map {
        .object(["half": .string($0.half.rawValue), "name": .string($0.name), "reason": .message($0.reason)])
      })
  }
}
