import EditModel
import Testing

@testable import Rendering

/// Tests of gains by position and lightness, compared with a slow implementation of the formula.
@Suite struct LocalGainsStageTests {
  /// A grid of 3 by 4 positions and 3 levels.
  private static let samples = (0..<36).flatMap { index -> [Int8] in
    let (lightness, chroma) = (index * 37 % 15 - 7, index * 53 % 41 - 20)
    return [Int8(lightness), Int8(chroma)]
  }

  private func frame(_ sampling: ChromaSampling, bitDepth: Int, isFullRange: Bool) throws -> PlanarFrame {
    let color = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: isFullRange)
    let frame = try #require(
      PlanarFrame(
        format: FrameFormat(width: 145, height: 138, sampling: sampling, bitDepth: bitDepth, color: color)))
    let scale = 1 << (bitDepth - 8)
    for plane in 0..<sampling.planeCount {
      let size = frame.format.planeSize(plane)
      let samples = (0..<size.width * size.height).map { UInt16((20 + $0 * 7 % 210) * scale) }
      #expect(frame.setSamples(samples, ofPlane: plane))
    }
    return frame
  }

  /// Returns the logarithm of the luma factor and the chroma factor, interpolated along all three axes.
  private func numbers(_ place: SIMD2<Double>, _ level: Double) -> (Double, Double) {
    let size = [3, 4, 3]
    let at = zip([place.x, place.y, level], size).map { min(max($0, 0), 1) * Double($1 - 1) }
    var sums = (0.0, 0.0)
    for x in 0..<size[0] {
      for y in 0..<size[1] {
        for z in 0..<size[2] {
          var weight = 1.0
          for (axis, node) in [x, y, z].enumerated() { weight *= max(0, 1 - abs(at[axis] - Double(node))) }
          let index = 2 * ((y * size[0] + x) * size[2] + z)
          sums.0 += weight * Double(Self.samples[index]) / 64
          sums.1 += weight * (1 + Double(Self.samples[index + 1]) / 127)
        }
      }
    }
    return sums
  }

  @Test(arguments: [
    (ChromaSampling.yuv420, 8, true), (.yuv444, 10, false), (.yuv422, 8, false), (.grey, 8, true),
  ])
  func framesGetTheGains(_ sampling: ChromaSampling, _ bitDepth: Int, _ isFullRange: Bool) throws {
    let frame = try frame(sampling, bitDepth: bitDepth, isFullRange: isFullRange)
    let before = (0..<sampling.planeCount).map { frame.samples(ofPlane: $0).map(Double.init) }
    // A 90° rotation and a crop.
    let source = PictureProjection(x: [0, -0.7, 0.8], y: [0.6, 0, 0.1])
    let gains = try #require(LocalGains(columns: 3, rows: 4, levels: 3, samples: Self.samples))
    LocalGainsStage(gains).apply(to: frame, source: source)
    let unit = Double(1 << (bitDepth - 8))
    let (black, range) = isFullRange ? (0.0, (256 * unit - 1) / unit) : (16.0, 219.0)
    let limits = isFullRange ? 0...(256 * unit - 1) : unit...(255 * unit - 1)
    let (width, height) = (145, 138)
    var factors: [Double] = []
    for y in 0..<height {
      for x in 0..<width {
        let place = SIMD2((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
        let code = before[0][y * width + x]
        let found = numbers(try #require(source.apply(place)), (code / unit - black) / range)
        var factor = 1.0
        // Calculates 2^x with its series, so that no code is shared with the program.
        var term = 1.0
        for step in 1..<30 {
          term *= found.0 * 0.6931471805599453 / Double(step)
          factor += term
        }
        factors.append(factor * found.1)
        let wanted = black * unit + (code - black * unit) * factor
        let seen = Double(frame.samples(ofPlane: 0)[y * width + x])
        // The mesh of eight pixels is linear, so it deviates from the curve inside a cell of the grid.
        #expect(abs(seen - min(max(wanted, limits.lowerBound), limits.upperBound)) <= 3 * unit)
      }
    }
    guard sampling != .grey else { return }
    let size = frame.format.planeSize(1)
    let (h, v) = (sampling.horizontalShift, sampling.verticalShift)
    for plane in 1...2 {
      let after = frame.samples(ofPlane: plane)
      for y in 0..<size.height {
        for x in 0..<size.width {
          var (sum, count) = (0.0, 0.0)
          for row in y << v..<min((y + 1) << v, height) {
            for column in x << h..<min((x + 1) << h, width) {
              sum += factors[row * width + column]
              count += 1
            }
          }
          let wanted = 128 * unit + (before[plane][y * size.width + x] - 128 * unit) * sum / count
          let kept = min(max(wanted, limits.lowerBound), limits.upperBound)
          #expect(abs(Double(after[y * size.width + x]) - kept) <= 3 * unit)
        }
      }
    }
  }
}
