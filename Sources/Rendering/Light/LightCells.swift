internal import CPixelKernels

/// The grid of cells into which a picture is divided.
struct LightCells {
  /// The cells along a row, and the cells along a column.
  let across, down: Axis

  struct Axis {
    /// The width and height of a cell in samples.
    let cell: Int
    /// The number of cells.
    let count: Int

    init(samples: Int, cell: Int) {
      self.cell = cell
      count = (samples + cell - 1) / cell
    }

    /// Returns the last cell whose centre lies before a sample, and the position of the sample between this centre and
    /// the next centre, from 0 to 1.
    func place(_ sample: Float) -> (first: Int, weight: Float) {
      let place = max((sample + 0.5) / Float(cell) - 0.5, 0)
      let first = min(Int(place), count - 1)
      return (first, first == count - 1 ? 0 : place - Float(first))
    }
  }

  /// - Parameter luma: The luma plane.
  init(_ luma: PlanarFrame.Plane) {
    let side = Double(max(luma.width, luma.height)) / Double(LightBase.cells)
    let cell = max(1, Int(side.rounded()))
    across = Axis(samples: luma.width, cell: cell)
    down = Axis(samples: luma.height, cell: cell)
  }

  /// Returns the mean light of each cell in EV.
  ///
  /// - Parameters:
  ///   - frame: The picture.
  ///   - encoding: The encoding of the picture's codes.
  ///   - table: The light in EV for each luma value.
  func light(of frame: PlanarFrame, _ encoding: ColorEncoding, _ table: [Float]) -> CellPlane {
    let unit = Float(1 << (frame.format.bitDepth - 8))
    return means(of: frame.planes[0], shift: (0, 0)) { row, count, sums in
      light_add(
        row, count, Int32(frame.format.bitDepth), Float(encoding.black) * unit,
        Float(encoding.lumaRange) * unit, table, sums)
    }
  }

  /// Returns the lowest of three values for each cell: its mean R′, G′ and B′.
  func least(of frame: PlanarFrame, _ encoding: ColorEncoding) -> CellPlane {
    let depth = Int32(frame.format.bitDepth)
    let shift = (frame.format.sampling.horizontalShift, frame.format.sampling.verticalShift)
    let codes = frame.planes.enumerated().map { index, plane in
      means(of: plane, shift: index == 0 ? (0, 0) : shift) { row, count, sums in
        cell_grid_add(row, count, depth, sums)
      }
    }
    var result = codes[0]
    for index in result.values.indices {
      let y = (Double(codes[0].values[index]) + 128 - encoding.black) / encoding.lumaRange
      var color = SIMD3(y, y, y)
      if codes.count == 3 {
        color = encoding.primaries(
          SIMD3(
            y, Double(codes[1].values[index]) / encoding.chromaRange,
            Double(codes[2].values[index]) / encoding.chromaRange))
      }
      result.values[index] = Float(max(color.min(), 0))
    }
    return result
  }

  /// Returns the means of row values over the cells. In planes with fewer samples, the cells cover the same areas as in
  /// luma.
  private func means(
    of plane: PlanarFrame.Plane, shift: (Int, Int),
    add: (UnsafeMutableRawPointer, Int64, UnsafeMutablePointer<Float>) -> Void
  ) -> CellPlane {
    let (columns, rows) = (across.count, down.count)
    var sums = [Float](repeating: 0, count: plane.width)
    var result = CellPlane(
      width: columns, height: rows, values: [Float](repeating: 0, count: columns * rows))
    for y in 0..<rows {
      let top = min((y * down.cell) >> shift.1, plane.height - 1)
      // If cells are large, every second row suffices.
      let step = down.cell >> shift.1 < 4 ? 1 : 2
      let bottom = max(min(((y + 1) * down.cell) >> shift.1, plane.height), top + 1)
      for index in sums.indices { sums[index] = 0 }
      for row in stride(from: top, to: bottom, by: step) { add(plane.row(row), Int64(plane.width), &sums) }
      for x in 0..<columns {
        let left = min((x * across.cell) >> shift.0, plane.width - 1)
        let right = max(min(((x + 1) * across.cell) >> shift.0, plane.width), left + 1)
        var sum: Float = 0
        for column in left..<right { sum += sums[column] }
        result.values[y * columns + x] = sum / Float((right - left) * ((bottom - top + step - 1) / step))
      }
    }
    return result
  }
}

/// The veil of haze over a picture. The veil is the dark channel of He, Sun and Tang (IEEE TPAMI 33, 2011): the lowest
/// of the encoded R′, G′ and B′ values around each position. The result is refined with the edges of the picture.
struct Veil {
  /// The veil as a linear function of light in EV, for each cell.
  let line: GuidedFilter
  /// The encoded value of areas that show nothing but haze.
  var airlight: Float

  /// The radius of the neighbourhood as a fraction of the longer side.
  private static let radius = 1.0 / 64

  /// - Parameters:
  ///   - frame: The picture.
  ///   - encoding: The encoding of the picture's codes.
  ///   - cells: The cells of the picture.
  ///   - guide: The light of each cell in EV.
  ///   - isAdded: Whether haze is added instead of removed. Added haze covers the whole picture.
  init(_ frame: PlanarFrame, _ encoding: ColorEncoding, _ cells: LightCells, guide: CellPlane, isAdded: Bool)
  {
    let radius = max(1, Int((Double(max(guide.width, guide.height)) * Self.radius).rounded()))
    var veil = cells.least(of: frame, encoding).least(radius: radius)
    let sorted = veil.values.sorted()
    airlight = min(max(sorted[sorted.count * 99 / 100], 0.5), 1)
    if isAdded {
      airlight = max(airlight, 0.8)
      for index in veil.values.indices { veil.values[index] = airlight }
    }
    line = GuidedFilter(veil, guide: guide, radius: 2 * radius, epsilon: 0.05)
  }
}
