import EditModel
import Glibc

/// Changes that an edit made to some places and not to others, beyond what a table of colours says.
struct LocalFit: Sendable {
  /// The gains; nil where they do not bring the pictures plainly nearer to each other.
  let gains: LocalGains?
  /// The colours of the one picture with the gains.
  let shown: [SIMD3<Double>]
  /// The factor of lightness at each place; nil without gains.
  let factors: [Double]?
  /// The mean distance, ΔE2000, that is left where nothing was known, with the gains if there are any.
  let distance: Double

  /// Nodes along the longer side and the shorter one, and from black to white.
  private static let nodes = (longer: 16, shorter: 12, levels: 8)
  /// Pixels along the side of the squares that are left out in turn to see whether gains hold where nothing was known.
  private static let square = 16
  /// By how much gains must bring the left-out squares nearer, ΔE2000, and by what share of their distance.
  private static let least = (distance: 0.1, share: 0.15)
  /// Added to lightness, encoded, so that the ratio of two blacks says nothing.
  private static let black = 0.02
  /// The greatest logarithm of a factor that is stored.
  private static let most = 127 / LocalGains.stepsOfLightness
  /// Rounds in which places are weighed anew.
  private static let rounds = 3

  /// - Parameters:
  ///   - shown: colours of the one picture with the look, encoded, row after row.
  ///   - pair: the pictures.
  ///   - source: from places of the pictures to those of the photo as it was displayed before it was edited, in fractions.
  init(_ shown: [SIMD3<Double>], _ pair: ColorPair, source: PictureProjection) {
    let isUpright = pair.height > pair.width
    let grid = GridFit(
      SIMD3(
        isUpright ? Self.nodes.shorter : Self.nodes.longer,
        isUpright ? Self.nodes.longer : Self.nodes.shorter,
        Self.nodes.levels))
    let places = shown.indices.map { at in
      let place = SIMD2(
        (Double(at % pair.width) + 0.5) / Double(pair.width),
        (Double(at / pair.width) + 0.5) / Double(pair.height))
      let found = source.apply(place) ?? place
      return grid.place(SIMD3(found.x, found.y, (shown[at] * TableFit.luma).sum()))
    }
    let columns = (pair.width + Self.square - 1) / Self.square
    let isLeftOut = shown.indices.map { at in
      (at % pair.width / Self.square + at / pair.width / Self.square) % 2 == columns % 2
    }
    let tried = Self.applied(
      to: shown, places, grid, Self.fit(shown, pair.edited, pair.weights, places, grid, isLeftOut))
    var (old, new, count) = (0.0, 0.0, 0)
    // Few enough pixels to be quick.
    for at in stride(from: 0, to: shown.count, by: 5) where isLeftOut[at] {
      let edited = ColorDistance.lab(pair.edited[at])
      old += ColorDistance.deltaE(ColorDistance.lab(shown[at]), edited)
      new += ColorDistance.deltaE(ColorDistance.lab(tried[at]), edited)
      count += 1
    }
    guard count > 0, old - new > Self.least.distance * Double(count), old - new > Self.least.share * old
    else {
      (gains, self.shown, factors, distance) = (nil, shown, nil, old / Double(max(count, 1)))
      return
    }
    let found = Self.fit(shown, pair.edited, pair.weights, places, grid, nil)
    self.shown = Self.applied(to: shown, places, grid, found)
    factors = places.map { exp2(grid.value($0, of: found.lightness)) }
    distance = new / Double(count)
    let samples = found.lightness.indices.flatMap { Self.stored(found.lightness[$0], found.chroma[$0]) }
    gains = LocalGains(columns: grid.size.x, rows: grid.size.y, levels: grid.size.z, samples: samples)
  }

  /// The two numbers of a node as they are stored.
  private static func stored(_ lightness: Double, _ chroma: Double) -> [Int8] {
    let steps = min(max(lightness, -most), most) * LocalGains.stepsOfLightness
    let parts = min(max(chroma - 1, -1), 1) * LocalGains.stepsOfChroma
    return [Int8(steps.rounded()), Int8(parts.rounded())]
  }

  /// The logarithm of the factor and the factor of chroma at each node.
  private typealias Found = (lightness: [Double], chroma: [Double])

  private static func fit(
    _ shown: [SIMD3<Double>], _ edited: [SIMD3<Double>], _ weights: [Double], _ places: [GridFit.Place],
    _ grid: GridFit, _ isLeftOut: [Bool]?
  ) -> Found {
    let used = shown.indices.filter { !(isLeftOut?[$0] ?? false) }
    let luma = used.map { ((shown[$0] * TableFit.luma).sum(), (edited[$0] * TableFit.luma).sum()) }
    let ratios = luma.map { min(max(log2((max($1, 0) + black) / (max($0, 0) + black)), -most), most) }
    var counted = [Double](repeating: 1, count: used.count)
    var lightness: [Double] = []
    for _ in 0..<rounds {
      var fit = grid
      for (index, at) in used.enumerated() {
        let size = max(luma[index].0, 0) + black
        fit.add(places[at], ratios[index], weight: counted[index] * weights[at] * size * size)
      }
      lightness = fit.solution()
      let rests = used.indices.map { index in
        abs(ratios[index] - grid.value(places[used[index]], of: lightness)) * (max(luma[index].0, 0) + black)
      }
      let sorted = stride(from: 0, to: rests.count, by: max(1, rests.count / 4096)).map { rests[$0] }.sorted()
      let scale = max(0.02, 3 * (sorted.isEmpty ? 0 : sorted[sorted.count / 2]))
      counted = rests.map { rest in
        let part = 1 + rest * rest / (scale * scale)
        return 1 / (part * part)
      }
    }
    var fit = grid
    for (index, at) in used.enumerated() {
      let factor = exp2(grid.value(places[at], of: lightness))
      let old = (shown[at] - luma[index].0) * factor
      let square = (old * old).sum()
      guard square > 1e-8 else { continue }
      let ratio = (old * (edited[at] - luma[index].1)).sum() / square
      fit.add(places[at], min(max(ratio, 0), 2) - 1, weight: counted[index] * weights[at] * square)
    }
    return (lightness, fit.solution().map { min(max($0 + 1, 0), 2) })
  }

  private static func applied(
    to colors: [SIMD3<Double>], _ places: [GridFit.Place], _ grid: GridFit, _ found: Found
  ) -> [SIMD3<Double>] {
    colors.indices.map { at in
      let luma = (colors[at] * TableFit.luma).sum()
      let factor = exp2(grid.value(places[at], of: found.lightness))
      return luma * factor + (colors[at] - luma) * (factor * grid.value(places[at], of: found.chroma))
    }
  }
}
