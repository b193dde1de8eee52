import EditModel

/// Luma alone, for what compares pictures.
extension PlanarFrame {
  /// The bits of a sample that ``luma(_:scaledTo:)`` gives: more than most pictures have, so that rounding is not seen.
  package static let lumaDepth = 12

  /// A part of the luma with fewer samples.
  ///
  /// - Parameters:
  ///   - part: first column, first row, columns and rows; what lies beyond the picture does not count.
  ///   - size: columns and rows of the result, at most those of the part.
  /// - Returns: a grey picture of ``lumaDepth`` bits; nil where the part is empty or the size is out of range.
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

  /// Another view of a grey picture.
  ///
  /// - Parameters:
  ///   - places: from places of the result to those of this picture, both in fractions.
  ///   - size: columns and rows of the result.
  /// - Returns: a picture of the same depth, at most 12 bits; places beyond this picture have its outermost samples.
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

  /// The luma samples, row after row, on the scale of 8 bits a sample.
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
