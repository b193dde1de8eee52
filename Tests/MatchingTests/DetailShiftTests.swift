import Foundation
import TestSupport
import Testing

@testable import Matching

/// Tests with known shifts between pictures that are defined by formulas, with tone curves applied.
@Suite struct DetailShiftTests {
  static let side = 96

  /// Returns bars of random positions, widths and tones from 20 to 235, with edges about four samples wide.
  static func bars(_ seed: UInt64, count: Int, moved: Double = 0, tone: (Double) -> Double = { $0 })
    -> GreyPlane
  {
    var random = SeededGenerator(seed: seed)
    let bars = (0..<count).map { _ in
      (
        middle: Double.random(in: 5...Double(side) - 5, using: &random),
        half: Double.random(in: 3...8, using: &random), light: Double.random(in: 40...215, using: &random)
      )
    }
    func light(_ x: Double) -> Double {
      bars.reduce(20.0) { sum, bar in
        let edges = tanh((x - bar.middle + bar.half) / 1.5) - tanh((x - bar.middle - bar.half) / 1.5)
        return sum + (bar.light - sum) * edges / 2
      }
    }
    return plane { x, _ in tone(light(x + moved)) }
  }

  /// A single edge between two tones.
  static let edge = plane { x, y in 128 + 100 * tanh((x - 48 + 0.1 * (y - 48)) / 1.5) }

  /// Returns a picture defined by a formula, with a little noise that is the same in all pictures.
  static func plane(_ light: (Double, Double) -> Double) -> GreyPlane {
    var noise = SeededGenerator(seed: 77)
    let samples = (0..<side * side).map { at in
      Float(light(Double(at % side), Double(at / side)) + Double.random(in: -0.5...0.5, using: &noise))
    }
    return GreyPlane(width: side, height: side, samples: samples)
  }

  /// Applies a tone curve as strong as sliders can make it, with clipping.
  static func curve(_ tone: Double) -> Double { min(max(255 / (1 + exp(-8 * (tone / 255 - 0.4))), 12), 240) }

  static func shift(_ one: GreyPlane, _ other: GreyPlane) -> DetailShift? {
    let toned = one.toned(as: other, normalized: other.normalized(over: 8), over: 8)
    return DetailShift(
      DetailShift.Pictures(one, toned: toned, other), columns: 1..<side - 1, rows: 1..<side - 1)
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func whatMovedIsFoundWhateverItsTones(_ seed: UInt64) throws {
    for moved in [0, 0.1, -0.3] {
      for tone: (Double) -> Double in [{ $0 }, Self.curve] {
        let found = try #require(
          Self.shift(Self.bars(seed, count: 9), Self.bars(seed, count: 9, moved: moved, tone: tone)))
        #expect(found.correlation > 0.7)
        // The shift is measured along the direction of most detail. Its sign does not matter.
        let error: Float = abs(abs(found.shift) - Float(abs(moved)))
        // One step of the Lucas–Kanade method finds most of a shift, but not all. Without a shift, none is found.
        #expect(error < 0.02 + 2 * found.doubt + 0.5 * Float(abs(moved)), "\(moved): \(found)")
        #expect(found.doubt < 0.06, "\(found)")
      }
    }
  }

  /// Almost all samples of a dark tone belong to a spot that was removed. The rest of them are an edge.
  @Test func whatWasTakenAwayDoesNotTellTones() throws {
    func scene(_ x: Double, _ y: Double) -> Double {
      let spot = hypot(x - 75, y - 25) < 15 ? 110 + 8 * sin(x) : nil
      return spot ?? 128 + 90 * tanh((x - 40 + 0.1 * (y - 48)) / 1.5) + 3 * sin(y)
    }
    let original = Self.plane(scene)
    let edited = Self.plane { x, y in hypot(x - 75, y - 25) < 17 ? 240 : Self.curve(scene(x, y)) }
    let toned = original.toned(as: edited, normalized: edited.normalized(over: 8), over: 8)
    for y in 60..<90 {
      for x in 20..<60 {
        let at = y * Self.side + x
        #expect(abs(toned.samples[at] - edited.samples[at]) < 5, "column \(x), row \(y)")
      }
    }
    let found = try #require(
      DetailShift(
        DetailShift.Pictures(original, toned: toned, edited), columns: 20..<60, rows: 45..<Self.side - 1))
    #expect(abs(found.shift) < 0.02 + 2 * found.doubt, "\(found)")
  }

  @Test func whereNothingIsSeenNothingIsSaid() {
    let even = GreyPlane(
      width: Self.side, height: Self.side, samples: [Float](repeating: 90, count: Self.side * Self.side))
    #expect(Self.shift(even, Self.edge) == nil)
    #expect(Self.shift(Self.edge, even) == nil)
  }

  /// Different detail does not match at any position.
  @Test func whatIsNotThereIsNotKnown() throws {
    let found = try #require(Self.shift(Self.bars(3, count: 9), Self.bars(4, count: 9)))
    #expect(found.correlation < 0.6)
  }
}
