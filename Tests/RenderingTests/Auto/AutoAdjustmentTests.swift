import EditModel
import TestSupport
import Testing

@testable import Rendering

@Suite struct AutoAdjustmentTests {
  /// A picture in three grey-to-coloured bands, from one level to another, lit by a light.
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

  /// The frame after an edit with the proposed values, which is changed in place.
  private func applied(_ proposal: AutoProposal, to frame: PlanarFrame) throws -> PlanarFrame {
    let edit = proposal.applied(to: .identity, [.light, .color])
    guard let table = try ColorTable(edit, color: frame.format.color, bitDepth: 8) else { return frame }
    return try table.apply(to: frame)
  }

  private func values(_ proposal: AutoProposal) -> [Double] {
    AutoProposal.parameters.map { proposal.values[$0] }
  }

  @Test func whatIsGoodIsLeftAlone() throws {
    #expect(try values(proposal(picture(6...240))).allSatisfy { abs($0) <= 0.02 })
    #expect(values(AutoAdjustment(PictureColors()).proposal).allSatisfy { $0 == 0 })
    let grey = try DetailPicture.frame(64, 48, .grey) { _, x, y in Double(4 * x + y % 4) }
    #expect(values(proposal(grey)).allSatisfy { abs($0) <= 0.02 })
  }

  @Test func whatIsWrongIsMadeBetter() throws {
    #expect(try proposal(picture(4...110)).values[.exposure] > 0.3)
    #expect(try proposal(picture(140...252)).values[.exposure] < -0.1)
    #expect(try proposal(picture(60...180)).values[.blackPoint] > 0.1)
    #expect(try proposal(picture(80...170)).values[.contrast] > 0.1)
    // Blue light wants more warmth, green light more magenta.
    #expect(try proposal(picture(6...240, cast: (14, -10))).values[.warmth] > 0.05)
    #expect(try proposal(picture(6...240, cast: (-12, -9))).values[.tint] > 0.05)
  }

  /// Running it on its own result proposes next to nothing, where it was not held back by a limit.
  @Test(arguments: [
    (12.0...175.0, (0.0, 0.0)), (20...235, (0, 0)), (6...240, (14, -10)), (6...240, (-5, -3.5)),
  ])
  func theResultNeedsNothing(_ levels: ClosedRange<Double>, _ cast: (Double, Double)) throws {
    let frame = try picture(levels, cast: cast)
    let first = proposal(frame)
    #expect(values(first).contains { abs($0) > 0.03 })
    let second = proposal(try applied(first, to: frame))
    #expect(values(second).allSatisfy { abs($0) <= 0.08 }, "\(first), then \(second)")
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
          // JFIF 1.02.
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
