import EditModel
import Glibc
import Rendering

/// The vignette that best explains how an edited picture darkens towards its corners, apart from other colour changes.
struct VignetteFit: Sendable {
  /// The values of the vignette parameters, or an empty dictionary if no vignette was found.
  let values: [Parameter: Double]
  /// The factor of the vignette at each position, or nil if no vignette was found.
  let factors: [Double]?

  /// The number of rings around the centre in which the darkening is estimated.
  private static let rings = 12
  /// The number of times that rings and table are fitted to each other.
  private static let rounds = 6
  /// The smallest amount that counts as a vignette.
  private static let leastAmount = 0.06
  /// A vignette is kept only if the remaining difference falls below this fraction of the difference without a
  /// vignette.
  private static let gain = 0.85
  /// The distance, in pixels along both axes, between the pixels that are evaluated.
  private static let step = 4

  /// - Parameter pair: The pictures.
  init(_ pair: ColorPair) {
    let small = pair.thinned(by: Self.step)
    let distances = small.distances
    let plain = TableFit(small, isCoarse: true)
    var profile = [Double](repeating: 1, count: Self.rings)
    var table = plain.table
    for _ in 0..<Self.rounds {
      profile = Self.profile(small, table, distances)
      table = TableFit(small, factors: distances.map { Self.value(profile, $0) }, isCoarse: true).table
    }
    let found = Self.nearest(to: profile)
    let factors = Self.shares(found, distances).map { 1 - $0 }
    let fitted = TableFit(small, factors: factors, isCoarse: true)
    guard found.amount >= Self.leastAmount,
      Self.distance(small, fitted.table, factors)
        < Self.gain * Self.distance(small, plain.table, distances.map { _ in 1 })
    else {
      (values, self.factors) = ([:], nil)
      return
    }
    values = [
      .vignette: found.amount, .vignetteRadius: found.radius, .vignetteSoftness: found.softness,
    ]
    self.factors = Self.shares(found, pair.distances).map { 1 - $0 }
  }

  private typealias Vignette = (amount: Double, radius: Double, softness: Double)

  /// Returns the vignette with a given radius and softness at the maximum amount. The effect of other amounts is
  /// proportional.
  private static func full(radius: Double, softness: Double) -> PreviewVignette? {
    var edit = Edit.identity
    (edit[.vignette], edit[.vignetteRadius], edit[.vignetteSoftness]) = (1, radius, softness)
    return PreviewVignette(edit)
  }

  /// Returns how far colours fade to black at the given distances from the centre, from 0 (not at all) to 1.
  private static func shares(_ vignette: Vignette, _ distances: [Double]) -> [Double] {
    let full = full(radius: vignette.radius, softness: vignette.softness)
    return distances.map { vignette.amount * (full?.share(at: $0) ?? 0) }
  }

  /// Interpolates between the centres of rings.
  private static func value(_ profile: [Double], _ distance: Double) -> Double {
    let at = min(max(distance * Double(rings) - 0.5, 0), Double(rings - 1))
    let first = min(Int(at), rings - 2)
    return profile[first] + (profile[first + 1] - profile[first]) * (at - Double(first))
  }

  /// Returns the brightness of each ring relative to the table's result, divided by the value of the innermost ring.
  private static func profile(_ pair: ColorPair, _ table: ColorLattice, _ distances: [Double]) -> [Double] {
    var (sums, squares) = ([Double](repeating: 0, count: rings), [Double](repeating: 1e-6, count: rings))
    for at in pair.original.indices {
      let ring = min(Int(distances[at] * Double(rings)), rings - 1)
      let shown = table[pair.original[at]]
      let rest = pair.edited[at] - shown * (squares[ring] > 1e-3 ? sums[ring] / squares[ring] : 1)
      // Retouched areas have hardly any weight.
      let weight = pair.weights[at] / (1 + (rest * rest).sum() / 0.02)
      sums[ring] += weight * (shown * pair.edited[at]).sum()
      squares[ring] += weight * (shown * shown).sum()
    }
    let ratios = zip(sums, squares).map { $1 > 1e-3 ? $0 / $1 : 1 }
    return ratios.map { min(max($0 / max(ratios[0], 0.1), 0.1), 2) }
  }

  /// Returns the vignette whose rings come closest to a profile, apart from a common factor.
  private static func nearest(to profile: [Double]) -> Vignette {
    var best: (rest: Double, vignette: Vignette) = (.infinity, (0, 0.5, 0.5))
    let middles = profile.indices.map { (Double($0) + 0.5) / Double(Self.rings) }
    for radius in stride(from: 0.0, through: 1, by: 0.05) {
      for softness in stride(from: 0.0, through: 1, by: 0.05) {
        let shares = shares((1, radius, softness), middles)
        for amount in stride(from: 0.0, through: 1, by: 0.02) {
          let vignette = (amount, radius, softness)
          let rings = shares.map { 1 - amount * $0 }
          let factor =
            zip(rings, profile).reduce(0) { $0 + $1.0 * $1.1 } / rings.reduce(0) { $0 + $1 * $1 }
          let rest = zip(rings, profile).reduce(0) { sum, pair in
            sum + (pair.1 - factor * pair.0) * (pair.1 - factor * pair.0)
          }
          if rest < best.rest { best = (rest, vignette) }
        }
      }
    }
    return best.vignette
  }

  private static func distance(_ pair: ColorPair, _ table: ColorLattice, _ factors: [Double]) -> Double {
    let rests = pair.original.indices.map { at -> Double in
      let rest = pair.edited[at] - table[pair.original[at]] * factors[at]
      return (rest * rest).sum().squareRoot()
    }
    let sorted = rests.sorted()
    // The worst tenth is excluded because it may be retouched.
    return sorted.prefix(sorted.count * 9 / 10).reduce(0, +)
  }
}

extension PreviewVignette {
  /// Returns how far colours fade to black or white at a distance from the centre, from 0 (not at all) to 1.
  fileprivate func share(at distance: Double) -> Double {
    let t = min(max((distance - Double(radius)) / Double(width) + 0.5, 0), 1)
    return Double(share) * t * t * (3 - 2 * t)
  }
}

extension ColorPair {
  /// The distances of all positions from the centre, in the unit of vignettes: the distance of a corner is 1.
  fileprivate var distances: [Double] {
    original.indices.map { at in
      let x = Double(2 * (at % width) + 1) / Double(width) - 1
      let y = Double(2 * (at / width) + 1) / Double(height) - 1
      return ((x * x + y * y) / 2).squareRoot()
    }
  }

  /// Returns every n-th pixel of both pictures along both axes.
  fileprivate func thinned(by step: Int) -> ColorPair {
    let places = stride(from: 0, to: height, by: step).flatMap { y in
      stride(from: 0, to: width, by: step).map { y * width + $0 }
    }
    return ColorPair(
      width: (width + step - 1) / step, height: (height + step - 1) / step,
      original: places.map { original[$0] }, edited: places.map { edited[$0] })
  }
}
