internal import CPixelKernels
import Glibc

/// The frames of a movie, cleaned one after the other: each is laid over the one before along motion, coefficient by
/// coefficient of their difference, where that is no more than noise (as burst photographs are merged by Hasinoff and
/// others, ACM TOG 35, 2016), with the gain of a Kalman filter; what noise is left then is taken out of the frame alone.
/// Where nothing matches, as after a cut, the frame comes out as if it stood alone.
struct MovieCleaning {
  private let amount: Float
  private var format: FrameFormat?
  private var planes: [Plane] = []
  /// Luma of the last frame as it came out.
  private var last: SearchPyramid?
  private var number = 0

  /// A plane of the last frame.
  private struct Plane {
    var estimate = NoiseEstimate()
    /// The frame as it came, in 8-bit codes.
    let source: NumberRows<Float>
    /// The frame as those before make it.
    let prediction: NumberRows<Float>
    /// The picture that was put together of the frames so far.
    var merged: NumberRows<Float>
    /// The variance of its noise as a share of the frame's, by cells.
    var shares: NumberRows<Float>
    /// Room for the next frame's.
    var next: NumberRows<Float>

    init(_ plane: PlanarFrame.Plane) {
      func rows() -> NumberRows<Float> {
        NumberRows(width: plane.width, count: plane.height, margin: MovieCleaning.margin)
      }
      (source, prediction, merged, next) = (rows(), rows(), rows(), rows())
      shares = OverlappedBlocks.cells(width: plane.width, height: plane.height)
    }

    /// Takes a frame's samples over.
    func load(_ plane: PlanarFrame.Plane, _ depth: Int, into rows: NumberRows<Float>) {
      for y in 0..<plane.height {
        block_load(plane.row(y), Int64(plane.width), Int32(depth), rows[y])
        rows.extendEnds(y)
      }
    }

    /// Begins anew with the frame alone.
    func begin() {
      for y in 0..<source.count {
        merged[y].update(from: source[y], count: source.width)
        merged.extendEnds(y)
      }
      for row in 0..<shares.count { shares[row].update(repeating: 1, count: shares.width) }
    }
  }

  /// The multiple of the deviation of a difference's noise below which a coefficient is noise.
  private static let multiple: Float = 2.4
  /// Added to shares from frame to frame, since no prediction is perfect: so none is averaged over very many.
  private static let forgetting: Float = 0.03
  /// Frames between two estimates of noise, after the first ones.
  private static let pause = 6
  /// How much of a new estimate is taken.
  private static let renewal: Float = 0.25
  /// Room beside rows, for blocks from outside.
  private static let margin = 32

  /// - Parameter amount: the value of noise reduction.
  init(amount: Float) {
    self.amount = amount
  }

  /// Changes the next frame in place.
  mutating func clean(_ frame: PlanarFrame) {
    if format != frame.format {
      (format, planes, last, number) = (frame.format, frame.planes.map(Plane.init), nil, 0)
    }
    guard let luma = frame.planes.first else { return }
    let depth = frame.format.bitDepth
    let levels = LevelCells(luma, depth: depth)
    for (plane, samples) in zip(planes, frame.planes) { plane.load(samples, depth, into: plane.source) }
    if number < 4 || number % Self.pause == 0 { estimate(levels) }
    let codes = ColorEncoding(frame.format.color, bitDepth: depth).codes
    let motion = last.map(motionSince)
    for (index, samples) in frame.planes.enumerated() {
      let plane = planes[index]
      let scales = plane.estimate.scales(levels, width: samples.width, height: samples.height)
      if let motion { merge(index, motion, scales) } else { plane.begin() }
      write(index, scales, to: samples, depth, codes)
    }
    // Motion is searched in what came out, which has least noise; the prediction's place is free by now.
    planes[0].load(luma, depth, into: planes[0].prediction)
    last = SearchPyramid(planes[0].prediction)
    number += 1
  }

  /// Where the blocks of the frame were in the one before.
  private func motionSince(_ last: SearchPyramid) -> MotionField {
    let luma = planes[0]
    var field = MotionField(of: SearchPyramid(luma.source), in: last)
    predict(0, field, isFull: false)
    field.sharpen(luma.source, luma.prediction, noise: max(luma.estimate.deviations[5], 0.5))
    return field
  }

  /// Looks for noise in the frame alone.
  private mutating func estimate(_ levels: LevelCells) {
    for index in planes.indices {
      let source = planes[index].source
      let found = NoiseEstimate(width: source.width, height: source.count, levels: levels) { row, numbers in
        numbers.update(from: source[row], count: source.width)
      }
      planes[index].estimate.approach(found, by: number == 0 ? 1 : Self.renewal)
    }
  }

  /// Lays a plane over what was put together before.
  private mutating func merge(_ index: Int, _ motion: MotionField, _ scales: NumberRows<Float>) {
    let (source, prediction) = (planes[index].source, planes[index].prediction)
    let (width, height) = (source.width, source.count)
    predict(index, motion)
    let before = planes[index].shares
    let gains = OverlappedBlocks.cells(width: width, height: height)
    let limits = OverlappedBlocks.cells(width: width, height: height)
    let cell = OverlappedBlocks.cell
    let (perColumn, perRow) = scale(of: source)
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
    let merged = planes[index].next
    let shares = OverlappedBlocks.cells(width: width, height: height)
    // What differs in a whole block, or over it, is seen most easily where it is wrong.
    var deviations = planes[index].estimate.deviations
    deviations[0] *= 0.6
    deviations[1] *= 0.8
    OverlappedBlocks(width: width, height: height, step: 4).apply(
      .merging(gains: gains, shares: shares), deviations: deviations, multiple: Self.multiple, scales: limits,
      read: { row, numbers in
        let (one, other) = (source[row], prediction[row])
        for x in 0..<width { numbers[x] = one[x] - other[x] }
      },
      write: { row, numbers in
        let (target, base) = (merged[row], prediction[row])
        for x in 0..<width { target[x] = base[x] + numbers[x] }
        merged.extendEnds(row)
      })
    (planes[index].next, planes[index].merged) = (planes[index].merged, merged)
    planes[index].shares = shares
  }

  /// Takes out of a plane what noise is left, and puts it into the frame.
  private func write(
    _ index: Int, _ scales: NumberRows<Float>, to plane: PlanarFrame.Plane, _ depth: Int,
    _ codes: ClosedRange<Int>
  ) {
    let (merged, shares) = (planes[index].merged, planes[index].shares)
    for row in 0..<scales.count {
      for column in 0..<scales.width { scales[row][column] *= shares[row][column] }
    }
    OverlappedBlocks(width: plane.width, height: plane.height, step: 4).apply(
      .shrinking, deviations: planes[index].estimate.deviations,
      multiple: amount * (index == 0 ? NoiseReduction.luma : NoiseReduction.chroma), scales: scales,
      read: { $1.update(from: merged[$0], count: plane.width) },
      write: { row, numbers in
        block_store(
          numbers, Int64(plane.width), Int32(depth), Int32(codes.lowerBound), Int32(codes.upperBound),
          plane.row(row))
      })
  }

  /// Columns and rows of a plane for one of luma.
  private func scale(of plane: NumberRows<Float>) -> (perColumn: Float, perRow: Float) {
    let luma = planes[0].source
    return (Float(plane.width) / Float(luma.width), Float(plane.count) / Float(luma.count))
  }

  /// Puts what vectors make of a plane into its prediction.
  ///
  /// - Parameter isFull: false for every other square of every other row.
  private func predict(_ index: Int, _ motion: MotionField, isFull: Bool = true) {
    let (plane, result) = (planes[index].merged, planes[index].prediction)
    let (width, height, margin) = (plane.width, plane.count, Self.margin)
    let (perColumn, perRow) = scale(of: plane)
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
          near[row] = UnsafePointer(plane[min(max(top + Int(wholeY) - 3 + row, 0), height - 1)] + column)
        }
        let across = Self.weights[Int(((x - wholeX) * 16).rounded())]
        let down = Self.weights[Int(((y - wholeY) * 16).rounded())]
        // There is room behind the rows, but not below them.
        guard top + side > height else {
          motion_compensate(near, across, down, Int32(side), result[top] + left, Int64(width + 2 * margin))
          continue
        }
        motion_compensate(near, across, down, Int32(side), rest[0], Int64(side))
        for row in top..<height {
          (result[row] + left).update(from: rest[row - top], count: min(side, width - left))
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
  mutating func approach(_ other: NoiseEstimate, by share: Float) {
    for band in deviations.indices { deviations[band] += share * (other.deviations[band] - deviations[band]) }
    for level in levels.indices { levels[level] += share * (other.levels[level] - levels[level]) }
  }
}
