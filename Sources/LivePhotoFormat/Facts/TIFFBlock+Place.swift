import EditModel

/// The place in an Exif block (Exif 2.32 section 4.6.6) under a change.
extension TIFFBlock {
  /// GPS tags that tell how a place was measured, and so nothing of one that is set: satellites, status, mode, precision,
  /// speed, track, map datum, destination, method, area, differential and error.
  private static let measurements =
    Array(0x08...0x0F) + Array(0x12...0x16) + [0x19, 0x1A, 0x1B, 0x1C, 0x1E, 0x1F]

  /// Sets the place, or takes the GPS directory out.
  ///
  /// - Returns: false where the block is too damaged to let the place go.
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

/// The place in an XMP packet.
extension XMPPacket {
  /// Changes the place.
  ///
  /// - Parameter keepsNames: whether names of places stay, because the place is about the same.
  /// - Returns: names of the properties that are gone though no place was to be removed.
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

  /// A value of XMP's namespace for Exif (XMP specification part 2, section 2.5): degrees and minutes with the letter of the
  /// direction, metres as a fraction.
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
  /// Takes out the names of places.
  mutating func removePlaces() {
    list.removeAll { $0.record == 2 && PhotoshopResources.places.contains($0.number) }
  }
}
