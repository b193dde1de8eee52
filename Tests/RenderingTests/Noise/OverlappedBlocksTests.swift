import TestSupport
import Testing

@testable import Rendering

/// Tests of the blocks, compared with the definition of the cosine transform.
@Suite struct OverlappedBlocksTests {
  private func changed(
    _ plane: [Float], _ width: Int, _ height: Int, _ step: Int, _ change: OverlappedBlocks.Change,
    noise: Float
  ) -> [Float] {
    let scales = OverlappedBlocks.cells(width: width, height: height)
    for row in 0..<scales.count { for column in 0..<scales.width { scales[row][column] = 1 } }
    var result = plane
    OverlappedBlocks(width: width, height: height, step: step).apply(
      change, deviations: [Float](repeating: noise, count: 10), multiple: 1, scales: scales,
      read: { row, numbers in for x in 0..<width { numbers[x] = plane[row * width + x] } },
      write: { row, numbers in for x in 0..<width { result[row * width + x] = numbers[x] } })
    return result
  }

  /// If nothing is to be removed, a plane of any size is returned unchanged.
  @Test(arguments: [2, 4])
  func planesComeBack(_ step: Int) {
    for (width, height) in [(1, 1), (9, 4), (70, 33), (64, 16)] {
      var generator = SeededGenerator(seed: 5)
      let plane = (0..<width * height).map { _ in Float.random(in: 0..<256, using: &generator) }
      for (result, wanted) in zip(changed(plane, width, height, step, .shrinking, noise: 0), plane) {
        #expect(abs(result - wanted) < 0.6)
      }
    }
  }

  /// Tests a single wave of the transform, well above and then well below the limit.
  @Test(arguments: [(1, 0), (0, 3), (5, 2), (7, 7)])
  func wavesGoOrStay(_ u: Int, _ v: Int) {
    // The period is 16 in both directions, so that blocks at multiples of 8 contain only this wave.
    func cosine(_ index: Int, _ frequency: Int) -> Float {
      // cos((2 i + 1) k pi / 16), from the angles of a circle divided into 32 parts.
      let table: [Float] = [
        1, 0.98078528, 0.92387953, 0.83146961, 0.70710678, 0.55557023, 0.38268343, 0.19509032, 0,
      ]
      let angle = (2 * index + 1) * frequency % 32
      let folded = angle > 16 ? 32 - angle : angle
      return folded > 8 ? -table[16 - folded] : table[folded]
    }
    let side = 48
    // A coefficient of 40, half of it in each direction whose frequency is not 0.
    let factor: Float = (u == 0 ? 0.35355339 : 0.5) * (v == 0 ? 0.35355339 : 0.5) * 40
    let plane = (0..<side * side).map { 100 + factor * cosine($0 % side, u) * cosine($0 / side, v) }
    func contrast(_ numbers: [Float]) -> Float {
      numbers.reduce(0) { $0 + ($1 - 100) * ($1 - 100) } / Float(side * side)
    }
    let kept = changed(plane, side, side, 4, .shrinking, noise: 6)
    let dropped = changed(plane, side, side, 4, .shrinking, noise: 200)
    #expect(contrast(kept) > 0.9 * contrast(plane))
    #expect(contrast(dropped) < 0.25 * contrast(plane))
    #expect(abs(dropped.reduce(0, +) / Float(side * side) - 100) < 0.05)
  }

  /// Noise is multiplied by the gain, including the mean. Other data is unchanged.
  @Test func mergingTakesGains() {
    let (width, height) = (40, 24)
    func cells(_ value: Float) -> NumberRows<Float> {
      let cells = OverlappedBlocks.cells(width: width, height: height)
      for row in 0..<cells.count { for column in 0..<cells.width { cells[row][column] = value } }
      return cells
    }
    let flat = [Float](repeating: 2, count: width * height)
    let shares = cells(0)
    let small = changed(flat, width, height, 4, .merging(gains: cells(0.25), shares: shares), noise: 40)
    #expect(small.allSatisfy { abs($0 - 0.5) < 1e-3 })
    #expect(abs(shares[1][2] - 0.25) < 1e-3)
    let large = changed(flat, width, height, 4, .merging(gains: cells(0.25), shares: shares), noise: 2)
    #expect(large.allSatisfy { abs($0 - 2) < 1e-3 })
  }
}
