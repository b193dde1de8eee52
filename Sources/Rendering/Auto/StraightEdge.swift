import Glibc

/// A nearly horizontal or nearly vertical straight edge in a picture.
///
/// An edge is thin: it consists of the points where brightness changes most across the edge, located to a fraction of a
/// sample. In a nearly horizontal edge, points are linked from column to column; in a nearly vertical edge, from row to
/// row. Linking continues as long as brightness changes in the same direction. Edges are split where they bend.
struct StraightEdge {
  /// The position of the start of the edge, along the edge direction and across it, in samples.
  private(set) var start: (along: Double, across: Double)
  private(set) var end: (along: Double, across: Double)
  /// The length of the edge in samples, without its gaps.
  private(set) var length: Double
  /// Whether the side with greater coordinates is the brighter side.
  let isRising: Bool
  /// The sums over all pieces of the edge, from which the best-fitting line is calculated.
  private var sums: Sums

  /// How far the edge moves across its direction for each sample along its direction.
  var slope: Double { sums.slope }

  /// The smallest brightness change over two samples that counts as an edge, on a scale of 256.
  private static let contrast: Float = 2
  /// The maximum slope of an edge, in samples across for each sample along the edge direction.
  private static let steepest: Float = 0.5
  /// The maximum distance between linked points, in samples.
  private static let step: Float = 1.2
  /// The maximum root-mean-square deviation of points from a straight line, and the maximum deviation at the ends of
  /// two pieces that are joined, both in samples.
  private static let deviation = 0.45
  private static let offset = 1.0

  /// Finds nearly horizontal edges.
  ///
  /// - Parameters:
  ///   - luma: The samples, row after row, from 0 to 255. To find vertical edges, pass the transposed picture.
  ///   - shortest: The minimum length in samples.
  static func level(in luma: [Float], _ width: Int, _ height: Int, shortest: Int) -> [StraightEdge] {
    var (change, places) = thinEdges(luma, width, height)
    var edges: [StraightEdge] = []
    for x in 1..<width - 1 {
      for y in 2..<height - 2 where !places[y * width + x].isNaN {
        let isRising = change[y * width + x] > 0
        var chain: [(Double, Double)] = []
        var (column, row) = (x, y)
        var last = places[y * width + x]
        while true {
          chain.append((Double(column) + 0.5, Double(last) + 0.5))
          places[row * width + column] = .nan
          column += 1
          guard column < width - 1 else { break }
          var next: (row: Int, distance: Float)?
          for candidate in max(row - 1, 2)...min(row + 1, height - 3) {
            let place = candidate * width + column
            let distance = abs(places[place] - last)
            // Comparisons with NaN are false.
            guard distance <= min(step, next?.distance ?? step), (change[place] > 0) == isRising else {
              continue
            }
            next = (candidate, distance)
          }
          guard let next else { break }
          row = next.row
          last = places[row * width + column]
        }
        cut(chain[...], isRising, shortest, into: &edges)
      }
    }
    return edges
  }

  /// Returns the brightness change in the downward direction for each sample, and the exact row of the steepest point
  /// at each edge (NaN elsewhere).
  private static func thinEdges(_ luma: [Float], _ width: Int, _ height: Int) -> ([Float], [Float]) {
    var change = [Float](repeating: 0, count: luma.count)
    var places = [Float](repeating: .nan, count: luma.count)
    guard width > 4, height > 4 else { return (change, places) }
    func mean(_ first: Float, _ middle: Float, _ last: Float) -> Float { (first + 2 * middle + last) / 4 }
    for y in 1..<height - 1 {
      for x in 1..<width - 1 {
        let (above, below) = ((y - 1) * width + x, (y + 1) * width + x)
        change[y * width + x] =
          mean(luma[below - 1], luma[below], luma[below + 1])
          - mean(luma[above - 1], luma[above], luma[above + 1])
      }
    }
    for y in 2..<height - 2 {
      for x in 1..<width - 1 {
        let place = y * width + x
        let (before, here, after) = (
          abs(change[place - width]), abs(change[place]), abs(change[place + width])
        )
        guard here >= contrast, here >= before, here > after else { continue }
        let right = mean(luma[place + 1 - width], luma[place + 1], luma[place + 1 + width])
        let left = mean(luma[place - 1 - width], luma[place - 1], luma[place - 1 + width])
        guard abs(right - left) <= steepest * here else { continue }
        // The position of the maximum of the parabola through the three values.
        let bend = before - 2 * here + after
        places[place] = Float(y) + (bend < 0 ? 0.5 * (before - after) / bend : 0)
      }
    }
    return (change, places)
  }

  /// Splits a chain of points into straight pieces and adds these to the edges.
  private static func cut(
    _ chain: ArraySlice<(Double, Double)>, _ isRising: Bool, _ shortest: Int, into edges: inout [StraightEdge]
  ) {
    var open = [chain]
    while let piece = open.popLast() {
      guard piece.count >= max(shortest, 3), let first = piece.first, let last = piece.last else { continue }
      var sums = Sums()
      for place in piece { sums.add(place) }
      let squares = piece.reduce(0) { sum, place in
        let off = place.1 - sums.across(at: place.0)
        return sum + off * off
      }
      guard (squares / Double(piece.count)).squareRoot() > deviation else {
        edges.append(StraightEdge(sums, from: first.0, to: last.0, length: Double(piece.count), isRising))
        continue
      }
      // Find the point farthest from the line through the ends.
      let slope = (last.1 - first.1) / (last.0 - first.0)
      func distance(_ index: Int) -> Double {
        abs(piece[index].1 - first.1 - slope * (piece[index].0 - first.0))
      }
      let inner = piece.startIndex + 1..<piece.endIndex - 1
      let bend = inner.max { distance($0) < distance($1) } ?? inner.lowerBound
      open.append(piece[piece.startIndex...bend])
      open.append(piece[bend...])
    }
  }

  private init(_ sums: Sums, from first: Double, to last: Double, length: Double, _ isRising: Bool) {
    (self.sums, self.length, self.isRising) = (sums, length, isRising)
    start = (first, sums.across(at: first))
    end = (last, sums.across(at: last))
  }

  /// Joins pieces of the same line, such as a horizon interrupted by masts, beginning with the longest piece.
  ///
  /// - Parameter edges: The pieces.
  static func joined(_ edges: [StraightEdge]) -> [StraightEdge] {
    var open = edges.sorted { $0.length > $1.length }
    var lines: [StraightEdge] = []
    while !open.isEmpty {
      var parts = [open.removeFirst()]
      var line = parts[0]
      while let next = open.firstIndex(where: { line.continues($0, parts) }) {
        parts.append(open.remove(at: next))
        line.join(parts[parts.count - 1])
      }
      lines.append(line)
    }
    return lines
  }

  /// Returns whether a piece continues this line: the piece lies on the line, does not overlap the line's parts, and is
  /// not too far from its ends.
  private func continues(_ piece: StraightEdge, _ parts: [StraightEdge]) -> Bool {
    let reach = (end.along - start.along) / 2 + 8
    return piece.isRising == isRising && piece.start.along <= end.along + reach
      && piece.end.along >= start.along - reach
      && abs(piece.start.across - sums.across(at: piece.start.along)) <= Self.offset
      && abs(piece.end.across - sums.across(at: piece.end.along)) <= Self.offset
      && parts.allSatisfy { min($0.end.along, piece.end.along) - max($0.start.along, piece.start.along) <= 2 }
  }

  private mutating func join(_ piece: StraightEdge) {
    sums.add(piece.sums)
    self = StraightEdge(
      sums, from: min(start.along, piece.start.along), to: max(end.along, piece.end.along),
      length: length + piece.length, isRising)
  }

  /// Sums over points, from which the least-squares line is calculated.
  private struct Sums {
    private var (count, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)

    mutating func add(_ place: (Double, Double)) {
      count += 1
      x += place.0
      y += place.1
      xx += place.0 * place.0
      xy += place.0 * place.1
    }

    mutating func add(_ other: Sums) {
      count += other.count
      x += other.x
      y += other.y
      xx += other.xx
      xy += other.xy
    }

    var slope: Double {
      let spread = count * xx - x * x
      return spread > 0 ? (count * xy - x * y) / spread : 0
    }

    func across(at along: Double) -> Double { (y + slope * (count * along - x)) / count }
  }
}
