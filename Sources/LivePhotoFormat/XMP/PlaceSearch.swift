/// Searches bytes in unknown formats for a location.
extension [UInt8] {
  /// Whether the bytes may reveal where a photo was taken, because they contain Exif or XMP with a location, or
  /// coordinates as text.
  var mayTellPlace: Bool {
    holdsPlace || firstIndex(of: XMPPacket.Namespace.rdf) != nil && XMPPacket.namesPlace(self)
      || holdsCoordinates
  }

  /// Whether the bytes contain a latitude and a longitude as text, in degrees with at least four decimals. Examples are
  /// ISO 6709's “+61.2738-151.7382/” and “61.2738, -151.7382”. The text may be UTF-8 or UTF-16.
  var holdsCoordinates: Bool {
    // In UTF-16, basic Latin letters and digits are ASCII bytes with zeros between them.
    let text = filter { $0 != 0 }
    var latitudeEnd: Int?
    var at = 0
    while let point = text[at...].firstIndex(of: UInt8(ascii: ".")) {
      at = point + 1
      let start = text[..<point].lastIndex { !Self.isDigit($0) }.map { $0 + 1 } ?? 0
      let end = text[at...].firstIndex { !Self.isDigit($0) } ?? text.count
      guard 1...3 ~= point - start, end - point > 4 else { continue }
      let degrees = text[start..<point].reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
      let isNear = latitudeEnd.map { 1...maximumGap ~= start - $0 } ?? false
      if isNear, degrees <= 180 { return true }
      latitudeEnd = degrees <= 90 ? end : nil
      at = end
    }
    return false
  }

  /// The maximum number of bytes between a latitude and a longitude. These bytes may contain a comma, spaces, a letter
  /// for the hemisphere and a sign.
  private var maximumGap: Int { 6 }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
