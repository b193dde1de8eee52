import EditModel

/// White balance: temperature, tint and warmth, as a Bradford adaptation between white points near daylight.
struct WhiteBalance: Sendable {
  /// The matrix applied to linear light in the working space.
  let matrix: Matrix3

  /// D65, the white point of all pictures, in mired.
  private static let neutral = 1_000_000 / 6504.0

  /// - Returns: Nil if the edit does not change the white balance.
  init?(_ edit: Edit) {
    let (warmth, tint, temperature) = (edit[.warmth], edit[.tint], edit[.temperature])
    let isOtherLight = temperature != Parameter.temperature.description.neutral
    guard warmth != 0 || tint != 0 || isOtherLight else { return nil }
    var matrix = Matrix3.identity
    if warmth != 0 || tint != 0 {
      matrix = Self.adaptation(to: Self.neutral + 70 * warmth, offset: -0.02 * tint)
    }
    if isOtherLight, let inverse = Self.adaptation(to: 1_000_000 / temperature, offset: 0).inverse {
      matrix = matrix * inverse
    }
    self.matrix = matrix
  }

  /// Returns the adaptation from D65 to another white point.
  private static func adaptation(to mired: Double, offset: Double) -> Matrix3 {
    let adaptation = ChromaticAdaptation.matrix(
      from: ChromaticAdaptation.daylight(mired: neutral, offset: 0),
      to: ChromaticAdaptation.daylight(mired: mired, offset: offset))
    return Primaries.xyzToWorking * (adaptation * Primaries.bt2020.toXYZ)
  }
}

/// Changes the exposure. A soft shoulder compresses values that exposure or white balance would raise above white.
struct ExposureStage: Sendable {
  private let gain: Double
  private let shoulders: (SoftShoulder?, SoftShoulder?, SoftShoulder?)

  /// - Parameters:
  ///   - edit: The edit.
  ///   - balance: The white balance that has already been applied.
  ///   - peak: The brightest linear light that the source can encode.
  /// - Returns: Nil if there is nothing to change.
  init?(_ edit: Edit, _ balance: WhiteBalance?, peak: Double) {
    guard edit[.exposure] != 0 || balance != nil else { return nil }
    gain = PowerOfTwo.value(edit[.exposure])
    let white = gain * ((balance?.matrix ?? .identity) * SIMD3(peak, peak, peak))
    let made = (0..<3).map { SoftShoulder(knee: peak / 2, top: peak, largest: white[$0]) }
    shoulders = (made[0], made[1], made[2])
  }

  @inline(__always)
  func apply(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var c = color * gain
    if let shoulder = shoulders.0 { c.x = shoulder(c.x) }
    if let shoulder = shoulders.1 { c.y = shoulder(c.y) }
    if let shoulder = shoulders.2 { c.z = shoulder(c.z) }
    return c
  }
}
