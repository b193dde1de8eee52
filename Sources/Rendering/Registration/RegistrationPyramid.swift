/// The luma of a picture in ever smaller sizes, each half as large as the one before: what registration compares.
struct RegistrationPyramid: Sendable {
  /// A picture of the pyramid: means of luma, row after row.
  struct Level: Sendable {
    var width: Int
    var height: Int
    var samples: [Float]

    /// The same picture half as large.
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

  /// The pictures, the largest first.
  let levels: [Level]
  /// Luma samples of the picture along one side of a sample of the largest level.
  let step: Int

  /// The longer side of the largest level, at most.
  private static let side = 480
  /// The shorter side of the smallest level, at least, unless the picture is smaller.
  private static let leastSide = 24

  /// - Parameter frame: the picture.
  init(_ frame: PlanarFrame) {
    let (width, height) = (frame.format.width, frame.format.height)
    step = max(1, min((max(width, height) + Self.side - 1) / Self.side, width, height))
    var levels = [Level(meansOf: frame, step: step)]
    while let last = levels.last, min(last.width, last.height) >= 2 * Self.leastSide {
      levels.append(last.halved)
    }
    self.levels = levels
  }
}

extension RegistrationPyramid.Level {
  /// Means of the luma of squares, on the scale of 8 bits a sample.
  ///
  /// - Parameters:
  ///   - frame: the picture.
  ///   - step: luma samples along one side of a square; what is left beside the last ones does not count.
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
