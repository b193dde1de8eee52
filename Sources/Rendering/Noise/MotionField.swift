internal import CPixelKernels

/// The motion of each block of 16×16 luma samples since the previous picture.
struct MotionField {
  /// The width and height of a block in luma samples.
  static let side = 16
  /// The number of blocks per row, and the number of blocks per column.
  let across: Int
  let down: Int
  /// The motion vectors in luma samples, row after row.
  private(set) var vectors: [SIMD2<Float>]

  subscript(row: Int, column: Int) -> SIMD2<Float> {
    vectors[min(row, down - 1) * across + min(column, across - 1)]
  }

  /// - Parameters:
  ///   - picture: The picture.
  ///   - earlier: The previous picture, of the same size.
  init(of picture: SearchPyramid, in earlier: SearchPyramid) {
    (across, down) = (picture.blocksAcross, picture.blocksDown)
    var found = [SIMD2<Int>](repeating: .zero, count: across * down)
    // The search starts at a quarter of the size, in squares of 8 samples. Each square corresponds to four blocks.
    let (small, smallBefore) = (picture.levels[2], earlier.levels[2])
    for row in stride(from: 0, to: down, by: 2) {
      for column in stride(from: 0, to: across, by: 2) {
        var (x, y) = (Int32(0), Int32(0))
        motion_search(
          small.at(column * 4, row * 4), small.stride, smallBefore.at(column * 4, row * 4),
          smallBefore.stride, Int32(Self.range), &x, &y)
        for place in [row, min(row + 1, down - 1)] {
          found[place * across + column] = [Int(x), Int(y)]
          found[place * across + min(column + 1, across - 1)] = [Int(x), Int(y)]
        }
      }
    }
    for level in [1, 0] {
      found = Self.refined(
        found, across, down, picture.levels[level], earlier.levels[level], side: 16 >> level)
    }
    vectors = found.map { SIMD2(Float($0.x), Float($0.y)) }
  }

  /// The search range in each direction, in samples of the smallest level.
  private static let range = 5

  /// Returns the vectors for a level of twice the size. For each block, the candidates are its doubled vector, the
  /// doubled vectors of its neighbours and the zero vector. The best candidate is refined by one sample.
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
        guard vector != best else { return }
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

  /// Refines the vectors to a small fraction of a sample. The refinement uses the gradients of the matched area and the
  /// remaining difference, and includes neighbouring blocks that move in the same way. Only every other block in every
  /// other row is evaluated.
  ///
  /// - Parameters:
  ///   - picture: The luma of the picture.
  ///   - depth: The number of bits per sample.
  ///   - earlier: The luma of the previous picture, with margins at both ends of each row.
  ///   - isMoved: Whether the blocks of the previous picture have already been moved along the vectors. The edges of
  ///     moved blocks do not fit together.
  ///   - noise: The standard deviation of the picture's noise.
  mutating func sharpen(
    _ picture: PlanarFrame.Plane, depth: Int, in earlier: NumberRows<Float>, isMoved: Bool, noise: Float
  ) {
    var sums = [[Float]](repeating: [0, 0, 0, 0, 0], count: vectors.count)
    let (side, width, height) = (Self.side, picture.width, picture.height)
    let edge = isMoved ? 1 : 0
    let line = NumberRows<Float>(width: width, count: 1, margin: side)
    for y in 0..<height where y / side % 2 == 0 && edge..<side - edge ~= y % side {
      block_load(picture.row(y), Int64(width), Int32(depth), line[0])
      for column in stride(from: 0, to: across, by: 2) where column * side + edge < width {
        let index = y / side * across + column
        let vector = isMoved ? .zero : vectors[index]
        let first = column * side + edge
        let place = min(max(first + Int(vector.x), 1 - side), width - 1)
        func row(_ distance: Int) -> UnsafeMutablePointer<Float> {
          earlier[min(max(y + Int(vector.y) + distance, 0), height - 1)] + place
        }
        motion_products(
          line[0] + first, row(-1), row(0), row(1), Int64(min(side - 2 * edge, width - first)), 4 * noise,
          &sums[index])
      }
    }
    // The unknowns of the equations are the vectors themselves.
    let weight = 8 * noise * noise
    let equations = zip(sums, vectors).map { sum, vector in
      Equations(
        xx: sum[0], xy: sum[1], yy: sum[2], x: sum[3] + sum[0] * vector.x + sum[1] * vector.y,
        y: sum[4] + sum[1] * vector.x + sum[2] * vector.y)
    }
    let reach = 4
    vectors = vectors.indices.map { index in
      let own = vectors[index]
      var all = Equations(xx: weight, xy: 0, yy: weight, x: weight * own.x, y: weight * own.y)
      let (row, column) = (index / across, index % across)
      for y in stride(from: max(row - reach, 0) & ~1, through: min(row + reach, down - 1), by: 2) {
        for x in stride(
          from: max(column - reach, 0) & ~1, through: min(column + reach, across - 1), by: 2)
        {
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
