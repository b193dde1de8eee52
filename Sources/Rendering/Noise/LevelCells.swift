internal import CPixelKernels

/// The mean luma of each cell of a picture, which determines the strength of noise.
struct LevelCells: Sendable {
  private let means: NumberRows<Float>
  private let size: (width: Int, height: Int)
  /// The levels of black and white, in 8-bit codes.
  let black: Float
  let white: Float

  /// - Parameters:
  ///   - plane: The luma plane.
  ///   - format: The format of the frame.
  init(_ plane: PlanarFrame.Plane, _ format: FrameFormat) {
    size = (plane.width, plane.height)
    let depth = format.bitDepth
    let encoding = ColorEncoding(format.color, bitDepth: depth)
    (black, white) = (Float(encoding.black), Float(encoding.black + encoding.lumaRange))
    let cell = OverlappedBlocks.cell
    means = OverlappedBlocks.cells(width: plane.width, height: plane.height)
    let sums = NumberRows<Float>(width: plane.width, count: 1)
    for row in 0..<means.count {
      sums.clear(0)
      let rows = row * cell..<min((row + 1) * cell, plane.height)
      for y in rows { cell_grid_add(plane.row(y), Int64(plane.width), Int32(depth), sums[0]) }
      cell_grid_means(sums[0], Int64(plane.width), Int32(cell), Int32(rows.count), means[row])
    }
  }

  /// Calls a function for each cell of a plane. The plane may be smaller than the luma plane.
  ///
  /// - Parameters:
  ///   - width: The width of the plane in samples.
  ///   - height: The height of the plane in samples.
  ///   - body: A function that receives the row, the column and the luma level of each cell. The level is in 8-bit
  ///     codes.
  func forEach(inPlane width: Int, _ height: Int, _ body: (Int, Int, Float) -> Void) {
    let cell = OverlappedBlocks.cell
    let columns = (0..<(width + cell - 1) / cell).map { place($0, width, size.width, means.width) }
    for row in 0..<(height + cell - 1) / cell {
      let numbers = means[place(row, height, size.height, means.count)]
      for (column, place) in columns.enumerated() { body(row, column, numbers[place] + 128) }
    }
  }

  private func place(_ index: Int, _ count: Int, _ lumaCount: Int, _ cells: Int) -> Int {
    let middle = min(index * OverlappedBlocks.cell + OverlappedBlocks.cell / 2, count - 1)
    return min(middle * lumaCount / count / OverlappedBlocks.cell, cells - 1)
  }
}
