import EditModel
import TestSupport
import Testing

@testable import Rendering

@Suite struct EffectsTests {
  private static let limited = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)

  /// Compares the vignette with its formula in double precision, in full and limited range.
  @Test(arguments: [8, 10], [0.7, -1])
  func vignetteFollowsItsFormula(_ depth: Int, _ amount: Double) throws {
    let edit = DetailPicture.edit([.vignette: amount, .vignetteRadius: 0.3, .vignetteSoftness: 0.2])
    let passes = try #require(DetailPasses(edit))
    let (r, w) = (0.35 + 0.7 * 0.3, 0.1 + 1.2 * 0.2)
    for (color, black, white) in [(ColorDescription.jpeg, 0.0, 255.0), (Self.limited, 16, 235)] {
      for (width, height) in [(64, 48), (37, 51), (1, 1)] {
        let frame = try DetailPicture.frame(width, height, .yuv420, depth: depth, color: color) {
          plane, x, y in
          Double(plane == 0 ? 40 + (x * 3 + y) % 180 : 100 + (x + 2 * y) % 60)
        }
        let before = (0..<3).map { frame.samples(ofPlane: $0) }
        passes.apply(to: frame)
        let unit = Double(1 << (depth - 8))
        let end = depth == 8 || white == 235 ? white : 255.75
        for plane in 0..<3 {
          let (columns, rows) = frame.format.planeSize(plane)
          let target = (plane > 0 ? 128 : amount > 0 ? black : end) * unit
          let result = frame.samples(ofPlane: plane)
          for index in 0..<columns * rows {
            let x = (Double(index % columns) + 0.5) / Double(columns) * 2 - 1
            let y = (Double(index / columns) + 0.5) / Double(rows) * 2 - 1
            let t = min(max((((x * x + y * y) / 2).squareRoot() - r) / w + 0.5, 0), 1)
            let code = Double(before[plane][index])
            let expected = code + (target - code) * 0.85 * abs(amount) * t * t * (3 - 2 * t)
            #expect(abs(Double(result[index]) - expected) < 0.51)
          }
        }
      }
    }
  }

  @Test func vignetteIsEvenAndLeavesGreyGrey() throws {
    let passes = try #require(DetailPasses(DetailPicture.edit([.vignette: 1])))
    let frame = try DetailPicture.frame(81, 60, .yuv444) { plane, _, _ in plane == 0 ? 180 : 128 }
    passes.apply(to: frame)
    let luma = frame.samples(ofPlane: 0)
    for y in 0..<60 {
      for x in 0..<81 {
        #expect(luma[y * 81 + x] == luma[y * 81 + 80 - x] && luma[y * 81 + x] == luma[(59 - y) * 81 + x])
      }
    }
    #expect(luma[30 * 81 + 40] == 180 && luma[0] < 60)
    #expect(frame.samples(ofPlane: 1).allSatisfy { $0 == 128 })
  }

  /// Grain is the same in each frame and has a mean of 0, on greys from black to white.
  @Test(arguments: [8, 10])
  func grainLiesStillAndHasNoMean(_ depth: Int) throws {
    let passes = try #require(DetailPasses(DetailPicture.edit([.grain: 1])))
    for code in [0.0, 256] + stride(from: 8.0, to: 250, by: 8) {
      let frames = try (0..<2).map { _ in
        try DetailPicture.frame(3600, 24, .yuv420, depth: depth) { plane, _, _ in plane == 0 ? code : 77 }
      }
      let before = frames[0].samples(ofPlane: 0)
      for frame in frames { passes.apply(to: frame) }
      let luma = frames[0].samples(ofPlane: 0)
      #expect(luma == frames[1].samples(ofPlane: 0))
      #expect(frames[0].samples(ofPlane: 1).allSatisfy { Int($0) == 77 << (depth - 8) })
      let change = DetailPicture.mean(luma) - DetailPicture.mean(before)
      #expect(abs(change) < 0.3 * Double(1 << (depth - 8)), "\(code): \(change)")
      #expect((luma != before) == (code > 0 && code < 256))
    }
  }

  /// In a 12-megapixel photo, grains are two or three pixels wide: neighbouring pixels are similar, but pixels farther
  /// apart are not. The grain is equally strong at every position of the lattice.
  @Test func grainIsAsFineAsThatOfFilm() throws {
    let samples = GrainPattern(width: 4032, height: 64, size: 0.8 / 2000, seed: 7).samples.map(Double.init)
    func likeness(_ distance: Int) -> Double {
      var (sum, squares) = (0.0, 0.0)
      for y in 0..<64 {
        for x in 0..<4000 {
          sum += samples[y * 4032 + x] * samples[y * 4032 + x + distance]
          squares += samples[y * 4032 + x] * samples[y * 4032 + x]
        }
      }
      return sum / squares
    }
    #expect(likeness(1) > 0.5)
    #expect(likeness(2) < 0.4)
    #expect(abs(likeness(4)) < 0.1)
    // A lattice step is 1.6 pixels. The columns are grouped by their position between lattice points.
    let deviations = (0..<8).map { phase in
      let columns = stride(from: phase, to: 4032, by: 8).flatMap { x in
        (0..<64).map { samples[$0 * 4032 + x] }
      }
      return (columns.reduce(0) { $0 + $1 * $1 } / Double(columns.count)).squareRoot()
    }
    #expect((deviations.max() ?? 0) < 1.06 * (deviations.min() ?? 1))
  }

  /// The grains have the same positions in the scene and the same strength in both halves.
  @Test func grainIsTheSameInBothHalves() throws {
    func pattern(_ width: Int, _ height: Int, seed: UInt64 = 4) -> [Double] {
      GrainPattern(width: width, height: height, size: 0.004, seed: seed).samples.map(Double.init)
    }
    let (photo, movie) = (pattern(720, 540), pattern(240, 180))
    let reduced = (0..<240 * 180).map { index in
      var sum = 0.0
      for dy in 0..<3 {
        for dx in 0..<3 { sum += photo[(index / 240 * 3 + dy) * 720 + index % 240 * 3 + dx] }
      }
      return sum / 9
    }
    func product(_ one: [Double], _ other: [Double]) -> Double {
      zip(one, other).reduce(0) { $0 + $1.0 * $1.1 } / Double(one.count)
    }
    let (one, other) = (product(reduced, reduced).squareRoot(), product(movie, movie).squareRoot())
    #expect(product(reduced, movie) > 0.9 * one * other)
    #expect(0.8...1.25 ~= one / other)
    #expect(abs(product(movie, movie.map { _ in 1 })) < 0.1)
    // A different seed gives a different pattern.
    #expect(abs(product(movie, pattern(240, 180, seed: 5))) < 0.05 * other * other)
  }
}
