internal import CPixelKernels
import Glibc

/// A plane of a movie's frames, with what the frames so far have put together. One thread has it at a time.
final class MoviePlane: @unchecked Sendable {
  private let depth: Int
  private let codes: ClosedRange<Int>
  /// Columns and rows for one of luma.
  private let perColumn: Float
  private let perRow: Float
  /// The multiple of the deviation of noise below which a coefficient of a frame alone is noise.
  private let multiple: Float
  /// The value of noise reduction.
  private let amount: Float
  private var estimate = NoiseEstimate()
  /// The frame as those before make it.
  private let prediction: NumberRows<Float>
  /// The picture that was put together of the frames so far, in 8-bit codes.
  private var merged: NumberRows<Float>
  /// Room for the next one.
  private var next: NumberRows<Float>
  /// The variance of its noise as a share of the frame's, by cells; nil before the first frame that has any.
  private var shares: NumberRows<Float>?

  /// The multiple of the deviation of a difference's noise below which a coefficient is noise.
  private static let mergedMultiple: Float = 2.4
  /// Added to shares from frame to frame, since no prediction is perfect: so none is averaged over very many.
  private static let forgetting: Float = 0.03
  /// How much of a new estimate is taken.
  private static let renewal: Float = 0.25
  /// Room beside rows, for blocks from outside.
  private static let margin = 32

  /// - Parameters:
  ///   - plane: the plane of the first frame.
  ///   - format: of the frames.
  ///   - multiple: the multiple of the deviation of noise below which a coefficient is noise.
  ///   - amount: the value of noise reduction.
  init(_ plane: PlanarFrame.Plane, _ format: FrameFormat, multiple: Float, amount: Float) {
    depth = format.bitDepth
    codes = ColorEncoding(format.color, bitDepth: depth).codes
    perColumn = Float(plane.width) / Float(format.width)
    perRow = Float(plane.height) / Float(format.height)
    (self.multiple, self.amount) = (multiple, amount)
    func rows() -> NumberRows<Float> {
      NumberRows(width: plane.width, count: plane.height, margin: Self.margin)
    }
    (prediction, merged, next) = (rows(), rows(), rows())
  }

  /// True if there is noise to take out.
  var isWorthIt: Bool { estimate.isWorthIt(depth: depth) }

  /// The variance of the noise that is taken out, in 8-bit codes.
  var noise: Float { isWorthIt ? estimate.variance : 0 }

  /// Looks for noise in a frame alone.
  ///
  /// - Parameter isFirst: true if no frame before tells of its noise.
  func estimateNoise(of plane: PlanarFrame.Plane, _ levels: LevelCells, isFirst: Bool) {
    let found = NoiseEstimate(width: plane.width, height: plane.height, levels: levels) { [depth] in
      block_load(plane.row($0), Int64(plane.width), Int32(depth), $1)
    }
    estimate.approach(found, by: isFirst ? 1 : Self.renewal)
  }

  /// Where the blocks of luma were in the frame before.
  ///
  /// - Parameters:
  ///   - plane: luma of the frame.
  ///   - last: luma of the frame before as it came out.
  func motion(of plane: PlanarFrame.Plane, since last: SearchPyramid) -> MotionField {
    var field = MotionField(of: SearchPyramid(plane, depth: depth), in: last)
    if shares != nil {
      let noise = max(estimate.deviations[5], 0.5)
      field.sharpen(plane, depth: depth, in: merged, isMoved: false, noise: noise)
      // Slopes are those of straight lines, so what is left is looked at once more.
      predict(field, isFull: false)
      field.sharpen(plane, depth: depth, in: prediction, isMoved: true, noise: noise)
    }
    return field
  }

  /// Changes the plane of a frame in place; leaves it alone where it has no noise.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - index: the number of the plane in it.
  ///   - levels: of the frame's luma.
  ///   - motion: since the frame before; nil for the first.
  func clean(_ frame: PlanarFrame, _ index: Int, _ levels: LevelCells, _ motion: MotionField?) {
    let plane = frame.planes[index]
    guard isWorthIt else {
      shares = nil
      return
    }
    let scales = estimate.scales(levels, width: plane.width, height: plane.height)
    let shares =
      if let motion, let shares { merge(plane, motion, scales, shares) } else { begin(plane) }
    self.shares = shares
    for row in 0..<scales.count {
      for column in 0..<scales.width { scales[row][column] *= shares[row][column] }
    }
    let merged = merged
    estimate.reduce(
      frame, index, depth: depth, codes: codes, multiple: multiple, amount: amount, scales: scales,
      read: { [width = plane.width] in $1.update(from: merged[$0], count: width) })
  }

  /// Begins anew with a frame alone.
  private func begin(_ plane: PlanarFrame.Plane) -> NumberRows<Float> {
    for y in 0..<plane.height {
      block_load(plane.row(y), Int64(plane.width), Int32(depth), merged[y])
      merged.extendEnds(y)
    }
    let shares = OverlappedBlocks.cells(width: plane.width, height: plane.height)
    for row in 0..<shares.count { shares[row].update(repeating: 1, count: shares.width) }
    return shares
  }

  /// Lays a frame over what was put together before.
  private func merge(
    _ plane: PlanarFrame.Plane, _ motion: MotionField, _ scales: NumberRows<Float>,
    _ before: NumberRows<Float>
  ) -> NumberRows<Float> {
    predict(motion)
    let (width, height) = (plane.width, plane.height)
    let gains = OverlappedBlocks.cells(width: width, height: height)
    let limits = OverlappedBlocks.cells(width: width, height: height)
    let cell = OverlappedBlocks.cell
    for row in 0..<gains.count {
      for column in 0..<gains.width {
        let vector = motion[
          Int(Float(row * cell) / perRow) / MotionField.side,
          Int(Float(column * cell) / perColumn) / MotionField.side]
        let x = Int((Float(column * cell) + vector.x * perColumn).rounded()) / cell
        let y = Int((Float(row * cell) + vector.y * perRow).rounded()) / cell
        let share =
          before[min(max(y, 0), gains.count - 1)][min(max(x, 0), gains.width - 1)] + Self.forgetting
        gains[row][column] = share / (1 + share)
        limits[row][column] = scales[row][column] * (1 + share)
      }
    }
    let (prediction, merged) = (prediction, next)
    let shares = OverlappedBlocks.cells(width: width, height: height)
    // What differs in a whole block, or over it, is seen most easily where it is wrong.
    var deviations = estimate.deviations
    deviations[0] *= 0.6
    deviations[1] *= 0.8
    OverlappedBlocks(width: width, height: height, step: 4).apply(
      .merging(gains: gains, shares: shares), deviations: deviations, multiple: Self.mergedMultiple,
      scales: limits,
      read: { [depth] row, numbers in
        block_load(plane.row(row), Int64(width), Int32(depth), numbers)
        let base = prediction[row]
        for x in 0..<width { numbers[x] -= base[x] }
      },
      write: { row, numbers in
        let (target, base) = (merged[row], prediction[row])
        for x in 0..<width { target[x] = base[x] + numbers[x] }
        merged.extendEnds(row)
      })
    (next, self.merged) = (self.merged, merged)
    return shares
  }

  /// Puts what vectors make of the picture so far into the prediction.
  ///
  /// - Parameter isFull: false for every other square of every other row.
  private func predict(_ motion: MotionField, isFull: Bool = true) {
    let (width, height, margin) = (merged.width, merged.count, Self.margin)
    // Squares of 8 where either side of chroma is half of luma's.
    let side = min(perColumn, perRow) < 0.75 ? 8 : MotionField.side
    let rest = NumberRows<Float>(width: side, count: side)
    var near = [UnsafePointer<Float>?](repeating: nil, count: side + 7)
    for top in stride(from: 0, to: height, by: side) {
      for left in stride(from: 0, to: width, by: side) where isFull || (top | left) / side % 2 == 0 {
        let vector = motion[
          Int(Float(top) / perRow) / MotionField.side, Int(Float(left) / perColumn) / MotionField.side]
        let (x, y) = (vector.x * perColumn, vector.y * perRow)
        let (wholeX, wholeY) = (x.rounded(.down), y.rounded(.down))
        let column = min(max(left + Int(wholeX) - 3, -margin), width + margin - side - 7)
        for row in near.indices {
          near[row] = UnsafePointer(merged[min(max(top + Int(wholeY) - 3 + row, 0), height - 1)] + column)
        }
        let across = Self.weights[Int(((x - wholeX) * 16).rounded())]
        let down = Self.weights[Int(((y - wholeY) * 16).rounded())]
        // There is room behind the rows, but not below them.
        guard top + side > height else {
          motion_compensate(
            near, across, down, Int32(side), prediction[top] + left, Int64(width + 2 * margin))
          continue
        }
        motion_compensate(near, across, down, Int32(side), rest[0], Int64(side))
        for row in top..<height {
          (prediction[row] + left).update(from: rest[row - top], count: min(side, width - left))
        }
      }
    }
  }

  /// Weights of the eight samples around a place, by sixteenths of a sample: a sinc under a cosine squared, rounded
  /// so that no C library decides about a bit.
  private static let weights: [[Float]] = (0...16).map { sixteenths in
    let weights = (0..<8).map { index -> Double in
      let distance = Double(index - 3) - Double(sixteenths) / 16
      guard abs(distance) > 1e-9 else { return 1 }
      let bell = cos(.pi * distance / 8)
      return sin(.pi * distance) / (.pi * distance) * bell * bell
    }
    let sum = weights.reduce(0, +)
    return weights.map { Float(($0 / sum * 65536).rounded() / 65536) }
  }
}

extension NoiseEstimate {
  /// Takes over a share of another estimate.
  fileprivate mutating func approach(_ other: NoiseEstimate, by share: Float) {
    for band in deviations.indices { deviations[band] += share * (other.deviations[band] - deviations[band]) }
    for level in levels.indices { levels[level] += share * (other.levels[level] - levels[level]) }
  }
}
