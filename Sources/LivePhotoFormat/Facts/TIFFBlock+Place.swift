import EditModel

/// Changes the location in an Exif block (Exif 2.32 section 4.6.6).
extension TIFFBlock {
  /// The GPS tags that describe how a location was measured: satellites, status, mode, precision, speed, track, map
  /// datum, destination, method, area, differential and error. These tags do not apply to a location set by an edit.
  private static let measurements =
    Array(0x08...0x0F) + Array(0x12...0x16) + [0x19, 0x1A, 0x1B, 0x1C, 0x1E, 0x1F]

  /// Sets the location, or removes the GPS directory.
  ///
  /// - Returns: False if the block is so damaged that the location cannot be removed.
  mutating func change(place change: PlaceChange) -> Bool {
    guard case .set(let place) = change else { return removeDirectory(.gps) }
    for tag in Self.measurements { remove(tag, from: .gps) }
    if place.altitude == nil {
      remove(Tag.altitudeReference, from: .gps)
      remove(Tag.altitude, from: .gps)
    }
    setPlace(place)
    return true
  }
}

/// Changes the location in an XMP packet.
extension XMPPacket {
  /// Changes the location.
  ///
  /// - Parameter keepsNames: Whether place names are kept because the new location is close to the old one.
  /// - Returns: The names of the removed properties, unless the change itself removes the location.
  mutating func change(place change: PlaceChange, keepsNames: Bool) -> [String] {
    guard case .set(let place) = change else {
      for property in properties where Self.tellsPlace(property.name) { remove(property) }
      return []
    }
    var gone: [String] = []
    for property in properties where Self.tellsPlace(property.name) {
      guard property.name.namespace == Namespace.exif else {
        if keepsNames { continue }
        gone.append(property.prefix + ":" + property.name.local)
        remove(property)
        continue
      }
      guard let old = text(of: property), let new = Self.text(of: place, property.name.local) else {
        if ["GPSTimeStamp", "GPSImgDirection", "GPSImgDirectionRef", "GPSVersionID"].contains(
          property.name.local)
        {
          continue
        }
        remove(property)
        continue
      }
      replace(old.range, with: new)
    }
    return gone
  }

  /// Returns the text of a coordinate or an altitude for XMP's Exif namespace (XMP specification part 2, section 2.5):
  /// degrees and minutes with the letter of the direction, or metres as a fraction.
  static func text(of place: GeoLocation, _ local: String) -> String? {
    func degrees(_ value: Double, _ letters: (String, String)) -> String {
      let units = Int((value.magnitude * 60 * 1_000_000).rounded())
      let (whole, minutes) = units.quotientAndRemainder(dividingBy: 60_000_000)
      return "\(whole),\(minutes / 1_000_000).\(CivilDate.pad(minutes % 1_000_000, 6))"
        + (value < 0 ? letters.1 : letters.0)
    }
    switch local {
    case "GPSLatitude": return degrees(place.latitude, ("N", "S"))
    case "GPSLongitude": return degrees(place.longitude, ("E", "W"))
    case "GPSAltitude": return place.altitude.map { "\(Int(($0.magnitude * 1000).rounded()))/1000" }
    case "GPSAltitudeRef": return place.altitude.map { $0 < 0 ? "1" : "0" }
    default: return nil
    }
  }
}

extension IPTCDatasets {
  /// Removes place names.
  mutating func removePlaces() {
    list.removeAll { $0.record == 2 && PhotoshopResources.places.contains($0.number) }
  }
}
