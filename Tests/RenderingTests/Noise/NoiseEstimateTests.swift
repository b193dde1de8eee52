import EditModel
import TestSupport
import Testing

@testable import Rendering

/// Tests of estimating noise of known strength.
@Suite struct NoiseEstimateTests {
  private func estimate(
    _ width: Int, _ height: Int, color: ColorDescription = .jpeg,
    _ code: (Int, Int, inout SeededGenerator) -> Double
  ) throws -> NoiseEstimate {
    var generator = SeededGenerator(seed: 3)
    let frame = try DetailPicture.frame(width, height, .grey, color: color) { _, x, y in
      code(x, y, &generator) + 0.5
    }
    let samples = frame.samples(ofPlane: 0)
    return NoiseEstimate(
      width: width, height: height, levels: LevelCells(frame.planes[0], frame.format)
    ) { row, numbers in
      for x in 0..<width { numbers[x] = Float(samples[row * width + x]) }
    }
  }

  private func normal(_ generator: inout SeededGenerator) -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
  }

  /// The noise is on texture that covers half of the picture and becomes coarser and stronger to the right.
  @Test(arguments: [2.0, 6, 15])
  func plantedNoiseIsFound(_ noise: Double) throws {
    let found = try estimate(512, 384) { x, y, generator in
      let texture: Double = y < 192 && x / (2 + x / 64) % 2 == 0 ? Double(x) / 8 : 0
      return 100 + texture + noise * normal(&generator)
    }
    for deviation in found.deviations { #expect(abs(Double(deviation) - noise) < 0.3 * noise + 0.3) }
  }

  /// White and black clip the noise, so areas near them contain less noise than the picture.
  @Test(arguments: [(true, 0.0, 255.0), (false, 16, 235)], [3.0, 6])
  func areasAtTheEndsTellNothing(_ range: (isFull: Bool, black: Double, white: Double), _ noise: Double)
    throws
  {
    let color = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: range.isFull)
    let found = try estimate(512, 384, color: color) { x, y, generator in
      let level = x < 128 ? range.black : x < 256 ? range.white : 70 + Double(y) / 4
      return min(max(level + noise * normal(&generator), range.black), range.white)
    }
    for deviation in found.deviations { #expect(abs(Double(deviation) - noise) < 0.3 * noise + 0.2) }
  }

  @Test func noNoiseIsFoundInACleanPicture() throws {
    let found = try estimate(512, 384) { x, y, _ in
      let disc = (x - 200) * (x - 200) + (y - 150) * (y - 150) < 9000
      return 40 + Double(x + y) / 8 + (disc ? 60 : 0) + (x > 300 ? (x % 4 < 2 ? 20 : 0) : 0)
    }
    for deviation in found.deviations { #expect(deviation < 0.8) }
  }

  /// Noise that neighbouring pixels share contributes less to the fine bands.
  @Test func coarseNoiseIsToldFromFineNoise() throws {
    var field: [Double] = []
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<513 * 385 { field.append(8 * normal(&generator)) }
    let found = try estimate(512, 384) { x, y, _ in
      let at = { (dx: Int, dy: Int) in field[(y + dy) * 513 + x + dx] }
      return 120 + (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4
    }
    // The frequency response of the mean of four pixels at k/16 in one direction is cos(pi k / 16), times 8.
    #expect(abs(found.deviations[2] - 7.6) < 2.6)
    #expect(found.deviations[9] < 2.5)
  }

  /// Shadows contain more noise than highlights.
  @Test func levelsAreToldApart() throws {
    let found = try estimate(512, 384) { x, _, generator in
      let level = 30 + Double(x / 64) * 28
      return level + (x < 256 ? 5 : 3) * normal(&generator)
    }
    let scale = Double(found.deviations[9])
    #expect(abs(Double(found.levels[1]) * scale - 5) < 0.8)
    #expect(abs(Double(found.levels[6]) * scale - 3) < 0.6)
  }
}
