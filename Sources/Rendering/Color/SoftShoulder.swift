/// A curve that compresses bright values so that they do not exceed the maximum. Values up to the knee are unchanged.
/// Above the knee the curve gradually becomes flatter, and the largest value maps to the maximum.
///
/// With t = (x - knee) / (top - knee) and m as the value of t for the largest value, the curve above the knee is t (1 +
/// t / m²) / (1 + t): the extended curve of Reinhard et al. (Photographic Tone Reproduction, 2002, equation 4), whose
/// slope is 1 at the knee.
struct SoftShoulder: Sendable {
  private let knee: Double
  private let scale: Double
  private let inverseSquare: Double

  /// - Parameters:
  ///   - knee: The value up to which nothing changes.
  ///   - top: The value to which the largest value is mapped.
  ///   - largest: The largest possible value. If this value does not exceed `top`, no compression is needed.
  /// - Returns: Nil if no compression is needed.
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
