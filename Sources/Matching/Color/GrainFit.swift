package import EditModel
import Glibc
package import Rendering

/// The grain that an edited picture has over the original, in places where the original is flat.
///
/// What sharpening, noise reduction, curves and resampling make of the original's noise follows from that noise and does not
/// count: see ``GrainTile``. What coding leaves is weaker than grain that can be told; where neither is sure, there is none.
package struct GrainFit: Sendable {
  /// The values of grain's parameters; empty where there is none.
  package let values: [Parameter: Double]

  /// How many places are looked at.
  private static let places = 48
  /// The fewest that say something.
  private static let fewest = 8
  /// The share of all places that counts as flat.
  private static let flat = 1.0 / 3
  /// The least deviation, in 8-bit codes of middle tones, that is grain.
  private static let leastDeviation = 3.0
  /// The share of that deviation that four of five places have: grain is everywhere.
  private static let evenness = 0.66
  /// The least deviation as a share of that of detail that follows from the original, which is more where noise was sharpened
  /// and coded.
  private static let leastShare = 0.8
  /// The least variance of all detail as a multiple of that of the original's: coding moves detail, but adds none.
  private static let leastGain = 1.5
  /// The least correlations of pixels one and two apart. What coding leaves of sharpened noise has less.
  private static let leastCorrelations = (one: 0.15, two: -0.06)
  /// The greatest mean distance of correlations from those of grain.
  private static let greatestMisfit = 0.12
  /// The greatest size of grains, as a multiple of the greatest that the parameter has, and in pixels: coarser mottle is none.
  private static let greatestSize = (share: 1.6, pixels: 2.0)
  /// Codes of the parameter's full deviation.
  private static let fullDeviation = 40.0

  /// Looks for grain.
  ///
  /// - Parameters:
  ///   - original: the picture that was edited, with the edit's turn and geometry applied.
  ///   - edited: what was made of it, of any size.
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
    // Grain finer than pixels looks as if it were as large as they are, and less.
    let size = min(max(spacing, 1) * unit - 0.5, 1)
    let seen = min((0.5 + max(size, 0)) / unit, 1)
    return [
      .grain: hundredths(min(deviation / fullDeviation / seen, 1)), .grainSize: hundredths(max(size, 0)),
    ]
  }

  /// The distance in pixels of the lattice that grain of given correlations has, and how far its own are from them.
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

  /// The correlation of grain at two places: a lattice of independent numbers joined by a quadratic B-spline has that of the
  /// quintic one (M. Unser, “Splines: a perfect fit for signal and image processing”, 1999).
  ///
  /// - Parameter distance: of the places, in distances of the lattice.
  private static func correlation(at distance: Double) -> Double {
    func power(_ reach: Double) -> Double { pow(max(reach - distance, 0), 5) }
    return (power(3) - 6 * power(2) + 15 * power(1)) / 66
  }

  private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

extension [Double] {
  /// The number that a share of the numbers does not exceed; 0 where there are none.
  fileprivate func quantile(_ share: Double) -> Double {
    isEmpty ? 0 : sorted()[Swift.min(Int(share * Double(count)), count - 1)]
  }
}
