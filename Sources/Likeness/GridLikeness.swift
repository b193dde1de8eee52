package import EditModel

/// The grid of a picture, prepared for comparison with other pictures.
package struct ComparedGrid: Sendable {
  /// The luma samples, row after row. Each row has `PictureGrid.side` samples.
  let luma: [UInt8]
  /// The chroma samples of Cb, then of Cr, row after row.
  private let chroma: [[UInt8]]
  /// The picture's width divided by its height.
  private let shape: Double

  /// The number of rows and the number of columns in the grid of compared cells. Each cell is the mean of a few
  /// samples.
  static let cells = 32
  /// The number of cells on each side of a cell that contribute to the local mean, which is subtracted from the cell.
  private static let reach = 4
  /// The minimum standard deviation of fine detail, in 8-bit codes. Plainer pictures cannot be recognised.
  private static let leastDetail: Float = 1.5

  /// - Parameter grid: The picture's grid.
  /// - Returns: Nil if the grid is damaged or the picture too plain.
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

  /// The fine detail of the whole picture. See ``details(_:)``.
  private var details: [Float] { Self.details(Self.view(luma, Edges())) }

  /// Returns the picture in another orientation.
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
  /// The fractions of the picture's width and height that a crop removes at each edge.
  struct Edges {
    var left = 0.0
    var right = 0.0
    var top = 0.0
    var bottom = 0.0

    fileprivate static let all: [WritableKeyPath<Edges, Double> & Sendable] = [
      \.left, \.right, \.top, \.bottom,
    ]
  }

  /// The steps of the crop search, the largest first.
  private static let steps = [0.02, 0.01, 0.005, 0.0025]
  /// The maximum fraction of the width or height that a crop may remove at an edge.
  private static let mostCropped = 0.05
  /// If the correlation between the uncropped grids is below this minimum, no crop is searched for. A crop of 2% at two
  /// edges leaves a correlation of 0.72.
  private static let leastWhole: Float = 0.6
  /// The maximum ratio between the aspect ratios of two similar pictures. This ratio allows for two crops along one
  /// axis.
  private static let mostShape = 1.12
  /// The maximum root-mean-square difference between colours after their saturation has been equalised, in 8-bit codes.
  private static let mostChroma: Float = 8

  /// Returns the similarity of two pictures' fine detail: the correlation of their luma after subtracting local means.
  /// One picture may be a crop of the other.
  ///
  /// A crop lies within its source picture. If the camera moved during a burst, each picture shows an area that is
  /// missing from the other, and no crop makes the pictures equal.
  ///
  /// - Parameters:
  ///   - other: The other picture, in the same orientation as this one.
  ///   - enough: The similarity at which the search ends.
  /// - Returns: The similarity from -1 to 1, or -1 if the aspect ratios or colours differ.
  func likeness(to other: ComparedGrid, enough: Float) -> Float {
    guard max(shape / other.shape, other.shape / shape) <= Self.mostShape else { return -1 }
    guard colorDistance(to: other) <= Self.mostChroma else { return -1 }
    let (own, others) = (details, other.details)
    let whole = Self.product(own, others)
    guard whole >= Self.leastWhole, whole < enough else { return whole }
    return max(whole, Self.bestCrop(of: luma, for: others), Self.bestCrop(of: other.luma, for: own))
  }

  /// Returns the greatest similarity between any crop of a picture and another picture. Each edge of the crop is moved
  /// as long as the similarity increases.
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

  /// Returns the luma of an area of the picture, divided into cells.
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

  /// Returns two positions per cell along an axis. Each position consists of the preceding sample and the fraction of
  /// the distance to the next sample.
  private static func places(_ before: Double, _ after: Double) -> [(first: Int, share: Float)] {
    let side = Double(PictureGrid.side)
    return (0..<2 * cells).map { index in
      let part = (Double(index) + 0.5) / Double(2 * cells)
      let place = min(max((before + (1 - before - after) * part) * side - 0.5, 0), side - 1)
      let first = min(Int(place), PictureGrid.side - 2)
      return (first, Float(place) - Float(first))
    }
  }

  /// Returns the cells after subtracting their local means, normalised to a mean of 0 and a length of 1, so that
  /// products are correlations.
  ///
  /// - Returns: An empty list if hardly any detail remains.
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

  /// Returns, for each cell, the mean of the surrounding cells along an axis. The numbers of cells before and after are
  /// equal, so fewer cells are averaged at the ends of a line. Subtracting these means completely removes gradients,
  /// such as those of skies.
  ///
  /// - Parameters:
  ///   - line: The stride from a line to the next line.
  ///   - step: The stride from a cell to the next cell in its line.
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

  /// Returns the root mean square of the colour differences. The saturation of one picture is first matched to that of
  /// the other, by a factor of at most two.
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
