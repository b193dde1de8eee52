/// A 3×3 matrix.
struct Matrix3: Hashable, Sendable {
  /// The columns of the matrix.
  private let x, y, z: SIMD3<Double>

  /// - Parameter rows: The three rows from top to bottom.
  init(rows a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) {
    self.init(columns: [a.x, b.x, c.x], [a.y, b.y, c.y], [a.z, b.z, c.z])
  }

  init(columns a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) {
    (x, y, z) = (a, b, c)
  }

  /// - Parameter diagonal: The factors of the three components.
  init(diagonal d: SIMD3<Double>) {
    self.init(columns: [d.x, 0, 0], [0, d.y, 0], [0, 0, d.z])
  }

  static let identity = Matrix3(diagonal: [1, 1, 1])

  @inline(__always)
  static func * (m: Matrix3, v: SIMD3<Double>) -> SIMD3<Double> {
    m.x * v.x + m.y * v.y + m.z * v.z
  }

  static func * (m: Matrix3, n: Matrix3) -> Matrix3 {
    Matrix3(columns: m * n.x, m * n.y, m * n.z)
  }

  /// The inverse, or nil if the matrix is singular.
  var inverse: Matrix3? {
    let r0 = Self.cross(y, z)
    let r1 = Self.cross(z, x)
    let r2 = Self.cross(x, y)
    let determinant = (x * r0).sum()
    guard determinant.isFinite, abs(determinant) > 1e-9 else { return nil }
    return Matrix3(rows: r0 / determinant, r1 / determinant, r2 / determinant)
  }

  /// The matrix scaled so that each row sums to 1, which preserves (1, 1, 1).
  var withUnitRowSums: Matrix3 {
    let sums = self * SIMD3(1, 1, 1)
    return Matrix3(columns: x / sums, y / sums, z / sums)
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  }
}
