import Basics
import EditModel

/// The mean of aligned frames in linear light, and the variation of brightness at each position. All frames are aligned
/// with the key frame.
package struct FrameMean: Sendable {
  /// The number of columns and the number of rows.
  let width: Int
  let height: Int
  /// The sums of red, green and blue for each pixel, as linear light in the working space.
  private(set) var sums: [Float]
  /// The number of frames that cover each pixel.
  private(set) var counts: [UInt16]
  /// The number of frames that were added.
  private(set) var frameCount = 0
  /// The sum of the reduced luma of all frames, the sum of squared values, and the number of frames that cover each
  /// sample.
  private(set) var luma: RegistrationPyramid.Level
  private(set) var squares: [Float]
  private(set) var lumaCounts: [Float]
  /// The width and height of a reduced sample, in luma samples.
  let step: Int
  private let level: Int
  /// The reduced key frame, with which the other frames are aligned, and the key frame's mean colours by cell.
  private(set) var key: RegistrationPyramid?
  private(set) var keyColors = ColorGrid()

  /// The maximum number of pixels in a frame, slightly more than in a 4K frame.
  private static let mostPixels = 1 << 24

  /// - Parameter format: The format of the frames.
  /// - Throws: ``MediaError`` if the frames are too large.
  package init(_ format: FrameFormat) throws(MediaError) {
    guard format.width * format.height <= Self.mostPixels else {
      throw MediaError(
        "the frames of \(format.width)x\(format.height) are too large for a long exposure",
        isUnsupported: true)
    }
    (width, height) = (format.width, format.height)
    sums = [Float](repeating: 0, count: 3 * width * height)
    counts = [UInt16](repeating: 0, count: width * height)
    // Use means of at least four samples. Interpolation changes single samples, and these changes must not count as
    // movement.
    let finest = RegistrationPyramid.step(width: width, height: height)
    (level, step) =
      finest == 1 && min(width, height) > 2 * RegistrationPyramid.leastSide ? (1, 2) : (0, finest)
    let (columns, rows) = (width / step, height / step)
    luma = RegistrationPyramid.Level(
      width: columns, height: rows, samples: [Float](repeating: 0, count: columns * rows))
    squares = luma.samples
    lumaCounts = luma.samples
  }

  /// Adds a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame, in the same format as the other frames.
  ///   - move: The mapping from positions in the mean to positions in the frame.
  ///   - isKey: Whether the other frames are aligned with this frame.
  package mutating func add(_ frame: PlanarFrame, moved move: Similarity, isKey: Bool) throws {
    guard frame.format.width == width, frame.format.height == height else {
      throw MediaError("the video changes size or colours partway through")
    }
    let plan = try GeometryPlan(
      .neutral, of: GeometryPlan.Picture(width: width, height: height, sampling: frame.format.sampling))
    let moved = try plan.applied(to: frame, moved: move)
    frameCount += 1
    let light = LightTable(frame.format)
    let covered = Coverage(move, width: width, height: height)
    var colors = ColorGrid()
    for y in 0..<height {
      let columns = covered.columns(ofRow: y)
      add(moved, row: y, columns, light)
      if isKey {
        for x in columns {
          colors.add(light.color(moved, x, y), at: [Float(x) / Float(width), Float(y) / Float(height)])
        }
      }
    }
    let small = RegistrationPyramid(moved)
    if isKey { (key, keyColors) = (small, colors) }
    guard small.levels.indices.contains(level) else { return }
    let level = small.levels[level]
    for row in 0..<luma.height {
      let columns = covered.columns(ofRow: row * step + step / 2)
      for column in 0..<luma.width where columns.contains(column * step + step / 2) {
        let at = row * luma.width + column
        luma.samples[at] += level.samples[at]
        squares[at] += level.samples[at] * level.samples[at]
        lumaCounts[at] += 1
      }
    }
  }

  private mutating func add(_ frame: PlanarFrame, row y: Int, _ columns: Range<Int>, _ light: LightTable) {
    let first = y * width
    sums.withUnsafeMutableBufferPointer { sums in
      counts.withUnsafeMutableBufferPointer { counts in
        for x in columns {
          let color = light.color(frame, x, y)
          let at = first &+ x
          sums[3 &* at] += color.x
          sums[3 &* at &+ 1] += color.y
          sums[3 &* at &+ 2] += color.z
          counts[at] &+= 1
        }
      }
    }
  }
}

/// The area of a picture that a shifted and rotated frame covers.
private struct Coverage {
  private let map: PictureProjection
  private let width: Int
  private let height: Int

  init(_ move: Similarity, width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    map = move.projection(around: SIMD2(Double(width), Double(height)) / 2)
  }

  /// Returns the columns of a row in which pixels lie within the frame.
  func columns(ofRow row: Int) -> Range<Int> {
    let y = Double(row) + 0.5
    var (low, high) = (0.0, Double(width))
    // Each bound has the form least ≤ factor · x + rest ≤ most.
    for (terms, most) in [(map.x, Double(width)), (map.y, Double(height))] {
      let (factor, rest) = (terms.x, terms.y * y + terms.z)
      if abs(factor) < 1e-12 {
        if rest < 0 || rest > most { return 0..<0 }
        continue
      }
      let (one, two) = (-rest / factor, (most - rest) / factor)
      low = max(low, min(one, two))
      high = min(high, max(one, two))
    }
    let first = Int((low - 0.5).rounded(.up))
    let end = Int((high - 0.5).rounded(.down)) + 1
    return first < end ? max(first, 0)..<min(end, width) : 0..<0
  }
}

/// A table-based conversion from frame codes to linear light in the working space.
private struct LightTable {
  private let curve: [Float]
  private let matrix: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
  private let weights: SIMD4<Float>
  private let scale: SIMD4<Float>
  private let isGrey: Bool
  private let isWide: Bool
  private let shifts: (Int, Int)

  /// The range of encoded values in the table, and the number of table entries for a range of length 1.
  private static let range: ClosedRange<Float> = -0.25...1.25
  private static let unit: Float = 4096

  init(_ format: FrameFormat) {
    let encoding = ColorEncoding(format.color, bitDepth: format.bitDepth)
    let count = Int((Self.range.upperBound - Self.range.lowerBound) * Self.unit) + 1
    // The curve applies to greys, whose channels are equal in every colour space. The matrix applies to linear light.
    curve = (0..<count).map { index in
      let value = Double(Self.range.lowerBound + Float(index) / Self.unit)
      return Float(encoding.transfer(value))
    }
    let matrix = encoding.matrixToWorking
    func column(_ unit: SIMD3<Double>) -> SIMD3<Float> { SIMD3<Float>(matrix * unit) }
    self.matrix = (column([1, 0, 0]), column([0, 1, 0]), column([0, 0, 1]))
    let unit = Float(1 << (format.bitDepth - 8))
    scale = [
      1 / (Float(encoding.lumaRange) * unit), Float(encoding.black) * unit,
      1 / (Float(encoding.chromaRange) * unit), 128 * unit,
    ]
    let (red, blue) = (Float(encoding.red), Float(encoding.blue))
    weights = [2 * (1 - red), 2 * (1 - blue), red / (1 - red - blue), blue / (1 - red - blue)]
    isGrey = format.sampling == .grey
    isWide = format.bytesPerSample == 2
    shifts = (format.sampling.horizontalShift, format.sampling.verticalShift)
  }

  @inline(__always)
  private func code(_ plane: PlanarFrame.Plane, _ x: Int, _ y: Int) -> Float {
    let row = UnsafeRawPointer(plane.row(y))
    return isWide
      ? Float(row.load(fromByteOffset: 2 &* x, as: UInt16.self))
      : Float(row.load(fromByteOffset: x, as: UInt8.self))
  }

  /// Returns the colour of a pixel.
  @inline(__always)
  func color(_ frame: PlanarFrame, _ x: Int, _ y: Int) -> SIMD3<Float> {
    let luma = (code(frame.planes[0], x, y) - scale.y) * scale.x
    if isGrey { return light(luma, luma, luma) }
    let (column, row) = (x &>> shifts.0, y &>> shifts.1)
    let cb = (code(frame.planes[1], column, row) - scale.w) * scale.z
    let cr = (code(frame.planes[2], column, row) - scale.w) * scale.z
    let (red, blue) = (weights.x * cr, weights.y * cb)
    return light(luma + red, luma - weights.z * red - weights.w * blue, luma + blue)
  }

  @inline(__always)
  private func light(_ red: Float, _ green: Float, _ blue: Float) -> SIMD3<Float> {
    matrix.0 * entry(red) + matrix.1 * entry(green) + matrix.2 * entry(blue)
  }

  @inline(__always)
  private func entry(_ value: Float) -> Float {
    let limited = min(max(value, Self.range.lowerBound), Self.range.upperBound)
    return curve[Int((limited - Self.range.lowerBound) * Self.unit + 0.5)]
  }
}

/// The mean colours of the cells of a picture.
struct ColorGrid: Sendable {
  /// The number of columns and the number of rows.
  static let size = (columns: 24, rows: 18)
  private var sums = [SIMD4<Float>](repeating: .zero, count: size.columns * size.rows)
  private var parts = [SIMD4<Double>](repeating: .zero, count: size.columns * size.rows)

  /// Adds a colour.
  ///
  /// - Parameter place: The position of the colour, in fractions of the picture's width and height.
  mutating func add(_ color: SIMD3<Float>, at place: SIMD2<Float>) {
    guard place.x >= 0, place.y >= 0, place.x < 1, place.y < 1 else { return }
    let cell =
      Int(place.y * Float(Self.size.rows)) * Self.size.columns + Int(place.x * Float(Self.size.columns))
    sums[cell] += SIMD4(color, 1)
    // The precision suffices for sums of a few hundred numbers.
    if sums[cell].w >= 256 {
      parts[cell] += SIMD4<Double>(sums[cell])
      sums[cell] = .zero
    }
  }

  /// Returns the mean colour of a cell and the number of colours that were added to the cell.
  subscript(cell: Int) -> (color: SIMD3<Float>, count: Float) {
    let all = parts[cell] + SIMD4<Double>(sums[cell])
    guard all.w > 0 else { return (.zero, 0) }
    let mean = all / all.w
    return (SIMD3(Float(mean.x), Float(mean.y), Float(mean.z)), Float(all.w))
  }
}
