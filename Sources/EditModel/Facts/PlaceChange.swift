import Basics

/// A change of the place at which an asset was taken.
public enum PlaceChange: Hashable, Sendable {
  /// The place becomes another one.
  case set(GeoLocation)
  /// No file says a place any more.
  case removed

  /// A place to ten millionths of a degree (a centimetre) and millimetres of altitude, which is as exact as it is recorded.
  ///
  /// - Parameter location: the place.
  public init(_ location: GeoLocation) {
    var rounded = location
    rounded.latitude = Self.rounded(location.latitude, to: Self.degrees)
    rounded.longitude = Self.rounded(location.longitude, to: Self.degrees)
    rounded.altitude = location.altitude.flatMap {
      $0.magnitude < Self.highest ? Self.rounded($0, to: Self.metres) : nil
    }
    self = .set(rounded)
  }

  /// Parts of a degree that are recorded.
  private static let degrees = 10_000_000.0
  /// Parts of a metre that are recorded.
  private static let metres = 1000.0
  /// No altitude reaches this, in metres.
  private static let highest = 1_000_000.0

  private static func rounded(_ value: Double, to parts: Double) -> Double {
    // Minus zero would be written as zero and read as another number.
    let units = (value * parts).rounded()
    return units == 0 ? 0 : units / parts
  }
}

extension PlaceChange {
  /// The place by name; an empty object for one that is removed.
  package var canonicalJSON: JSONValue {
    guard case .set(let place) = self else { return .object([:]) }
    var members: [String: JSONValue] = [
      "latitude": .decimal(Int((place.latitude * Self.degrees).rounded()), digits: 7),
      "longitude": .decimal(Int((place.longitude * Self.degrees).rounded()), digits: 7),
    ]
    if let altitude = place.altitude {
      members["altitude"] = .decimal(Int((altitude * Self.metres).rounded()), digits: 3)
    }
    return .object(members)
  }

  /// Reads what ``canonicalJSON`` writes.
  ///
  /// - Returns: nil when it is no place.
  init?(stored value: JSONValue) {
    guard case .object(let members) = value else { return nil }
    if members.isEmpty {
      self = .removed
      return
    }
    guard let latitude = value["latitude"]?.number, let longitude = value["longitude"]?.number,
      let place = GeoLocation(
        latitude: latitude, longitude: longitude, altitude: value["altitude"]?.number)
    else { return nil }
    self.init(place)
  }
}
