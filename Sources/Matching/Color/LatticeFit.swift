/// A regularised least-squares fit of a smooth lattice to values at given colours.
///
/// The fit minimises the weighted mean of squared distances plus two integrals over the lattice. The first is the
/// integral of all squared second derivatives, which makes the lattice smooth and extrapolates linearly where there are
/// no colours. The second, with much less weight, is the integral of squared first derivatives, which resolves whatever
/// the other terms leave undetermined. These are thin-plate splines (G. Wahba, “Spline models for observational data”,
/// 1990) on the lattice of J. Garcia and others (“Building accurate and smooth ICC profiles by lattice regression”,
/// 2009).
struct LatticeFit {
  /// The sums of products of each node's weight with its own weight and with the weights of its seven neighbours
  /// towards greater colour values.
  private var products: [SIMD8<Double>]
  private var sides: [SIMD3<Double>]
  private var total = 0.0
  private let lattice: ColorLattice

  /// The weight of second derivatives, relative to a mean of squared encoded values.
  private static let bending = 1.6e-7
  /// The weight of first derivatives, relative to a mean of squared encoded values.
  private static let slope = 8e-6

  /// - Parameter lattice: The lattice with which the search begins. Its values are looked up by colour, so this lattice
  ///   may have another size.
  init(beginningWith lattice: ColorLattice) {
    self.lattice = lattice
    products = [SIMD8<Double>](repeating: SIMD8(), count: lattice.values.count)
    sides = [SIMD3<Double>](repeating: SIMD3(), count: lattice.values.count)
  }

  /// Adds the known value of a colour.
  ///
  /// - Parameters:
  ///   - place: The position of the colour in the lattice.
  ///   - value: The value.
  ///   - weight: The weight of the value.
  mutating func add(_ place: ColorLattice.Place, _ value: SIMD3<Double>, weight: Double) {
    // The steps along the axes as bits. These bits number the neighbours of a node.
    let bits = SIMD4<Int32>(
      0, 1 << Int32(place.order.0), 1 << Int32(place.order.0) | 1 << Int32(place.order.1), 7)
    for corner in 0..<4 {
      let node = Int(place.nodes[corner])
      let share = weight * place.weights[corner]
      sides[node] += share * value
      for other in corner..<4 {
        products[node][Int(bits[other] ^ bits[corner])] += share * place.weights[other]
      }
    }
    total += weight
  }

  /// The weight of the colours around each node as a fraction of the total weight.
  var shares: [Double] { products.map { total > 0 ? $0[0] / total : 0 } }

  /// Returns the fitted lattice, calculated by the conjugate gradient method with a diagonal preconditioner.
  ///
  /// - Parameter steps: The maximum number of steps.
  func solution(steps: Int) -> ColorLattice {
    guard total > 0 else { return lattice }
    let scale = 1 / total
    let diagonal = diagonal(scale)
    var result = lattice
    let start = product(result.values, scale)
    var rest = start.indices.map { sides[$0] * scale - start[$0] }
    var conditioned = rest.indices.map { rest[$0] / diagonal[$0] }
    var direction = conditioned
    var size = Self.dot(rest, conditioned)
    let goal =
      1e-9 * Self.dot(sides.map { $0 * scale }, sides.indices.map { sides[$0] * scale / diagonal[$0] })
    for _ in 0..<steps {
      guard size.x + size.y + size.z > goal.x + goal.y + goal.z else { break }
      let image = product(direction, scale)
      let along = Self.quotient(size, Self.dot(direction, image))
      for index in rest.indices {
        result.values[index] += along * direction[index]
        rest[index] -= along * image[index]
        conditioned[index] = rest[index] / diagonal[index]
      }
      let next = Self.dot(rest, conditioned)
      let turn = Self.quotient(next, size)
      for index in direction.indices { direction[index] = conditioned[index] + turn * direction[index] }
      size = next
    }
    return result
  }

  private static func dot(_ first: [SIMD3<Double>], _ second: [SIMD3<Double>]) -> SIMD3<Double> {
    var sum = SIMD3<Double>()
    for index in first.indices { sum += first[index] * second[index] }
    return sum
  }

  /// Divides channel by channel. The result is 0 if the divisor is 0.
  private static func quotient(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(b.x > 0 ? a.x / b.x : 0, b.y > 0 ? a.y / b.y : 0, b.z > 0 ? a.z / b.z : 0)
  }

  /// The weights of squared differences between nodes. The integrals of squared derivatives are taken over a cube with
  /// edges of length 1.
  private var weights: (bending: Double, slope: Double) {
    (Self.bending / lattice.step, Self.slope * lattice.step)
  }

  private func offset(_ bits: Int) -> Int {
    (bits & 1) + (bits >> 1 & 1) * lattice.size + (bits >> 2) * lattice.size * lattice.size
  }

  /// Multiplies the matrix of the normal equations by the given values.
  private func product(_ values: [SIMD3<Double>], _ scale: Double) -> [SIMD3<Double>] {
    var result = values.indices.map { values[$0] * (scale * products[$0][0]) }
    let offsets = (0..<8).map(offset)
    for node in values.indices where products[node][0] > 0 {
      for neighbour in 1..<8 {
        let weight = scale * products[node][neighbour]
        guard weight != 0 else { continue }
        let other = node + offsets[neighbour]
        result[node] += weight * values[other]
        result[other] += weight * values[node]
      }
    }
    let weights = weights
    forEachDifference { nodes, factors, isSecond in
      var difference = SIMD3<Double>()
      for index in 0..<4 where factors[index] != 0 { difference += factors[index] * values[nodes[index]] }
      difference *= isSecond ? weights.bending : weights.slope
      for index in 0..<4 where factors[index] != 0 { result[nodes[index]] += factors[index] * difference }
    }
    return result
  }

  private func diagonal(_ scale: Double) -> [Double] {
    var result = products.map { scale * $0[0] }
    let weights = weights
    forEachDifference { nodes, factors, isSecond in
      let weight = isSecond ? weights.bending : weights.slope
      for index in 0..<4 { result[nodes[index]] += weight * factors[index] * factors[index] }
    }
    return result
  }

  /// Calls a function for each difference, with the nodes and their factors. The differences are second differences
  /// along an axis, mixed differences along two axes (which count twice), and first differences.
  @inline(__always)
  private func forEachDifference(
    _ body: (_ nodes: SIMD4<Int>, _ factors: SIMD4<Double>, _ isSecond: Bool) -> Void
  ) {
    let size = lattice.size
    let second = SIMD4<Double>(1, -2, 1, 0)
    let first = SIMD4<Double>(-1, 1, 0, 0)
    let mixed = SIMD4<Double>(1, -1, -1, 1) * 2.0.squareRoot()
    for axis in 0..<3 {
      let along = lattice.stride(axis)
      let (across, aside) = (lattice.stride((axis + 1) % 3), lattice.stride((axis + 2) % 3))
      for layer in 0..<size {
        for row in 0..<size {
          let start = layer * aside + row * across
          for index in 0..<size - 1 {
            let node = start + index * along
            body(SIMD4(node, node + along, node, node), first, false)
            if index < size - 2 { body(SIMD4(node, node + along, node + 2 * along, node), second, true) }
            if row < size - 1 {
              body(SIMD4(node, node + along, node + across, node + along + across), mixed, true)
            }
          }
        }
      }
    }
  }
}
