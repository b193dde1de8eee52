import Basics

/// A change to an asset's metadata about the capture: its date, location and description. Such a change does not affect
/// any pixel.
public struct Facts: Hashable, Sendable {
  /// The change of the dates; nil leaves the dates unchanged.
  public var date: DateChange?
  /// The change of the location; nil leaves the location unchanged.
  public var place: PlaceChange?
  /// The change of the title, caption, keywords, rating and names.
  public var description: DescriptionChange

  /// A change without any effect.
  public static let neutral = Facts()

  /// - Parameters:
  ///   - date: The change of the dates.
  ///   - place: The change of the location.
  ///   - description: The change of the description.
  public init(
    date: DateChange? = nil, place: PlaceChange? = nil, description: DescriptionChange = .neutral
  ) {
    self.date = date
    self.place = place
    self.description = description
  }

  /// Whether nothing is changed.
  public var isNeutral: Bool { self == .neutral }

  /// Returns this change combined with an earlier change. This change's date and location changes replace the date and
  /// location changes of the earlier change.
  public func after(_ first: Facts) -> Facts {
    Facts(
      date: date ?? first.date, place: place ?? first.place,
      description: description.after(first.description))
  }
}

extension Facts {
  /// The parts that are not neutral, by name.
  package var canonicalJSON: JSONValue {
    var members: [String: JSONValue] = [:]
    if let date { members["date"] = date.canonicalJSON }
    if let place { members["place"] = place.canonicalJSON }
    if !description.isNeutral { members["description"] = description.canonicalJSON }
    return .object(members)
  }

  /// Reads the output of ``canonicalJSON``.
  ///
  /// - Returns: nil if the value contains unknown or invalid parts.
  init?(stored value: JSONValue) {
    guard case .object(let members) = value else { return nil }
    self.init()
    for (name, value) in members {
      switch name {
      case "date":
        guard let change = DateChange(stored: value) else { return nil }
        date = change
      case "place":
        guard let change = PlaceChange(stored: value) else { return nil }
        place = change
      case "description":
        guard let change = DescriptionChange(stored: value) else { return nil }
        description = change
      default: return nil
      }
    }
  }
}
