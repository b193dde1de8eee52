/// Bends what a slider would push over the top back under it: unchanged up to the knee, then rising ever more
/// slowly, so that what was at the top stays there.
///
/// With t = (x - knee) / (top - knee) and m the same of the largest value, t (1 + t / m²) / (1 + t) beyond the
/// knee: the extended curve of Reinhard et al. (Photographic Tone Reproduction, 2002, equation 4), whose slope
/// is 1 at the knee.
struct SoftShoulder: Sendable {
  private let knee: Double
  private let scale: Double
  private let inverseSquare: Double

  /// - Parameters:
  ///   - knee: up to here nothing changes.
  ///   - top: where the largest value goes.
  ///   - largest: the largest value; at or below `top` nothing changes.
  init?(knee: Double, top: Double, largest: Double) {
    guard largest > top else { return nil }
    self.knee = knee
    scale = top - knee
    let m = (largest - knee) / scale
    inverseSquare = 1 / (m * m)
  }

  @inline(__always)
  func callAsFunction(_ x: Double) -> Double {
    guard x > knee else { return x }
    let t = (x - knee) / scale
    return knee + scale * t * (1 + t * inverseSquare) / (1 + t)
  }
}
