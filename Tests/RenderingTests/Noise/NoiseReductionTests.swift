import EditModel
import TestSupport
import Testing

@testable import Rendering

/// Tests of noise reduction with planted noise, measuring how much remains.
@Suite struct NoiseReductionTests {
  /// Returns an approximately normally distributed random number.
  private func normal(_ generator: inout SeededGenerator) -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
  }

  private func picture(
    _ width: Int, _ height: Int, _ sampling: ChromaSampling = .yuv420, depth: Int = 8, noise: Double = 0,
    seed: UInt64 = 1, scene: (Double, Double) -> Double
  ) throws -> PlanarFrame {
    var generator = SeededGenerator(seed: seed)
    return try DetailPicture.frame(width, height, sampling, depth: depth) { plane, x, y in
      let shrink = plane > 0 && sampling == .yuv420 ? 2.0 : 1
      let code = scene(Double(x) * shrink, Double(y) * shrink)
      return (plane == 0 ? code : 128 + (code - 128) / 4) + noise * normal(&generator) + 0.5
        / Double(1 << (depth - 8))
    }
  }

  /// Returns the brightness of soft shapes, edges and a fine weave at a column and row.
  private func scene(_ x: Double, _ y: Double) -> Double {
    let (dx, dy) = (x - 90, y - 80)
    let disc: Double = dx * dx + dy * dy < 1600 ? 70 : 0
    let weave: Double = x > 160 && y > 96 ? (Int(x) % 6 < 3) == (Int(y) % 6 < 3) ? 18 : -18 : 0
    return 60 + 0.4 * x + disc + weave
  }

  private func error(_ frame: PlanarFrame, _ clean: PlanarFrame, plane: Int = 0) -> Double {
    let unit = Double(1 << (frame.format.bitDepth - 8))
    let (one, other) = (frame.samples(ofPlane: plane), clean.samples(ofPlane: plane))
    let sum = zip(one, other).reduce(0.0) { sum, pair in
      let difference = (Double(pair.0) - Double(pair.1)) / unit
      return sum + difference * difference
    }
    return sum / Double(one.count)
  }

  private func reduction(_ amount: Double) throws -> NoiseReduction {
    try #require(NoiseReduction(DetailPicture.edit([.noiseReduction: amount])))
  }

  private let still = FrameContext(half: .photo, time: 0)
  private let video = FrameContext(half: .movie, time: 0)

  @Test(arguments: [8, 10], [4.0, 10])
  func noiseGoesAndThePictureStays(_ depth: Int, _ noise: Double) throws {
    let clean = try picture(256, 192, depth: depth, scene: scene)
    let frame = try picture(256, 192, depth: depth, noise: noise, scene: scene)
    let before = (0..<3).map { error(frame, clean, plane: $0) }
    try reduction(0.5).apply(to: frame, still)
    for plane in 0..<3 {
      #expect(error(frame, clean, plane: plane) < 0.3 * before[plane], "plane \(plane)")
    }
  }

  /// Noise reduction is limited to what the picture needs: a picture without noise keeps its texture at any setting.
  @Test func aCleanPictureStays() throws {
    let clean = try picture(256, 192, scene: scene)
    let frame = try picture(256, 192, scene: scene)
    try reduction(1).apply(to: frame, still)
    for plane in 0..<3 { #expect(error(frame, clean, plane: plane) < 0.05) }
  }

  @Test func noNoiseReductionIsNone() {
    #expect(NoiseReduction(DetailPicture.edit([.sharpness: 1])) == nil)
  }

  /// The means of areas are kept, so no colour is lost with the noise.
  @Test func areasKeepTheirMeans() throws {
    let noisy = try picture(256, 192, noise: 8, scene: scene)
    let frame = try picture(256, 192, noise: 8, scene: scene)
    try reduction(1).apply(to: frame, still)
    for plane in 0..<3 {
      let (width, height) = frame.format.planeSize(plane)
      let (one, other) = (frame.samples(ofPlane: plane), noisy.samples(ofPlane: plane))
      for top in stride(from: 0, to: height, by: 32) {
        for left in stride(from: 0, to: width, by: 32) {
          var sum = 0.0
          for y in top..<top + 32 {
            for x in left..<left + 32 { sum += Double(one[y * width + x]) - Double(other[y * width + x]) }
          }
          #expect(abs(sum / 1024) < 0.75, "plane \(plane) at \(left), \(top)")
        }
      }
    }
  }

  @Test(arguments: ChromaSampling.allCases, [8, 10])
  func everyLayoutIsHandled(_ sampling: ChromaSampling, _ depth: Int) throws {
    let limited = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
    for (width, height) in [(1, 1), (7, 65), (130, 3), (131, 77)] {
      let reduction = try reduction(1)
      for seed in 0..<3 {
        var generator = SeededGenerator(seed: UInt64(seed))
        let frame = try DetailPicture.frame(width, height, sampling, depth: depth, color: limited) {
          _, _, _ in
          Double.random(in: 1..<255, using: &generator)
        }
        reduction.apply(to: frame, seed == 0 ? still : video)
        let unit = UInt16(1 << (depth - 8))
        for plane in 0..<sampling.planeCount {
          #expect(frame.samples(ofPlane: plane).allSatisfy { unit...(255 * unit - 1) ~= $0 })
        }
      }
    }
  }

  /// In a slow pan, earlier frames contribute, using motion in fractions of a sample.
  @Test(arguments: [8, 10])
  func aPanIsCleanedAlongMotion(_ depth: Int) throws {
    let movie = try reduction(0.5)
    var (last, alone) = (0.0, 0.0)
    for number in 0..<10 {
      let shift = 1.5 * Double(number)
      // The picture is band-limited, so that values between samples are correct.
      func soft(_ x: Double, _ y: Double) -> Double {
        let (u, v) = (x + shift, y + shift / 3)
        return 120 + 40 * wave(u / 9) * wave(v / 11) + 30 * wave((u + v) / 23) + 25 * wave(u / 40)
      }
      let clean = try picture(208, 160, depth: depth, scene: soft)
      let noisy = try picture(208, 160, depth: depth, noise: 8, seed: UInt64(number), scene: soft)
      let single = try picture(208, 160, depth: depth, noise: 8, seed: UInt64(number), scene: soft)
      movie.apply(to: noisy, video)
      try reduction(0.5).apply(to: single, still)
      (last, alone) = (error(noisy, clean), error(single, clean))
    }
    #expect(last < 0.65 * alone, "\(last) with the frames before, \(alone) alone")
  }

  /// Returns a polynomial approximation of a sine with a period of 1.
  private func wave(_ x: Double) -> Double {
    let t = 2 * (x - x.rounded(.down)) - 1
    return -(t * (1 - abs(t)) * 4)
  }

  /// An object that moves over a static background leaves no trace at its old position.
  @Test func nothingMovesAsAGhost() throws {
    let movie = try reduction(0.5)
    func place(_ number: Int) -> Double { 30 + 14 * Double(number) }
    func shown(_ number: Int, _ x: Double, _ y: Double) -> Double {
      let ground = 100 + 0.2 * x + (Int(x * x / 500) % 2 == 0 ? 10.0 : 0)
      return abs(x - place(number)) < 12 && abs(y - 80) < 24 ? 135 : ground
    }
    for number in 0..<9 {
      let clean = try picture(208, 160, scene: { shown(number, $0, $1) })
      let noisy = try picture(208, 160, noise: 6, seed: UInt64(number), scene: { shown(number, $0, $1) })
      let single = try picture(208, 160, noise: 6, seed: UInt64(number), scene: { shown(number, $0, $1) })
      movie.apply(to: noisy, video)
      try reduction(0.5).apply(to: single, video)
      guard number >= 4 else { continue }
      // Measures the area around the object and its old position.
      func near(_ frame: PlanarFrame) -> (error: Double, mean: Double) {
        let (samples, wanted) = (frame.samples(ofPlane: 0), clean.samples(ofPlane: 0))
        var (squares, sum, count) = (0.0, 0.0, 0.0)
        for y in 50..<110 {
          for x in Int(place(number)) - 42..<Int(place(number)) + 18 {
            let difference = Double(samples[y * 208 + x]) - Double(wanted[y * 208 + x])
            (squares, sum, count) = (squares + difference * difference, sum + difference, count + 1)
          }
        }
        return (squares / count, sum / count)
      }
      #expect(
        near(noisy).error < 1.15 * near(single).error, "frame \(number): \(near(noisy)), \(near(single))")
      #expect(abs(near(noisy).mean) < abs(near(single).mean) + 0.5)
    }
  }

  /// After a cut, or if frames jump back, a frame is processed as if it were alone.
  @Test func aCutMatchesNothing() throws {
    let movie = try reduction(0.5)
    for number in 0..<8 {
      let isOther = number >= 5
      let show: (Double, Double) -> Double = { x, y in
        isOther ? 200 - self.scene(y, x) / 2 : self.scene(x, y)
      }
      let clean = try picture(208, 160, scene: show)
      let noisy = try picture(208, 160, noise: 6, seed: UInt64(number), scene: show)
      movie.apply(to: noisy, video)
      guard number == 5 else { continue }
      let single = try picture(208, 160, noise: 6, seed: UInt64(number), scene: show)
      try reduction(0.5).apply(to: single, video)
      #expect(error(noisy, clean) < 1.2 * error(single, clean))
    }
  }
}
