import EditModel
import Rendering

/// How far the fine detail of an edited picture lies from where the original has it, place by place.
///
/// An edit, however it changes colours, leaves detail where a geometry puts it, to a small part of a sample. Another picture of
/// the same scene does not: what is nearer moves more, the sensor's rows see different moments, and what is alive
/// is elsewhere. Shifts are found by one step after B. Lucas and T. Kanade (“An Iterative Image Registration Technique”, 1981), across the direction of
/// most of a part's detail, with the deviation that the rest of its differences leaves them.
struct DetailAgreement: Sendable {
  /// A part of the picture with detail.
  private struct Cell {
    /// The correlation of fine detail in both pictures, -1 to 1.
    var correlation: Float
    /// How far the original's detail seems to lie from its place, in columns of 1000.
    var shift: Float
    /// The standard deviation of that number, for all that differs besides.
    var doubt: Float
  }

  private var cells: [Cell] = []
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
    // A curve of tones seems to move edges, so the same tones are tried too; where a vignette hides what they are, these
    // agree less.
    let ones = [shown.finest, shown.toned(as: level.edited).finest]
    let other = level.edited.finest
    let (columns, rows) = (max(width / cellSide, 1), max(height / cellSide, 1))
    for row in 0..<rows {
      for column in 0..<columns {
        let x = max(column * width / columns, 1)..<min((column + 1) * width / columns, width - 1)
        let y = max(row * height / rows, 1)..<min((row + 1) * height / rows, height - 1)
        let both = ones.compactMap { Self.cell($0, other, columns: x, rows: y) }
        if let best = both.max(by: { $0.correlation < $1.correlation }) { cells.append(best) }
      }
    }
  }

  /// Compares a part; nil where it has no detail.
  private static func cell(
    _ one: GreyPlane, _ other: GreyPlane, columns: Range<Int>, rows: Range<Int>
  ) -> Cell? {
    let width = one.width
    var (aa, ab, bb): (Float, Float, Float) = (0, 0, 0)
    var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
    var drift = SIMD2<Float>.zero
    for y in rows {
      for at in y * width + columns.lowerBound..<y * width + columns.upperBound {
        let (a, b) = (one.samples[at], other.samples[at])
        let slopeX = (one.samples[at + 1] - one.samples[at - 1]) / 2
        let slopeY = (one.samples[at + width] - one.samples[at - width]) / 2
        aa += a * a
        ab += a * b
        bb += b * b
        xx += slopeX * slopeX
        xy += slopeX * slopeY
        yy += slopeY * slopeY
        // Detail and its slopes do not correlate, so the gain need not be known here.
        drift += SIMD2(slopeX, slopeY) * b
      }
    }
    let area = Float(columns.count * rows.count)
    guard area > 0, aa > 0.01 * area, bb > 0 else { return nil }
    let gain = ab / aa
    // The greater eigenvalue of the slopes' products, and its direction.
    let (half, difference) = ((xx + yy) / 2, (xx - yy) / 2)
    let strength = half + (difference * difference + xy * xy).squareRoot()
    var axis = SIMD2(xy, strength - xx)
    if abs(strength - yy) > abs(axis.y) { axis = [strength - yy, xy] }
    axis /= max((axis * axis).sum().squareRoot(), 1e-9)
    let moved = (axis * drift).sum() / strength
    let rest = max(bb - gain * ab - moved * moved * strength, 0) / area
    let unit = 1000 / Float(max(one.width, one.height))
    // Neighbouring samples share what differs, hence the factor.
    return Cell(
      correlation: ab / (aa * bb).squareRoot(), shift: moved / gain * unit,
      doubt: gain > 0 ? (2 * rest / strength).squareRoot() / gain * unit : .infinity)
  }

  /// The correlation that a share of the parts exceeds; 0 without any.
  func correlation(exceededBy share: Double) -> Float {
    let sorted = cells.map(\.correlation).sorted()
    return sorted.isEmpty ? 0 : sorted[min(Int(Double(sorted.count) * (1 - share)), sorted.count - 1)]
  }

  /// The share of the parts whose places are known that lie elsewhere; 0 where too few are known to tell.
  ///
  /// - Parameter limit: how far, in columns of 1000, and in samples of smaller pictures.
  func moved(_ limit: Float) -> Double {
    let limit = limit * max(1, unit)
    let known = cells.filter { $0.doubt < limit / 3 }
    let moved = known.filter { abs($0.shift) > limit + 2 * $0.doubt }
    return known.count < Self.fewest ? 0 : Double(moved.count) / Double(known.count)
  }

  /// How many columns of 1000 a limit of that many is, for pictures of fewer columns: as many of their samples.
  func limit(_ columns: Double) -> Double { columns * Double(max(1, unit)) }

  /// The root of the mean square of the shifts, the largest tenth of them left out, in columns of 1000.
  var error: Double {
    let squares = cells.filter { $0.doubt < 0.2 }.map { Double($0.shift * $0.shift) }.sorted()
    let kept = squares.prefix(max(squares.count * 9 / 10, 1))
    return kept.isEmpty ? .infinity : (kept.reduce(0, +) / Double(kept.count)).squareRoot()
  }
}

extension GreyPlane {
  /// Detail finer than about four samples.
  fileprivate var finest: GreyPlane {
    let means = blurred(over: 1)
    var result = self
    for at in samples.indices { result.samples[at] -= means.samples[at] }
    return result
  }

  /// The picture with the tones that another one has on average where this one has each of its own.
  fileprivate func toned(as other: GreyPlane) -> GreyPlane {
    let bins = 65
    var (sums, counts) = ([Float](repeating: 0, count: bins), [Float](repeating: 0, count: bins))
    func place(_ sample: Float) -> (bin: Int, share: Float) {
      let tone = min(max(sample, 0), 255) / 255 * Float(bins - 1)
      let bin = min(Int(tone), bins - 2)
      return (bin, tone - Float(bin))
    }
    for at in samples.indices {
      let (bin, share) = place(samples[at])
      sums[bin] += (1 - share) * other.samples[at]
      sums[bin + 1] += share * other.samples[at]
      counts[bin] += 1 - share
      counts[bin + 1] += share
    }
    // Tones that hardly occur take those beside them.
    let few = Float(samples.count) / 5000
    var tones = [Float](repeating: 0, count: bins)
    for bin in 0..<bins {
      var (sum, count, reach) = (sums[bin], counts[bin], 0)
      while count < few, reach < bins {
        reach += 1
        for near in [bin - reach, bin + reach] where 0..<bins ~= near {
          sum += sums[near]
          count += counts[near]
        }
      }
      tones[bin] = count > 0 ? sum / count : 0
    }
    var result = self
    for at in samples.indices {
      let (bin, share) = place(samples[at])
      result.samples[at] = tones[bin] + (tones[bin + 1] - tones[bin]) * share
    }
    return result
  }
}
