/// A regularised least-squares fit of smooth values at the nodes of a grid to values at given positions. The axes of
/// the grid are horizontal position, vertical position and lightness.
struct GridFit {
  /// The numbers of nodes from left to right, from top to bottom, and from black to white.
  let size: SIMD3<Int>
  /// The sums of products of each node's weight with its own weight and with the weights of the surrounding nodes: 27
  /// products for each node.
  private var products: [Double]
  private var sides: [Double]
  private var total = 0.0

  /// The weight of the squared differences between neighbouring nodes.
  private static let slope = 1e-6
  /// The weight of squared values.
  private static let length = 1e-8

  /// - Parameter size: The numbers of nodes from left to right, from top to bottom, and from black to white. Each
  ///   number must be at least 2.
  init(_ size: SIMD3<Int>) {
    self.size = size
    let count = size.x * size.y * size.z
    products = [Double](repeating: 0, count: 27 * count)
    sides = [Double](repeating: 0, count: count)
  }

  /// A position in the grid, surrounded by eight nodes.
  struct Place: Sendable {
    /// The index of the surrounding node with the lowest index.
    var node: Int
    /// The weight of the next node along each of the three axes.
    var shares: SIMD3<Double>
  }

  /// The strides of the axes: the distances between the indices of neighbouring nodes. Lightness levels vary fastest,
  /// then columns.
  private var strides: SIMD3<Int> { SIMD3(size.z, size.z * size.x, 1) }

  /// Returns the grid position of a point.
  ///
  /// - Parameter fractions: The position as fractions of the picture's width, its height and the lightness range.
  ///   Fractions are clamped to the range from 0 to 1.
  @inline(__always)
  func place(_ fractions: SIMD3<Double>) -> Place {
    let last = SIMD3(Double(size.x - 1), Double(size.y - 1), Double(size.z - 1))
    let at = fractions.clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: 1)) * last
    let cell = SIMD3(min(Int(at.x), size.x - 2), min(Int(at.y), size.y - 2), min(Int(at.z), size.z - 2))
    let strides = strides
    return Place(
      node: cell.x * strides.x + cell.y * strides.y + cell.z * strides.z,
      shares: at - SIMD3(Double(cell.x), Double(cell.y), Double(cell.z)))
  }

  /// Returns one of the eight nodes around a position, and the weight of this node.
  @inline(__always)
  private func corner(_ index: Int, of place: Place) -> (node: Int, weight: Double) {
    let bits = SIMD3(index & 1, index >> 1 & 1, index >> 2)
    let strides = strides
    let s = place.shares
    return (
      place.node + bits.x * strides.x + bits.y * strides.y + bits.z * strides.z,
      (bits.x == 1 ? s.x : 1 - s.x) * (bits.y == 1 ? s.y : 1 - s.y) * (bits.z == 1 ? s.z : 1 - s.z)
    )
  }

  /// Adds a known value at a position.
  ///
  /// - Parameters:
  ///   - place: The position.
  ///   - value: The value.
  ///   - weight: The weight of the value.
  mutating func add(_ place: Place, _ value: Double, weight: Double) {
    for first in 0..<8 {
      let (node, share) = corner(first, of: place)
      sides[node] += weight * share * value
      for second in 0..<8 {
        // The step from one node to the other, from -1 to 1 along each axis, encoded as a base-3 number.
        let step =
          13 + (second & 1) - (first & 1) + 3 * ((second >> 1 & 1) - (first >> 1 & 1))
          + 9 * ((second >> 2) - (first >> 2))
        products[27 * node + step] += weight * share * corner(second, of: place).weight
      }
    }
    total += weight
  }

  /// Returns the interpolated value at a position.
  ///
  /// - Parameters:
  ///   - place: The position.
  ///   - values: The values at the nodes.
  @inline(__always)
  func value(_ place: Place, of values: [Double]) -> Double {
    var sum = 0.0
    for index in 0..<8 {
      let (node, weight) = corner(index, of: place)
      sum += weight * values[node]
    }
    return sum
  }

  /// Returns the values at the nodes, calculated by the conjugate gradient method.
  ///
  /// - Parameter most: The maximum number of steps.
  func solution(steps most: Int = 200) -> [Double] {
    var values = [Double](repeating: 0, count: sides.count)
    guard total > 0 else { return values }
    let scale = 1 / total
    var rest = sides.map { $0 * scale }
    var direction = rest
    var square = rest.reduce(0) { $0 + $1 * $1 }
    let goal = 1e-10 * square
    for _ in 0..<most where square > goal {
      let image = product(direction, scale)
      let along = square / max(zip(direction, image).reduce(0) { $0 + $1.0 * $1.1 }, .leastNormalMagnitude)
      for index in values.indices {
        values[index] += along * direction[index]
        rest[index] -= along * image[index]
      }
      let next = rest.reduce(0) { $0 + $1 * $1 }
      for index in values.indices { direction[index] = rest[index] + next / square * direction[index] }
      square = next
    }
    return values
  }

  private func product(_ values: [Double], _ scale: Double) -> [Double] {
    var result = values.map { $0 * Self.length }
    let strides = strides
    let steps = (0..<27).map { step in
      (step % 3 - 1) * strides.x + (step / 3 % 3 - 1) * strides.y + (step / 9 - 1) * strides.z
    }
    for node in values.indices where products[27 * node + 13] > 0 {
      var sum = 0.0
      for step in 0..<27 {
        let weight = products[27 * node + step]
        // If the weight is not 0, the node exists.
        if weight != 0 { sum += weight * values[node + steps[step]] }
      }
      result[node] += scale * sum
    }
    for node in values.indices {
      let at = SIMD3(node / size.z % size.x, node / (size.z * size.x), node % size.z)
      for axis in 0..<3 where at[axis] < size[axis] - 1 {
        let next = node + strides[axis]
        let difference = Self.slope * (values[next] - values[node])
        result[next] += difference
        result[node] -= difference
      }
    }
    return result
  }
}
