internal import CPixelKernels
import EditModel

/// Multiplies luma and chroma by gains. The gains depend on position and lightness; see ``LocalGains``.
package struct LocalGainsStage: Sendable {
  private let gains: LocalGains
  /// The distance, in pixels, between neighbouring nodes of the mesh.
  private static let step = 8

  /// - Parameter gains: The gains.
  package init(_ gains: LocalGains) { self.gains = gains }

  /// Changes a frame in place.
  ///
  /// - Parameters:
  ///   - frame: A frame with any size, chroma sampling and bit depth. The look must already have been applied.
  ///   - source: The mapping from positions in the frame to positions in the picture that the gains describe. Both are
  ///     fractions of width and height.
  package func apply(to frame: PlanarFrame, source: PictureProjection) {
    guard let luma = frame.planes.first else { return }
    let encoding = frame.format.encoding
    let depth = frame.format.bitDepth
    let unit = Float(1 << (depth - 8))
    let (black, white) = (
      Float(encoding.black) * unit, Float(encoding.black + encoding.lumaRange) * unit
    )
    let (least, greatest) = (Int32(encoding.codes.lowerBound), Int32(encoding.codes.upperBound))
    let mesh = Mesh(gains, over: frame.format, source)
    let chroma = frame.planes.dropFirst()
    let (h, v) = (frame.format.sampling.horizontalShift, frame.format.sampling.verticalShift)
    let rows = NumberRows<Float>(width: luma.width, count: 2)
    var sums = [Float](repeating: 0, count: chroma.first?.width ?? 0)
    var count: Float = 0
    for y in 0..<luma.height {
      mesh.withRows(at: y) { upper, lower, share in
        local_gains_of_row(
          upper, lower, share, Int32(gains.levels), luma.row(y), Int64(luma.width), Int32(depth), black,
          white, rows[0], rows[1])
      }
      local_gains_apply(rows[0], Int64(luma.width), black, Int32(depth), least, greatest, luma.row(y))
      guard !chroma.isEmpty else { continue }
      // The gain of a chroma sample is the mean gain of its pixels.
      for column in sums.indices {
        let pixels = column << h..<min((column + 1) << h, luma.width)
        var sum: Float = 0
        for x in pixels { sum += rows[1][x] }
        sums[column] += sum / Float(max(pixels.count, 1))
      }
      count += 1
      guard (y + 1) & ((1 << v) - 1) == 0 || y == luma.height - 1 else { continue }
      for column in sums.indices { sums[column] /= count }
      for plane in chroma {
        local_gains_apply(
          sums, Int64(plane.width), 128 * unit, Int32(depth), least, greatest, plane.row(y >> v))
      }
      for column in sums.indices { sums[column] = 0 }
      count = 0
    }
  }

  /// The gains at every 8th pixel of a frame.
  private struct Mesh {
    /// The number of nodes in a row, which is one more than the number of cells.
    private let columns: Int
    /// The number of values per node.
    private let width: Int
    private let values: [Float]

    init(_ gains: LocalGains, over format: FrameFormat, _ source: PictureProjection) {
      let columns = (format.width - 1) / step + 2
      let rows = (format.height - 1) / step + 2
      (self.columns, width) = (columns, 2 * gains.levels)
      var values: [Float] = []
      values.reserveCapacity(columns * rows * width)
      for row in 0..<rows {
        for column in 0..<columns {
          let place = SIMD2(
            Double(column * step) / Double(format.width), Double(row * step) / Double(format.height))
          gains.append(at: source.apply(place) ?? place, to: &values)
        }
      }
      self.values = values
    }

    func withRows(
      at y: Int, _ body: (_ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, Float) -> Void
    ) {
      values.withUnsafeBufferPointer { values in
        guard let first = values.baseAddress else { return }
        let upper = first + y / step * columns * width
        body(upper, upper + columns * width, (Float(y % step) + 0.5) / Float(step))
      }
    }
  }
}

extension LocalGains {
  /// Appends two numbers for each lightness level at a position: the logarithm of the first factor, and the second
  /// factor.
  ///
  /// - Parameter place: The position as fractions of width and height. For positions outside 0 to 1, the values at the
  ///   nearest edge are used.
  fileprivate func append(at place: SIMD2<Double>, to values: inout [Float]) {
    func axis(_ place: Double, _ count: Int) -> (first: Int, share: Float) {
      // NaN counts as 0.
      let at = min(max(place * Double(count - 1), 0), Double(count - 1))
      let first = min(Int(at.isNaN ? 0 : at), count - 2)
      return (first, Float((at.isNaN ? 0 : at) - Double(first)))
    }
    let (across, down) = (axis(place.x, columns), axis(place.y, rows))
    let upper = (down.first * columns + across.first) * levels * 2
    let lower = upper + columns * levels * 2
    for index in 0..<2 * levels {
      let next = index + levels * 2
      let above =
        Float(samples[upper + index]) * (1 - across.share) + Float(samples[upper + next]) * across.share
      let below =
        Float(samples[lower + index]) * (1 - across.share) + Float(samples[lower + next]) * across.share
      let value = above * (1 - down.share) + below * down.share
      values.append(
        index % 2 == 0
          ? value / Float(LocalGains.stepsOfLightness) : 1 + value / Float(LocalGains.stepsOfChroma))
    }
  }
}
