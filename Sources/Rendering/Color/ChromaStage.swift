import EditModel

/// Changes saturation and vibrance in Oklab while preserving lightness and hue.
struct ChromaStage: Sendable {
  private let saturation: Double
  private let vibrance: Double

  /// The chroma at which the effect of vibrance is halved.
  private static let strong = 0.075
  /// The Oklab hue of human skin of all complexions, 55 degrees.
  private static let skin = (a: 0.5735764363510461, b: 0.8191520442889918)

  /// - Returns: Nil if the edit changes neither saturation nor vibrance.
  init?(_ edit: Edit) {
    guard edit[.saturation] != 0 || edit[.vibrance] != 0 else { return nil }
    let value = edit[.saturation]
    saturation = 1 + (value > 0 ? 0.7 * value : value)
    vibrance = edit[.vibrance]
  }

  @inline(__always)
  func apply(_ lab: SIMD3<Double>) -> SIMD3<Double> {
    let square = lab.y * lab.y + lab.z * lab.z
    var gain = saturation
    if vibrance != 0 {
      // The small constant prevents a division by zero for greys, which have no hue.
      let along = (lab.y * Self.skin.a + lab.z * Self.skin.b) / (square + 1e-6).squareRoot()
      let near = max(along, 0)
      let squared = near * near
      let fourth = squared * squared
      let spared = 1 - 0.72 * fourth * fourth
      let share = square / (Self.strong * Self.strong)
      gain *= 1 + 0.8 * vibrance * spared / (1 + share * share)
    }
    return [lab.x, lab.y * gain, lab.z * gain]
  }
}
