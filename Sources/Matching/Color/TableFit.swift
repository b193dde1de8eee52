/// The smooth colour table that converts the colours of one picture to those of another, even if some areas were
/// retouched.
struct TableFit: Sendable {
  /// The table from encoded colours to encoded colours.
  let table: ColorLattice
  /// Whether the table converts all colours to grey.
  let isNeutral: Bool

  /// The numbers of nodes per axis, from coarse to fine. Each fit starts with the result of the previous fit.
  private static let sizes = [7, 13, 25]
  /// For each size, the number of times that the weights of positions are recalculated.
  private static let rounds = [6, 2, 2]
  /// The number of search steps for each size.
  private static let steps = [60, 60, 40]
  /// A finer table is used only if its remaining mean difference is below this fraction of the coarser table's
  /// difference.
  private static let gain = 0.97
  /// The width and height, in pixels, of the cells whose means are compared.
  private static let cell = 8
  /// The smallest difference, in encoded values, that reduces the weight of a position to a quarter.
  private static let leastScale = 0.1
  /// The weights of red, green and blue in lightness, as in BT.709 luma.
  static let luma = SIMD3(0.2126, 0.7152, 0.0722)

  /// - Parameters:
  ///   - pair: The pictures.
  ///   - factors: For each position, the lightness of the edited picture divided by the lightness that the table should
  ///     produce, or nil for 1.
  ///   - isCoarse: Whether to use only the smallest number of nodes.
  init(_ pair: ColorPair, factors: [Double]? = nil, isCoarse: Bool = false) {
    let isNeutral = Self.isNeutral(pair.edited) && !Self.isNeutral(pair.original)
    self.isNeutral = isNeutral
    // Returns the base to which the lattice value is added: the colour itself, or its lightness as grey.
    func base(_ color: SIMD3<Double>) -> SIMD3<Double> {
      isNeutral ? SIMD3(repeating: (color * Self.luma).sum()) : color
    }
    let targets = pair.original.indices.map { at in
      let own = pair.edited[at] / (factors?[at] ?? 1)
      let edited = isNeutral ? SIMD3(repeating: (own * Self.luma).sum()) : own
      return edited - base(pair.original[at])
    }
    var lattice = ColorLattice(size: 2, domain: Self.domain(of: pair.original))
    var weights = pair.weights
    var shares: [Double] = []
    var distance = Double.infinity
    for ((size, rounds), steps) in zip(zip(Self.sizes, Self.rounds), Self.steps).prefix(isCoarse ? 1 : 3) {
      var finer = ColorLattice(size: size, domain: lattice.domain)
      for node in finer.values.indices { finer.values[node] = lattice[finer.color(node)] }
      let places = pair.original.map(finer.place)
      var (finerWeights, finerShares, finerDistance) = (weights, shares, 0.0)
      for _ in 0..<rounds {
        var fit = LatticeFit(beginningWith: finer)
        for at in places.indices { fit.add(places[at], targets[at], weight: finerWeights[at]) }
        finer = fit.solution(steps: steps)
        finerShares = fit.shares
        let rests = places.indices.map { targets[$0] - finer.value(places[$0]) }
        finerWeights = Self.weights(rests, pair.weights)
        finerDistance = Self.distance(rests, finerWeights, width: pair.width)
      }
      guard finerDistance < Self.gain * distance else { break }
      (lattice, weights, shares, distance) = (finer, finerWeights, finerShares, finerDistance)
    }
    for node in lattice.values.indices { lattice.values[node] += base(lattice.color(node)) }
    table = Self.rising(lattice, shares)
  }

  /// Returns the mean difference after averaging over square cells. In single pixels, noise and texture would hide the
  /// benefit of a finer table.
  private static func distance(_ rests: [SIMD3<Double>], _ weights: [Double], width: Int) -> Double {
    let columns = (width + cell - 1) / cell
    var sums = [SIMD4<Double>](repeating: SIMD4(), count: columns * (rests.count / width / cell + 1))
    for at in rests.indices {
      sums[at / width / cell * columns + at % width / cell] += SIMD4(rests[at], 1) * weights[at]
    }
    return sums.reduce(0) { sum, cell in
      let rest = SIMD3(cell.x, cell.y, cell.z)
      return sum + (rest * rest).sum().squareRoot()
    }
  }

  /// Returns the domain of the table: 0 to 1, extended to include values that occur in more than a few pixels.
  private static func domain(of colors: [SIMD3<Double>]) -> ClosedRange<Double> {
    let few = colors.count / 500
    guard !colors.isEmpty else { return 0...1 }
    let least = colors.map { $0.min() }.sorted()[few]
    let greatest = colors.map { $0.max() }.sorted()[colors.count - 1 - few]
    return Swift.min(0, Swift.max(least, -0.5))...Swift.max(1, Swift.min(greatest, 1.25))
  }

  /// Returns whether nearly all pixels are grey.
  private static func isNeutral(_ colors: [SIMD3<Double>]) -> Bool {
    colors.count { $0.max() - $0.min() > 0.02 } * 200 < colors.count
  }

  /// Returns the weights of the positions. The farther a colour is from the table's result, relative to the median
  /// distance, the lower the weight of its position (D. Geman and S. McClure, “Statistical methods for tomographic
  /// image reconstruction”, 1987).
  private static func weights(_ rests: [SIMD3<Double>], _ edges: [Double]) -> [Double] {
    let squares = rests.map { ($0 * $0).sum() }
    let sorted = stride(from: 0, to: squares.count, by: max(1, squares.count / 4096)).map { squares[$0] }
      .sorted()
    let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    let scale = max(leastScale * leastScale, 9 * median)
    return squares.indices.map { at in
      let part = 1 + squares[at] / scale
      return edges[at] / (part * part)
    }
  }

  /// Returns a table in which lighter input colours never produce darker results. Along each line of the lattice in the
  /// direction of grey, decreasing lightness values are averaged, with the most weight for nodes near many pixels
  /// (isotonic regression by pooling neighbours: R. Barlow and others, “Statistical inference under order
  /// restrictions”, 1972).
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - shares: The fraction of pixels around each node.
  private static func rising(_ table: ColorLattice, _ shares: [Double]) -> ColorLattice {
    var table = table
    let size = table.size
    let step = 1 + size + size * size
    for start in table.values.indices {
      // Lines begin at nodes with the lowest red, green or blue.
      guard start % size == 0 || start / size % size == 0 || start < size * size else { continue }
      let length = size - [start % size, start / size % size, start / (size * size)].reduce(0, max)
      let nodes = (0..<length).map { start + $0 * step }
      let lightness = nodes.map { (table.values[$0] * luma).sum() }
      // Each pool has a mean, a weight and a number of nodes.
      var pools: [(mean: Double, weight: Double, count: Int)] = []
      for (node, value) in zip(nodes, lightness) {
        pools.append((value, shares[node] + 1e-6, 1))
        while pools.count > 1, pools[pools.count - 2].mean > pools[pools.count - 1].mean {
          let last = pools.removeLast()
          let before = pools.removeLast()
          let weight = last.weight + before.weight
          let mean = (last.mean * last.weight + before.mean * before.weight) / weight
          pools.append((mean, weight, last.count + before.count))
        }
      }
      let risen = pools.flatMap { [Double](repeating: $0.mean, count: $0.count) }
      for index in nodes.indices { table.values[nodes[index]] += risen[index] - lightness[index] }
    }
    return table
  }
}
