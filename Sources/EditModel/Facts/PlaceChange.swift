import Basics

/// A change of the location where an asset was captured.
public enum PlaceChange: Hashable, Sendable {
  /// The location is set.
  case set(GeoLocation)
  /// The location is removed from all files.
  case removed

  /// Creates a change that sets the location. Degrees are rounded to ten-millionths (about a centimetre), and altitudes
  /// to millimetres, because locations are recorded with this precision.
  ///
  /// - Parameter location: The new location.
  public init(_ location: GeoLocation) {
    var rounded = location
    rounded.latitude = Self.rounded(location.latitude, to: Self.degrees)
    rounded.longitude = Self.rounded(location.longitude, to: Self.degrees)
    rounded.altitude = location.altitude.flatMap {
      $0.magnitude < Self.highest ? Self.rounded($0, to: Self.metres) : nil
    }
    self = .set(rounded)
  }

  /// The number of recorded steps per degree.
  private static let degrees = 10_000_000.0
  /// The number of recorded steps per metre.
  private static let metres = 1000.0
  /// The maximum altitude, in metres.
  private static let highest = 1_000_000.0

  private static func rounded(_ value: Double, to parts: Double) -> Double {
    // Negative zero would be written as 0 and read back as a different number.
    let units = (value * parts).rounded()
    return units == 0 ? 0 : units / parts
  }
}

extension PlaceChange {
  /// The values of the location, by name; an empty object if the location is removed.
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

  /// Reads the output of ``canonicalJSON``.
  ///
  /// - Returns: nil if the value is not a valid location.
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
