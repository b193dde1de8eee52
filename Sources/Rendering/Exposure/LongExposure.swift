import Basics
import EditModel

/// A long exposure: a photo that looks as if the shutter had been open for the whole movie. Static areas come from the
/// photo, and moving areas are the mean of the movie's frames.
///
/// The mean is calculated in linear light, and its brightness and colours are matched to the photo. For this purpose,
/// the mean is multiplied by the ratio of the photo to the movie frame at the moment of the photo, averaged over large
/// areas. Areas of the photo that the movie does not show are unchanged.
package struct LongExposure: Sendable {
  private let mean: FrameMean
  /// The weight of the mean at each position, from 0 to 1, at reduced resolution.
  private let motion: RegistrationPyramid.Level
  private let key: RegistrationPyramid

  /// - Parameter mean: The mean of all frames, including the frame at the moment of the photo.
  /// - Throws: ``MediaError`` if the frame at the moment of the photo is missing.
  package init(_ mean: FrameMean) throws(MediaError) {
    guard let key = mean.key else { throw MediaError("the movie has no frame at the photo's time") }
    (self.mean, self.key) = (mean, key)
    motion = Self.motion(in: mean)
  }

  /// Applies the long exposure to a photo.
  ///
  /// - Parameters:
  ///   - photo: The picture of the photo, which is overwritten.
  ///   - turn: The rotation from the photo to the orientation of the movie's stored frames.
  ///   - profile: The photo's ICC profile, or nil if the photo has none.
  ///   - pieces: The number of pieces into which the work is split.
  ///   - run: A function that runs the pieces, in parallel if possible.
  /// - Throws: ``MediaError`` if the movie does not show the scene of the photo.
  package func expose(
    _ photo: PlanarFrame, turnedBy turn: Orientation, profile: [UInt8]?, pieces: Int = 1,
    by run: GeometryPlan.Splitting = { count, body in for index in 0..<count { body(index) } }
  ) throws(MediaError) {
    let place = try PhotoPlacement(photo, turnedBy: turn, in: key, width: mean.width, height: mean.height)
    let conversion = RGBConversion(.linear, format: photo.format, profile: profile)
    let gains = gains(of: photo, at: place, conversion)
    let blocks = Self.blocks(of: photo.format)
    let count = max(1, min(pieces, 64))
    run(count) { piece in
      for index in stride(from: piece, to: blocks.count, by: count) {
        expose(photo, blocks[index], at: place, conversion, gains)
      }
    }
  }

  /// Returns the top-left corners and sizes of the blocks to process. The corners coincide with chroma samples, and the
  /// sizes are multiples of chroma samples.
  private static func blocks(of format: FrameFormat) -> [SIMD4<Int>] {
    let (across, down) = (256, 64)
    return stride(from: 0, to: format.height, by: down).flatMap { y in
      stride(from: 0, to: format.width, by: across).map { x in
        SIMD4(x, y, min(across, format.width - x), min(down, format.height - y))
      }
    }
  }

  private func expose(
    _ photo: PlanarFrame, _ block: SIMD4<Int>, at place: PhotoPlacement, _ conversion: RGBConversion,
    _ gains: [SIMD3<Float>]
  ) {
    var shares = [Float](repeating: 0, count: block.z * block.w)
    var most: Float = 0
    for y in 0..<block.w {
      for x in 0..<block.z {
        let seen = place.seen(block.x + x, block.y + y)
        let share =
          seen.x >= 0 && seen.y >= 0 && seen.x < 1 && seen.y < 1 ? motion.sample(atFraction: seen) : 0
        shares[y * block.z + x] = share
        most = max(most, share)
      }
    }
    guard most > 1.0 / 512 else { return }
    var format = photo.format
    (format.width, format.height) = (block.z, block.w)
    let part = photo.part(from: (block.x, block.y), format)
    var samples = conversion.samples(of: part)
    for y in 0..<block.w {
      for x in 0..<block.z {
        let at = y * block.z + x
        let share = shares[at]
        guard share > 1.0 / 512 else { continue }
        let seen = place.seen(block.x + x, block.y + y)
        guard let light = light(at: seen) else { continue }
        let exposed = light * Self.gain(gains, at: seen)
        for channel in 0..<3 {
          samples[3 * at + channel] += share * (exposed[channel] - samples[3 * at + channel])
        }
      }
    }
    conversion.write(samples, to: part)
    photo.copy(part, to: (block.x, block.y))
  }

  /// Returns the mean light at a position in the movie's picture, interpolated between pixels, or nil if no frame
  /// covers the position.
  private func light(at place: SIMD2<Float>) -> SIMD3<Float>? {
    let x = min(max(place.x * Float(mean.width) - 0.5, 0), Float(mean.width - 1))
    let y = min(max(place.y * Float(mean.height) - 0.5, 0), Float(mean.height - 1))
    let (column, row) = (Int(x), Int(y))
    let (shareX, shareY) = (x - Float(column), y - Float(row))
    var (sum, weight) = (SIMD3<Float>.zero, Float(0))
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
      let at = min(row + dy, mean.height - 1) * mean.width + min(column + dx, mean.width - 1)
      guard mean.counts[at] > 0 else { continue }
      let share = (dx == 0 ? 1 - shareX : shareX) * (dy == 0 ? 1 - shareY : shareY)
      let light = SIMD3(mean.sums[3 * at], mean.sums[3 * at + 1], mean.sums[3 * at + 2])
      sum += light * (share / Float(mean.counts[at]))
      weight += share
    }
    return weight > 0.01 ? sum / weight : nil
  }

  // MARK: Motion

  /// Returns the amount of motion at each position: the change of brightness beyond noise and beyond the effect of a
  /// shift by half a sample.
  private static func motion(in mean: FrameMean) -> RegistrationPyramid.Level {
    var level = mean.luma
    let (width, height) = (level.width, level.height)
    let means = zip(level.samples, mean.lumaCounts).map { $1 > 0 ? $0 / $1 : 0 }
    for y in 0..<height {
      for x in 0..<width {
        let at = y * width + x
        let count = mean.lumaCounts[at]
        guard count > 1 else {
          level.samples[at] = 0
          continue
        }
        let variance = max(0, mean.squares[at] / count - means[at] * means[at])
        func step(_ one: Int, _ two: Int) -> Float {
          mean.lumaCounts[one] > 0 && mean.lumaCounts[two] > 0 ? abs(means[one] - means[two]) / 2 : 0
        }
        let slope =
          step(y * width + max(x - 1, 0), y * width + min(x + 1, width - 1))
          + step(max(y - 1, 0) * width + x, min(y + 1, height - 1) * width + x)
        level.samples[at] = max(0, variance.squareRoot() - 0.5 * slope)
      }
    }
    for _ in 0..<2 { level = level.blurred }
    let sorted = level.samples.sorted()
    let quiet = sorted.isEmpty ? 0 : sorted[sorted.count / 4]
    let least = min(max(1.5 * quiet, 1.5), 5)
    for at in level.samples.indices {
      let covered = mean.lumaCounts[at] / Float(max(mean.frameCount, 1))
      level.samples[at] =
        smoothstep((level.samples[at] - least) / (1.5 * least)) * smoothstep((covered - 0.25) / 0.25)
    }
    // Blur the mask so that moving areas have soft borders on both sides.
    return level.blurred.blurred
  }

  // MARK: Colours

  /// Returns the ratio of two light values for each cell: the light of the photo and the light of the movie at the
  /// moment of the photo.
  private func gains(
    of photo: PlanarFrame, at place: PhotoPlacement, _ conversion: RGBConversion
  ) -> [SIMD3<Float>] {
    // A few pixels per cell are enough.
    let side = 640
    let small = photo.reduced(
      toWidth: min(photo.format.width, side), height: min(photo.format.height, side))
    guard let small else { return [] }
    let samples = conversion.samples(of: small)
    var colors = ColorGrid()
    let scale = SIMD2(
      Double(photo.format.width) / Double(small.format.width),
      Double(photo.format.height) / Double(small.format.height))
    for y in 0..<small.format.height {
      for x in 0..<small.format.width {
        let at = 3 * (y * small.format.width + x)
        let seen = place.seen(SIMD2(Double(x) + 0.5, Double(y) + 0.5) * scale)
        colors.add([samples[at], samples[at + 1], samples[at + 2]], at: seen)
      }
    }
    let (columns, rows) = ColorGrid.size
    let dark = SIMD3<Float>(repeating: 0.002)
    return (0..<columns * rows).map { cell in
      let (row, column) = (cell / columns, cell % columns)
      // Include the surrounding cells, so that objects whose position in the photo differs from that in the movie
      // hardly matter.
      var (ours, theirs) = (dark, dark)
      for y in max(0, row - 2)...min(rows - 1, row + 2) {
        for x in max(0, column - 2)...min(columns - 1, column + 2) {
          let (one, two) = (colors[y * columns + x], mean.keyColors[y * columns + x])
          guard one.count > 0, two.count > 0 else { continue }
          ours += one.color.clamped(lowerBound: .zero, upperBound: .init(repeating: 100))
          theirs += two.color.clamped(lowerBound: .zero, upperBound: .init(repeating: 100))
        }
      }
      return (ours / theirs).clamped(
        lowerBound: SIMD3(repeating: 0.25), upperBound: SIMD3(repeating: 4))
    }
  }

  private static func gain(_ gains: [SIMD3<Float>], at place: SIMD2<Float>) -> SIMD3<Float> {
    let (columns, rows) = ColorGrid.size
    guard gains.count == columns * rows else { return SIMD3(repeating: 1) }
    let x = min(max(place.x * Float(columns) - 0.5, 0), Float(columns - 1))
    let y = min(max(place.y * Float(rows) - 0.5, 0), Float(rows - 1))
    let (column, row) = (min(Int(x), columns - 2), min(Int(y), rows - 2))
    let (shareX, shareY) = (x - Float(column), y - Float(row))
    let upper = gains[row * columns + column] * (1 - shareX) + gains[row * columns + column + 1] * shareX
    let lower =
      gains[(row + 1) * columns + column] * (1 - shareX) + gains[(row + 1) * columns + column + 1] * shareX
    return upper * (1 - shareY) + lower * shareY
  }
}
