/// The weights of cubic convolution (R. Keys, IEEE Trans. ASSP 29, 1981, with a = -1/2). Quadratic functions are
/// reproduced exactly, and samples whose positions do not change keep their values. The overshoot is at most 7.4% of
/// the edge's height at a straight edge and 15.4% at a corner.
///
/// If the output has fewer samples than the source, the kernel is stretched, so that fine patterns fade instead of
/// becoming coarse patterns.
enum CubicKernel {
  /// The number of positions between two neighbouring samples for which weights are calculated.
  static let phases = 256
  /// The sum of the weights for each position.
  static let unit = 1 << 14
  /// The number of samples that the unstretched kernel covers.
  static let taps = 4
  /// The number of samples that the widest kernel covers.
  static let mostTaps = 12
  /// The number of stretched kernels. They are stretched by the factors 1.25, 1.5, … 3.
  static let levels = 8

  /// Returns the number of samples that a stretched kernel covers.
  ///
  /// - Parameter level: The level of stretching, from 1 to ``levels``. Level 0 is the unstretched kernel.
  static func taps(ofLevel level: Int) -> Int { 2 * ((4 + level + 1) / 2) }

  /// The weights of all phases, ``taps`` for each phase.
  static let weights: [Int16] = (0..<phases).flatMap { weights(phase: $0, level: 0) }

  /// The weights of all stretched kernels, with ``mostTaps`` weights for each phase of each kernel. Unused weights are
  /// 0.
  static let wideWeights: [Int16] = (1...levels).flatMap { level in
    (0..<phases).flatMap { phase -> [Int16] in
      let weights = weights(phase: phase, level: level)
      return weights + [Int16](repeating: 0, count: mostTaps - weights.count)
    }
  }

  /// Returns the weights of the samples around a position.
  ///
  /// - Parameters:
  ///   - phase: The distance of the position from the sample before it, in units of 1/``phases``. The weight of this
  ///     sample is the last weight in the first half of the result.
  ///   - level: The stretching of the kernel: a factor of 1 plus this number of quarters.
  static func weights(phase: Int, level: Int) -> [Int16] {
    let count = level == 0 ? taps : taps(ofLevel: level)
    let stretch = 1 + Double(level) / 4
    let place = Double(phase) / Double(phases) + Double(count / 2 - 1)
    let values = (0..<count).map { value(at: (Double($0) - place) / stretch) }
    let sum = values.reduce(0, +)
    var weights = values.map { Int(($0 / sum * Double(unit)).rounded()) }
    // The rounding error is added to the largest weight, so that uniform areas keep their values.
    let greatest = weights.indices.max { weights[$0] < weights[$1] } ?? 0
    weights[greatest] += unit - weights.reduce(0, +)
    return weights.map { Int16(clamping: $0) }
  }

  /// Returns the value of the kernel at a distance.
  static func value(at distance: Double) -> Double {
    let d = abs(distance)
    if d < 1 { return (1.5 * d - 2.5) * d * d + 1 }
    return d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0
  }
}
