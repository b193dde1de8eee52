/// The smooth table of colours that leads from one picture to another, whatever was retouched in some places.
struct TableFit: Sendable {
  /// The table: from encoded colours to encoded colours.
  let table: ColorLattice
  /// True if it makes everything grey.
  let isNeutral: Bool

  /// Nodes along an axis, from coarse to fine: each table begins where the one before ended.
  private static let sizes = [7, 13, 25]
  /// Rounds in which places are weighed anew, for each size.
  private static let rounds = [6, 2, 2]
  /// Steps of the search, for each size.
  private static let steps = [60, 60, 40]
  /// A finer table is taken if no more than this share of the mean distance is left.
  private static let gain = 0.97
  /// Pixels along the side of a cell, of which the mean is looked at.
  private static let cell = 8
  /// The least distance, encoded, at which a place counts half.
  private static let leastScale = 0.1
  /// The weights of red, green and blue in lightness: those of luma in BT.709.
  static let luma = SIMD3(0.2126, 0.7152, 0.0722)

  /// - Parameters:
  ///   - pair: the pictures.
  ///   - factors: by how much each place of the edited picture is lighter than the table is to make it; nil for 1.
  ///   - isCoarse: whether the table has as few nodes as can be.
  init(_ pair: ColorPair, factors: [Double]? = nil, isCoarse: Bool = false) {
    let isNeutral = Self.isNeutral(pair.edited) && !Self.isNeutral(pair.original)
    self.isNeutral = isNeutral
    // What the lattice adds to: the colour, or its grey.
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

  /// The mean distance of square cells' means: in single pixels noise and texture would hide what a finer table brings.
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

  /// The domain: 0 to 1, and what more than a few places have beyond it.
  private static func domain(of colors: [SIMD3<Double>]) -> ClosedRange<Double> {
    let few = colors.count / 500
    guard !colors.isEmpty else { return 0...1 }
    let least = colors.map { $0.min() }.sorted()[few]
    let greatest = colors.map { $0.max() }.sorted()[colors.count - 1 - few]
    return Swift.min(0, Swift.max(least, -0.5))...Swift.max(1, Swift.min(greatest, 1.25))
  }

  /// True if hardly a place has a colour.
  private static func isNeutral(_ colors: [SIMD3<Double>]) -> Bool {
    colors.count { $0.max() - $0.min() > 0.02 } * 200 < colors.count
  }

  /// Places count the less, the farther they are from what the table says, against the distance that half of them have:
  /// D. Geman and S. McClure, “Statistical methods for tomographic image reconstruction”, 1987.
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

  /// A table in which no colour gets darker by becoming lighter: along each line of the lattice in the direction of grey
  /// the lightness that falls is evened out (isotonic regression by pooling neighbours: R. Barlow and others, “Statistical
  /// inference under order restrictions”, 1972), where many pixels are by them.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - shares: the share of pixels around each node.
  private static func rising(_ table: ColorLattice, _ shares: [Double]) -> ColorLattice {
    var table = table
    let size = table.size
    let step = 1 + size + size * size
    for start in table.values.indices {
      // Lines begin on the faces of least red, green or blue.
      guard start % size == 0 || start / size % size == 0 || start < size * size else { continue }
      let length = size - [start % size, start / size % size, start / (size * size)].reduce(0, max)
      let nodes = (0..<length).map { start + $0 * step }
      let lightness = nodes.map { (table.values[$0] * luma).sum() }
      // The pools: mean, weight, and how many nodes.
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
