internal import CPixelKernels

/// Where each block of 16x16 luma samples of a picture was in the one before.
struct MotionField {
  /// Columns and rows of a block.
  static let side = 16
  /// Blocks in a row and a column.
  let across: Int
  let down: Int
  /// In luma samples, row after row.
  private(set) var vectors: [SIMD2<Float>]

  subscript(row: Int, column: Int) -> SIMD2<Float> {
    vectors[min(row, down - 1) * across + min(column, across - 1)]
  }

  /// - Parameters:
  ///   - picture: the picture.
  ///   - earlier: the one before, of the same size.
  init(of picture: SearchPyramid, in earlier: SearchPyramid) {
    (across, down) = (picture.blocksAcross, picture.blocksDown)
    var found = [SIMD2<Int>](repeating: .zero, count: across * down)
    // From a quarter of the size, by squares of 8 samples, which are twice as large as the blocks.
    let (small, smallBefore) = (picture.levels[2], earlier.levels[2])
    for row in 0..<down {
      for column in 0..<across {
        var (x, y) = (Int32(0), Int32(0))
        motion_search(
          small.at(column * 4 - 2, row * 4 - 2), small.stride, smallBefore.at(column * 4 - 2, row * 4 - 2),
          smallBefore.stride, Int32(Self.range), &x, &y)
        found[row * across + column] = [Int(x), Int(y)]
      }
    }
    for level in [1, 0] {
      found = Self.refined(
        found, across, down, picture.levels[level], earlier.levels[level], side: 16 >> level)
    }
    vectors = []
    vectors.reserveCapacity(found.count)
    for (index, place) in found.enumerated() {
      vectors.append(
        Self.between(place, index % across, index / across, picture.levels[0], earlier.levels[0]))
    }
  }

  /// Samples of the smallest level that are searched in each direction.
  private static let range = 5

  /// Twice the vectors, or those of neighbours, or none, whichever is best, and a sample more or less.
  private static func refined(
    _ vectors: [SIMD2<Int>], _ across: Int, _ down: Int, _ picture: SearchPlane, _ earlier: SearchPlane,
    side: Int
  ) -> [SIMD2<Int>] {
    vectors.indices.map { index in
      let (column, row) = (index % across, index / across)
      let block = picture.at(column * side, row * side)
      func difference(_ vector: SIMD2<Int>) -> Int32 {
        motion_difference(
          block, picture.stride, earlier.at(column * side + vector.x, row * side + vector.y), earlier.stride,
          Int32(side))
      }
      var best = 2 &* vectors[index]
      var least = difference(best)
      func attempt(_ vector: SIMD2<Int>, _ penalty: Int32) {
        let sum = difference(vector)
        if sum + penalty < least { (best, least) = (vector, sum) }
      }
      let penalty = Int32(side * 4)
      if column > 0 { attempt(2 &* vectors[index - 1], penalty) }
      if column < across - 1 { attempt(2 &* vectors[index + 1], penalty) }
      if row > 0 { attempt(2 &* vectors[index - across], penalty) }
      if row < down - 1 { attempt(2 &* vectors[index + across], penalty) }
      attempt(.zero, penalty)
      let middle = best
      for y in -1...1 { for x in -1...1 where x != 0 || y != 0 { attempt(middle &+ [x, y], 0) } }
      return best
    }
  }

  /// A vector between whole samples, by parabolas through the differences around it.
  private static func between(
    _ vector: SIMD2<Int>, _ column: Int, _ row: Int, _ picture: SearchPlane, _ earlier: SearchPlane
  ) -> SIMD2<Float> {
    let block = picture.at(column * side, row * side)
    func difference(_ x: Int, _ y: Int) -> Float {
      let place = earlier.at(column * side + vector.x + x, row * side + vector.y + y)
      return Float(motion_difference(block, picture.stride, place, earlier.stride, Int32(side)))
    }
    func least(_ before: Float, _ here: Float, _ after: Float) -> Float {
      let bend = before + after - 2 * here
      return bend > 0 ? min(max(0.5 * (before - after) / bend, -0.5), 0.5) : 0
    }
    let here = difference(0, 0)
    return SIMD2(
      Float(vector.x) + least(difference(-1, 0), here, difference(1, 0)),
      Float(vector.y) + least(difference(0, -1), here, difference(0, 1)))
  }

  /// Makes the vectors exact to a small part of a sample: by the slopes of what they predict and what it differs by,
  /// together with blocks around that move alike.
  ///
  /// - Parameters:
  ///   - picture: luma of the picture.
  ///   - prediction: what the vectors make of the picture before, in every other square of every other row.
  ///   - noise: the deviation of the picture's noise.
  mutating func sharpen(_ picture: NumberRows<Float>, _ prediction: NumberRows<Float>, noise: Float) {
    var sums = [[Float]](repeating: [0, 0, 0, 0, 0], count: vectors.count)
    let (width, height) = (picture.width, picture.count)
    // Inside the squares that were predicted; their edges do not fit together.
    for row in stride(from: 0, to: down, by: 2) {
      for column in stride(from: 0, to: across, by: 2) {
        let first = column * Self.side + 1
        let count = min((column + 1) * Self.side, width) - 1 - first
        guard count > 0 else { continue }
        for y in row * Self.side + 1..<max(min((row + 1) * Self.side, height) - 1, row * Self.side + 1) {
          motion_products(
            picture[y] + first, prediction[y - 1] + first, prediction[y] + first, prediction[y + 1] + first,
            Int64(count), 4 * noise, &sums[row * across + column])
        }
      }
    }
    // As equations for the vectors themselves.
    let weight = 8 * noise * noise
    let equations = zip(sums, vectors).map { sum, vector in
      Equations(
        xx: sum[0], xy: sum[1], yy: sum[2], x: sum[3] + sum[0] * vector.x + sum[1] * vector.y,
        y: sum[4] + sum[1] * vector.x + sum[2] * vector.y)
    }
    let reach = 3
    vectors = vectors.indices.map { index in
      let own = vectors[index]
      var all = Equations(xx: weight, xy: 0, yy: weight, x: weight * own.x, y: weight * own.y)
      let (row, column) = (index / across, index % across)
      for y in max(row - reach, 0)...min(row + reach, down - 1) {
        for x in max(column - reach, 0)...min(column + reach, across - 1) {
          let change = vectors[y * across + x] - own
          guard (change * change).sum() <= 1 else { continue }
          all.add(
            equations[y * across + x],
            1 / Float(1 + (x - column) * (x - column) + (y - row) * (y - row)))
        }
      }
      let step = all.solution - own
      return own + step.clamped(lowerBound: SIMD2(-0.75, -0.75), upperBound: SIMD2(0.75, 0.75))
    }
  }

  private struct Equations {
    var (xx, xy, yy): (Float, Float, Float)
    var (x, y): (Float, Float)

    init(xx: Float, xy: Float, yy: Float, x: Float, y: Float) {
      (self.xx, self.xy, self.yy, self.x, self.y) = (xx, xy, yy, x, y)
    }

    mutating func add(_ other: Equations, _ weight: Float) {
      xx += weight * other.xx
      xy += weight * other.xy
      yy += weight * other.yy
      x += weight * other.x
      y += weight * other.y
    }

    var solution: SIMD2<Float> {
      let determinant = xx * yy - xy * xy
      return SIMD2(yy * x - xy * y, xx * y - xy * x) / max(determinant, .leastNormalMagnitude)
    }
  }
}
