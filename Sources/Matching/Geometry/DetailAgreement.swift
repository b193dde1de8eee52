import EditModel
import Glibc
import Rendering

/// How much of the finest detail of an edited picture is the original's, place by place.
///
/// An edit, however it changes colours, moves with the original to the sample and keeps its texture and noise. Another picture of the same
/// scene does not: what is nearer moves more, hands, leaves and water are elsewhere, and noise is another one.
struct DetailAgreement: Sendable {
  /// A part of the picture.
  struct Cell: Sendable {
    /// Its middle in fractions of the edited picture.
    var place: SIMD2<Double>
    /// The correlation of fine detail, -1 to 1.
    var correlation: Float
    /// How strong it is in the edited picture, the original's being 1.
    var gain: Float
    var power: Float
    /// How far the original's detail seems to lie from its place, across most of it, in columns of 1000.
    var shift: Float
    /// The standard deviation that noise and retouching give that number.
    var doubt: Float
  }

  /// The parts that have detail.
  private(set) var cells: [Cell] = []
  /// How many there are altogether.
  private(set) var count = 0

  init?(_ fit: PictureFit, _ model: GeometryModel, side: Int, cell: Int = 32) {
    guard let level = fit.level(side, model), let shown = level.shown(model) else { return nil }
    let (width, height) = (shown.width, shown.height)
    let (one, other) = (shown.finest, level.edited.finest)
    let (columns, rows) = (max(width / cell, 1), max(height / cell, 1))
    for row in 0..<rows {
      for column in 0..<columns {
        let (left, top) = (column * width / columns, row * height / rows)
        let (right, bottom) = ((column + 1) * width / columns, (row + 1) * height / rows)
        var sums = [Float](repeating: 0, count: 10)
        for y in max(top, 1)..<min(bottom, height - 1) {
          for at in y * width + max(left, 1)..<y * width + min(right, width - 1) {
            let (a, b) = (one.samples[at], other.samples[at])
            let slopeX = (one.samples[at + 1] - one.samples[at - 1]) / 2
            let slopeY = (one.samples[at + width] - one.samples[at - width]) / 2
            sums[0] += a * a
            sums[1] += a * b
            sums[2] += b * b
            sums[3] += slopeX * slopeX
            sums[4] += slopeX * slopeY
            sums[5] += slopeY * slopeY
            sums[6] += slopeX * b
            sums[7] += slopeY * b
          }
        }
        count += 1
        let area = Float((bottom - top) * (right - left))
        guard sums[0] > 0.01 * area, sums[2] > 0 else { continue }
        let gain = sums[1] / sums[0]
        let correlation = sums[1] / (sums[0] * sums[2]).squareRoot()
        // The direction across most of the detail, and its slopes.
        let (half, difference) = ((sums[3] + sums[5]) / 2, (sums[3] - sums[5]) / 2)
        let root = (difference * difference + sums[4] * sums[4]).squareRoot()
        let strength = half + root
        var axis = SIMD2(sums[4], strength - sums[3])
        if abs(strength - sums[5]) > abs(axis.y) { axis = SIMD2(strength - sums[5], sums[4]) }
        axis /= max((axis * axis).sum().squareRoot(), 1e-9)
        let moved = (axis * SIMD2(sums[6], sums[7])).sum() / strength
        let rest = max(sums[2] - gain * sums[1] - moved * moved * strength, 0) / area
        let unit = 1000 / Float(max(width, height))
        cells.append(
          Cell(
            place: SIMD2(Double(left + right), Double(top + bottom)) / 2 / SIMD2(Double(width), Double(height)),
            correlation: correlation, gain: gain, power: sums[2] / sums[0], shift: moved / gain * unit,
            doubt: (2 * rest / strength).squareRoot() / abs(gain) * unit))
      }
    }
  }

  func summary() -> String {
    let c = cells.map(\.correlation).sorted()
    guard !c.isEmpty else { return "none of \(count)" }
    func r(_ x: Double) -> String { "\((x * 100).rounded() / 100)" }
    var t = "\(c.count)/\(count) c " + [0.1, 0.25, 0.5, 0.75, 0.9].map { r(Double(c[Int($0 * Double(c.count - 1))])) }.joined(separator: " ")
    for limit: Float in [0.06, 0.1, 0.2, 0.3, 0.45] {
      let known = cells.filter { $0.gain > 0 && $0.doubt < limit / 3 }
      let moved = known.filter { abs($0.shift) > limit + 2 * $0.doubt }
      t += " | \(known.count) " + r(Double(moved.count) / Double(max(known.count, 1)))
    }
    let g = cells.filter { $0.correlation > 0.6 }.map(\.gain).sorted()
    let gm = g.isEmpty ? 1 : g[g.count / 2]
    t += " F " + r(Double(cells.filter { $0.correlation < 0.35 && $0.power > 0.4 * gm * gm }.count) / Double(count))
    return t
  }
}

extension GreyPlane {
  /// What is finer than about four samples.
  var finest: GreyPlane {
    let means = blurred(over: 1)
    var result = self
    for at in samples.indices { result.samples[at] -= means.samples[at] }
    return result
  }
}
