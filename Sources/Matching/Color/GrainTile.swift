/// The part of the detail in a flat square of an edited picture that cannot be predicted from the original's detail.
///
/// For each pixel, a weighted sum of the original's surrounding pixels is fitted to the edited picture (a Wiener filter
/// for this square). The weighted sum reproduces the original's detail after blurring, sharpening, amplification or
/// resampling by the edit. If the edit removed the noise, the sum contains no detail. The rest of the detail cannot be
/// predicted from the original.
struct GrainTile {
  /// The standard deviation, in 8-bit codes, of the detail that cannot be predicted from the original.
  let deviation: Double
  /// The standard deviation, in 8-bit codes, of the detail that can be predicted from the original.
  let explained: Double
  /// The standard deviation of the original's detail, in 8-bit codes.
  let noise: Double
  /// The correlations, at the distances ``lags``, of the detail that cannot be predicted from the original.
  let correlations: [Double]

  /// The horizontal or vertical distances, in pixels, for which correlations are calculated.
  static let lags = 1...8
  /// The width, in pixels, of the margin around the compared area of a square.
  static let margin = reach + shift

  /// The distance, in pixels, from the centre to the outermost pixels of the weighted sum.
  private static let reach = 2
  /// The maximum apparent shift of the original in pixels.
  private static let shift = 3
  /// The variance, in squared codes, caused by rounding. This variance must not be attributed to the original.
  private static let rounding = 0.02

  /// - Parameters:
  ///   - original: A square of the original, including its margin.
  ///   - edited: The same square of the edited picture.
  /// - Returns: Nil if the squares are too small or the result is undetermined.
  init?(original: GreyPlane, edited: GreyPlane) {
    let side = original.width - 2 * Self.margin
    guard side > 2 * Self.lags.upperBound, original.height == original.width,
      edited.width == original.width, edited.height == original.height
    else { return nil }
    let one = original.withoutTrend
    let other = edited.inner(Self.margin).withoutTrend
    let best = Self.shift(one, other)
    let offsets = (-Self.reach...Self.reach).flatMap { down in
      (-Self.reach...Self.reach).map { (Self.margin + best.y + down) * one.width + Self.margin + best.x + $0 }
    }
    // In large squares, a quarter of the pixels is sufficient.
    let step = side < 48 ? 1 : 2
    var equations = NormalEquations(offsets.count)
    var factors = [Double](repeating: 0, count: offsets.count + 1)
    for y in stride(from: 0, to: side, by: step) {
      for x in stride(from: 0, to: side, by: step) {
        for (index, offset) in offsets.enumerated() {
          factors[index] = Double(one.samples[offset + y * one.width + x])
        }
        factors[offsets.count] = Double(other.samples[y * side + x])
        equations.add(factors, weight: 1)
      }
    }
    for index in offsets.indices {
      var only = [Double](repeating: 0, count: offsets.count + 1)
      only[index] = 1
      equations.add(only, weight: Self.rounding * Double(side * side / (step * step)))
    }
    guard let weights = equations.solution() else { return nil }
    var rest = other
    for (offset, weight) in zip(offsets, weights.map(Float.init)) {
      for y in 0..<side {
        for x in 0..<side { rest.samples[y * side + x] -= weight * one.samples[offset + y * one.width + x] }
      }
    }
    let variance = rest.product(0, 0)
    guard variance > 0 else { return nil }
    deviation = variance.squareRoot()
    explained = max(other.product(0, 0) - variance, 0).squareRoot()
    noise = one.inner(Self.margin).product(0, 0).squareRoot()
    correlations = Self.lags.map { (rest.product($0, 0) + rest.product(0, $0)) / 2 / variance }
  }

  /// Returns the shift of the original at which the two pictures match best.
  private static func shift(_ one: GreyPlane, _ other: GreyPlane) -> (x: Int, y: Int) {
    var best = (common: Float(-1), x: 0, y: 0)
    for down in -shift...shift {
      for across in -shift...shift {
        var sum: Float = 0
        for y in stride(from: 0, to: other.height, by: 2) {
          let start = (y + margin + down) * one.width + margin + across
          for x in stride(from: 0, to: other.width, by: 2) {
            sum += one.samples[start + x] * other.samples[y * other.width + x]
          }
        }
        if abs(sum) > best.common { best = (abs(sum), across, down) }
      }
    }
    return (best.x, best.y)
  }
}

extension GreyPlane {
  /// Returns the plane without its margin.
  fileprivate func inner(_ margin: Int) -> GreyPlane {
    let rows = (margin..<height - margin).map { samples[$0 * width + margin..<($0 + 1) * width - margin] }
    return GreyPlane(width: width - 2 * margin, height: height - 2 * margin, samples: Array(rows.joined()))
  }

  /// The plane after subtracting the best-fitting quadratic polynomial.
  fileprivate var withoutTrend: GreyPlane {
    let middle = SIMD2(Float(width - 1), Float(height - 1)) / 2
    // The mean squared positions. They are subtracted so that the quadratic terms have a mean of 0.
    let means = SIMD2(Float(width * width - 1), Float(height * height - 1)) / 12
    var result = self
    // The terms are orthogonal, so each of them can be subtracted independently.
    let terms: [(SIMD2<Float>) -> Float] = [
      { _ in 1 }, { $0.x }, { $0.y }, { $0.x * $0.y }, { $0.x * $0.x - means.x }, { $0.y * $0.y - means.y },
    ]
    for term in terms {
      var (square, product) = (Float(0), Float(0))
      let values = samples.indices.map { term(SIMD2(Float($0 % width), Float($0 / width)) - middle) }
      for at in values.indices {
        square += values[at] * values[at]
        product += values[at] * result.samples[at]
      }
      let share = product / max(square, .leastNormalMagnitude)
      for at in values.indices { result.samples[at] -= share * values[at] }
    }
    return result
  }

  /// Returns the mean product of pairs of samples. The samples of a pair are a given number of columns and rows apart.
  fileprivate func product(_ columns: Int, _ rows: Int) -> Double {
    var sum: Float = 0
    for y in 0..<height - rows {
      for x in 0..<width - columns {
        sum += samples[y * width + x] * samples[(y + rows) * width + x + columns]
      }
    }
    return Double(sum) / Double((width - columns) * (height - rows))
  }
}
