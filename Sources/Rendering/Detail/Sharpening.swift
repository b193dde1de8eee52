internal import CPixelKernels
import EditModel

/// Sharpens edges by adding the difference between luma and its local mean. The effect is stronger in areas with much
/// detail and weaker at edges that are already strong. The added values are limited in size and by the end of the code
/// range, which may affect one side of an edge more than the other. Their local mean is therefore subtracted, so that
/// brightness does not change. `Parameter.description` contains the formula.
struct Sharpening: DetailPass {
  private let amount: Float

  /// The radius of the local mean, as a fraction of the longer side.
  private static let radius = 1.0 / 2000
  /// Two values of squared activity at which the effect is halved: a low value, below which detail is mostly noise, and
  /// a high value, above which edges are already strong.
  private static let noise: Float = 6
  private static let limit: Float = 600

  init?(_ edit: Edit) {
    guard edit[.sharpness] > 0 else { return nil }
    amount = Float(3 * edit[.sharpness])
  }

  func apply(to frame: PlanarFrame, _ encoding: ColorEncoding) {
    guard let plane = frame.planes.first else { return }
    let sigma = Double(max(plane.width, plane.height)) * Self.radius
    let bell = BellWeights(variance: sigma * sigma)
    let wide = BellWeights(variance: 4 * sigma * sigma)
    guard bell.radius > 0 else { return }
    var pass = Pass(plane, depth: frame.format.bitDepth, encoding.codes, bell, wide, amount)
    for y in 0..<plane.height { pass.write(y) }
  }

  /// Buffers for intermediate rows. Each row is computed when it is needed and kept as long as other rows depend on it.
  /// A row of the plane is overwritten once no other row depends on it.
  private struct Pass {
    private let plane: PlanarFrame.Plane
    private let codes: ClosedRange<Int>
    private let depth: Int32
    private let amount: Float
    private let bell: [Int16]
    private let wide: [Int16]
    private let luma: NumberRows<Int16>
    /// The differences between luma and its local mean, and the magnitudes of these differences.
    private let differences: NumberRows<Int16>
    private let sizes: NumberRows<Int16>
    private let additions: NumberRows<Int16>
    private let between: NumberRows<Int16>
    private let mean: NumberRows<Int16>
    // The number of rows that each step has completed.
    private var (loaded, compared, added) = (0, 0, 0)

    init(
      _ plane: PlanarFrame.Plane, depth: Int, _ codes: ClosedRange<Int>, _ bell: BellWeights,
      _ wide: BellWeights, _ amount: Float
    ) {
      self.plane = plane
      self.codes = codes
      self.depth = Int32(depth)
      self.amount = amount
      (self.bell, self.wide) = (bell.fixedPoint, wide.fixedPoint)
      func rows(_ count: Int) -> NumberRows<Int16> { NumberRows(width: plane.width, count: count) }
      luma = rows(2 * bell.radius + 1)
      differences = rows(2 * wide.radius + 1)
      sizes = rows(2 * wide.radius + 1)
      additions = rows(2 * wide.radius + 1)
      between = NumberRows(width: plane.width, count: 1, margin: max(bell.radius, wide.radius))
      mean = rows(1)
    }

    /// Completes a row. Rows must be completed in order.
    mutating func write(_ row: Int) {
      while added <= min(row + wide.count - 1, plane.height - 1) { makeAddition() }
      blur(additions, around: row, wide)
      sharpening_apply(
        additions[row % additions.count], mean[0], Int64(plane.width), depth, Int32(codes.lowerBound),
        Int32(codes.upperBound), plane.row(row))
    }

    private mutating func makeAddition() {
      while compared <= min(added + wide.count - 1, plane.height - 1) { makeDifference() }
      blur(sizes, around: added, wide)
      sharpening_addition(
        differences[added % differences.count], mean[0], Int64(plane.width), amount, Sharpening.noise,
        Sharpening.limit, plane.row(added), depth, Int32(codes.lowerBound),
        Int32(codes.upperBound), additions[added % additions.count])
      added += 1
    }

    private mutating func makeDifference() {
      while loaded <= min(compared + bell.count - 1, plane.height - 1) {
        sharpening_load(
          plane.row(loaded), Int64(plane.width), depth, luma[loaded % luma.count])
        loaded += 1
      }
      blur(luma, around: compared, bell)
      sharpening_difference(
        luma[compared % luma.count], mean[0], Int64(plane.width), differences[compared % differences.count],
        sizes[compared % sizes.count])
      compared += 1
    }

    /// Writes the weighted mean of the rows around a row into ``mean``.
    private func blur(_ rows: NumberRows<Int16>, around row: Int, _ weights: [Int16]) {
      let radius = weights.count - 1
      let near = (row - radius...row + radius).map { y -> UnsafePointer<Int16>? in
        UnsafePointer(rows[min(max(y, 0), plane.height - 1) % rows.count])
      }
      sharpening_blur_rows(near, weights, Int32(radius), Int64(plane.width), between[0])
      between.extendEnds(0)
      sharpening_blur_row(between[0], weights, Int32(radius), Int64(plane.width), mean[0])
    }
  }
}
