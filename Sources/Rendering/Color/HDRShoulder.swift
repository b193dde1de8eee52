import Glibc

/// The way that light of HDR pictures is shown on displays that have no more than white.
enum HDRShoulder {
  /// Light stays as it is up to 0.6 of reference white; above it an exponential nears white and begins as steep as the
  /// line ends, so that reference white itself becomes 0.85.
  static func shown(_ light: Double) -> Double {
    let knee = 0.6
    return light < knee ? light : knee + (1 - knee) * (1 - exp((knee - light) / (1 - knee)))
  }

  /// The inverse of ``shown(_:)``. What is nearly white may have been of any brightness; it is taken for the least.
  static func light(_ shown: Double) -> Double {
    let knee = 0.6
    guard shown > knee else { return shown }
    return knee - (1 - knee) * log(1 - (min(shown, brightest) - knee) / (1 - knee))
  }

  /// The greatest value that 8 bits tell from white.
  private static let brightest = 1 - 0.5 / 255
}
