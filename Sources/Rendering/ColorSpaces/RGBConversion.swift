import EditModel

/// The conversion between the planes of a frame and red, green and blue, for custom code in programs that use the
/// library.
///
/// For each pixel, chroma is interpolated between the surrounding chroma samples, as in ``ColorTable``. In the opposite
/// direction, a chroma sample becomes the mean chroma of its pixels. A pixel whose colour did not change keeps its luma
/// code and contributes the original chroma sample to this mean. An unchanged picture therefore stays bit-identical.
package struct RGBConversion: Sendable {
  private let source: ColorEncoding
  private let encoding: RGBEncoding
  private let fromWorking: Matrix3
  private let toWorking: Matrix3

  /// - Parameters:
  ///   - encoding: The meaning of the red, green and blue values.
  ///   - format: The format of the frames.
  ///   - profile: The picture's ICC profile, or nil if the picture has none. An unusable profile counts as sRGB.
  package init(_ encoding: RGBEncoding, format: FrameFormat, profile: [UInt8]? = nil) {
    self.encoding = encoding
    source = ColorEncoding(
      format.color, bitDepth: format.bitDepth, profile: profile.flatMap(ICCProfileReader.space))
    toWorking = encoding == .linear ? .identity : Primaries.p3.toWorking
    fromWorking = toWorking.inverse ?? .identity
  }

  /// Returns the colours of a frame, as red, green and blue for each pixel, row after row.
  package func samples(of frame: PlanarFrame) -> [Float] {
    let planes = CodePlanes(frame)
    var samples = [Float](repeating: 0, count: 3 * planes.width * planes.height)
    samples.withUnsafeMutableBufferPointer { samples in
      for y in 0..<planes.height {
        var at = 3 * y * planes.width
        for x in 0..<planes.width {
          let color = color(planes.codes(x, y))
          samples[at] = color.x
          samples[at + 1] = color.y
          samples[at + 2] = color.z
          at += 3
        }
      }
    }
    return samples
  }

  /// Writes colours back to the frame from which they were read.
  ///
  /// - Parameters:
  ///   - samples: The red, green and blue values of each pixel. The array must be as long as the array that
  ///     ``samples(of:)`` returned, and all values must be finite.
  ///   - frame: The frame, which must not have changed since its colours were read. Its content is replaced.
  package func write(_ samples: [Float], to frame: PlanarFrame) {
    let planes = CodePlanes(frame)
    guard samples.count == 3 * planes.width * planes.height else { return }
    var luma = planes.luma
    // For each chroma sample, the sum of the chroma changes of its pixels.
    var shifts = planes.isGrey ? [] : [SIMD2<Double>](repeating: .zero, count: planes.chroma.count)
    for y in 0..<planes.height {
      for x in 0..<planes.width {
        let at = y * planes.width + x
        let new = SIMD3(samples[3 * at], samples[3 * at + 1], samples[3 * at + 2])
        let old = planes.codes(x, y)
        guard new != color(old) else { continue }
        let changed = codes(new)
        luma[at] = Self.stored((changed.x * source.lumaRange + source.black) * planes.unit, source.codes)
        guard !planes.isGrey else { continue }
        let chroma = SIMD2(changed.y, changed.z) * source.chromaRange + 128
        let sample = planes.chroma(of: x, y)
        shifts[sample] += chroma - planes.chroma[sample]
      }
    }
    _ = frame.setSamples(luma, ofPlane: 0)
    guard !planes.isGrey else { return }
    for (plane, part) in [(1, \SIMD2<Double>.x), (2, \SIMD2<Double>.y)] {
      var samples = frame.samples(ofPlane: plane)
      for at in samples.indices where shifts[at] != .zero {
        let shift = shifts[at][keyPath: part] / Double(planes.pixels(ofChroma: at)) * planes.unit
        samples[at] = Self.stored(Double(samples[at]) + shift, source.codes)
      }
      _ = frame.setSamples(samples, ofPlane: plane)
    }
  }

  /// Returns the nearest code, or the lowest code for NaN.
  private static func stored(_ value: Double, _ range: ClosedRange<Int>) -> UInt16 {
    guard value > Double(range.lowerBound) else { return UInt16(range.lowerBound) }
    return UInt16(min(value.rounded(), Double(range.upperBound)))
  }

  /// Returns the colour that luma, Cb and Cr codes describe, in units of 8-bit codes.
  @inline(__always)
  private func color(_ code: SIMD3<Double>) -> SIMD3<Float> {
    let luma = SIMD3(
      (code.x - source.black) / source.lumaRange, (code.y - 128) / source.chromaRange,
      (code.z - 128) / source.chromaRange)
    let light = source.linear(source.primaries(luma))
    guard encoding == .display else { return SIMD3<Float>(light) }
    return SIMD3<Float>(TransferFunction.sRGBEncoded(fromWorking * light))
  }

  /// Returns luma, Cb and Cr of a colour: Y′ from 0 to 1, Cb and Cr from -0.5 to 0.5.
  @inline(__always)
  private func codes(_ color: SIMD3<Float>) -> SIMD3<Double> {
    let color = SIMD3<Double>(color)
    guard encoding == .display else { return source.luma(source.encoded(color)) }
    return source.luma(source.encoded(toWorking * TransferFunction.sRGBLinear(color)))
  }
}

/// The codes of a frame, in units of 8-bit codes, with chroma interpolated for every pixel.
private struct CodePlanes {
  let width: Int
  let height: Int
  let isGrey: Bool
  /// The value of one unit, an 8-bit code, in the frame's own codes.
  let unit: Double
  let chroma: [SIMD2<Double>]
  /// The luma codes as stored in the frame.
  let luma: [UInt16]
  private let columns: [Between]
  private let rows: [Between]
  private let (chromaWidth, chromaHeight): (Int, Int)
  private let (horizontalShift, verticalShift): (Int, Int)

  /// The two chroma samples that surround a pixel along an axis, and the weight of the second sample.
  struct Between {
    let first: Int
    let second: Int
    let share: Double

    /// - Parameters:
    ///   - pixel: The column or row of the pixel.
    ///   - step: The distance between neighbouring samples, in pixels.
    ///   - offset: The distance, in pixels, from the picture's edge to the first sample.
    ///   - count: The number of samples.
    init(_ pixel: Int, step: Double, offset: Double, count: Int) {
      let place = (Double(pixel) + 0.5 - offset) / step
      let whole = place.rounded(.down)
      first = min(max(Int(whole), 0), count - 1)
      second = min(max(Int(whole) + 1, 0), count - 1)
      share = place - whole
    }
  }

  init(_ frame: PlanarFrame) {
    let format = frame.format
    (width, height) = (format.width, format.height)
    isGrey = format.sampling == .grey
    unit = Double(1 << (format.bitDepth - 8))
    luma = frame.samples(ofPlane: 0)
    (chromaWidth, chromaHeight) = format.planeSize(1)
    (horizontalShift, verticalShift) = (format.sampling.horizontalShift, format.sampling.verticalShift)
    guard !isGrey else {
      (chroma, columns, rows) = ([], [], [])
      return
    }
    let unit = unit
    chroma = zip(frame.samples(ofPlane: 1), frame.samples(ofPlane: 2)).map {
      SIMD2(Double($0), Double($1)) / unit
    }
    let (step, offset) = format.sampleGrid(ofPlane: 1)
    let (chromaWidth, chromaHeight) = (chromaWidth, chromaHeight)
    columns = (0..<format.width).map { Between($0, step: step.x, offset: offset.x, count: chromaWidth) }
    rows = (0..<format.height).map { Between($0, step: step.y, offset: offset.y, count: chromaHeight) }
  }

  /// Returns luma, Cb and Cr of a pixel.
  @inline(__always)
  func codes(_ x: Int, _ y: Int) -> SIMD3<Double> {
    let y0 = Double(luma[y * width + x]) / unit
    guard !isGrey else { return SIMD3(y0, 128, 128) }
    let (column, row) = (columns[x], rows[y])
    let (upper, lower) = (row.first * chromaWidth, row.second * chromaWidth)
    let first =
      chroma[upper + column.first] * (1 - column.share) + chroma[upper + column.second] * column.share
    let second =
      chroma[lower + column.first] * (1 - column.share) + chroma[lower + column.second] * column.share
    let between = first * (1 - row.share) + second * row.share
    return SIMD3(y0, between.x, between.y)
  }

  /// Returns the index of the chroma sample that a pixel shares with its neighbours.
  @inline(__always)
  func chroma(of x: Int, _ y: Int) -> Int { (y >> verticalShift) * chromaWidth + x >> horizontalShift }

  /// Returns the number of pixels that share a chroma sample.
  func pixels(ofChroma index: Int) -> Int {
    let (column, row) = (index % chromaWidth, index / chromaWidth)
    return (min((column + 1) << horizontalShift, width) - column << horizontalShift)
      * (min((row + 1) << verticalShift, height) - row << verticalShift)
  }
}
