import Rendering
import Testing

/// Tests of rating frames as photos: the sharpest, the best exposed and the nearest frames are found.
@Suite struct FrameRatingTests {
  /// Returns stripes of `width` pixels between two greys, with sharp or blurred edges.
  func frame(blur: Int = 0, from dark: Int = 60, to bright: Int = 190, bits: Int = 8) throws -> PlanarFrame {
    let format = FrameFormat(
      width: 128, height: 96, sampling: .yuv420, bitDepth: bits, color: ColorDescription(isFullRange: false))
    let frame = try #require(PlanarFrame(format: format))
    let rows = (0..<96).flatMap { _ in
      (0..<128).map { x -> UInt16 in
        let around = (x - blur...x + blur).map { ($0 + 256) / 16 % 2 == 0 ? dark : bright }
        return UInt16(around.reduce(0, +) / around.count) << UInt16(bits - 8)
      }
    }
    #expect(frame.setSamples(rows, ofPlane: 0))
    for plane in [1, 2] {
      #expect(frame.setSamples([UInt16](repeating: 128 << UInt16(bits - 8), count: 64 * 48), ofPlane: plane))
    }
    return frame
  }

  func best(_ frames: [PlanarFrame], near moment: Double? = nil) -> Int? {
    let ratings = frames.enumerated().map { FrameRating($0.element, seconds: Double($0.offset)) }
    return FrameRating.best(of: ratings, near: moment, length: Double(frames.count))
  }

  @Test(arguments: [8, 10]) func theSharpestIsBest(_ bits: Int) throws {
    let frames = try [3, 1, 0, 2, 4].map { try frame(blur: $0, bits: bits) }
    #expect(best(frames) == 2)
    // The dark frame has less contrast, but it is not less sharp.
    #expect(best(try [frame(blur: 1), frame(from: 40, to: 60)]) == 1)
  }

  @Test func whatIsBlackOrWhiteCountsLess() throws {
    #expect(best(try [frame(from: 60, to: 235), frame(), frame(from: 16, to: 190)]) == 1)
    #expect(abs(FrameRating(try frame(from: 60, to: 235), seconds: 0).exposure - 0.5) < 0.01)
    #expect(FrameRating(try frame(), seconds: 0).exposure == 1)
  }

  @Test func amongEqualOnesTheNearestIsBest() throws {
    let frames = try (0..<5).map { _ in try frame() }
    #expect(best(frames, near: 3.2) == 3)
    #expect(best(frames) == 0)
    // A quarter of the rating outweighs the distance over the whole length.
    #expect(best(try [frame(), frame(blur: 4)], near: 1) == 0)
    #expect(best([]) == nil)
  }

  @Test func flatFramesHaveARating() throws {
    let flat = FrameRating(try frame(from: 100, to: 100), seconds: 0)
    #expect(flat.sharpness == 0 && flat.exposure == 1)
    #expect(FrameRating.best(of: [flat], near: 0, length: 0) == 0)
  }
}
