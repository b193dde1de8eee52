/// Values at the nodes of a cube of encoded colours, with tetrahedral interpolation within a cell, as in looks. Outside
/// the cube the outermost cell is extrapolated.
struct ColorLattice: Sendable {
  /// The number of nodes per axis, at least 2.
  let size: Int
  /// The encoded values of the first and the last node, the same for all channels.
  let domain: ClosedRange<Double>
  /// One value for each node. The red axis varies fastest.
  var values: [SIMD3<Double>]

  /// - Parameters:
  ///   - size: The number of nodes per axis.
  ///   - domain: The encoded values of the first and last node.
  init(size: Int, domain: ClosedRange<Double>) {
    (self.size, self.domain) = (size, domain)
    values = [SIMD3<Double>](repeating: SIMD3(), count: size * size * size)
  }

  /// The four nodes around a colour and their weights, which add up to 1.
  struct Place: Sendable {
    /// The nodes, from the node with the lowest red, green and blue to the node with the highest.
    var nodes: SIMD4<Int32>
    var weights: SIMD4<Double>
    /// The axes (0 to 2) of the three steps from node to node.
    var order: (Int, Int, Int)
  }

  /// The distance between neighbouring nodes in encoded values.
  var step: Double { (domain.upperBound - domain.lowerBound) / Double(size - 1) }

  /// Returns the colour of a node.
  func color(_ node: Int) -> SIMD3<Double> {
    let place = SIMD3(Double(node % size), Double(node / size % size), Double(node / (size * size)))
    return domain.lowerBound + place * step
  }

  /// Returns the position of a colour in the lattice.
  @inline(__always)
  func place(_ color: SIMD3<Double>) -> Place {
    let last = Double(size - 1)
    let at = ((color - domain.lowerBound) / step)
      .clamped(lowerBound: SIMD3(repeating: -0.5 * last), upperBound: SIMD3(repeating: 1.5 * last))
    let inside = at.clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: last - 1))
    let cell = SIMD3<Int>(Int(inside.x), Int(inside.y), Int(inside.z))
    let part = at - SIMD3(Double(cell.x), Double(cell.y), Double(cell.z))
    // The first step is along the axis on which the position is greatest.
    var order = (0, 1, 2)
    if part[order.0] < part[order.1] { order = (order.1, order.0, order.2) }
    if part[order.1] < part[order.2] { order = (order.0, order.2, order.1) }
    if part[order.0] < part[order.1] { order = (order.1, order.0, order.2) }
    let origin = cell.x + size * (cell.y + size * cell.z)
    let first = origin + stride(order.0)
    let second = first + stride(order.1)
    let third = second + stride(order.2)
    let (a, b, c) = (part[order.0], part[order.1], part[order.2])
    return Place(
      nodes: SIMD4(Int32(origin), Int32(first), Int32(second), Int32(third)),
      weights: SIMD4(1 - a, a - b, b - c, c), order: order)
  }

  /// Returns the stride of an axis: the distance between neighbouring nodes along this axis in the list of nodes.
  @inline(__always)
  func stride(_ axis: Int) -> Int { axis == 0 ? 1 : axis == 1 ? size : size * size }

  /// Returns the value at a position.
  @inline(__always)
  func value(_ place: Place) -> SIMD3<Double> {
    var sum = SIMD3<Double>()
    for corner in 0..<4 { sum += place.weights[corner] * values[Int(place.nodes[corner])] }
    return sum
  }

  /// Returns the value of a colour.
  @inline(__always)
  subscript(color: SIMD3<Double>) -> SIMD3<Double> { value(place(color)) }
}
