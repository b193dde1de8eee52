import EditModel
import Glibc

/// The local changes of an edit that a colour table does not explain.
struct LocalFit: Sendable {
  /// The gains, or nil if they do not clearly reduce the difference between the pictures.
  let gains: LocalGains?
  /// The original's colours after the gains.
  let shown: [SIMD3<Double>]
  /// The lightness factor at each position, or nil if there are no gains.
  let factors: [Double]?
  /// The mean difference, ΔE2000, that remains in the squares left out of the fit, after applying any gains.
  let distance: Double

  /// The numbers of nodes along the longer side of the picture, along the shorter side, and from black to white.
  private static let nodes = (longer: 16, shorter: 12, levels: 8)
  /// The width and height, in pixels, of the squares into which the picture is divided. Every other square is left out
  /// of the fit, to test whether the gains are valid elsewhere.
  private static let square = 16
  /// The minimum improvement that gains must achieve in the squares left out of the fit: in ΔE2000, and as a fraction
  /// of the difference without gains.
  private static let least = (distance: 0.1, share: 0.15)
  /// The offset added to encoded lightness, so that ratios between nearly black tones hardly count.
  private static let black = 0.02
  /// The largest logarithm of a factor that can be stored.
  private static let most = 127 / LocalGains.stepsOfLightness
  /// The number of times that the weights of positions are recalculated.
  private static let rounds = 3

  /// - Parameters:
  ///   - shown: The encoded colours of the original after the look, row after row.
  ///   - pair: The pictures.
  ///   - source: The mapping from positions in the pictures to positions in the photo as displayed before the edit,
  ///     both in fractions of width and height.
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
    // Only some of the pixels are used, for speed.
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

  /// Returns the two values of a node in the form in which they are stored.
  private static func stored(_ lightness: Double, _ chroma: Double) -> [Int8] {
    let steps = min(max(lightness, -most), most) * LocalGains.stepsOfLightness
    let parts = min(max(chroma - 1, -1), 1) * LocalGains.stepsOfChroma
    return [Int8(steps.rounded()), Int8(parts.rounded())]
  }

  /// The logarithm of the lightness factor, and the chroma factor, at each node.
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
