/// A 3x3 matrix.
struct Matrix3: Hashable, Sendable {
  /// Its columns.
  let columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  /// - Parameter rows: three rows from top to bottom.
  init(rows a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) {
    columns = ([a.x, b.x, c.x], [a.y, b.y, c.y], [a.z, b.z, c.z])
  }

  init(columns a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) {
    columns = (a, b, c)
  }

  /// - Parameter diagonal: what multiplies each component.
  init(diagonal d: SIMD3<Double>) {
    self.init(columns: [d.x, 0, 0], [0, d.y, 0], [0, 0, d.z])
  }

  static let identity = Matrix3(diagonal: [1, 1, 1])

  @inline(__always)
  static func * (m: Matrix3, v: SIMD3<Double>) -> SIMD3<Double> {
    m.columns.0 * v.x + m.columns.1 * v.y + m.columns.2 * v.z
  }

  static func * (m: Matrix3, n: Matrix3) -> Matrix3 {
    Matrix3(columns: m * n.columns.0, m * n.columns.1, m * n.columns.2)
  }

  /// The inverse; nil when there is none.
  var inverse: Matrix3? {
    let (a, b, c) = columns
    let r0 = Self.cross(b, c)
    let r1 = Self.cross(c, a)
    let r2 = Self.cross(a, b)
    let determinant = (a * r0).sum()
    guard determinant.isFinite, abs(determinant) > 1e-9 else { return nil }
    return Matrix3(rows: r0 / determinant, r1 / determinant, r2 / determinant)
  }

  /// The matrix whose rows each have the sum 1, so that it keeps (1, 1, 1).
  var withUnitRowSums: Matrix3 {
    let sums = self * SIMD3(1, 1, 1)
    return Matrix3(columns: columns.0 / sums, columns.1 / sums, columns.2 / sums)
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  }

  static func == (a: Matrix3, b: Matrix3) -> Bool { a.columns == b.columns }

  func hash(into hasher: inout Hasher) {
    hasher.combine(columns.0)
    hasher.combine(columns.1)
    hasher.combine(columns.2)
  }
}
