import EditModel
import Rendering

/// The deviation of an edited picture's fine detail from its expected position in the original, region by region.
///
/// An edit moves detail to the position that its geometry determines, accurate to a small fraction of a sample,
/// regardless of colour changes. In another picture of the same scene, detail has other positions: near objects move
/// more, the sensor captures each row at a different moment, and living things have moved.
struct DetailAgreement: Sendable {
  /// The agreement in each region that contains detail.
  private var parts: [DetailShift] = []
  /// The size of a sample, in thousandths of the width.
  private let unit: Float

  /// The minimum number of regions required for a reliable result.
  private static let fewest = 6

  /// Compares the pictures.
  ///
  /// - Parameters:
  ///   - fit: The pictures.
  ///   - model: The geometry between the pictures.
  ///   - side: The maximum length of the compared pictures' longer side, in pixels.
  ///   - cellSide: The width and height of a region in samples.
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

  /// Returns the correlation that a given fraction of the regions exceeds, or 0 if no region contains detail.
  func correlation(exceededBy share: Double) -> Float {
    let sorted = parts.map(\.correlation).sorted()
    return sorted.isEmpty ? 0 : sorted[min(Int(Double(sorted.count) * (1 - share)), sorted.count - 1)]
  }

  /// Returns the fraction of regions in which detail has moved, or 0 if too few shifts are known. Only regions with
  /// known shifts count.
  ///
  /// - Parameter limit: The tolerated shift, in thousandths of the width, or in samples if the picture is less than
  ///   1000 pixels wide.
  func moved(_ limit: Float) -> Double {
    let limit = limit * max(1, unit)
    let known = parts.filter { $0.doubt * unit < limit / 3 }
    let moved = known.filter { abs($0.shift) * unit > limit + 2 * $0.doubt * unit }
    return known.count < Self.fewest ? 0 : Double(moved.count) / Double(known.count)
  }

  /// Returns a limit in thousandths of the width. If the picture is less than 1000 pixels wide, the argument is
  /// interpreted as a number of samples.
  func limit(_ columns: Double) -> Double { columns * Double(max(1, unit)) }

  /// The root mean square of the shifts, in thousandths of the width. The largest tenth of the shifts is excluded.
  var error: Double {
    let shifts = parts.filter { $0.doubt * unit < 0.2 }.map { Double($0.shift * unit) }
    let kept = shifts.map { $0 * $0 }.sorted().prefix(max(shifts.count * 9 / 10, 1))
    return kept.isEmpty ? .infinity : (kept.reduce(0, +) / Double(kept.count)).squareRoot()
  }
}
