internal import CPixelKernels

/// A number for each cell of a grid, row after row.
struct CellPlane: Sendable {
  let width: Int
  let height: Int
  var values: [Float]

  /// - Parameters:
  ///   - width: The number of cells per row, at least 1.
  ///   - height: The number of rows, at least 1.
  ///   - values: The numbers, one for each cell.
  init(width: Int, height: Int, values: [Float]) {
    (self.width, self.height, self.values) = (width, height, values)
  }

  /// Returns the mean over a square of 2 · radius + 1 cells around each cell. Outside the grid, the outermost cells are
  /// repeated.
  func mean(radius: Int) -> CellPlane {
    made { result in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: (height + 1) * width) { between in
        guard let scratch = between.baseAddress, let target = result.baseAddress else { return }
        grid_box(values, Int64(width), Int64(height), Int32(radius), scratch, target)
      }
    }
  }

  /// Returns the products of corresponding cells.
  static func * (one: CellPlane, other: CellPlane) -> CellPlane {
    one.made { grid_product(one.values, other.values, Int64($0.count), $0.baseAddress) }
  }

  /// Returns the lowest number in a square of 2 · radius + 1 cells around each cell.
  func least(radius: Int) -> CellPlane {
    func pass(_ values: [Float], _ count: Int, _ step: Int, _ position: (Int) -> Int) -> [Float] {
      values.indices.map { index in
        let place = position(index)
        let near = max(place - radius, 0)...min(place + radius, count - 1)
        return near.reduce(Float.infinity) { min($0, values[index + ($1 - place) * step]) }
      }
    }
    let across = pass(values, width, 1) { $0 % width }
    return CellPlane(width: width, height: height, values: pass(across, height, width) { $0 / width })
  }

  /// The grid with half as many cells per row and half as many rows, as means of four cells.
  var halved: CellPlane {
    let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
    var result = CellPlane(
      width: columns, height: rows, values: [Float](repeating: 0, count: columns * rows))
    for y in 0..<rows {
      let (upper, lower) = (2 * y * width, min(2 * y + 1, height - 1) * width)
      for x in 0..<columns {
        let (left, right) = (2 * x, min(2 * x + 1, width - 1))
        let sum =
          values[upper + left] + values[upper + right] + values[lower + left] + values[lower + right]
        result.values[y * columns + x] = sum / 4
      }
    }
    return result
  }

  /// Returns a grid with twice as many cells per row and twice as many rows, interpolated as the inverse of ``halved``.
  func doubled(width: Int, height: Int) -> CellPlane {
    var result = CellPlane(width: width, height: height, values: [Float](repeating: 0, count: width * height))
    for y in 0..<height {
      // Each cell of the finer grid is a quarter of a cell away from the nearest cell centre in this grid.
      let row = y / 2
      let beside = min(max(row + (y % 2 == 0 ? -1 : 1), 0), self.height - 1) * self.width
      for x in 0..<width {
        let column = x / 2
        let next = min(max(column + (x % 2 == 0 ? -1 : 1), 0), self.width - 1)
        let near = 0.75 * values[row * self.width + column] + 0.25 * values[row * self.width + next]
        let far = 0.75 * values[beside + column] + 0.25 * values[beside + next]
        result.values[y * width + x] = 0.75 * near + 0.25 * far
      }
    }
    return result
  }

  private func made(_ body: (UnsafeMutableBufferPointer<Float>) -> Void) -> CellPlane {
    let count = values.count
    let made = [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      body(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
      initialized = count
    }
    return CellPlane(width: width, height: height, values: made)
  }
}

/// The guided filter of He, Sun and Tang (IEEE TPAMI 35, 2013). Within each square, the result is a linear function of
/// the guide.
struct GuidedFilter {
  /// The factor by which the guide is multiplied and the constant that is added, for each cell.
  let a, b: CellPlane

  /// - Parameters:
  ///   - plane: The plane to filter.
  ///   - mean: The means of the plane over squares of the given radius, or nil to calculate the means.
  ///   - guide: The plane that guides the filter.
  ///   - radius: The number of cells from a square's centre to its edge.
  ///   - epsilon: The variance of the guide at which the slope is halved.
  init(_ plane: CellPlane, mean: CellPlane? = nil, guide: CellPlane, radius: Int, epsilon: Float) {
    let (g, s) = (guide.mean(radius: radius), mean ?? plane.mean(radius: radius))
    let (gg, gs) = ((guide * guide).mean(radius: radius), (guide * plane).mean(radius: radius))
    var (a, b) = (g, g)
    a.values.withUnsafeMutableBufferPointer { to in
      b.values.withUnsafeMutableBufferPointer {
        grid_coefficients(
          g.values, s.values, gg.values, gs.values, epsilon, Int64(to.count), to.baseAddress, $0.baseAddress)
      }
    }
    (self.a, self.b) = (a.mean(radius: radius), b.mean(radius: radius))
  }

  /// Returns the filtered plane for a guide.
  func applied(to guide: CellPlane) -> CellPlane {
    var result = guide
    result.values.withUnsafeMutableBufferPointer {
      grid_line(a.values, guide.values, b.values, Int64($0.count), $0.baseAddress)
    }
    return result
  }
}
