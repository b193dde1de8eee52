internal import CPixelKernels

/// The luma of a picture as 8-bit samples, at full, half and quarter size, for the motion search.
struct SearchPyramid {
  let levels: [SearchPlane]
  /// The number of 16×16 blocks per row, and per column.
  let blocksAcross: Int
  let blocksDown: Int

  /// - Parameters:
  ///   - plane: The luma plane.
  ///   - depth: The number of bits per sample.
  init(_ plane: PlanarFrame.Plane, depth: Int) {
    let (width, height) = (plane.width, plane.height)
    blocksAcross = (width + MotionField.side - 1) / MotionField.side
    blocksDown = (height + MotionField.side - 1) / MotionField.side
    let full = SearchPlane(width: width, height: height)
    let line = NumberRows<Float>(width: width, count: 1)
    for y in 0..<height {
      block_load(plane.row(y), Int64(width), Int32(depth), line[0])
      block_store(line[0], Int64(width), 8, 0, 255, full.at(0, y))
    }
    full.extendEdges()
    let half = full.halved()
    levels = [full, half, half.halved()]
  }
}

/// A plane of 8-bit samples, surrounded by repetitions of its outermost samples.
struct SearchPlane {
  let width: Int
  let height: Int
  private let rows: NumberRows<UInt8>

  /// The width of the surrounding margin in samples.
  private static let margin = 48

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    rows = NumberRows(width: width, count: height + 2 * Self.margin, margin: Self.margin)
  }

  /// The distance between two rows in bytes.
  var stride: Int64 { Int64(width + 2 * Self.margin) }

  /// Returns the address of the first sample of a square of up to 16×16 samples. Positions too far outside the plane
  /// are moved closer.
  func at(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
    rows[min(max(y, 8 - Self.margin), height + Self.margin - 24) + Self.margin]
      + min(max(x, 8 - Self.margin), width + Self.margin - 24)
  }

  fileprivate func extendEdges() {
    for y in 0..<height { rows.extendEnds(Self.margin + y) }
    for y in 0..<Self.margin {
      for (row, source) in [(y, Self.margin), (Self.margin + height + y, Self.margin + height - 1)] {
        (rows[row] - Self.margin).update(from: rows[source] - Self.margin, count: Int(stride))
      }
    }
  }

  fileprivate func halved() -> SearchPlane {
    let half = SearchPlane(width: max(width / 2, 1), height: max(height / 2, 1))
    for y in 0..<half.height {
      motion_halve(at(0, 2 * y), at(0, 2 * y + 1), Int64(half.width), half.at(0, y))
    }
    half.extendEdges()
    return half
  }
}
