/// The largest upright rectangle with a given aspect ratio inside a convex quadrilateral.
///
/// Let c be the centre of the rectangle, t half of its height and a its aspect ratio. The rectangle lies on the inner
/// side of an edge through p with the inward normal n if n · c - t (a |n.x| + |n.y|) ≥ n · p. Maximising t is a linear
/// program with three unknowns and four bounds. At each corner of the solution space, three of the bounds meet.
struct InscribedRectangle: Hashable, Sendable {
  /// The centre of the rectangle.
  var center: SIMD2<Double>
  /// Half of the rectangle's width and height.
  var half: SIMD2<Double>

  /// - Parameters:
  ///   - corners: The corners of the quadrilateral, clockwise with y pointing down.
  ///   - shape: The width divided by the height.
  ///   - anchor: The preferred position along each axis, from -1 to 1, if the rectangle fits at several positions.
  /// - Returns: Nil if no such rectangle exists.
  init?(in corners: [SIMD2<Double>], shape: Double, anchor: SIMD2<Double> = .zero) {
    guard corners.count == 4, shape > 0 else { return nil }
    // Each bound: the factors of the centre and of t, and the lower bound of the sum.
    let bounds = corners.indices.map { index -> (factors: SIMD3<Double>, least: Double) in
      let (from, to) = (corners[index], corners[(index + 1) % 4])
      let along = to - from
      let length = (along * along).sum().squareRoot()
      let normal = SIMD2(-along.y, along.x) / length
      return (
        SIMD3(normal.x, normal.y, -(shape * abs(normal.x) + abs(normal.y))), (normal * from).sum()
      )
    }
    var best = 0.0
    var places: [(center: SIMD2<Double>, half: Double)] = []
    for left in 0..<4 {
      let three = bounds.indices.filter { $0 != left }.map { bounds[$0] }
      guard let solution = Self.solve(three),
        (bounds[left].factors * solution).sum() >= bounds[left].least - 1e-9
      else { continue }
      places.append((SIMD2(solution.x, solution.y), solution.z))
      best = max(best, solution.z)
    }
    guard best > 0 else { return nil }
    let centers = places.filter { $0.half > best - 1e-9 }.map(\.center)
    // The centres of all largest rectangles lie on one line, whose ends are corners of the solution space.
    let spread = SIMD2(Self.extent(centers.map(\.x)), Self.extent(centers.map(\.y)))
    let byX = spread.x >= spread.y
    let sorted = centers.sorted { byX ? $0.x < $1.x : $0.y < $1.y }
    guard let first = sorted.first, let last = sorted.last else { return nil }
    center = first + (last - first) * ((byX ? anchor.x : anchor.y) + 1) / 2
    half = [best * shape, best]
  }

  /// Returns the greatest distance by which the rectangle extends beyond a quadrilateral. The result is 0 or less if
  /// the rectangle lies inside.
  ///
  /// - Parameter corners: The corners of the quadrilateral, clockwise with y pointing down.
  func reach(beyond corners: [SIMD2<Double>]) -> Double {
    corners.indices.map { index in
      let (from, to) = (corners[index], corners[(index + 1) % corners.count])
      let along = to - from
      let normal = SIMD2(-along.y, along.x) / (along * along).sum().squareRoot()
      return (normal * (from - center)).sum() + half.x * abs(normal.x) + half.y * abs(normal.y)
    }.max() ?? .infinity
  }

  private static func extent(_ values: [Double]) -> Double { (values.max() ?? 0) - (values.min() ?? 0) }

  /// Returns the point where three bounds meet, or nil if they do not meet in one point.
  private static func solve(_ bounds: [(factors: SIMD3<Double>, least: Double)]) -> SIMD3<Double>? {
    let (a, b, c) = (bounds[0].factors, bounds[1].factors, bounds[2].factors)
    func determinant(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
      a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x) + a.z * (b.x * c.y - b.y * c.x)
    }
    let whole = determinant(a, b, c)
    guard abs(whole) > 1e-9 else { return nil }
    var solution = SIMD3<Double>()
    for column in 0..<3 {
      var rows = [a, b, c]
      for row in 0..<3 { rows[row][column] = bounds[row].least }
      solution[column] = determinant(rows[0], rows[1], rows[2]) / whole
    }
    return solution
  }
}
