import EditModel
import Foundation
import Testing

@testable import Rendering

/// Tests of properties of the colour functions themselves, without tables.
@Suite struct ColorAdjustmentTests {
  private func adjustment(_ values: [Parameter: Double], peak: Double = 1) throws -> ColorAdjustment {
    try #require(ColorAdjustment(ColorTableTests.edit(values), peak: peak))
  }

  private static func grey(_ encoded: Double) -> SIMD3<Double> {
    SIMD3(repeating: ReferenceColor.decode(encoded))
  }

  @Test func neutralEditsMakeNothing() throws {
    #expect(ColorAdjustment(.identity, peak: 1) == nil)
    #expect(try ColorTable(Edit(orientation: .right), color: .jpeg, bitDepth: 8) == nil)
    // A black and white tone without effect.
    #expect(ColorAdjustment(ColorTableTests.edit([.monochromeTone: 1]), peak: 1) == nil)
  }

  @Test(arguments: Parameter.allCases)
  func greysStayNeutralAndInOrder(_ parameter: Parameter) throws {
    let range = parameter.description.range
    for value in [range.lowerBound, range.lowerBound / 2, range.upperBound / 2, range.upperBound] {
      var values = [parameter: value]
      // A hue without saturation has no effect.
      if Parameter.grades.contains(where: { $0.saturation == parameter }) { continue }
      if parameter.rawValue.hasPrefix("monochrome") { values[.monochrome] = 1 }
      let edit = ColorTableTests.edit(values)
      guard let adjustment = ColorAdjustment(edit, peak: 1) else { continue }
      var last = -1.0
      for step in 0...1023 {
        let color = adjustment.apply(Self.grey(Double(step) / 1023))
        let isTinting = [.warmth, .tint, .temperature].contains(parameter)
        if !isTinting { #expect(color.max() - color.min() < 1e-5, "\(parameter) \(value) at \(step)") }
        #expect(color.min() >= last, "\(parameter) \(value) at \(step)")
        last = color.min() - 1e-9
      }
    }
  }

  @Test func blackAndWhiteStay() throws {
    let keepers: [Parameter] = [
      .brightness, .contrast, .blackPoint, .levelsMidtone, .saturation,
      .vibrance, .monochrome,
    ]
    for parameter in keepers {
      for value in [-1.0, 1] where parameter != .monochrome || value > 0 {
        let adjustment = try adjustment([parameter: value])
        #expect(abs(adjustment.apply(SIMD3(0, 0, 0)).max()) < 1e-9, "\(parameter)")
        #expect(abs((adjustment.apply(SIMD3(1, 1, 1)) - 1).max()) < 1e-5, "\(parameter)")
      }
    }
    // More exposure keeps white at white.
    #expect(abs((try adjustment([.exposure: 4]).apply(SIMD3(1, 1, 1)) - 1).max()) < 1e-9)
  }

  @Test func exposureDoublesLight() throws {
    let brighter = try adjustment([.exposure: 1])
    let darker = try adjustment([.exposure: -1])
    for step in 1...24 {
      let light = Double(step) / 100
      let color = SIMD3(light, light * 0.7, light * 0.4)
      #expect(abs((brighter.apply(color) - 2 * color).max()) < 1e-12)
      #expect(abs((darker.apply(color) - 0.5 * color).max()) < 1e-12)
    }
    // Above the knee the increase is smaller, but the curve still rises.
    #expect(brighter.apply(SIMD3(0.6, 0.6, 0.6)).x < 1.2)
    // HDR has more headroom.
    let hdr = try adjustment([.exposure: 1], peak: 3.77)
    #expect(abs(hdr.apply(SIMD3(0.9, 0.9, 0.9)).x - 1.8) < 1e-12)
    #expect(abs(hdr.apply(SIMD3(3.77, 3.77, 3.77)).x - 3.77) < 1e-9)
  }

  @Test func withoutSaturationColoursAreGrey() throws {
    for values: [Parameter: Double] in [[.saturation: -1], [.monochrome: 1]] {
      let adjustment = try adjustment(values)
      for color in [SIMD3(0.8, 0.1, 0.05), SIMD3(0.1, 0.5, 0.2), SIMD3(0.02, 0.1, 0.9)] {
        let grey = adjustment.apply(color)
        #expect(grey.max() - grey.min() < 1e-6)
        #expect(grey.min() > 0.05 && grey.max() < 0.8)
      }
    }
  }

  /// Vibrance affects skin less than an equally pale blue, and a saturated blue less than a pale blue.
  @Test func vibranceSparesSkinAndStrongColours() throws {
    let vibrance = try adjustment([.vibrance: 1])
    let space = Oklab()
    func gain(_ lightness: Double, _ chroma: Double, _ hue: Double) -> Double {
      let radians = hue * .pi / 180
      let color = space.color(SIMD3(lightness, chroma * cos(radians), chroma * sin(radians)))
      let lab = space.lab(vibrance.apply(color))
      return hypot(lab.y, lab.z) / chroma
    }
    #expect(gain(0.7, 0.07, 55) < 1.25)
    #expect(gain(0.7, 0.07, 250) > 1.4)
    #expect(gain(0.5, 0.2, 250) < 1.25)
  }

  @Test func huesStay() throws {
    let space = Oklab()
    let strong: [[Parameter: Double]] = [
      [.exposure: 2], [.exposure: -2], [.contrast: 1], [.contrast: -1], [.saturation: 1], [.saturation: -0.9],
      [.vibrance: 1], [.whites: 1], [.blackPoint: 1], [.brightness: 1],
    ]
    for values in strong {
      let adjustment = try adjustment(values)
      for hue in stride(from: 0.0, to: 360, by: 15) {
        let (a, b) = (cos(hue * .pi / 180), sin(hue * .pi / 180))
        for lightness in [0.3, 0.5, 0.7, 0.9] {
          let lab = space.lab(adjustment.apply(space.color(SIMD3(lightness, 0.08 * a, 0.08 * b))))
          let along = (lab.y * a + lab.z * b) / hypot(lab.y, lab.z)
          #expect(along > cos(2 * .pi / 180), "\(values) hue \(hue) lightness \(lightness)")
        }
      }
    }
  }

  /// The curve passes through its points and never leaves the range between two neighbouring points.
  @Test func curvesAreMonotoneBetweenPoints() throws {
    let curve = try ToneCurve([
      .init(x: 100, y: 20), .init(x: 300, y: 420), .init(x: 320, y: 430), .init(x: 800, y: 430),
      .init(x: 900, y: 990),
    ])
    let function = curve.function
    for point in curve.points {
      #expect(abs(function(Double(point.x) / 1000) - Double(point.y) / 1000) < 1e-12)
    }
    #expect(function(0) == 0 && function(1) == 1)
    var last = 0.0
    for step in 0...1000 {
      let value = function(Double(step) / 1000)
      #expect(value >= last - 1e-12 && value <= 1)
      last = value
    }
    // A straight part of the curve remains straight.
    let straight = try ToneCurve([.init(x: 0, y: 100), .init(x: 1000, y: 900)]).function
    #expect(abs(straight(0.25) - 0.3) < 1e-12)
  }

  /// Compares the function with the C library's.
  @Test func rootsAndPowersAreExact() {
    for step in 1...2000 {
      let x = pow(10, Double(step) / 200 - 6)
      #expect(abs(Roots.cube(x) / cbrt(x) - 1) < 1e-12)
      #expect(abs(Roots.cube(-x) / cbrt(-x) - 1) < 1e-12)
      #expect(abs(Roots.fifth(x) / pow(x, 0.2) - 1) < 1e-10)
    }
    for exponent in [-4.0, -1.3, -0.52, 0, 0.01, 0.5, 1, 3.99, 4] {
      #expect(abs(PowerOfTwo.value(exponent) / exp2(exponent) - 1) < 1e-14)
    }
  }
}
