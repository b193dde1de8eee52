/// A weighted least-squares problem with few unknowns, stored as sums over its equations.
struct NormalEquations {
  /// The number of unknowns.
  let count: Int
  /// The sums of products of the factors, one row per unknown. The last column contains the products with the
  /// right-hand side. Only the upper triangle is used.
  private var sums: [Double]

  /// - Parameter count: The number of unknowns.
  init(_ count: Int) {
    self.count = count
    sums = [Double](repeating: 0, count: count * (count + 1))
  }

  /// Adds an equation of the form: the sum of factors times unknowns equals the right-hand side.
  ///
  /// - Parameters:
  ///   - factors: The factors of the unknowns, followed by the right-hand side.
  ///   - weight: The weight of the equation.
  mutating func add(_ factors: [Double], weight: Double) {
    var at = 0
    for row in 0..<count {
      let weighted = factors[row] * weight
      for column in row...count { sums[at + column] += weighted * factors[column] }
      at += count + 1
    }
  }

  /// Returns the unknowns, or nil if they are not determined.
  ///
  /// - Parameter fixed: The indices of the unknowns that must be 0.
  func solution(without fixed: Set<Int> = []) -> [Double]? {
    let free = (0..<count).filter { !fixed.contains($0) }
    let matrix = free.map { row in
      free.map { sums[min(row, $0) * (count + 1) + max(row, $0)] } + [sums[row * (count + 1) + count]]
    }
    guard let found = Self.solution(matrix) else { return nil }
    var unknowns = [Double](repeating: 0, count: count)
    for (index, unknown) in free.enumerated() { unknowns[unknown] = found[index] }
    return unknowns
  }

  /// Solves a small system of equations. Returns nil if the unknowns are not determined.
  ///
  /// - Parameter equations: The factors of each equation, followed by its right-hand side.
  static func solution<Number: BinaryFloatingPoint>(_ equations: [[Number]]) -> [Double]? {
    var matrix = equations.map { $0.map { Double($0) } }
    let count = matrix.count
    for pivot in matrix.indices {
      guard let best = (pivot..<count).max(by: { abs(matrix[$0][pivot]) < abs(matrix[$1][pivot]) })
      else { return nil }
      matrix.swapAt(pivot, best)
      guard abs(matrix[pivot][pivot]) > 1e-12 else { return nil }
      for row in matrix.indices where row != pivot {
        let factor = matrix[row][pivot] / matrix[pivot][pivot]
        for column in pivot...count { matrix[row][column] -= factor * matrix[pivot][column] }
      }
    }
    let unknowns = matrix.indices.map { matrix[$0][count] / matrix[$0][$0] }
    return unknowns.allSatisfy(\.isFinite) ? unknowns : nil
  }
}
