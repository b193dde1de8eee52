/// Detail of an edited picture in a flat square that does not follow from the original's.
///
/// What follows is whatever a weighted sum of the original's pixels around each one gives that comes nearest to the edited
/// picture (N. Wiener's filter for this square): blurred, sharpened, raised by a curve or resampled, as the edit did it, and
/// nothing where it took the noise away.
struct GrainTile {
  /// The standard deviation of what does not follow, in 8-bit codes.
  let deviation: Double
  /// That of what follows.
  let explained: Double
  /// That of the original itself.
  let noise: Double
  /// The correlation of what does not follow at places so many pixels apart: see ``lags``.
  let correlations: [Double]

  /// Distances in pixels, across or down.
  static let lags = 1...8
  /// Pixels that squares have around what is compared.
  static let margin = reach + shift

  /// How far the pixels reach that explain one.
  private static let reach = 2
  /// How far the original may seem to lie from its place.
  private static let shift = 3
  /// A variance, in codes, that nothing is explained by: rounding.
  private static let rounding = 0.02

  /// - Parameters:
  ///   - original: a square with the margin around it.
  ///   - edited: the same of the edited picture.
  /// - Returns: nil where the squares are too small, or nothing can be told.
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
    // A quarter of the pixels of large squares says enough.
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

  /// Where the original lies in truth: the shift at which both pictures have most in common.
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
  /// The plane without a margin.
  fileprivate func inner(_ margin: Int) -> GreyPlane {
    let rows = (margin..<height - margin).map { samples[$0 * width + margin..<($0 + 1) * width - margin] }
    return GreyPlane(width: width - 2 * margin, height: height - 2 * margin, samples: Array(rows.joined()))
  }

  /// The plane without the polynomial of the second degree that is nearest to it.
  fileprivate var withoutTrend: GreyPlane {
    let middle = SIMD2(Float(width - 1), Float(height - 1)) / 2
    // The mean squares of places, so that squares have the mean 0.
    let means = SIMD2(Float(width * width - 1), Float(height * height - 1)) / 12
    var result = self
    // These are at right angles to each other, so each is taken out alone.
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

  /// The mean product of samples that lie some columns and rows apart.
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
