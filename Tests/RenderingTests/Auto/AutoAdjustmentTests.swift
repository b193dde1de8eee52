import EditModel
import TestSupport
import Testing

@testable import Rendering

@Suite struct AutoAdjustmentTests {
  /// Returns a picture of three bands from grey to coloured, between two levels, under a light.
  private func picture(
    _ levels: ClosedRange<Double>, cast: (b: Double, r: Double) = (0, 0), seed: UInt64 = 1
  ) throws -> PlanarFrame {
    var generator = SeededGenerator(seed: seed)
    let noise = (0..<64 * 48).map { _ in Double.random(in: -2...2, using: &generator) }
    return try DetailPicture.frame(64, 48, .yuv444) { plane, x, y in
      let (from, to) = (levels.lowerBound, levels.upperBound)
      if plane == 0 { return from + (to - from) * Double(x) / 63 + noise[y * 64 + x] }
      let color: Double = y < 32 ? 0 : (plane == 1 ? 20 : -25) * (y < 40 ? 1 : -1)
      return 128.5 + color + (plane == 1 ? cast.b : cast.r)
    }
  }

  private func proposal(_ frame: PlanarFrame) -> AutoProposal {
    var colors = PictureColors()
    colors.add(frame)
    return AutoAdjustment(colors).proposal
  }

  /// Applies the proposed values to a frame in place and returns the frame.
  private func applied(_ proposal: AutoProposal, to frame: PlanarFrame) throws -> PlanarFrame {
    let edit = proposal.applied(to: .identity, [.light, .color])
    guard let table = try ColorTable(edit, color: frame.format.color, bitDepth: 8) else { return frame }
    return try table.apply(to: frame)
  }

  private func values(_ proposal: AutoProposal) -> [Double] {
    AutoProposal.parameters.map { parameter in
      let away = proposal.values[parameter] - parameter.description.neutral
      // Warmth is measured in mired instead of kelvin.
      return parameter == .temperature ? (1e6 / proposal.values[parameter] - 1e6 / 6504) / 70 : away
    }
  }

  @Test func whatIsGoodIsLeftAlone() throws {
    #expect(try values(proposal(picture(6...240))).allSatisfy { abs($0) <= 0.02 })
    #expect(values(AutoAdjustment(PictureColors()).proposal).allSatisfy { $0 == 0 })
    let grey = try DetailPicture.frame(64, 48, .grey) { _, x, y in Double(4 * x + y % 4) }
    #expect(values(proposal(grey)).allSatisfy { abs($0) <= 0.02 })
  }

  @Test func whatIsWrongIsMadeBetter() throws {
    let dark = try proposal(picture(4...70)).values
    #expect(dark[.exposure] > 0.8 && dark[.levelsWhite] < 0.75)
    let flat = try proposal(DetailPicture.frame(64, 48, .grey) { _, x, y in 62 + Double((x + y) % 64) * 2.1 })
      .values
    #expect(
      abs(flat[.levelsBlack] - 0.23) < 0.03 && abs(flat[.levelsWhite] - 0.77) < 0.03 && flat[.exposure] == 0)
    #expect(try proposal(picture(120...270)).values[.levelsMidtone] < -0.3)
  }

  /// Returns greys and pale colours under a light given as red, green and blue.
  private func lit(_ light: SIMD3<Double>) throws -> PlanarFrame {
    var generator = SeededGenerator(seed: 5)
    let colors = (0..<64 * 48).map { index in
      let grey = 0.05 + 0.8 * Double((index * 37) % 101) / 100
      let color = SIMD3<Double>.random(in: -0.04...0.04, using: &generator) + SIMD3(repeating: grey)
      let linear = TransferFunction.sRGBLinear(color) * light
      return TransferFunction.sRGBEncoded(linear.clamped(lowerBound: SIMD3(), upperBound: SIMD3(1, 1, 1)))
        * 255
    }
    return try DetailPicture.frame(64, 48, .yuv444) { plane, x, y in
      let color = colors[y * 64 + x]
      // Weights from JFIF 1.02.
      let luma = (color * [0.299, 0.587, 0.114]).sum()
      return plane == 0 ? luma : plane == 1 ? 128 + (color.z - luma) / 1.772 : 128 + (color.x - luma) / 1.402
    }
  }

  @Test func castsAreTakenAway() throws {
    #expect(try proposal(lit([1, 1, 1])).values[.temperature] == 6504)
    // Evening light is intended, but lamplight is not.
    #expect(try proposal(lit([1.05, 1, 0.85])).values[.temperature] == 6504)
    #expect(try proposal(lit([1.25, 1, 0.45])).values[.temperature] < 5700)
    #expect(try proposal(lit([0.7, 1, 1.25])).values[.temperature] > 7500)
    #expect(try proposal(lit([0.7, 1, 0.75])).values[.tint] > 0.2)
    #expect(try proposal(lit([1.1, 0.8, 1.1])).values[.tint] < -0.2)
    // After correcting a blue light, the slight warmth that is usual in pictures remains.
    let frame = try lit([0.7, 1, 1.25])
    let result = try applied(proposal(frame), to: frame)
    for plane in [1, 2] {
      let samples = result.samples(ofPlane: plane).map(Double.init)
      let mean: Double = samples.reduce(0, +) / Double(samples.count)
      #expect(abs(mean - 128) < 8)
    }
  }

  /// Magenta flowers of different saturation before a grey wall are not mistaken for a magenta light.
  @Test func strongColorsAreNoCast() throws {
    var generator = SeededGenerator(seed: 9)
    let noise = (0..<64 * 48).map { _ in Double.random(in: -40...40, using: &generator) }
    let flowers = try DetailPicture.frame(64, 48, .yuv444) { plane, x, y in
      let isFlower = x < 40
      if plane == 0 { return (isFlower ? 90 : 110) + (isFlower ? 0.6 : 1) * noise[y * 64 + x] }
      return 128.5 + (isFlower ? (plane == 1 ? 20 : 45) * Double(1 + y % 4) / 4 : 0)
    }
    let values = proposal(flowers).values
    #expect(values[.tint] == 0 && values[.temperature] == 6504)
  }

  /// Clipping in one channel, as with a colour cast, does not darken a bright picture, but clipping in all channels
  /// does.
  @Test func whatIsClippedToWhiteIsDarkened() throws {
    func midtone(_ b: Double, _ r: Double) throws -> Double {
      try proposal(
        DetailPicture.frame(64, 48, .yuv444) { plane, x, y in
          let isBright = x < 20
          if plane > 0 { return 128 + (isBright ? (plane == 1 ? b : r) : 0) }
          return isBright ? (b == 0 ? 255 : 215) : 90 + 2 * Double((x + y) % 50)
        }
      ).values[.levelsMidtone]
    }
    #expect(try midtone(0, 0) < -0.2)
    #expect(try midtone(-40, 35) == 0)
  }

  /// Moods are kept: a night scene with a few lights, and a picture that is mostly white.
  @Test func moodsStay() throws {
    let night = try DetailPicture.frame(64, 48, .grey) { _, x, y in
      x % 16 == 3 && y % 12 == 5 ? 235 : Double(4 + x % 20)
    }
    #expect(values(proposal(night)).allSatisfy { abs($0) <= 0.02 })
    let snow = try DetailPicture.frame(64, 48, .grey) { _, x, y in
      x < 8 ? Double(5 + 3 * y) : 160 + 1.4 * Double(x)
    }
    #expect(values(proposal(snow)).allSatisfy { abs($0) <= 0.02 })
  }

  /// Returns a picture of greys with given shares and levels. Each level spans 12 codes from dark to light.
  private func levels(_ parts: [(share: Double, code: Double)]) throws -> PlanarFrame {
    try DetailPicture.frame(64, 48, .grey) { _, x, y in
      var place = Double(x) / 64
      let part = parts.first { part in
        place -= part.share
        return place < 0
      }
      return (part ?? parts[0]).code - 6 + Double(y % 13)
    }
  }

  @Test func areasAreHelpedWhereAPictureHasBoth() throws {
    // A backlit picture, a silhouette, and a picture that is almost entirely dark.
    let backlit = try proposal(levels([(0.4, 42), (0.05, 8), (0.1, 110), (0.45, 225)])).values
    #expect(backlit[.shadows] > 0.3)
    #expect(try proposal(levels([(0.4, 8), (0.1, 42), (0.5, 225)])).values[.shadows] == 0)
    #expect(try proposal(levels([(0.7, 42), (0.1, 8), (0.1, 110), (0.1, 225)])).values[.shadows] == 0)
    // Clouds over land, and snow.
    let clouds = try proposal(levels([(0.3, 8), (0.4, 110), (0.3, 235)])).values
    #expect(clouds[.highlights] < -0.2)
    #expect(try proposal(levels([(0.1, 8), (0.2, 110), (0.7, 235)])).values[.highlights] == 0)
  }

  @Test func theCamerasOwnBalanceIsTrusted() throws {
    let frame = try lit([1.12, 1, 0.6])
    func temperature(isBalanced: Bool) -> Double {
      var colors = PictureColors(isBalanced: isBalanced)
      colors.add(frame)
      return AutoAdjustment(colors).proposal.values[.temperature]
    }
    let (trusting, alone) = (temperature(isBalanced: true), temperature(isBalanced: false))
    #expect(alone < trusting && trusting <= 6504)
  }

  /// The proposed values undo a change of a picture whose black and white were correct.
  @Test(arguments: [(0.25, 0.0...1.0), (0.5, 0...1), (1, 0.24...0.76), (0.4, 0.15...0.75)])
  func whatWasDoneIsUndone(_ light: Double, _ levels: ClosedRange<Double>) throws {
    func spoilt(_ code: Double) -> Double {
      let value = levels.lowerBound + code / 255 * (levels.upperBound - levels.lowerBound)
      return 255 * TransferFunction.sRGBEncoded(light * TransferFunction.sRGBLinear(value))
    }
    let good = { (x: Int, y: Int) in Double((x * 4 + y * 37) % 248 + 4) }
    let frame = try DetailPicture.frame(64, 48, .grey) { _, x, y in spoilt(good(x, y)) }
    let before = frame.samples(ofPlane: 0)
    let result = try applied(proposal(frame), to: frame).samples(ofPlane: 0)
    func error(_ samples: [UInt16]) -> Double {
      samples.indices.reduce(0.0) { (sum: Double, at: Int) -> Double in
        sum + abs(Double(samples[at]) - good(at % 64, at / 64))
      }
    }
    #expect(error(result) / Double(result.count) < 9)
    // The error is at most a fifth of the original error.
    #expect(error(result) < 0.2 * error(before))
  }

  /// A second run on the result proposes almost no change, unless the first run was restricted by a limit.
  @Test(arguments: [(12.0...160.0, (0.0, 0.0)), (60...190, (0, 0)), (6...240, (30, -24))])
  func theResultNeedsNothing(_ levels: ClosedRange<Double>, _ cast: (Double, Double)) throws {
    let frame = try picture(levels, cast: cast)
    let first = proposal(frame)
    #expect(values(first).contains { abs($0) > 0.03 })
    let second = proposal(try applied(first, to: frame))
    #expect(values(second).allSatisfy { abs($0) <= 0.12 }, "\(first), then \(second)")
  }

  @Test func hardlyAnythingIsClipped() throws {
    var generator = SeededGenerator(seed: 8)
    for seed in 0..<8 {
      let from = Double.random(in: 0...120, using: &generator)
      let to = Double.random(in: 125...255, using: &generator)
      let cast = (
        Double.random(in: -12...12, using: &generator), Double.random(in: -12...12, using: &generator)
      )
      let frame = try picture(from...to, cast: cast, seed: UInt64(seed))
      func clipped(_ frame: PlanarFrame) -> [Bool] {
        let planes = (0..<3).map { frame.samples(ofPlane: $0).map(Double.init) }
        return planes[0].indices.map { index in
          // Weights from JFIF 1.02.
          let (y, b, r) = (planes[0][index], planes[1][index] - 128, planes[2][index] - 128)
          let greatest = max(y + 1.402 * r, y - 0.344136 * b - 0.714136 * r, y + 1.772 * b)
          return greatest >= 254 || greatest <= 1
        }
      }
      let before = clipped(frame)
      let after = clipped(try applied(proposal(frame), to: frame))
      let newly = zip(before, after).count { !$0 && $1 }
      #expect(Double(newly) <= 0.01 * Double(before.count), "\(from)...\(to), \(cast): \(newly)")
    }
  }
}
