internal import CPixelKernels
import Glibc

/// A plane of a movie's frames and the merged result of the frames so far. Only one thread uses the plane at a time.
final class MoviePlane: @unchecked Sendable {
  private let depth: Int
  private let codes: ClosedRange<Int>
  /// The width and height of this plane as fractions of the width and height of the luma plane.
  private let perColumn: Float
  private let perRow: Float
  /// The threshold below which a coefficient of a single frame counts as noise, as a multiple of the noise's standard
  /// deviation.
  private let multiple: Float
  /// The amount of noise reduction.
  private let amount: Float
  private var estimate = NoiseEstimate()
  /// The prediction of the current frame from the previous frames.
  private let prediction: NumberRows<Float>
  /// The picture merged from the frames so far, in 8-bit codes.
  private var merged: NumberRows<Float>
  /// The buffer for the next merged picture.
  private var next: NumberRows<Float>
  /// The noise variance of the merged picture in each cell, as a fraction of the noise variance of a frame. Nil before
  /// the first noisy frame.
  private var shares: NumberRows<Float>?

  /// The threshold below which a coefficient of a difference counts as noise, as a multiple of the standard deviation
  /// of the difference's noise.
  private static let mergedMultiple: Float = 2.4
  /// The number added to the variance fractions for each frame, because no prediction is perfect. The addition limits
  /// how many frames are averaged.
  private static let forgetting: Float = 0.03
  /// The weight of a new noise estimate relative to earlier estimates.
  private static let renewal: Float = 0.25
  /// The margin at both ends of each row, for blocks that extend beyond the picture.
  private static let margin = 32

  /// - Parameters:
  ///   - plane: The plane of the first frame.
  ///   - format: The format of the frames.
  ///   - multiple: The threshold below which a coefficient counts as noise, as a multiple of the noise's standard
  ///     deviation.
  ///   - amount: The amount of noise reduction.
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

  /// Whether the plane contains enough noise for noise reduction.
  var isWorthIt: Bool { estimate.isWorthIt(depth: depth) }

  /// The variance of the noise that is removed, in 8-bit codes.
  var noise: Float { isWorthIt ? estimate.variance : 0 }

  /// Estimates the noise of a single frame.
  ///
  /// - Parameter isFirst: Whether this is the first frame, so that no earlier estimate exists.
  func estimateNoise(of plane: PlanarFrame.Plane, _ levels: LevelCells, isFirst: Bool) {
    let found = NoiseEstimate(width: plane.width, height: plane.height, levels: levels) { [depth] in
      block_load(plane.row($0), Int64(plane.width), Int32(depth), $1)
    }
    estimate.approach(found, by: isFirst ? 1 : Self.renewal)
  }

  /// Returns the motion of the luma blocks since the previous frame.
  ///
  /// - Parameters:
  ///   - plane: The luma of the frame.
  ///   - last: The luma of the previous frame after noise reduction.
  func motion(of plane: PlanarFrame.Plane, since last: SearchPyramid) -> MotionField {
    var field = MotionField(of: SearchPyramid(plane, depth: depth), in: last)
    if shares != nil {
      let noise = max(estimate.deviations[5], 0.5)
      field.sharpen(plane, depth: depth, in: merged, isMoved: false, noise: noise)
      // The gradients are only linear approximations, so the remaining difference is evaluated a second time.
      predict(field, isFull: false)
      field.sharpen(plane, depth: depth, in: prediction, isMoved: true, noise: noise)
    }
    return field
  }

  /// Removes noise in place from the plane of a frame. A plane without noise is left unchanged.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - index: The index of the plane in the frame.
  ///   - levels: The luma levels of the frame.
  ///   - motion: The motion since the previous frame, or nil for the first frame.
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

  /// Restarts merging with a single frame as the merged picture.
  private func begin(_ plane: PlanarFrame.Plane) -> NumberRows<Float> {
    for y in 0..<plane.height {
      block_load(plane.row(y), Int64(plane.width), Int32(depth), merged[y])
      merged.extendEnds(y)
    }
    let shares = OverlappedBlocks.cells(width: plane.width, height: plane.height)
    for row in 0..<shares.count { shares[row].update(repeating: 1, count: shares.width) }
    return shares
  }

  /// Merges a frame with the result of the previous frames.
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
    // Errors are most visible if they affect a whole block or change gradually across a block.
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

  /// Moves the merged picture along the vectors and writes the result into the prediction.
  ///
  /// - Parameter isFull: False to process only every other square in every other row.
  private func predict(_ motion: MotionField, isFull: Bool = true) {
    let (width, height, margin) = (merged.width, merged.count, Self.margin)
    // Use squares of 8 samples if chroma has half as many samples as luma along either axis.
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
        // Rows have margins at both ends, but no memory is allocated below the last row.
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

  /// The weights of the eight samples around a position, for each sixteenth of a sample. The kernel is a sinc function
  /// multiplied by a squared cosine. The weights are rounded so that the C library does not affect the result.
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
  /// Moves this estimate towards another estimate by a fraction of the difference.
  fileprivate mutating func approach(_ other: NoiseEstimate, by share: Float) {
    for band in deviations.indices { deviations[band] += share * (other.deviations[band] - deviations[band]) }
    for level in levels.indices { levels[level] += share * (other.levels[level] - levels[level]) }
  }
}
