package import EditModel

/// A picture's grid, laid out for comparisons with others.
package struct ComparedGrid: Sendable {
  /// The luma samples, row after row, `PictureGrid.side` of them in each.
  let luma: [UInt8]
  /// The chroma samples, row after row: those of Cb, then those of Cr.
  private let chroma: [[UInt8]]
  /// The picture's width by its height.
  private let shape: Double

  /// Columns and rows of the cells that are compared: means of a few samples each.
  static let cells = 32
  /// Cells around each whose mean is taken away from it.
  private static let reach = 4
  /// A picture whose fine detail has a smaller standard deviation, in codes of 8 bits, is too plain to be known again.
  private static let leastDetail: Float = 1.5

  /// - Parameter grid: the picture's grid.
  /// - Returns: nil for a grid that is broken or too plain.
  package init?(_ grid: PictureGrid) {
    guard grid.isSound else { return nil }
    self.init(
      luma: Array(grid.luma), chroma: [Array(grid.blue), Array(grid.red)],
      shape: Double(grid.width) / Double(grid.height))
    guard !details.isEmpty else { return nil }
  }

  private init(luma: [UInt8], chroma: [[UInt8]], shape: Double) {
    (self.luma, self.chroma, self.shape) = (luma, chroma, shape)
  }

  /// The fine detail of the whole picture; see ``details(_:)``.
  private var details: [Float] { Self.details(Self.view(luma, Edges())) }

  /// The picture in another orientation.
  func turned(by orientation: Orientation) -> ComparedGrid {
    if orientation == .identity { return self }
    return ComparedGrid(
      luma: Self.turned(luma, PictureGrid.side, orientation),
      chroma: chroma.map { Self.turned($0, PictureGrid.chromaSide, orientation) },
      shape: orientation.swapsAxes ? 1 / shape : shape)
  }

  private static func turned(_ samples: [UInt8], _ side: Int, _ orientation: Orientation) -> [UInt8] {
    let (whole, back) = (Double(side), orientation.inverse)
    return (0..<side * side).map { index in
      let place = back.apply(
        x: Double(index % side) + 0.5, y: Double(index / side) + 0.5, width: whole, height: whole)
      return samples[Int(place.y) * side + Int(place.x)]
    }
  }
}

extension ComparedGrid {
  /// The parts that a crop takes away at each edge, in fractions of the picture.
  struct Edges {
    var left = 0.0
    var right = 0.0
    var top = 0.0
    var bottom = 0.0

    fileprivate static let all: [WritableKeyPath<Edges, Double> & Sendable] = [
      \.left, \.right, \.top, \.bottom,
    ]
  }

  /// The steps by which a crop is sought, the largest first.
  private static let steps = [0.02, 0.01, 0.005, 0.0025]
  /// The most that a crop may take away at an edge.
  private static let mostCropped = 0.05
  /// Pictures whose whole grids correlate less are no crops of each other: a crop of 2 % at two edges leaves 0.72.
  private static let leastWhole: Float = 0.6
  /// Pictures are of one shape if their ratios of width and height differ by no more: what two crops of an axis leave.
  private static let mostShape = 1.12
  /// The most by which colours may differ, in codes of 8 bits (root of the mean square), when their saturation is made equal.
  private static let mostChroma: Float = 8

  /// How much two pictures resemble each other in what is fine in them: the correlation of their luma without the means of its
  /// surroundings, where one of them may be a part of the other.
  ///
  /// A crop lies within the picture that it was made of; a picture of a burst, in which the camera moved on, shows something
  /// that the other does not, and no crop makes the two equal.
  ///
  /// - Parameters:
  ///   - other: another picture, as this one lies.
  ///   - enough: a likeness above which nothing better is sought.
  /// - Returns: from -1 to 1; -1 for pictures whose shapes or colours differ.
  func likeness(to other: ComparedGrid, enough: Float) -> Float {
    guard max(shape / other.shape, other.shape / shape) <= Self.mostShape else { return -1 }
    guard colorDistance(to: other) <= Self.mostChroma else { return -1 }
    let (own, others) = (details, other.details)
    let whole = Self.product(own, others)
    guard whole >= Self.leastWhole, whole < enough else { return whole }
    return max(whole, Self.bestCrop(of: luma, for: others), Self.bestCrop(of: other.luma, for: own))
  }

  /// The greatest likeness of a picture's crops with another picture: each edge is moved as long as that helps.
  private static func bestCrop(of luma: [UInt8], for wanted: [Float]) -> Float {
    var edges = Edges()
    var best: Float = -1
    for step in steps {
      var helps = true
      while helps {
        helps = false
        for edge in Edges.all {
          for move in [step, -step] {
            var next = edges
            next[keyPath: edge] += move
            guard -1e-9...mostCropped + 1e-9 ~= next[keyPath: edge] else { continue }
            let likeness = product(details(view(luma, next)), wanted)
            if likeness > best + 1e-5 { (best, edges, helps) = (likeness, next, true) }
          }
        }
      }
    }
    return best
  }

  /// The luma of a part of the picture in cells.
  private static func view(_ luma: [UInt8], _ edges: Edges) -> [Float] {
    let side = PictureGrid.side
    let columns = places(edges.left, edges.right)
    let rows = places(edges.top, edges.bottom)
    var lines = [Float](repeating: 0, count: side * cells)
    for y in 0..<side {
      for (index, place) in columns.enumerated() {
        let at = y * side + place.first
        let (one, next) = (Float(luma[at]), Float(luma[at + 1]))
        lines[y * cells + index / 2] += (one + place.share * (next - one)) / 2
      }
    }
    var view = [Float](repeating: 0, count: cells * cells)
    for (index, place) in rows.enumerated() {
      let (from, to) = (place.first * cells, index / 2 * cells)
      for x in 0..<cells {
        view[to + x] += (lines[from + x] + place.share * (lines[from + cells + x] - lines[from + x])) / 2
      }
    }
    return view
  }

  /// Two places in each cell along an axis: the sample before each, and how far it is to the next.
  private static func places(_ before: Double, _ after: Double) -> [(first: Int, share: Float)] {
    let side = Double(PictureGrid.side)
    return (0..<2 * cells).map { index in
      let part = (Double(index) + 0.5) / Double(2 * cells)
      let place = min(max((before + (1 - before - after) * part) * side - 0.5, 0), side - 1)
      let first = min(Int(place), PictureGrid.side - 2)
      return (first, Float(place) - Float(first))
    }
  }

  /// The rest of cells without the means of their surroundings, with mean 0 and length 1, so that products are correlations.
  ///
  /// - Returns: nothing where next to nothing is left.
  private static func details(_ view: [Float]) -> [Float] {
    let around = smoothed(smoothed(view, from: cells, to: 1), from: 1, to: cells)
    var left = view
    for index in left.indices { left[index] -= around[index] }
    let mean = left.reduce(0, +) / Float(left.count)
    var squares: Float = 0
    for value in left { squares += (value - mean) * (value - mean) }
    let length = squares.squareRoot()
    guard length >= leastDetail * Float(cells) else { return [] }
    for index in left.indices { left[index] = (left[index] - mean) / length }
    return left
  }

  /// Means over the cells around each along an axis, as many before as behind it and so fewer at its ends: of a slope, as skies
  /// have it, nothing is left.
  ///
  /// - Parameters:
  ///   - line: from a line to the next.
  ///   - step: from a cell to the next of its line.
  private static func smoothed(_ view: [Float], from line: Int, to step: Int) -> [Float] {
    var result = view
    for number in 0..<cells {
      let start = number * line
      for cell in 0..<cells {
        let near = min(reach, cell, cells - 1 - cell)
        var sum: Float = 0
        for other in cell - near...cell + near { sum += view[start + other * step] }
        result[start + cell * step] = sum / Float(2 * near + 1)
      }
    }
    return result
  }

  private static func product(_ one: [Float], _ other: [Float]) -> Float {
    guard one.count == other.count, !one.isEmpty else { return -1 }
    var sum: Float = 0
    for index in one.indices { sum += one[index] * other[index] }
    return sum
  }

  /// The root of the mean square of what colours differ by, when the one picture's saturation is made the other's within a
  /// factor of two.
  private func colorDistance(to other: ComparedGrid) -> Float {
    func colors(_ chroma: [[UInt8]]) -> [Float] {
      chroma.flatMap { plane in
        let mean = Float(plane.reduce(0) { $0 + Int($1) }) / Float(max(plane.count, 1))
        return plane.map { Float($0) - mean }
      }
    }
    let pairs = zip(colors(chroma), colors(other.chroma))
    var (mixed, own, count): (Float, Float, Float) = (0, 0, 0)
    for (one, two) in pairs {
      mixed += one * two
      own += one * one
      count += 1
    }
    let gain: Float = min(max(mixed / max(own, 1e-6), 0.5), 2)
    var sum: Float = 0
    for (one, two) in pairs { sum += (two - gain * one) * (two - gain * one) }
    return (sum / max(count, 1)).squareRoot()
  }
}
