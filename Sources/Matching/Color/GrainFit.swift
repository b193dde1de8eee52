package import EditModel
import Glibc
package import Rendering

/// The grain that an edit added to a picture, measured in flat areas of the original.
///
/// Sharpening, noise reduction, curves and resampling change the original's noise. Such changes can be predicted from
/// the original and do not count as grain; see ``GrainTile``. Compression artefacts are weaker than detectable grain.
/// If the cause is uncertain, no grain is reported.
package struct GrainFit: Sendable {
  /// The values of the grain parameters, or an empty dictionary if no grain was found.
  package let values: [Parameter: Double]

  /// The maximum number of squares that are evaluated.
  private static let places = 48
  /// The minimum number of squares for a reliable result.
  private static let fewest = 8
  /// The fraction of all squares that count as flat.
  private static let flat = 1.0 / 3
  /// The smallest standard deviation that counts as grain, in 8-bit codes of mid-tones.
  private static let leastDeviation = 3.0
  /// Four out of five squares must reach this fraction of the measured standard deviation, because grain is present
  /// everywhere.
  private static let evenness = 0.66
  /// The minimum ratio of the grain's standard deviation to that of the detail that can be predicted from the original.
  /// In sharpened and compressed noise, more of the detail can be predicted.
  private static let leastShare = 0.8
  /// The minimum total variance of detail, as a multiple of the original's variance. Compression changes detail but
  /// does not add any detail.
  private static let leastGain = 1.5
  /// The minimum correlations of pixels at a distance of one pixel and of two pixels. In noise that was sharpened and
  /// compressed, the correlations are lower.
  private static let leastCorrelations = (one: 0.15, two: -0.06)
  /// The maximum mean deviation of the correlations from those of grain.
  private static let greatestMisfit = 0.12
  /// The maximum grain size, as a multiple of the parameter's maximum, and in pixels. Coarser mottling is not grain.
  private static let greatestSize = (share: 1.6, pixels: 2.0)
  /// The standard deviation, in 8-bit codes, at the parameter's maximum.
  private static let fullDeviation = 40.0

  /// Measures the grain.
  ///
  /// - Parameters:
  ///   - original: The picture that was edited, after the edit's rotation and geometry.
  ///   - edited: The edited picture, of any size.
  package init(original: PlanarFrame, edited: PlanarFrame) {
    values = GrainPlaces(original: original, edited: edited).map(Self.values) ?? [:]
  }

  private static func values(_ places: GrainPlaces) -> [Parameter: Double] {
    let flat = places.flattest(Self.places, of: flat)
    let tiles = flat.compactMap { place in
      places.squares(place, margin: GrainTile.margin)
        .flatMap { GrainTile(original: $0.original, edited: $0.edited) }
        .map { (tile: $0, place: place) }
    }
    guard tiles.count >= fewest else { return [:] }
    let deviations = tiles.map { $0.tile.deviation / $0.place.weight }
    let deviation = deviations.quantile(0.5)
    let explained = tiles.map { $0.tile.deviation / max($0.tile.explained, 0.01) }.quantile(0.5)
    let gain = tiles.map { tile, place in
      let noise = tile.noise * places.slope(at: place)
      return (tile.deviation * tile.deviation + tile.explained * tile.explained) / max(noise * noise, 0.01)
    }.quantile(0.5)
    guard deviation >= leastDeviation, deviations.quantile(0.2) >= evenness * deviation,
      explained >= leastShare, gain >= leastGain
    else { return [:] }
    let correlations = GrainTile.lags.map { lag in
      tiles.map { $0.tile.correlations[lag - GrainTile.lags.lowerBound] }.quantile(0.5)
    }
    let (spacing, misfit) = Self.spacing(correlations)
    let unit = 2000 / Double(places.longerSide)
    guard correlations[0] >= leastCorrelations.one, correlations[1] >= leastCorrelations.two,
      misfit <= greatestMisfit,
      spacing <= max(greatestSize.pixels, greatestSize.share * 1.5 / unit)
    else { return [:] }
    // Grain that is finer than a pixel looks like weaker grain of the size of a pixel.
    let size = min(max(spacing, 1) * unit - 0.5, 1)
    let seen = min((0.5 + max(size, 0)) / unit, 1)
    return [
      .grain: hundredths(min(deviation / fullDeviation / seen, 1)), .grainSize: hundredths(max(size, 0)),
    ]
  }

  /// Returns the lattice spacing, in pixels, of the grain that best matches the given correlations, and how far the
  /// correlations deviate from those of this grain.
  private static func spacing(_ correlations: [Double]) -> (spacing: Double, misfit: Double) {
    let tried = (0..<160).map { index -> (spacing: Double, misfit: Double) in
      let spacing = 0.3 * exp2(Double(index) / 30)
      let squares = zip(GrainTile.lags, correlations).map { lag, correlation in
        let rest = Self.correlation(at: Double(lag) / spacing) - correlation
        return rest * rest
      }
      return (spacing, (squares.reduce(0, +) / Double(squares.count)).squareRoot())
    }
    return tried.min { $0.misfit < $1.misfit } ?? (1, 1)
  }

  /// Returns the correlation of grain at two positions. If independent numbers on a lattice are interpolated with a
  /// quadratic B-spline, their correlation is the quintic B-spline (M. Unser, “Splines: a perfect fit for signal and
  /// image processing”, 1999).
  ///
  /// - Parameter distance: The distance between the positions, as a multiple of the lattice spacing.
  private static func correlation(at distance: Double) -> Double {
    func power(_ reach: Double) -> Double { pow(max(reach - distance, 0), 5) }
    return (power(3) - 6 * power(2) + 15 * power(1)) / 66
  }

  private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

extension [Double] {
  /// Returns the quantile for a given fraction: the number that this fraction of all numbers does not exceed, or 0 for
  /// an empty list.
  fileprivate func quantile(_ share: Double) -> Double {
    isEmpty ? 0 : sorted()[Swift.min(Int(share * Double(count)), count - 1)]
  }
}
