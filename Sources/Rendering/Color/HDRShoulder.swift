import Glibc

/// Maps the light of HDR pictures to displays that show nothing brighter than white.
enum HDRShoulder {
  /// Returns the displayed light for the light of an HDR picture. Light up to 0.6 of reference white is unchanged.
  /// Above that, an exponential curve approaches white. The curve begins with the slope of the straight part, and
  /// reference white becomes 0.85.
  static func shown(_ light: Double) -> Double {
    let knee = 0.6
    return light < knee ? light : knee + (1 - knee) * (1 - exp((knee - light) / (1 - knee)))
  }

  /// Returns the inverse of ``shown(_:)``. Many brightness values become nearly white; for such a value, the lowest
  /// brightness is returned.
  static func light(_ shown: Double) -> Double {
    let knee = 0.6
    guard shown > knee else { return shown }
    return knee - (1 - knee) * log(1 - (min(shown, brightest) - knee) / (1 - knee))
  }

  /// The largest value that 8 bits can distinguish from white.
  private static let brightest = 1 - 0.5 / 255
}
