internal import CPixelKernels

/// Aligns a picture with a reference: finds the similarity transformation under which the detailed points of the
/// reference match the picture.
///
/// The search proceeds from coarse to fine over a pyramid. On each level, it takes inverse compositional Gauss–Newton
/// steps (S. Baker and I. Matthews, “Lucas-Kanade 20 Years On”, 2004), with a gain and an offset for brightness.
/// Geman–McClure weights exclude subject motion. The weight of a point depends on how far the point seems to have
/// moved, not on its difference in brightness. Otherwise, the strongest edges would count least wherever the similarity
/// transformation cannot be exact, and each frame would be aligned by different points.
struct PictureRegistration: Sendable {
  /// The result of an alignment.
  struct Match: Sendable {
    /// The mapping from positions in the reference to positions in the picture, in luma samples.
    var similarity: Similarity
    /// The fraction of the reference's detail that was found in the picture, from 0 to 1.
    var agreement: Double
  }

  /// Points with detail, in the memory layout of the kernels.
  private struct Points: Sendable {
    /// The number of points, and the number of stored values per row including padding.
    let count: Int
    let stored: Int
    /// Rows of ``stored`` numbers each. See `registration.h`.
    let numbers: [Float]

    /// - Parameters:
    ///   - places: The indices of the samples, none of them at the border.
    ///   - level: The picture.
    init(_ places: [Int], of level: RegistrationPyramid.Level) {
      count = places.count
      stored = (places.count + 7) / 8 * 8
      var numbers = [Float](repeating: 0, count: stored * Int(REGISTRATION_ROWS.rawValue))
      let (middleX, middleY) = (Float(level.width - 1) / 2, Float(level.height - 1) / 2)
      let (stored, width) = (stored, level.width)
      for (index, place) in places.enumerated() {
        func set(_ row: registration_row, _ number: Float) {
          numbers[Int(row.rawValue) * stored + index] = number
        }
        let slopeX = (level.samples[place + 1] - level.samples[place - 1]) / 2
        let slopeY = (level.samples[place + width] - level.samples[place - width]) / 2
        set(REGISTRATION_X, Float(place % width) - middleX)
        set(REGISTRATION_Y, Float(place / width) - middleY)
        set(REGISTRATION_SLOPE_X, slopeX)
        set(REGISTRATION_SLOPE_Y, slopeY)
        set(REGISTRATION_VALUE, level.samples[place])
        // Points in areas without gradients could otherwise be moved anywhere by noise.
        set(REGISTRATION_DISTANCE, 1 / (4 + (slopeX * slopeX + slopeY * slopeY).squareRoot()))
      }
      for index in count..<stored { numbers[Int(REGISTRATION_X.rawValue) * stored + index] = .nan }
      self.numbers = numbers
    }

    /// Returns one of the numbers stored for a point.
    func number(_ row: registration_row, _ index: Int) -> Float {
      numbers[Int(row.rawValue) * stored + index]
    }
  }

  private let levels: [Points]
  private let step: Int

  /// The number of columns and the number of rows in a grid. Each cell may contain the same maximum number of points,
  /// so that no part of the picture dominates.
  private static let grid = (columns: 24, rows: 18)
  /// The maximum number of points per cell.
  private static let mostPoints = 40
  /// The maximum number of steps per level.
  private static let mostSteps = 25
  /// The distance, in standard deviations, at which a point counts a quarter. It is large on the smallest level, where
  /// the guess may be wrong, and smaller on the other levels.
  private static let reach = (first: Float(8), later: Float(5))
  /// The step size below which the search on a level ends, in samples of the level: first for the largest level, then
  /// for the other levels.
  private static let leastMove = (last: 0.003, earlier: 0.02)

  /// - Parameter pyramid: The reference.
  init(reference pyramid: RegistrationPyramid) {
    step = pyramid.step
    levels = pyramid.levels.map(Self.points)
  }

  /// Finds the reference in a picture.
  ///
  /// - Parameters:
  ///   - pyramid: The picture, of the same size as the reference.
  ///   - guess: The approximate mapping at which the search begins.
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

  /// Returns the approximate shift of a picture, using only the smallest level. The result serves as a first guess
  /// after a jump of the camera.
  ///
  /// - Parameter pyramid: The picture, of the same size as the reference.
  /// - Returns: The best shift of at most a sixth of the picture.
  func shift(of pyramid: RegistrationPyramid) -> Similarity {
    let number = min(levels.count, pyramid.levels.count) - 1
    guard number >= 0 else { return .identity }
    let (level, points) = (pyramid.levels[number], levels[number])
    let (middleX, middleY) = (Float(level.width - 1) / 2, Float(level.height - 1) / 2)
    var best = (cost: Float.greatestFiniteMagnitude, x: 0, y: 0)
    for shiftY in -level.height / 6...level.height / 6 {
      for shiftX in -level.width / 6...level.width / 6 {
        var (sum, count): (Float, Float) = (0, 0)
        for index in 0..<points.count {
          let x = Int(points.number(REGISTRATION_X, index) + middleX) + shiftX
          let y = Int(points.number(REGISTRATION_Y, index) + middleY) + shiftY
          guard x >= 0, y >= 0, x < level.width, y < level.height else { continue }
          // Limit the difference, so that a moving subject has the same influence everywhere.
          sum += min(
            abs(level.samples[y * level.width + x] - points.number(REGISTRATION_VALUE, index)), 32)
          count += 1
        }
        if count > 0, sum / count < best.cost { best = (sum / count, shiftX, shiftY) }
      }
    }
    return Similarity(x: Double(best.x), y: Double(best.y)).scaled(by: Double(step << number))
  }

  /// Returns the points with the strongest gradients in each cell.
  private static func points(of level: RegistrationPyramid.Level) -> Points {
    let (width, height) = (level.width, level.height)
    // Gradients require a neighbouring sample on either side.
    guard width >= 3, height >= 3 else { return Points([], of: level) }
    var places: [Int] = []
    var cell: [(steepness: Float, place: Int)] = []
    func edge(_ index: Int, _ count: Int, _ side: Int) -> Int { 1 + index * (side - 2) / count }
    level.samples.withUnsafeBufferPointer { samples in
      for row in 0..<grid.rows {
        for column in 0..<grid.columns {
          cell.removeAll(keepingCapacity: true)
          // Once a cell is full, its points are kept sorted, starting with the strongest gradient.
          var least: Float = -1
          for y in edge(row, grid.rows, height)..<edge(row + 1, grid.rows, height) {
            let (first, end) = (edge(column, grid.columns, width), edge(column + 1, grid.columns, width))
            for place in y &* width &+ first..<y &* width &+ end {
              let slopeX = (samples[place &+ 1] - samples[place &- 1]) / 2
              let slopeY = (samples[place &+ width] - samples[place &- width]) / 2
              let steepness = slopeX * slopeX + slopeY * slopeY
              guard steepness > least else { continue }
              if least >= 0 {
                cell.removeLast()
                cell.insert((steepness, place), at: cell.partitioningIndex { $0.steepness < steepness })
              } else {
                cell.append((steepness, place))
                if cell.count == mostPoints { cell.sort { $0.steepness > $1.steepness } }
              }
              if cell.count == mostPoints { least = cell[mostPoints - 1].steepness }
            }
          }
          places += cell.map(\.place)
        }
      }
    }
    return Points(places, of: level)
  }

  private static func refined(
    _ guess: Similarity, _ points: Points, in level: RegistrationPyramid.Level, reach: Float,
    leastMove: Double
  ) -> (Similarity, agreement: Double) {
    guard level.width >= 2, level.height >= 2 else { return (guess, 0) }
    var similarity = guess
    var (gain, offset): (Float, Float) = (1, 0)
    var agreement = 0.0
    var residuals = [Float](repeating: .nan, count: points.stored)
    var bins = [Int32](repeating: 0, count: Int(REGISTRATION_BINS))
    var sums = [Double](repeating: 0, count: 6 * 7)
    var seen: [Int64] = [0, 0]
    let half = Double(max(level.width, level.height)) / 2
    for step in 0..<mostSteps {
      level.samples.withUnsafeBufferPointer { samples in
        var picture = registration_picture(
          samples: samples.baseAddress, width: Int64(level.width), height: Int64(level.height),
          scale: Float(1 + similarity.a), turn: Float(similarity.b),
          x: Float(similarity.x) + Float(level.width - 1) / 2,
          y: Float(similarity.y) + Float(level.height - 1) / 2, gain: gain, offset: offset)
        registration_residuals(&picture, points.numbers, Int64(points.stored), &residuals, &bins)
      }
      let scale = max(reach * spread(bins), 0.1)
      registration_equations(points.numbers, residuals, Int64(points.stored), scale, &sums, &seen)
      agreement = Double(seen[1]) / Double(max(points.count, 1))
      guard seen[0] >= 32, let change = solution(sums) else { break }
      let update = Similarity(a: change[0], b: change[1], x: change[2], y: change[3])
      similarity = update.inverse.then(similarity)
      gain += Float(change[4])
      offset += Float(change[5])
      let moved = max(abs(update.x), abs(update.y), half * max(abs(update.a), abs(update.b)))
      if moved < leastMove, step > 0 { break }
    }
    return (similarity, agreement)
  }

  /// Returns the standard deviation, in samples, of the normal distribution with the same median distance.
  ///
  /// - Parameter bins: A histogram of the distances.
  private static func spread(_ bins: [Int32]) -> Float {
    let all = bins.reduce(0, +)
    var passed: Int32 = 0
    for (bin, count) in bins.enumerated() {
      passed += count
      if all > 0, passed * 2 >= all { return 1.4826 * (Float(bin) + 0.5) / 128 }
    }
    return 0
  }

  /// Solves a system of six equations with six unknowns. Returns nil if the unknowns are not determined.
  ///
  /// - Parameter sums: Six rows of seven numbers. The last number of each row is the right-hand side.
  private static func solution(_ sums: [Double]) -> [Double]? {
    var matrix = (0..<6).map { Array(sums[$0 * 7..<($0 + 1) * 7]) }
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
