/// The luma of a picture in successively smaller sizes for registration. Each size is half of the previous size.
struct RegistrationPyramid: Sendable {
  /// A picture in the pyramid: means of luma, row after row.
  struct Level: Sendable {
    var width: Int
    var height: Int
    var samples: [Float]

    /// The same picture at half the size.
    var halved: Level {
      let (columns, rows) = (width / 2, height / 2)
      var half = Level(width: columns, height: rows, samples: [Float](repeating: 0, count: columns * rows))
      samples.withUnsafeBufferPointer { from in
        half.samples.withUnsafeMutableBufferPointer { to in
          for y in 0..<rows {
            let (upper, lower) = (2 &* y &* width, (2 &* y &+ 1) &* width)
            for x in 0..<columns {
              let first = 2 &* x
              to[y &* columns &+ x] =
                (from[upper &+ first] + from[upper &+ first &+ 1] + from[lower &+ first]
                  + from[lower &+ first &+ 1]) / 4
            }
          }
        }
      }
      return half
    }
  }

  /// The pictures, from the largest to the smallest.
  let levels: [Level]
  /// The width and height, in luma samples of the picture, of a sample in the largest level.
  let step: Int

  /// The maximum length of the longer side in the largest level.
  static let side = 480
  /// The minimum length of the shorter side in the smallest level, unless the picture is smaller.
  static let leastSide = 24

  /// - Parameters:
  ///   - frame: The picture.
  ///   - side: The maximum length of the longer side in the largest level.
  init(_ frame: PlanarFrame, side: Int = Self.side) {
    let step = Self.step(width: frame.format.width, height: frame.format.height, side: side)
    self.init(Level(meansOf: frame, step: step), step: step)
  }

  /// Returns the width and height, in luma samples, of a sample in the largest level.
  ///
  /// - Parameters:
  ///   - width: The width of the picture in luma samples.
  ///   - height: The height of the picture in luma samples.
  ///   - side: The maximum length of the longer side in the largest level.
  static func step(width: Int, height: Int, side: Int = Self.side) -> Int {
    max(1, min((max(width, height) + side - 1) / side, width, height))
  }

  /// - Parameters:
  ///   - level: The largest level.
  ///   - step: The width and height, in luma samples, of a sample in the level.
  init(_ level: Level, step: Int) {
    self.step = step
    var levels = [level]
    while let last = levels.last, min(last.width, last.height) >= 2 * Self.leastSide {
      levels.append(last.halved)
    }
    self.levels = levels
  }
}

extension RegistrationPyramid.Level {
  /// Creates a level from the mean luma of squares, scaled to 8 bits per sample.
  ///
  /// - Parameters:
  ///   - frame: The picture.
  ///   - step: The width and height of a square in luma samples. Samples beyond the last complete square are ignored.
  fileprivate init(meansOf frame: PlanarFrame, step: Int) {
    (width, height) = (frame.format.width / step, frame.format.height / step)
    samples = []
    samples.reserveCapacity(width * height)
    let unit = 1 / Float(step * step << (frame.format.bitDepth - 8))
    var sums = [Int32](repeating: 0, count: width * step)
    for row in 0..<height {
      for column in sums.indices { sums[column] = 0 }
      for y in row * step..<(row + 1) * step {
        let line = frame.planes[0].row(y)
        if frame.format.bytesPerSample == 2 {
          Self.add(line.assumingMemoryBound(to: UInt16.self), to: &sums)
        } else {
          Self.add(line.assumingMemoryBound(to: UInt8.self), to: &sums)
        }
      }
      for column in 0..<width {
        var sum: Int32 = 0
        for x in column &* step..<(column &+ 1) &* step { sum &+= sums[x] }
        samples.append(Float(sum) * unit)
      }
    }
  }

  private static func add<Sample: FixedWidthInteger>(
    _ line: UnsafeMutablePointer<Sample>, to sums: inout [Int32]
  ) {
    sums.withUnsafeMutableBufferPointer { sums in
      for x in sums.indices { sums[x] &+= Int32(truncatingIfNeeded: line[x]) }
    }
  }
}

extension RegistrationPyramid {
  /// The same picture without its finest detail. The appearance of such detail depends on its position relative to the
  /// samples.
  var smoothed: RegistrationPyramid {
    levels.first.map { RegistrationPyramid($0.smoothed, step: step) } ?? self
  }

  /// The same picture with local brightness and contrast removed, so that pictures with different tones can be
  /// compared.
  var normalized: RegistrationPyramid {
    guard var level = levels.first else { return self }
    var means = level
    var squares = level
    squares.samples = level.samples.map { $0 * $0 }
    // Blurring three times approximates a bell-shaped filter with a standard deviation of about eight samples.
    for _ in 0..<3 {
      means = means.blurred(over: 8)
      squares = squares.blurred(over: 8)
    }
    for at in level.samples.indices {
      let mean = means.samples[at]
      let deviation = max(0, squares.samples[at] - mean * mean).squareRoot()
      level.samples[at] = 40 * (level.samples[at] - mean) / (deviation + 4)
    }
    return RegistrationPyramid(level, step: step)
  }
}

extension RegistrationPyramid.Level {
  /// The weighted means of each sample and its neighbours, with the weights 1, 2 and 1 along both axes. The border is
  /// unchanged.
  fileprivate var smoothed: Self {
    guard width >= 3, height >= 3 else { return self }
    var rows = samples
    var smoothed = self
    samples.withUnsafeBufferPointer { from in
      for y in 0..<height {
        for at in y &* width &+ 1..<(y &+ 1) &* width &- 1 {
          rows[at] = (from[at &- 1] + 2 * from[at] + from[at &+ 1]) / 4
        }
      }
    }
    rows.withUnsafeBufferPointer { from in
      for at in width..<(height - 1) * width {
        smoothed.samples[at] = (from[at &- width] + 2 * from[at] + from[at &+ width]) / 4
      }
    }
    return smoothed
  }

  /// The means of each sample and its neighbours.
  var blurred: Self { blurred(over: 1) }

  /// Returns the means of squares around each sample.
  ///
  /// - Parameter reach: The number of samples from the centre of a square to its edge. Squares are smaller at the edges
  ///   of the picture.
  func blurred(over reach: Int) -> Self {
    var rows = self
    for y in 0..<height {
      var (sum, first, end) = (Float(0), 0, 0)
      for x in 0..<width {
        while end < min(x + reach + 1, width) {
          sum += samples[y * width + end]
          end += 1
        }
        while first < x - reach {
          sum -= samples[y * width + first]
          first += 1
        }
        rows.samples[y * width + x] = sum / Float(end - first)
      }
    }
    var blurred = rows
    for x in 0..<width {
      var (sum, first, end) = (Float(0), 0, 0)
      for y in 0..<height {
        while end < min(y + reach + 1, height) {
          sum += rows.samples[end * width + x]
          end += 1
        }
        while first < y - reach {
          sum -= rows.samples[first * width + x]
          first += 1
        }
        blurred.samples[y * width + x] = sum / Float(end - first)
      }
    }
    return blurred
  }

  /// Returns the value at a position, interpolated between samples.
  ///
  /// - Parameter place: The position relative to the centre, in samples of the level. For positions outside the level,
  ///   the nearest sample is used.
  func sample(at place: SIMD2<Double>) -> Float {
    let x = min(max(place.x + Double(width - 1) / 2, 0), Double(width - 1))
    let y = min(max(place.y + Double(height - 1) / 2, 0), Double(height - 1))
    let (column, row) = (min(Int(x), max(width - 2, 0)), min(Int(y), max(height - 2, 0)))
    let (right, below) = (min(column + 1, width - 1), min(row + 1, height - 1))
    let (shareX, shareY) = (Float(x - Double(column)), Float(y - Double(row)))
    func value(_ column: Int, _ row: Int) -> Float { samples[row * width + column] }
    let upper = value(column, row) + (value(right, row) - value(column, row)) * shareX
    let lower = value(column, below) + (value(right, below) - value(column, below)) * shareX
    return upper + (lower - upper) * shareY
  }

  /// Returns the value at a position, interpolated between samples. The position is given in fractions of the picture's
  /// width and height.
  func sample(atFraction place: SIMD2<Float>) -> Float {
    let size = SIMD2(Double(width), Double(height))
    return sample(at: (SIMD2<Double>(place) - 0.5) * size)
  }
}
