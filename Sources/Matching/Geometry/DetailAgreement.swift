import EditModel
import Rendering

/// How far the fine detail of an edited picture lies from where the original has it, place by place.
///
/// An edit, however it changes colours, leaves detail where a geometry puts it, to a small part of a sample. Another picture of
/// the same scene does not: what is nearer moves more, the sensor's rows see different moments, and what is alive
/// is elsewhere.
struct DetailAgreement: Sendable {
  /// How the parts with detail agree.
  private var parts: [DetailShift] = []
  /// Columns of 1000 in a sample.
  private let unit: Float

  /// The parts that say something at least.
  private static let fewest = 6

  /// Compares the pictures.
  ///
  /// - Parameters:
  ///   - fit: the pictures.
  ///   - model: how they lie.
  ///   - side: the longer side of what is compared, at most.
  ///   - cellSide: columns and rows of a part.
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

  /// The correlation that a share of the parts exceeds; 0 without any.
  func correlation(exceededBy share: Double) -> Float {
    let sorted = parts.map(\.correlation).sorted()
    return sorted.isEmpty ? 0 : sorted[min(Int(Double(sorted.count) * (1 - share)), sorted.count - 1)]
  }

  /// The share of the parts whose places are known that lie elsewhere; 0 where too few are known to tell.
  ///
  /// - Parameter limit: how far, in columns of 1000, and in samples of smaller pictures.
  func moved(_ limit: Float) -> Double {
    let limit = limit * max(1, unit)
    let known = parts.filter { $0.doubt * unit < limit / 3 }
    let moved = known.filter { abs($0.shift) * unit > limit + 2 * $0.doubt * unit }
    return known.count < Self.fewest ? 0 : Double(moved.count) / Double(known.count)
  }

  /// How many columns of 1000 a limit of that many is, for pictures of fewer columns: as many of their samples.
  func limit(_ columns: Double) -> Double { columns * Double(max(1, unit)) }

  /// The root of the mean square of the shifts, the largest tenth of them left out, in columns of 1000.
  var error: Double {
    let shifts = parts.filter { $0.doubt * unit < 0.2 }.map { Double($0.shift * unit) }
    let kept = shifts.map { $0 * $0 }.sorted().prefix(max(shifts.count * 9 / 10, 1))
    return kept.isEmpty ? .infinity : (kept.reduce(0, +) / Double(kept.count)).squareRoot()
  }
}
