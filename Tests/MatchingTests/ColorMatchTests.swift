import EditModel
import Rendering
import Testing

@testable import Matching

/// Tests with pictures to which a known edit was applied. The result is compared with that edit, also for colours that
/// the pictures do not contain.
@Suite struct ColorMatchTests {
  /// A picture of soft colours, each in several regions. No colour is very strong.
  static let original: [SIMD3<Double>] = (0..<height).flatMap { y in
    (0..<width).map { x in
      func wave(_ turns: Double) -> Double { abs(2 * (turns - turns.rounded(.down)) - 1) }
      let (across, down) = (Double(x) / Double(width), Double(y) / Double(height))
      let (u, v, w) = (wave(3 * across), wave(2 * down), wave(4 * across + 5 * down))
      let light = 0.1 + 0.7 * u
      return SIMD3(light + 0.16 * v, light + 0.1 * w - 0.02, light + 0.18 * (1 - v) - 0.08 * w)
        .clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: 1))
    }
  }
  static let (width, height) = (192, 128)

  /// Edits like those of other programs, implemented independently here.
  enum Planted: String, CaseIterable, Sendable {
    case contrast, warm, faded, saturated, sepia, mixed

    func apply(_ color: SIMD3<Double>) -> SIMD3<Double> {
      let y = (color * SIMD3(0.299, 0.587, 0.114)).sum()
      let result: SIMD3<Double> =
        switch self {
        case .contrast: color + 0.9 * color * (1 - color) * (color - 0.45)
        case .warm: color * SIMD3(1.06, 1, 0.85)
        case .faded: 0.1 + 0.82 * color
        case .saturated: y + 1.35 * (color - y)
        case .sepia: (0.1 + 0.8 * y) * SIMD3(1, 0.88, 0.7)
        case .mixed:
          SIMD3(
            0.9 * color.x + 0.1 * color.y, 0.05 * color.x + 0.9 * color.y + 0.05 * color.z,
            0.2 * color.y + 0.8 * color.z)
        }
      return result.clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: 1))
    }
  }

  /// Applies the look's lattice with trilinear interpolation, implemented independently of the program.
  static func looked(_ look: Look?, _ color: SIMD3<Double>) throws -> SIMD3<Double> {
    let grid = try #require(look?.table.lattice)
    let (low, high) = (Double(grid.domainMinimum[0]) / 1e6, Double(grid.domainMaximum[0]) / 1e6)
    let at = (color - low) / (high - low) * Double(grid.size - 1)
    var sum = SIMD3<Double>()
    for corner in 0..<8 {
      var (index, stride, weight) = (0, 1, 1.0)
      for axis in 0..<3 {
        let cell = min(max(Int(at[axis]), 0), grid.size - 2)
        let part = at[axis] - Double(cell)
        let bit = corner >> axis & 1
        index += (cell + bit) * stride
        stride *= grid.size
        weight *= bit == 1 ? part : 1 - part
      }
      let sample = (0..<3).map { Double(grid.samples[3 * index + $0]) / 32768 - 0.5 }
      sum += weight * SIMD3(sample[0], sample[1], sample[2])
    }
    return sum
  }

  static func pair(_ edited: [SIMD3<Double>]) -> ColorPair {
    ColorPair(width: width, height: height, original: original, edited: edited)
  }

  static func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    ColorDistance.deltaE(ColorDistance.lab(a), ColorDistance.lab(b))
  }

  @Test(arguments: Planted.allCases)
  func editIsFound(_ planted: Planted) throws {
    let match = ColorMatch(Self.pair(Self.original.map(planted.apply)))
    let error = match.error
    #expect(error < 0.4)
    let (hasGains, hasVignette) = (match.local != nil, !match.vignetteValues.isEmpty)
    #expect(!hasGains && !hasVignette)
    let share = match.remainder.share
    #expect(share == 0)
    // Tests colours that are near those of the picture but do not occur in it.
    var (worst, sum, count) = (0.0, 0.0, 0.0)
    for color in Self.original.enumerated().filter({ $0.offset % 97 == 0 }).map(\.element) {
      let other = (color + SIMD3(-0.05, 0.05, 0.06)).clamped(
        lowerBound: SIMD3(repeating: 0.03), upperBound: SIMD3(repeating: 0.95))
      let distance = Self.distance(try Self.looked(match.look, other), planted.apply(other))
      (worst, sum, count) = (max(worst, distance), sum + distance, count + 1)
    }
    #expect(worst < 8 && sum / count < 2, "\(planted) \(sum / count)")
  }

  @Test func whatWasRetouchedDoesNotCount() throws {
    var edited = Self.original.map(Planted.contrast.apply)
    // A sticker covers one twelfth of the picture.
    for y in 20..<64 {
      for x in 100..<148 { edited[y * Self.width + x] = SIMD3(0.9, 0.1, 0.5) }
    }
    let match = ColorMatch(Self.pair(edited))
    for index in stride(from: 0, to: Self.original.count, by: 53) {
      let color = Self.original[index]
      #expect(Self.distance(try Self.looked(match.look, color), Planted.contrast.apply(color)) < 1.5)
    }
    let remainder = match.remainder
    #expect(abs(remainder.share - 44.0 * 48 / Double(Self.width * Self.height)) < 0.02)
    let place = try #require(remainder.place)
    #expect(abs(place.left - 100.0 / 192) < 0.04 && abs(place.top - 20.0 / 128) < 0.06)
    #expect(abs(place.width - 48.0 / 192) < 0.06 && abs(place.height - 44.0 / 128) < 0.08)
  }

  @Test func blackAndWhiteIsNeutral() throws {
    let edited = Self.original.map {
      SIMD3(repeating: Planted.contrast.apply(SIMD3(repeating: ($0 * SIMD3(0.3, 0.6, 0.1)).sum())).x)
    }
    let match = ColorMatch(Self.pair(edited))
    let error = match.error
    #expect(error < 0.4)
    let grid = try #require(match.look?.table.lattice)
    for at in stride(from: 0, to: grid.samples.count, by: 3) {
      #expect(grid.samples[at] == grid.samples[at + 1] && grid.samples[at] == grid.samples[at + 2])
    }
  }

  /// A look leaves the sRGB gamut only if the edited picture can contain such colours and the original cannot.
  @Test(arguments: [(2, 12, true), (2, 2, false), (12, 12, false), (12, 2, false), (1, 9, true)])
  func gamutOfTheEditedPictureIsFound(_ original: Int, _ edited: Int, _ isWide: Bool) throws {
    func picture(_ primaries: Int, _ strength: Double) throws -> ColorMatch.Picture {
      let format = FrameFormat(
        width: 96, height: 64, sampling: .yuv444, bitDepth: 8,
        color: ColorDescription(
          primaries: primaries, transfer: 13, matrix: 5, isFullRange: true, chromaLocation: .center))
      let frame = try #require(PlanarFrame(format: format))
      for plane in 0..<3 {
        let samples = (0..<96 * 64).map { at -> UInt16 in
          let (x, y) = (at % 96, at / 96)
          guard plane > 0 else { return UInt16(60 + x) }
          return UInt16(128 + strength * (plane == 1 ? Double(y - 32) : Double(x) / 2 - 24))
        }
        #expect(frame.setSamples(samples, ofPlane: plane))
      }
      return ColorMatch.Picture(frame, profile: nil)
    }
    let match = try ColorMatch(original: picture(original, 0.6), edited: picture(edited, 0.9))
    #expect(try #require(match.look).isWide == isWide)
  }

  @Test func nothingIsFoundWhereNothingWasDone() {
    let match = ColorMatch(Self.pair(Self.original.map { $0 + 0.001 }))
    let isNothing = match.look == nil && match.local == nil
    #expect(isNothing)
    let error = match.error
    #expect(error < 0.3)
  }

  @Test(arguments: Planted.allCases)
  func tableRisesWithLightness(_ planted: Planted) throws {
    let grid = try #require(ColorMatch(Self.pair(Self.original.map(planted.apply))).look?.table.lattice)
    let size = grid.size
    func luma(_ node: Int) -> Double {
      0.2126 * Double(grid.samples[3 * node]) + 0.7152 * Double(grid.samples[3 * node + 1])
        + 0.0722 * Double(grid.samples[3 * node + 2])
    }
    for node in 0..<size * size * size {
      guard node % size < size - 1, node / size % size < size - 1, node / (size * size) < size - 1 else {
        continue
      }
      // Rounding to steps of 1/32768 may cause a step backwards.
      #expect(luma(node + 1 + size + size * size) >= luma(node) - 2)
    }
  }

  @Test func vignetteIsFoundApart() throws {
    let edited = Self.original.indices.map { at -> SIMD3<Double> in
      let x = (Double(at % Self.width) + 0.5) / Double(Self.width) * 2 - 1
      let y = (Double(at / Self.width) + 0.5) / Double(Self.height) * 2 - 1
      let t = min(max((((x * x + y * y) / 2).squareRoot() - 0.7) / 0.7 + 0.5, 0), 1)
      return Planted.contrast.apply(Self.original[at]) * (1 - 0.85 * 0.5 * t * t * (3 - 2 * t))
    }
    let match = ColorMatch(Self.pair(edited))
    let (hasGains, error) = (match.local != nil, match.error)
    #expect(!hasGains && error < 0.8)
    let amount = match.vignetteValues[.vignette] ?? 0
    #expect(abs(amount - 0.5) < 0.15)
  }

  @Test func darkenedSkyBecomesLocal() throws {
    func mask(_ at: Int) -> Double { max(0, 1 - Double(at / Self.width) / (0.6 * Double(Self.height))) }
    let edited = Self.original.indices.map { Planted.warm.apply(Self.original[$0]) * (1 - 0.4 * mask($0)) }
    let match = ColorMatch(Self.pair(edited))
    let local = match.local
    let gains = try #require(local)
    let error = match.error
    #expect(error < 0.8)
    // Returns the gain of a row at medium lightness; used for the top and the bottom.
    func factor(_ row: Int) -> Double {
      let node = (row * gains.columns + gains.columns / 2) * gains.levels + gains.levels / 2
      return Double(gains.samples[2 * node]) / 64
    }
    #expect(factor(gains.rows - 1) - factor(0) > 0.4)
  }
}
