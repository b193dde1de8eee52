import EditModel
import Rendering

/// How far the fine detail of an edited picture deviates from its expected position in the original, region by region.
///
/// An edit leaves detail where its geometry puts it, accurate to a small fraction of a sample, regardless of colour
/// changes. Another picture of the same scene does not: near objects move more, the sensor rows capture different
/// moments, and living things have moved.
struct DetailAgreement: Sendable {
  /// The agreement of each region with detail.
  private var parts: [DetailShift] = []
  /// The size of a sample, in thousandths of the width.
  private let unit: Float

  /// The minimum number of regions for a reliable result.
  private static let fewest = 6

  /// Compares the pictures.
  ///
  /// - Parameters:
  ///   - fit: The pictures.
  ///   - model: The geometry between the pictures.
  ///   - side: The maximum longer side of the compared pictures.
  ///   - cellSide: The number of columns and rows in a region.
  init?(_ fit: PictureFit, _ model: GeometryModel, side: Int, cellSide: Int) {
    guard let level = fit.level(side, model), let shown = level.shown(model) else { return nil }
    let (width, height) = (shown.width, shown.height)
    unit = 1000 / Float(max(width, height))
    let pictures = DetailShift.Pictures(shown, toned: level.toned(shown), level.edited)
    let (columns, rows) = (max(width / cellSide, 1), max(height / cellSide, 1))
    for row in 0..<rows {
      for column in 0..<columns {
        let x = max(column * width / columns, 1)..<min((column + 1) * width / columns, width - 1)
        let y = max(row * height / rows, 1)..<min((row + 1) * height / rows, height - 1)
        if let part = DetailShift(pictures, columns: x, rows: y) { parts.append(part) }
      }
    }
  }

  /// Returns the correlation that a given fraction of the regions exceeds, or 0 without regions.
  func correlation(exceededBy share: Double) -> Float {
    let sorted = parts.map(\.correlation).sorted()
    return sorted.isEmpty ? 0 : sorted[min(Int(Double(sorted.count) * (1 - share)), sorted.count - 1)]
  }

  /// Returns the fraction of the regions with known shifts whose detail has moved, or 0 if too few shifts are known.
  ///
  /// - Parameter limit: The tolerated shift, in thousandths of the width, or in samples if the picture has fewer than
  ///   1000 columns.
  func moved(_ limit: Float) -> Double {
    let limit = limit * max(1, unit)
    let known = parts.filter { $0.doubt * unit < limit / 3 }
    let moved = known.filter { abs($0.shift) * unit > limit + 2 * $0.doubt * unit }
    return known.count < Self.fewest ? 0 : Double(moved.count) / Double(known.count)
  }

  /// Returns a limit in thousandths of the width. If the picture has fewer than 1000 columns, the limit is interpreted
  /// as a number of samples.
  func limit(_ columns: Double) -> Double { columns * Double(max(1, unit)) }

  /// The root mean square of the shifts without the largest tenth, in thousandths of the width.
  var error: Double {
    let shifts = parts.filter { $0.doubt * unit < 0.2 }.map { Double($0.shift * unit) }
    let kept = shifts.map { $0 * $0 }.sorted().prefix(max(shifts.count * 9 / 10, 1))
    return kept.isEmpty ? .infinity : (kept.reduce(0, +) / Double(kept.count)).squareRoot()
  }
}
