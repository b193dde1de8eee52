import EditModel
import Foundation
import TestSupport
import Testing

@testable import Matching
@testable import Rendering

/// Tests with painted scenes to which noise of known strength and coarseness is added, and with edits that add no
/// noise.
@Suite struct GrainFitTests {
  static let (width, height) = (2000, 400)
  static let scene = PaintedScene(seed: 11, width: width, height: height)
  static let original = frame(scene.samples)

  /// Returns independent numbers blurred by a bell curve. The grain size is twice the bell curve's standard deviation;
  /// neighbours are then correlated like points of a lattice with that spacing.
  ///
  /// - Parameters:
  ///   - spacing: The size of a grain in samples.
  ///   - seed: The seed of the noise.
  /// - Returns: Numbers with a mean of 0 and a standard deviation of 1, row after row.
  static func noise(_ spacing: Double, seed: UInt64) -> [Double] {
    var random = SeededGenerator(seed: seed)
    var values = (0..<width * height).map { _ in
      // The sum of four uniformly distributed numbers is almost normally distributed.
      (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &random) }
    }
    let reach = Int((2 * spacing).rounded(.up))
    let bell = (-reach...reach).map { exp(-2 * Double($0 * $0) / (spacing * spacing)) }
    for isDown in [false, true] {
      let old = values
      for y in 0..<height {
        for x in 0..<width {
          var sum = 0.0
          for (index, weight) in bell.enumerated() {
            let step = index - reach
            sum +=
              weight
              * old[
                isDown
                  ? (y + step + height) % height * width + x
                  : y * width + (x + step + width) % width]
          }
          values[y * width + x] = sum
        }
      }
    }
    let deviation = (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
    return values.map { $0 / deviation }
  }

  static func frame(_ samples: [Double]) -> PlanarFrame {
    let format = FrameFormat(
      width: width, height: height, sampling: .grey, color: ColorDescription(isFullRange: true))
    let frame = PlanarFrame(valid: format)
    _ = frame.setSamples(samples.map { UInt16(min(max($0.rounded(), 0), 255)) }, ofPlane: 0)
    return frame
  }

  /// Returns the scene after a tone curve.
  static func curved(_ samples: [Double], contrast: Double) -> [Double] {
    samples.map { sample in
      let v = min(max(sample / 255, 0), 1)
      return 255 * (v + contrast * v * (1 - v) * (v - 0.45))
    }
  }

  /// Adds grain according to the parameter's formula.
  static func grained(_ samples: [Double], amount: Double, size: Double, seed: UInt64) -> [Double] {
    let noise = noise(Double(width) * (0.5 + size) / 2000, seed: seed)
    return samples.indices.map { at in
      let v = min(max(samples[at] / 255, 0), 1)
      return samples[at] + noise[at] * 40 * amount * 4 * v * (1 - v)
    }
  }

  /// Returns each sample as the mean of a square around it.
  static func blurred(_ samples: [Double], reach: Int) -> [Double] {
    (0..<width * height).map { at in
      var (sum, count) = (0.0, 0.0)
      for y in max(at / width - reach, 0)...min(at / width + reach, height - 1) {
        for x in max(at % width - reach, 0)...min(at % width + reach, width - 1) {
          sum += samples[y * width + x]
          count += 1
        }
      }
      return sum / count
    }
  }

  /// Applies JPEG's loss to luma without writing bits: a cosine transform of 8x8 blocks, and the table of ITU-T T.81
  /// annex K.1 at a quality scaled as in libjpeg.
  static func recoded(_ samples: [Double], quality: Int) -> [Double] {
    let table = [
      16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17,
      22, 29, 51, 87, 80,
      62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120,
      101, 72, 92, 95, 98,
      112, 100, 103, 99,
    ]
    let percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
    let steps = table.map { Double(min(max(($0 * percent + 50) / 100, 1), 255)) }
    let cosines = (0..<64).map { (at: Int) -> Double in
      let angle = Double((2 * (at % 8) + 1) * (at / 8)) * Double.pi / 16
      let scale: Double = at / 8 == 0 ? 0.125 : 0.25
      return cos(angle) * scale.squareRoot()
    }
    /// Multiplies the rows by the cosines and transposes the result. Applied twice, it transforms a block.
    func half(_ block: [Double], back: Bool) -> [Double] {
      var result = [Double](repeating: 0, count: 64)
      for at in 0..<64 {
        let (row, other) = (at % 8, at / 8)
        var sum = 0.0
        for place in 0..<8 {
          sum += block[8 * row + place] * cosines[back ? 8 * place + other : 8 * other + place]
        }
        result[at] = sum
      }
      return result
    }
    var result = samples
    for top in stride(from: 0, to: height, by: 8) {
      for left in stride(from: 0, to: width, by: 8) {
        let places = (0..<64).map { (top + $0 / 8) * width + left + $0 % 8 }
        let coefficients = half(half(places.map { samples[$0] - 128 }, back: false), back: false)
        let coded = zip(coefficients, steps).map { ($0 / $1).rounded() * $1 }
        for (at, value) in zip(places, half(half(coded, back: true), back: true)) { result[at] = value + 128 }
      }
    }
    return result
  }

  /// Grains of a pixel or more that are stronger than the scene's own noise. Others cannot be distinguished from
  /// compression artefacts.
  static let plants = [(0.25, 0.8), (0.3, 1), (0.35, 0.6), (0.45, 0.7), (0.5, 1)]

  @Test(arguments: Cases.chosen(plants) { index, _ in index % 2 == 0 })
  func plantedGrainIsFound(_ amount: Double, _ size: Double) throws {
    let curved = Self.curved(Self.scene.samples, contrast: 1)
    let edited = Self.recoded(
      Self.grained(curved, amount: amount, size: size, seed: UInt64(100 * amount)), quality: 92)
    let values = GrainFit(original: Self.original, edited: Self.frame(edited)).values
    let (found, foundSize) = (try #require(values[.grain]), try #require(values[.grainSize]))
    #expect(abs(found / amount - 1) < 0.2, "\(found) of \(amount)")
    #expect(abs((0.5 + foundSize) / (0.5 + size) - 1) < 1.0 / 3, "\(foundSize) of \(size)")
  }

  /// The original is shifted slightly, as when the geometry is not found to the exact sample.
  @Test func grainOfAMovedPictureIsFound() throws {
    let columns = 3
    let moved = Self.scene.samples.indices.map { at in
      Self.scene.samples[at - at % Self.width + min(at % Self.width + columns, Self.width - 1)]
    }
    let edited = Self.grained(moved, amount: 0.25, size: 0.5, seed: 3)
    let values = GrainFit(original: Self.original, edited: Self.frame(edited)).values
    #expect(abs((values[.grain] ?? 0) / 0.25 - 1) < 0.2)
  }

  /// Edits that change the scene's noise or leave compression artefacts, but add no grain.
  enum Clean: String, CaseIterable, Sendable {
    case same, recoded, recodedMore, sharpened, sharpenedAndRecoded, cleaned, brightened, contrasty, moved,
      retouched

    func apply(_ samples: [Double]) -> [Double] {
      func sharpened(_ share: Double) -> [Double] {
        zip(samples, GrainFitTests.blurred(samples, reach: 1)).map { $0 + share * ($0 - $1) }
      }
      switch self {
      case .same: return samples
      case .recoded: return GrainFitTests.recoded(samples, quality: 90)
      case .recodedMore: return GrainFitTests.recoded(samples, quality: 60)
      case .sharpened: return sharpened(1.5)
      case .sharpenedAndRecoded: return GrainFitTests.recoded(sharpened(1), quality: 75)
      case .cleaned: return GrainFitTests.recoded(GrainFitTests.blurred(samples, reach: 2), quality: 80)
      case .brightened: return samples.map { 255 * pow(max($0, 0) / 255, 0.6) }
      case .contrasty:
        return GrainFitTests.recoded(GrainFitTests.curved(samples, contrast: 3), quality: 85)
      case .moved:
        return samples.indices.map { at in
          at % GrainFitTests.width < 1 ? samples[at] : 0.6 * samples[at] + 0.4 * samples[at - 1]
        }
      case .retouched:
        var random = SeededGenerator(seed: 4)
        return samples.indices.map { at in
          at < samples.count / 5 ? samples[at] + Double.random(in: -20...20, using: &random) : samples[at]
        }
      }
    }
  }

  @Test(arguments: Clean.allCases)
  func nothingIsFoundWithoutGrain(_ clean: Clean) {
    let edited = Self.frame(clean.apply(Self.scene.samples))
    #expect(GrainFit(original: Self.original, edited: edited).values.isEmpty)
  }

  @Test func picturesWithoutRoomHaveNone() {
    for (width, height) in [(1, 1), (30, 900), (900, 20), (60, 60)] {
      let even = PaintedScene.frame([Double](repeating: 128, count: width * height), width, height)
      #expect(GrainFit(original: even, edited: even).values.isEmpty)
      #expect(GrainFit(original: Self.scene.frame, edited: even).values.isEmpty)
    }
  }
}
