import TestSupport
import Testing

@testable import Rendering

@Suite struct CellPlaneTests {
  private static func plane(_ width: Int, _ height: Int) -> CellPlane {
    var generator = SeededGenerator(seed: 21)
    return CellPlane(
      width: width, height: height,
      values: (0..<width * height).map { _ in Float.random(in: -9...1, using: &generator) })
  }

  /// Returns the cells in a square around a cell, with the edges repeated.
  private static func near(_ plane: CellPlane, _ x: Int, _ y: Int, _ radius: Int) -> [Float] {
    (y - radius...y + radius).flatMap { row in
      (x - radius...x + radius).map { column in
        plane.values[min(max(row, 0), plane.height - 1) * plane.width + min(max(column, 0), plane.width - 1)]
      }
    }
  }

  @Test(arguments: [1, 2, 5, 20])
  func meansAndLeastValuesAreThoseOfSquares(_ radius: Int) {
    for (width, height) in [(1, 1), (7, 3), (31, 18)] {
      let plane = Self.plane(width, height)
      let (mean, least) = (plane.mean(radius: radius), plane.least(radius: radius))
      for y in 0..<height {
        for x in 0..<width {
          let near = Self.near(plane, x, y, radius)
          let expected: Float = near.reduce(0, +) / Float(near.count)
          #expect(abs(mean.values[y * width + x] - expected) < 1e-4)
          #expect(least.values[y * width + x] == near.min())
        }
      }
    }
  }

  /// A plane that is a linear function of the guide is unchanged. With a flat guide, the mean remains.
  @Test func theGuidedFilterKeepsLinesAndSmoothsTheRest() {
    let guide = Self.plane(40, 30)
    var line = guide
    line.values = guide.values.map { 0.5 * $0 - 2 }
    let kept = GuidedFilter(line, guide: guide, radius: 3, epsilon: 1e-6).applied(to: guide)
    #expect(zip(kept.values, line.values).allSatisfy { abs($0 - $1) < 1e-3 })
    let flat = CellPlane(width: 40, height: 30, values: [Float](repeating: -3, count: 1200))
    let smooth = GuidedFilter(guide, guide: flat, radius: 3, epsilon: 0.01).applied(to: flat)
    let twice = guide.mean(radius: 3).mean(radius: 3)
    #expect(zip(smooth.values, twice.values).allSatisfy { abs($0 - $1) < 1e-3 })
  }

  @Test func halvesAreMeansOfFour() {
    let plane = Self.plane(9, 6)
    let half = plane.halved
    #expect(half.width == 5 && half.height == 3)
    #expect(
      abs(half.values[0] - (plane.values[0] + plane.values[1] + plane.values[9] + plane.values[10]) / 4)
        < 1e-5)
    let flat = CellPlane(width: 5, height: 3, values: [Float](repeating: 2, count: 15))
    #expect(flat.doubled(width: 9, height: 6).values == [Float](repeating: 2, count: 54))
  }
}
