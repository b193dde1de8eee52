internal import CPixelKernels

/// The mean and the variance of a plane around each place, on a grid of cells that has about the same number of cells for
/// a photo and for its movie: the guided filter of He, Sun and Tang (IEEE TPAMI 35, 2013) in the fast form of He and Sun
/// (arXiv:1505.00996).
///
/// The plane gets e = amount · (G v - M) added, where v is a sample's value, G the mean of a gain that follows from the
/// variance around, and M that of gain times mean. Summed over the plane that is nothing. Where e is limited, what
/// the limit and the ends of the range leave of it is not nothing any more: its mean around a place is taken away.
struct CellGrid {
  private let plane: PlanarFrame.Plane
  private let depth: Int
  private let across: Axis
  private let down: Axis

  /// A radius in cells; it is what interpolation between cells needs.
  private static let cells = 1.5

  private struct Axis {
    /// Samples of a cell.
    let cell: Int
    /// The number of cells.
    let count: Int
    let weights: [Float]

    init(samples: Int, radius: Double) {
      cell = min(max(Int((radius / CellGrid.cells).rounded()), 1), samples)
      count = (samples + cell - 1) / cell
      let inCells = radius / Double(cell)
      weights = BellWeights(variance: inCells * inCells).single
    }
  }

  /// - Parameters:
  ///   - plane: the plane.
  ///   - depth: bits of a sample.
  ///   - radius: how far around is looked, in samples along a row and a column.
  init(_ plane: PlanarFrame.Plane, depth: Int, radius: (across: Double, down: Double)) {
    self.plane = plane
    self.depth = depth
    across = Axis(samples: plane.width, radius: radius.across)
    down = Axis(samples: plane.height, radius: radius.down)
  }

  /// A change of the plane.
  struct Change {
    /// The factor of G v - M.
    var amount: Float
    /// The change, in 8-bit codes, of which half is made; greater ones come nearer and nearer to the whole of it. Nil for
    /// changes in full, which may not lead out of the range then.
    var limit: Float?
    /// The codes that samples are kept within.
    var codes: ClosedRange<Int>
  }

  /// Changes the plane in place.
  ///
  /// - Parameters:
  ///   - change: what is done.
  ///   - gain: from a variance, in 8-bit codes squared.
  func apply(_ change: Change, gain: (Float) -> Float) {
    var (means, squares) = cellMeans()
    means = blurred(means)
    squares = blurred(squares)
    for row in 0..<down.count {
      let (mean, square) = (means[row], squares[row])
      for cell in 0..<across.count {
        let variance = square[cell] - mean[cell] * mean[cell]
        let share = gain(max(variance, 0))
        square[cell] = share
        mean[cell] *= share
      }
    }
    var grids = Grids(gains: blurred(squares), means: blurred(means), shifts: grid())
    if change.limit != nil { grids.shifts = blurred(meanChanges(grids, change)) }
    forEachRow(grids, change) { y, row in
      cell_grid_apply(&row, Int64(plane.width), plane.row(y))
    }
  }

  private struct Grids {
    let gains: NumberRows<Float>
    let means: NumberRows<Float>
    var shifts: NumberRows<Float>
  }

  /// Means of changes by cells.
  private func meanChanges(_ grids: Grids, _ change: Change) -> NumberRows<Float> {
    let result = grid()
    let sums = NumberRows<Float>(width: plane.width, count: 1)
    forEachRow(grids, change) { y, row in
      cell_grid_add_changes(&row, Int64(plane.width), plane.row(y), sums[0])
      let rows = y % down.cell + 1
      guard rows == down.cell || y == plane.height - 1 else { return }
      cell_grid_means(sums[0], Int64(plane.width), Int32(across.cell), Int32(rows), result[y / down.cell])
      sums.clear(0)
    }
    return result
  }

  /// Brings what is needed for each row of the plane.
  private func forEachRow(_ grids: Grids, _ change: Change, _ body: (Int, inout CellGridRow) -> Void) {
    let columns = (0..<plane.width).map { Self.place($0, across.cell, across.count) }
    let (first, weight) = (columns.map { Int32($0.first) }, columns.map(\.weight))
    let between = NumberRows<Float>(width: across.count + 1, count: 3)
    first.withUnsafeBufferPointer { first in
      weight.withUnsafeBufferPointer { weight in
        var row = CellGridRow(
          gains: between[0], means: between[1], shifts: between[2], first: first.baseAddress,
          weight: weight.baseAddress, amount: change.amount, limit: change.limit ?? 1e9, depth: Int32(depth),
          least: Int32(change.codes.lowerBound), greatest: Int32(change.codes.upperBound))
        for y in 0..<plane.height {
          let place = Self.place(y, down.cell, down.count)
          let second = min(place.first + 1, down.count - 1)
          for (index, rows) in [grids.gains, grids.means, grids.shifts].enumerated() {
            cell_grid_between(
              rows[place.first], rows[second], place.weight, Int64(across.count + 1), between[index])
          }
          body(y, &row)
        }
      }
    }
  }

  private func grid() -> NumberRows<Float> {
    // One more than the cells: the last is repeated behind it, for interpolation.
    NumberRows(width: across.count, count: down.count, margin: max(across.weights.count, 1))
  }

  /// Means of values and of their squares by cells.
  private func cellMeans() -> (NumberRows<Float>, NumberRows<Float>) {
    let (means, squares) = (grid(), grid())
    let sums = NumberRows<Float>(width: plane.width, count: 2)
    for row in 0..<down.count {
      sums.clear(0)
      sums.clear(1)
      let rows = row * down.cell..<min((row + 1) * down.cell, plane.height)
      for y in rows {
        cell_grid_add(plane.row(y), Int64(plane.width), Int32(depth), sums[0], sums[1])
      }
      for (sum, target) in [(sums[0], means), (sums[1], squares)] {
        cell_grid_means(sum, Int64(plane.width), Int32(across.cell), Int32(rows.count), target[row])
      }
    }
    return (means, squares)
  }

  private func blurred(_ rows: NumberRows<Float>) -> NumberRows<Float> {
    let result = grid()
    let between = NumberRows<Float>(width: across.count, count: 1, margin: across.weights.count)
    let radius = down.weights.count - 1
    for row in 0..<down.count {
      let near = (row - radius...row + radius).map { y -> UnsafePointer<Float>? in
        UnsafePointer(rows[min(max(y, 0), down.count - 1)])
      }
      cell_grid_blur_rows(near, down.weights, Int32(radius), Int64(across.count), between[0])
      between.extendEnds(0)
      cell_grid_blur_row(
        between[0], across.weights, Int32(across.weights.count - 1), Int64(across.count), result[row])
      result.extendEnds(row)
    }
    return result
  }

  /// The cell whose middle lies before a sample, and how far on the way to the next one's middle it is.
  private static func place(_ sample: Int, _ cell: Int, _ count: Int) -> (first: Int, weight: Float) {
    let place = max((Float(sample) + 0.5) / Float(cell) - 0.5, 0)
    let first = min(Int(place), count - 1)
    return (first, first == count - 1 ? 0 : place - Float(first))
  }
}
