/// The largest upright rectangle of a shape in a convex quadrilateral.
///
/// With the centre c, half of the height t and the shape a, the rectangle lies on the inner side of an edge with the
/// inward normal n through p where n · c - t (a |n.x| + |n.y|) ≥ n · p. The greatest t is a linear programme in three
/// unknowns with four bounds: three of them meet in each of its corners.
struct InscribedRectangle: Hashable, Sendable {
  /// Its middle.
  var center: SIMD2<Double>
  /// Half of its width and height.
  var half: SIMD2<Double>

  /// - Parameters:
  ///   - corners: of the quadrilateral, clockwise with y down.
  ///   - shape: width to height.
  ///   - anchor: from -1 to 1 along each axis, where the rectangle can lie at several places.
  /// - Returns: nil when there is none.
  init?(in corners: [SIMD2<Double>], shape: Double, anchor: SIMD2<Double> = .zero) {
    guard corners.count == 4, shape > 0 else { return nil }
    // Factors of the centre and of t, and what their sum is at least.
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
    // All centres of the largest rectangles lie on one line; its ends are corners of the programme.
    let spread = SIMD2(Self.extent(centers.map(\.x)), Self.extent(centers.map(\.y)))
    let byX = spread.x >= spread.y
    let sorted = centers.sorted { byX ? $0.x < $1.x : $0.y < $1.y }
    guard let first = sorted.first, let last = sorted.last else { return nil }
    center = first + (last - first) * ((byX ? anchor.x : anchor.y) + 1) / 2
    half = [best * shape, best]
  }

  /// How far the rectangle reaches beyond a quadrilateral, at most; 0 or less where it lies within.
  ///
  /// - Parameter corners: of the quadrilateral, clockwise with y down.
  func reach(beyond corners: [SIMD2<Double>]) -> Double {
    corners.indices.map { index in
      let (from, to) = (corners[index], corners[(index + 1) % corners.count])
      let along = to - from
      let normal = SIMD2(-along.y, along.x) / (along * along).sum().squareRoot()
      return (normal * (from - center)).sum() + half.x * abs(normal.x) + half.y * abs(normal.y)
    }.max() ?? .infinity
  }

  private static func extent(_ values: [Double]) -> Double { (values.max() ?? 0) - (values.min() ?? 0) }

  /// Where three bounds meet; nil where they do not meet in one point.
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
