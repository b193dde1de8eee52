import EditModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

@Suite struct LocalLightTests {
  private static func smooth(_ x: Double) -> Double {
    let t = min(max(x, 0), 1)
    return t * t * (3 - 2 * t)
  }

  /// Returns the change in EV of an area, calculated with the formulas in ``Parameter/description``.
  private static func change(_ parameter: Parameter, _ p: Double, _ b: Double) -> Double {
    let h = smooth((b + 2.5) / 1.6) * (1 - smooth((b + 0.5) / 0.5) / 4)
    let raised = h * (1 - smooth(b + 1))
    switch parameter {
    case .shadows: return 1.18 * p * smooth((-1.5 - b) / 5.5)
    case .highlights: return 0.36 * p * (p > 0 ? raised : h)
    case .brilliance: return p * (0.6 * smooth((-1.5 - b) / 5.5) - 0.2 * (p > 0 ? h : raised))
    default: return 0
    }
  }

  private static func applied(
    _ values: [Parameter: Double], to frame: PlanarFrame, after history: inout LocalLight.History?
  ) throws {
    try #require(LocalLight(DetailPicture.edit(values))).apply(to: frame, after: &history)
  }

  private static func applied(_ values: [Parameter: Double], to frame: PlanarFrame) throws {
    var none: LocalLight.History?
    try applied(values, to: frame, after: &none)
  }

  @Test func nothingIsMadeOfOtherEdits() {
    #expect(LocalLight(.identity) == nil)
    #expect(LocalLight(DetailPicture.edit([.exposure: 1, .whites: 1, .contrast: 1, .sharpness: 1])) == nil)
  }

  /// In a flat picture, the area around each pixel equals the pixel, so only the formula matters.
  @Test(arguments: [Parameter.shadows, .highlights, .brilliance], [-1, -0.5, 0.5, 1])
  func flatPicturesFollowTheFormula(_ parameter: Parameter, _ value: Double) throws {
    for (depth, isFull) in [(8, true), (10, false)] {
      let color = ColorDescription(primaries: 1, transfer: 13, matrix: 1, isFullRange: isFull)
      for v in stride(from: 0.02, through: 1, by: 0.07) {
        let code = isFull ? 255 * v : 16 + 219 * v
        let frame = try DetailPicture.frame(40, 30, .yuv420, depth: depth, color: color) { plane, _, _ in
          plane == 0 ? code : 108
        }
        let unit = Double(1 << (depth - 8))
        let before = Double(frame.samples(ofPlane: 0)[0]) / unit
        let y = isFull ? before / 255 : (before - 16) / 219
        let light = ReferenceColor.decode(y)
        let base = log2(light + 1.0 / 512)
        let wanted = ReferenceColor.encode(light * exp2(Self.change(parameter, value, base)))
        try Self.applied([parameter: value], to: frame)
        let after = Double(frame.samples(ofPlane: 0)[600]) / unit
        #expect(abs((isFull ? after / 255 : (after - 16) / 219) - wanted) < 0.6 / 219 + 0.0005, "\(v)")
        // Chroma changes together with luma.
        let chroma = Double(frame.samples(ofPlane: 1)[100]) / unit
        #expect(abs(chroma - (128 - 20 * wanted / y)) < 0.8, "\(v)")
      }
    }
  }

  @Test(arguments: [
    (Parameter.shadows, 1.0, 0.02), (.highlights, -1, 0.02), (.brilliance, 1, 0.02), (.definition, 1, 0.05),
  ])
  func edgesGetNoHalos(_ parameter: Parameter, _ value: Double, _ most: Double) throws {
    let frame = try DetailPicture.frame(1024, 96, .grey) { _, x, _ in x < 512 ? 60 : 190 }
    try Self.applied([parameter: value], to: frame)
    let row = frame.samples(ofPlane: 0)[48 * 1024..<49 * 1024].map(Double.init)
    let (low, high) = (row[20..<80].reduce(0, +) / 60, row[940..<1000].reduce(0, +) / 60)
    let dark = row[..<508].map { abs($0 - low) }.max() ?? 0
    let bright = row[516...].map { abs($0 - high) }.max() ?? 0
    #expect(max(dark, bright) <= most * (high - low), "\(dark) \(bright)")
  }

  /// Texture keeps its contrast in lifted shadows and lowered highlights.
  @Test(arguments: [(Parameter.shadows, 1.0, 24.0), (.highlights, -1, 200)])
  func textureKeepsItsContrast(_ parameter: Parameter, _ value: Double, _ level: Double) throws {
    let frame = try DetailPicture.frame(1024, 256, .grey) { _, x, y in
      level * (1 + 0.15 * sin(Double(x) * 0.7) * cos(Double(y) * 0.9))
    }
    func contrast() -> (Double, Double) {
      let light = frame.samples(ofPlane: 0)[100 * 1024..<140 * 1024].map {
        ReferenceColor.decode(Double($0) / 255)
      }
      let mean = light.reduce(0, +) / Double(light.count)
      return (sqrt(light.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(light.count)) / mean, mean)
    }
    let before = contrast()
    try Self.applied([parameter: value], to: frame)
    let after = contrast()
    #expect(after.0 / before.0 > 0.95 && after.0 / before.0 < 1.3)
    #expect(value > 0 ? after.1 > 1.5 * before.1 : after.1 < 0.9 * before.1)
  }

  private static func scene(_ x: Double, _ y: Double) -> Double {
    let hill = y > 0.55 + 0.1 * sin(6 * x) ? 35 + 20 * sin(90 * x) * cos(70 * y) : 205 - 60 * y
    return (x - 0.7) * (x - 0.7) + (y - 0.4) * (y - 0.4) < 0.01 ? 90 : hill
  }

  /// A photo and its movie get the same look at the movie's size.
  @Test(arguments: [Parameter.shadows, .highlights, .brilliance, .definition, .dehaze])
  func bothHalvesLookAlike(_ parameter: Parameter) throws {
    func mean(_ width: Int, _ height: Int) throws -> [Double] {
      let frame = try DetailPicture.frame(width, height, .yuv420) { plane, x, y in
        let value = Self.scene((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
        return plane == 0 ? value : 128 + 0.1 * (value - 100)
      }
      try Self.applied([parameter: parameter == .highlights ? -1 : 1], to: frame)
      let samples = frame.samples(ofPlane: 0)
      let cell = width / 64
      return (0..<64 * 48).map { place in
        var sum = 0.0
        for y in 0..<cell {
          for x in 0..<cell {
            sum += Double(samples[(place / 64 * cell + y) * width + place % 64 * cell + x])
          }
        }
        return sum / Double(cell * cell)
      }
    }
    let apart: [Double] = zip(try mean(2048, 1536), try mean(640, 480)).map { abs($0 - $1) }
    let average: Double = apart.reduce(0, +) / Double(apart.count)
    #expect(average < 1)
    #expect(apart.sorted()[apart.count * 99 / 100] < 6)
  }

  /// A static scene with noise does not flicker, and nothing of the previous scene remains after a cut.
  @Test func moviesAreSteady() throws {
    var generator = SeededGenerator(seed: 11)
    func frame(_ isOther: Bool, noise: Double) throws -> PlanarFrame {
      try DetailPicture.frame(480, 360, .grey) { _, x, y in
        let value = Self.scene(Double(isOther ? 479 - x : x) / 480, Double(isOther ? 359 - y : y) / 360)
        return value + (noise > 0 ? Double.random(in: -noise...noise, using: &generator) : 0)
      }
    }
    func areas(_ frame: PlanarFrame) -> [Double] {
      let samples = frame.samples(ofPlane: 0)
      return (0..<12 * 9).map { area in
        var sum = 0.0
        for y in 0..<40 {
          for x in 0..<40 { sum += Double(samples[(area / 12 * 40 + y) * 480 + area % 12 * 40 + x]) }
        }
        return sum / 1600
      }
    }
    let values: [Parameter: Double] = [.shadows: 1, .highlights: -1]
    var history: LocalLight.History? = LocalLight.History()
    var (last, most) = ([Double](), 0.0)
    for index in 0..<12 {
      let noisy = try frame(false, noise: 14)
      let before = areas(noisy)
      try Self.applied(values, to: noisy, after: &history)
      // The gain of each area. Changes that noise causes in the area's mean do not count as flicker.
      let light = zip(areas(noisy), before).map { $0 / $1 }
      if index > 4 { most = max(most, zip(light, last).map { abs($0 - $1) }.max() ?? 0) }
      last = light
    }
    #expect(most < 0.01, "\(most)")
    let (cut, alone) = (try frame(true, noise: 0), try frame(true, noise: 0))
    try Self.applied(values, to: cut, after: &history)
    try Self.applied(values, to: alone)
    let apart = zip(areas(cut), areas(alone)).map { abs($0 - $1) }
    #expect((apart.max() ?? 9) < 2.5, "\(apart.max() ?? 9)")
  }

  /// Dehaze removes a planted veil, and negative values lighten the picture.
  @Test func hazeGoes() throws {
    func frame(_ veil: Double) throws -> PlanarFrame {
      try DetailPicture.frame(640, 480, .grey) { _, x, y in
        let value = Self.scene(Double(x) / 640, Double(y) / 480)
        return value * (1 - veil) + 210 * veil
      }
    }
    func difference(_ one: PlanarFrame, _ other: PlanarFrame) -> Double {
      let apart = zip(one.samples(ofPlane: 0), other.samples(ofPlane: 0)).map { abs(Double($0) - Double($1)) }
      return apart.reduce(0, +) / Double(apart.count)
    }
    let (clear, hazy, cleared) = (try frame(0), try frame(0.4), try frame(0.4))
    try Self.applied([.dehaze: 0.8], to: cleared)
    #expect(difference(cleared, clear) < 0.7 * difference(hazy, clear))
    let (veiled, before) = (try frame(0), try frame(0))
    try Self.applied([.dehaze: -1], to: veiled)
    let (after, was) = (veiled.samples(ofPlane: 0), before.samples(ofPlane: 0))
    #expect(zip(after, was).allSatisfy { $0 + 1 >= min($1, 204) })
    #expect(DetailPicture.mean(after) > DetailPicture.mean(was) + 5)
  }

  @Test(arguments: ChromaSampling.allCases)
  func everyLayoutAndSizeIsHandled(_ sampling: ChromaSampling) throws {
    for (width, height) in [(1, 1), (33, 17), (2, 900), (801, 3)] {
      for depth in [8, 10] {
        var generator = SeededGenerator(seed: 3)
        let limited = ColorDescription(primaries: 9, transfer: 18, matrix: 9, isFullRange: false)
        let frame = try DetailPicture.frame(width, height, sampling, depth: depth, color: limited) {
          _, _, _ in
          Double.random(in: 0..<256, using: &generator)
        }
        var history: LocalLight.History? = LocalLight.History()
        let values: [Parameter: Double] = [.shadows: 1, .highlights: -1, .definition: 1, .dehaze: 1]
        try Self.applied(values, to: frame, after: &history)
        try Self.applied(values, to: frame, after: &history)
        let unit = UInt16(1 << (depth - 8))
        for plane in 0..<sampling.planeCount {
          #expect(frame.samples(ofPlane: plane).allSatisfy { unit...(255 * unit - 1) ~= $0 })
        }
      }
    }
  }
}
