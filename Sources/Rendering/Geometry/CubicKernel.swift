/// Weights of cubic convolution (R. Keys, IEEE Trans. ASSP 29, 1981, with a = -1/2): quadratic courses come out exactly,
/// and samples that stay where they are keep their values. Behind a straight edge it swings by at most 7.4 % of the
/// edge's height, at a corner by 15.4 %.
///
/// Where the output has fewer samples than the source, the kernel is stretched, so that fine patterns fade instead of
/// turning into coarse ones.
enum CubicKernel {
  /// Places between two samples.
  static let phases = 256
  /// The sum of all weights.
  static let unit = 1 << 14
  /// Samples that a kernel covers when it is not stretched.
  static let taps = 4
  /// Samples that the widest kernel covers.
  static let mostTaps = 12
  /// Stretched kernels: by 1.25, 1.5, … 3.
  static let levels = 8

  /// The number of samples that a stretched kernel covers.
  ///
  /// - Parameter level: 1 to ``levels``; 0 is not stretched.
  static func taps(ofLevel level: Int) -> Int { 2 * ((4 + level + 1) / 2) }

  /// The weights of all phases, ``taps`` each.
  static let weights: [Int16] = (0..<phases).flatMap { weights(phase: $0, level: 0) }

  /// The weights of all stretched kernels: of each, all phases, ``mostTaps`` each, those that it does not have 0.
  static let wideWeights: [Int16] = (1...levels).flatMap { level in
    (0..<phases).flatMap { phase -> [Int16] in
      let weights = weights(phase: phase, level: level)
      return weights + [Int16](repeating: 0, count: mostTaps - weights.count)
    }
  }

  /// The weights of the samples around a place.
  ///
  /// - Parameters:
  ///   - phase: how far the place lies behind a sample, in parts of ``phases``. That sample is the one before the
  ///     middle of the list.
  ///   - level: how far the kernel is stretched, in quarters beyond 1.
  static func weights(phase: Int, level: Int) -> [Int16] {
    let count = level == 0 ? taps : taps(ofLevel: level)
    let stretch = 1 + Double(level) / 4
    let place = Double(phase) / Double(phases) + Double(count / 2 - 1)
    let values = (0..<count).map { value(at: (Double($0) - place) / stretch) }
    let sum = values.reduce(0, +)
    var weights = values.map { Int(($0 / sum * Double(unit)).rounded()) }
    // What rounding took goes to the sample that has most, so that even areas keep their value.
    let greatest = weights.indices.max { weights[$0] < weights[$1] } ?? 0
    weights[greatest] += unit - weights.reduce(0, +)
    return weights.map { Int16(clamping: $0) }
  }

  /// The kernel.
  static func value(at distance: Double) -> Double {
    let d = abs(distance)
    if d < 1 { return (1.5 * d - 2.5) * d * d + 1 }
    return d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0
  }
}
