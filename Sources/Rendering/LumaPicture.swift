import EditModel

/// Luma-only pictures for comparisons.
extension PlanarFrame {
  /// The number of bits per sample in the result of ``luma(_:scaledTo:)``. Most pictures have fewer bits, so rounding
  /// does not matter.
  package static let lumaDepth = 12

  /// Returns the luma of an area, reduced to fewer samples.
  ///
  /// - Parameters:
  ///   - part: The first column, the first row, the width and the height of the area. Anything outside the
  ///     picture is ignored.
  ///   - size: The width and height of the result in samples, at most those of the area.
  /// - Returns: A grey picture with ``lumaDepth`` bits, or nil if the area is empty or the size is out of range.
  package func luma(
    _ part: (x: Int, y: Int, width: Int, height: Int), scaledTo size: PixelSize
  ) -> PlanarFrame? {
    let (left, top) = (max(part.x, 0), max(part.y, 0))
    var kept = format
    kept.sampling = .grey
    kept.width = min(part.x + part.width, format.width) - left
    kept.height = min(part.y + part.height, format.height) - top
    guard kept.isValid, let plane = planes.first else { return nil }
    let first = plane.row(top) + left * format.bytesPerSample
    let view = PlanarFrame(format: kept, rows: [(first, plane.stride)], owner: self)
    return view.scaled(to: size, sampling: .grey, bitDepth: Self.lumaDepth)
  }

  /// Returns a grey picture transformed by a projection.
  ///
  /// - Parameters:
  ///   - places: The mapping from positions in the result to positions in this picture, both as fractions.
  ///   - size: The width and height of the result in samples.
  /// - Returns: A picture of the same bit depth, at most 12. Positions outside this picture repeat its outermost
  ///   samples.
  package func projected(through places: PictureProjection, to size: PixelSize) -> PlanarFrame? {
    var wanted = format
    (wanted.width, wanted.height) = (size.width, size.height)
    guard format.sampling == .grey, format.bitDepth <= GeometryPlan.greatestDepth,
      let target = PlanarFrame(format: wanted)
    else { return nil }
    let result = SIMD2(Double(size.width), Double(size.height))
    let whole = PictureProjection(scale: 1 / result, shift: 0.5 / result).then(places)
      .then(
        PictureProjection(scale: [Double(format.width), Double(format.height)], shift: [-0.5, -0.5]))
    GeometryPlan.resample(
      planes[0], depth: format.bitDepth,
      through: PictureProjection(x: whole.x / whole.w.z, y: whole.y / whole.w.z, w: whole.w / whole.w.z),
      into: target.planes[0], rows: 0..<size.height)
    return target
  }

  /// The luma samples, row after row, scaled to 8 bits per sample.
  package var lumaSamples: [Float] {
    let (width, height) = (format.width, format.height)
    let unit = 1 / Float(1 << (format.bitDepth - 8))
    return [Float](unsafeUninitializedCapacity: width * height) { samples, count in
      for y in 0..<height {
        let row = planes[0].row(y)
        let line = samples.baseAddress.map { $0 + y &* width }
        if format.bytesPerSample == 2 {
          let from = row.assumingMemoryBound(to: UInt16.self)
          for x in 0..<width { (line.map { $0 + x })?.initialize(to: Float(from[x]) * unit) }
        } else {
          let from = row.assumingMemoryBound(to: UInt8.self)
          for x in 0..<width { (line.map { $0 + x })?.initialize(to: Float(from[x]) * unit) }
        }
      }
      count = width * height
    }
  }
}
