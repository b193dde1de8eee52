import Testing

@testable import Rendering

/// Tests of areas, masks and pictures on a canvas, compared with the formulas of JFIF and of blending.
@Suite struct SheetCanvasTests {
  private func codes(_ canvas: SheetCanvas, _ x: Int, _ y: Int) -> [Int] {
    canvas.frame.planes.map { Int($0.row(y).load(fromByteOffset: x, as: UInt8.self)) }
  }

  @Test func coloursAreThoseOfJFIF() throws {
    let canvas = try #require(SheetCanvas(width: 5, height: 4, .init(255, 255, 255)))
    #expect(codes(canvas, 4, 3) == [255, 128, 128])
    for (rgb, wanted) in [
      ((255.0, 0.0, 0.0), [76, 85, 255]), ((0, 255, 0), [150, 44, 21]), ((0, 0, 255), [29, 255, 107]),
      ((22, 22, 22), [22, 128, 128]),
    ] {
      canvas.fill((1, 1), (2, 2), .init(rgb.0, rgb.1, rgb.2))
      #expect(zip(codes(canvas, 2, 2), wanted).allSatisfy { abs($0 - $1) <= 1 }, "\(rgb)")
      #expect(codes(canvas, 3, 3) == [255, 128, 128] && codes(canvas, 0, 1) == [255, 128, 128])
    }
  }

  @Test func masksMixAndNothingIsWrittenOutside() throws {
    let canvas = try #require(SheetCanvas(width: 4, height: 4, .init(200, 200, 200)))
    canvas.draw([0, 51, 255, 128], (2, 2), at: (3, 3), .init(0, 0, 0))
    #expect(codes(canvas, 3, 3)[0] == 200)
    canvas.draw([0, 51, 255, 128], (2, 2), at: (-1, -1), .init(0, 0, 0))
    #expect(codes(canvas, 0, 0)[0] == (200 * 127 + 127) / 255)
    canvas.draw([255], (2, 2), at: (0, 0), .init(0, 0, 0))
    #expect(codes(canvas, 1, 1)[0] == 200, "a mask that is too short is left out")
    canvas.fill((2, -10), (100, 11), .init(0, 0, 0), opacity: 0.6)
    #expect(codes(canvas, 3, 0)[0] == 80 && codes(canvas, 1, 0)[0] == 200 && codes(canvas, 3, 1)[0] == 200)
    #expect(SheetCanvas(width: 70_000, height: 10, .init(0, 0, 0)) == nil)
  }

  @Test func picturesArePutWhereTheyBelong() throws {
    let canvas = try #require(SheetCanvas(width: 6, height: 6, .init(255, 0, 0)))
    let grey = try #require(PlanarFrame(format: FrameFormat(width: 2, height: 2, sampling: .grey)))
    grey.planes[0].row(1).storeBytes(of: 77, toByteOffset: 1, as: UInt8.self)
    canvas.put(grey, at: (2, 3))
    #expect(codes(canvas, 3, 4) == [77, 128, 128] && codes(canvas, 2, 3) == [0, 128, 128])
    #expect(codes(canvas, 4, 4)[0] == 76)
    let full = try #require(PlanarFrame(format: FrameFormat(width: 4, height: 4, sampling: .yuv444)))
    for (plane, code) in zip(full.planes, [10, 20, 30]) {
      for y in 0..<4 {
        for x in 0..<4 { plane.row(y).storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self) }
      }
    }
    canvas.put(full, at: (4, 4))
    #expect(codes(canvas, 5, 5) == [10, 20, 30])
    let half = try #require(PlanarFrame(format: FrameFormat(width: 4, height: 4, sampling: .yuv420)))
    canvas.put(half, at: (0, 0))
    #expect(codes(canvas, 0, 0)[0] == 76, "chroma for several pixels is not taken")
  }
}
