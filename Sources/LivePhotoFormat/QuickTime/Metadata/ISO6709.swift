import EditModel

/// Locations in ISO 6709 annex H format: `+48.1370+011.5750+519.123/`.
enum ISO6709 {
  /// Reads the latitude, the longitude and, if present, the altitude in metres.
  ///
  /// - Parameter text: The signed numbers. The number of digits before the decimal point determines whether the numbers
  ///   are degrees, degrees and minutes, or degrees, minutes and seconds.
  /// - Returns: The location, or nil if the text is not a location.
  static func location(_ text: String) -> GeoLocation? {
    var numbers: [(sign: Double, whole: String, value: Double)] = []
    var rest = text.prefix { $0 != "/" && $0 != "C" }[...]
    while let first = rest.first, first == "+" || first == "-", numbers.count < 3 {
      let digits = rest.dropFirst().prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard digits.count <= 24, let value = Double(digits) else { return nil }
      numbers.append((first == "-" ? -1 : 1, String(digits.prefix { $0 != "." }), value))
      rest = rest.dropFirst(1 + digits.count)
    }
    guard numbers.count >= 2,
      let latitude = degrees(numbers[0].value, digits: numbers[0].whole.count, wanted: 2),
      let longitude = degrees(numbers[1].value, digits: numbers[1].whole.count, wanted: 3)
    else { return nil }
    return GeoLocation(
      latitude: numbers[0].sign * latitude, longitude: numbers[1].sign * longitude,
      altitude: numbers.count > 2 ? numbers[2].sign * numbers[2].value : nil)
  }

  /// Converts a number to decimal degrees.
  ///
  /// - Parameters:
  ///   - value: The number that represents DD.D, DDMM.M or DDMMSS.S. For a longitude, the degrees have a third D.
  ///   - digits: The number of digits before the decimal point.
  ///   - wanted: The number of digits that represent degrees.
  private static func degrees(_ value: Double, digits: Int, wanted: Int) -> Double? {
    switch digits - wanted {
    case ...0: return value
    case 2:
      let whole = (value / 100).rounded(.down)
      return whole + (value - whole * 100) / 60
    case 4:
      let whole = (value / 10_000).rounded(.down)
      let rest = value - whole * 10_000
      let minutes = (rest / 100).rounded(.down)
      return whole + minutes / 60 + (rest - minutes * 100) / 3600
    default: return nil
    }
  }
}
