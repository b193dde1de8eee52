import EditModel
import Foundation
import Testing

@testable import Rendering

/// Tests of colours beyond black and white, compared with ITU-T H.273's equations in double precision.
@Suite struct ColorClippingTests {
  /// Returns R′G′B′ from 0 to 1 for the codes of a matrix with Kr and Kb.
  private func rgb(_ codes: [Int], kr: Double, kb: Double, bits: Int, isFullRange: Bool) -> [Double] {
    let unit = Double(1 << (bits - 8))
    let most = Double(1 << bits) - 1
    let (black, luma, chroma) = isFullRange ? (0, most, most) : (16 * unit, 219 * unit, 224 * unit)
    let y = (Double(codes[0]) - black) / luma
    let (cb, cr) = ((Double(codes[1]) - 128 * unit) / chroma, (Double(codes[2]) - 128 * unit) / chroma)
    let (r, b) = (y + 2 * (1 - kr) * cr, y + 2 * (1 - kb) * cb)
    return [r, (y - kr * r - kb * b) / (1 - kr - kb), b]
  }

  @Test(arguments: [(10, true), (12, true), (10, false)])
  func whatCannotBeShownIsCutOffAndAllElseStays(_ bits: Int, _ isFullRange: Bool) throws {
    let color =
      isFullRange ? .jpeg : ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
    let (kr, kb) = isFullRange ? (0.299, 0.114) : (0.2126, 0.0722)
    let format = FrameFormat(width: 64, height: 48, sampling: .yuv444, bitDepth: bits, color: color)
    let frame = try #require(PlanarFrame(format: format))
    fill(frame)
    let before = (0..<3).map { samples(frame, plane: $0) }
    frame.clipColors()
    let after = (0..<3).map { samples(frame, plane: $0) }
    // The rounding of one luma code and one chroma code.
    let allowed = 3 / Double(1 << bits)
    var cut = 0
    for y in 0..<48 {
      for x in 0..<64 {
        let (old, new) = (before.map { $0[y][x] }, after.map { $0[y][x] })
        let meant = rgb(old, kr: kr, kb: kb, bits: bits, isFullRange: isFullRange)
        if meant.allSatisfy({ 0.0001...0.9999 ~= $0 }) {
          #expect(new == old)
        } else if meant.contains(where: { !(-0.0001...1.0001 ~= $0) }) {
          cut += 1
          let shown = rgb(new, kr: kr, kb: kb, bits: bits, isFullRange: isFullRange)
          for (shown, meant) in zip(shown, meant) {
            #expect(abs(shown - min(max(meant, 0), 1)) < allowed)
          }
        }
      }
    }
    #expect(cut > 1000 && cut < 64 * 48 - 100)
  }
}
