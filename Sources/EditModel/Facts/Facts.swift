import Basics

/// A change of what an asset's files say of the capture: when, where, and what people say about it. No pixel is touched by it.
public struct Facts: Hashable, Sendable {
  /// The change of the dates; nil leaves them.
  public var date: DateChange?
  /// The change of the place; nil leaves it.
  public var place: PlaceChange?
  /// The change of titles, captions, keywords, ratings and names.
  public var description: DescriptionChange

  /// The facts as the files say them.
  public static let neutral = Facts()

  /// - Parameters:
  ///   - date: the change of the dates.
  ///   - place: the change of the place.
  ///   - description: the change of the description.
  public init(
    date: DateChange? = nil, place: PlaceChange? = nil, description: DescriptionChange = .neutral
  ) {
    self.date = date
    self.place = place
    self.description = description
  }

  /// True if nothing is changed.
  public var isNeutral: Bool { self == .neutral }

  /// This change after another: dates and places that it changes are those of the files, whatever the other said of them.
  public func after(_ first: Facts) -> Facts {
    Facts(
      date: date ?? first.date, place: place ?? first.place,
      description: description.after(first.description))
  }
}

extension Facts {
  /// The parts that change something, by name.
  package var canonicalJSON: JSONValue {
    var members: [String: JSONValue] = [:]
    if let date { members["date"] = date.canonicalJSON }
    if let place { members["place"] = place.canonicalJSON }
    if !description.isNeutral { members["description"] = description.canonicalJSON }
    return .object(members)
  }

  /// Reads what ``canonicalJSON`` writes.
  ///
  /// - Returns: nil when something in it is unknown or impossible.
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
