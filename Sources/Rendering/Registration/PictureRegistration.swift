/// Finds how a picture lies over another one: by the similarity for which the places of the reference that have
/// detail look alike in both.
///
/// Coarse to fine over a pyramid; on each level Gauss–Newton steps of the inverse compositional kind (S. Baker and
/// I. Matthews, “Lucas-Kanade 20 Years On”, 2004), with a gain and an offset of brightness, and weights after Geman
/// and McClure, so that what moves by itself in the picture does not count. The weights look at how far a place seems to have
/// moved, not at how much its brightness differs: else the strongest edges would count least wherever the similarity
/// cannot be exact, and each frame would be found by other places.
struct PictureRegistration: Sendable {
  /// A finding.
  struct Match: Sendable {
    /// From places of the reference to those of the picture, in luma samples.
    var similarity: Similarity
    /// The share of the reference's detail that is found there again, from 0 to 1.
    var agreement: Double
  }

  /// A place with detail: its column and row from the middle, the slopes of brightness there, the brightness, and how far
  /// the place seems to move where the brightness differs by one.
  private struct Point {
    var x: Float
    var y: Float
    var slopeX: Float
    var slopeY: Float
    var value: Float
    var distance: Float

    init(x: Float, y: Float, slopeX: Float, slopeY: Float, value: Float) {
      (self.x, self.y, self.slopeX, self.slopeY, self.value) = (x, y, slopeX, slopeY, value)
      // Noise moves places without slopes anywhere.
      distance = 1 / (4 + (slopeX * slopeX + slopeY * slopeY).squareRoot())
    }
  }

  private let levels: [[Point]]
  private let step: Int

  /// Columns and rows of the grid whose cells have equally many places at most, so that no part of the picture outvotes
  /// the others.
  private static let grid = (columns: 24, rows: 18)
  /// Places of a cell, at most.
  private static let mostPoints = 40
  /// Steps on a level, at most.
  private static let mostSteps = 25
  /// The distance at which a place counts a quarter, in standard deviations: far on the smallest level, where the guess may
  /// be wrong, and nearer on the others.
  private static let reach = (first: Float(8), later: Float(5))
  /// How small the last step is, in samples of a level, on the largest level and on the others.
  private static let leastMove = (last: 0.003, earlier: 0.02)

  /// - Parameter pyramid: the reference.
  init(reference pyramid: RegistrationPyramid) {
    step = pyramid.step
    levels = pyramid.levels.map(Self.points)
  }

  /// Finds the reference in a picture.
  ///
  /// - Parameters:
  ///   - pyramid: the picture, as large as the reference.
  ///   - guess: about how it lies.
  func match(_ pyramid: RegistrationPyramid, from guess: Similarity = .identity) -> Match {
    var similarity = guess
    var agreement = 0.0
    for (number, level) in pyramid.levels.enumerated().reversed() where number < levels.count {
      let unit = 1 / Double(step << number)
      (similarity, agreement) = Self.refined(
        similarity.scaled(by: unit), levels[number], in: level,
        reach: number == pyramid.levels.count - 1 ? Self.reach.first : Self.reach.later,
        leastMove: number == 0 ? Self.leastMove.last : Self.leastMove.earlier)
      similarity = similarity.scaled(by: 1 / unit)
    }
    return Match(similarity: similarity, agreement: agreement)
  }

  /// Finds how far a picture is shifted, looking at the smallest level only: a guess where the camera jumped.
  ///
  /// - Parameter pyramid: the picture, as large as the reference.
  /// - Returns: the best shift by at most a sixth of the picture.
  func shift(of pyramid: RegistrationPyramid) -> Similarity {
    let number = min(levels.count, pyramid.levels.count) - 1
    guard number >= 0 else { return .identity }
    let level = pyramid.levels[number]
    let (middleX, middleY) = (Float(level.width - 1) / 2, Float(level.height - 1) / 2)
    var best = (cost: Float.greatestFiniteMagnitude, x: 0, y: 0)
    for shiftY in -level.height / 6...level.height / 6 {
      for shiftX in -level.width / 6...level.width / 6 {
        var (sum, count): (Float, Float) = (0, 0)
        for point in levels[number] {
          let (x, y) = (Int(point.x + middleX) + shiftX, Int(point.y + middleY) + shiftY)
          guard x >= 0, y >= 0, x < level.width, y < level.height else { continue }
          // What moves by itself costs the same everywhere.
          sum += min(abs(level.samples[y * level.width + x] - point.value), 32)
          count += 1
        }
        if count > 0, sum / count < best.cost { best = (sum / count, shiftX, shiftY) }
      }
    }
    return Similarity(x: Double(best.x), y: Double(best.y)).scaled(by: Double(step << number))
  }

  /// The places with the steepest slopes of each cell.
  private static func points(of level: RegistrationPyramid.Level) -> [Point] {
    let (width, height) = (level.width, level.height)
    let (middleX, middleY) = (Float(width - 1) / 2, Float(height - 1) / 2)
    // Slopes need a sample on either side.
    guard width >= 3, height >= 3 else { return [] }
    var points: [Point] = []
    var cell: [(steepness: Float, point: Point)] = []
    func edge(_ index: Int, _ count: Int, _ side: Int) -> Int { 1 + index * (side - 2) / count }
    level.samples.withUnsafeBufferPointer { samples in
      for row in 0..<grid.rows {
        for column in 0..<grid.columns {
          cell.removeAll(keepingCapacity: true)
          var isSorted = false
          for y in edge(row, grid.rows, height)..<edge(row + 1, grid.rows, height) {
            for x in edge(column, grid.columns, width)..<edge(column + 1, grid.columns, width) {
              let place = y &* width &+ x
              let slopeX = (samples[place &+ 1] - samples[place &- 1]) / 2
              let slopeY = (samples[place &+ width] - samples[place &- width]) / 2
              let steepness = slopeX * slopeX + slopeY * slopeY
              // The steepest ones stand in their order as soon as there are more than are taken.
              if cell.count == mostPoints, !isSorted {
                cell.sort { $0.steepness > $1.steepness }
                isSorted = true
              }
              guard cell.count < mostPoints || steepness > cell[mostPoints - 1].steepness else { continue }
              let point = Point(
                x: Float(x) - middleX, y: Float(y) - middleY, slopeX: slopeX, slopeY: slopeY,
                value: samples[place])
              if isSorted { cell.removeLast() }
              let rank = isSorted ? cell.partitioningIndex { $0.steepness < steepness } : cell.count
              cell.insert((steepness, point), at: rank)
            }
          }
          points += cell.map(\.point)
        }
      }
    }
    return points
  }

  private static func refined(
    _ guess: Similarity, _ points: [Point], in level: RegistrationPyramid.Level, reach: Float,
    leastMove: Double
  ) -> (Similarity, agreement: Double) {
    var similarity = guess
    var (gain, offset): (Float, Float) = (1, 0)
    var agreement = 0.0
    var residuals = [Float](repeating: .nan, count: points.count)
    let half = Double(max(level.width, level.height)) / 2
    for step in 0..<mostSteps {
      level.samples.withUnsafeBufferPointer { samples in
        let (a, b) = (Float(1 + similarity.a), Float(similarity.b))
        let x0 = Float(similarity.x) + Float(level.width - 1) / 2
        let y0 = Float(similarity.y) + Float(level.height - 1) / 2
        let (lastX, lastY) = (Float(level.width - 1), Float(level.height - 1))
        let width = level.width
        for (index, point) in points.enumerated() {
          let x = a * point.x - b * point.y + x0
          let y = b * point.x + a * point.y + y0
          guard x >= 0, y >= 0, x < lastX, y < lastY else {
            residuals[index] = .nan
            continue
          }
          let (column, row) = (Int(x), Int(y))
          let (shareX, shareY) = (x - Float(column), y - Float(row))
          let place = row &* width &+ column
          let upper = samples[place] + (samples[place &+ 1] - samples[place]) * shareX
          let below = place &+ width
          let lower = samples[below] + (samples[below &+ 1] - samples[below]) * shareX
          residuals[index] = upper + (lower - upper) * shareY - gain * point.value - offset
        }
      }
      let scale = max(reach * spread(residuals, points), 0.1)
      var equations = NormalEquations()
      var (seen, agreeing): (Double, Double) = (0, 0)
      for (index, point) in points.enumerated() {
        let residual = residuals[index]
        guard residual == residual else { continue }
        let ratio = residual * point.distance / scale
        let root = 1 / (1 + ratio * ratio)
        let weight = root * root
        seen += 1
        if abs(residual) <= 4 + 0.5 * (abs(point.slopeX) + abs(point.slopeY)) { agreeing += 1 }
        equations.add(
          [
            point.slopeX * point.x + point.slopeY * point.y,
            point.slopeY * point.x - point.slopeX * point.y,
            point.slopeX, point.slopeY, point.value, 1, 0, residual,
          ], weight: weight)
      }
      agreement = agreeing / Double(max(points.count, 1))
      guard seen >= 32, let change = equations.solution else { break }
      let update = Similarity(a: change[0], b: change[1], x: change[2], y: change[3])
      similarity = update.inverse.then(similarity)
      gain += Float(change[4])
      offset += Float(change[5])
      let moved = max(abs(update.x), abs(update.y), half * max(abs(update.a), abs(update.b)))
      if moved < leastMove, step > 0 { break }
    }
    return (similarity, agreement)
  }

  /// The standard deviation that a bell with the median of the distances would have, in samples.
  private static func spread(_ residuals: [Float], _ points: [Point]) -> Float {
    var counts = [Int](repeating: 0, count: 512)
    var all = 0
    for (residual, point) in zip(residuals, points) where residual == residual {
      counts[min(Int(min(abs(residual) * point.distance, 4) * 128), 511)] += 1
      all += 1
    }
    var passed = 0
    for (bin, count) in counts.enumerated() {
      passed += count
      if passed * 2 >= all { return 1.4826 * (Float(bin) + 0.5) / 128 }
    }
    return 0
  }
}

/// Sums of a weighted least squares problem with six unknowns.
private struct NormalEquations {
  /// The sums of products of each of the first six numbers with all, the right side last.
  private var rows = [SIMD8<Float>](repeating: .zero, count: 6)
  private var totals = [SIMD8<Double>](repeating: .zero, count: 6)
  private var pending = 0

  mutating func add(_ numbers: SIMD8<Float>, weight: Float) {
    let weighted = numbers * weight
    for row in 0..<6 { rows[row] += weighted * numbers[row] }
    pending += 1
    if pending == 256 { flush() }
  }

  private mutating func flush() {
    for row in 0..<6 {
      totals[row] += SIMD8<Double>(rows[row])
      rows[row] = .zero
    }
    pending = 0
  }

  /// The unknowns; nil where they are not determined.
  var solution: [Double]? {
    var all = self
    all.flush()
    var matrix = all.totals.map { row in (0..<6).map { row[$0] } + [row[7]] }
    for pivot in 0..<6 {
      let best = (pivot..<6).max { abs(matrix[$0][pivot]) < abs(matrix[$1][pivot]) } ?? pivot
      matrix.swapAt(pivot, best)
      guard abs(matrix[pivot][pivot]) > 1e-6 else { return nil }
      for row in 0..<6 where row != pivot {
        let factor = matrix[row][pivot] / matrix[pivot][pivot]
        for column in pivot..<7 { matrix[row][column] -= factor * matrix[pivot][column] }
      }
    }
    return (0..<6).map { matrix[$0][6] / matrix[$0][$0] }
  }
}
