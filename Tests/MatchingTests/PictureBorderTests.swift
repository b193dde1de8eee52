import TestSupport
import Testing

@testable import Matching

/// Tests of strips of one tone at the sides of a picture.
@Suite struct PictureBorderTests {
  /// A border narrower than JPEG's blocks contains noise up to its outer edge.
  @Test(arguments: [(width: 6, noise: 0.0), (6, 0.008), (12, 0.008), (40, 0)])
  func aBorderIsFoundUnderNoise(width: Int, noise: Double) {
    let (columns, rows) = (453, 277)
    var generator = SeededGenerator(seed: 3)
    let samples = (0..<columns * rows).map { at -> Double in
      let (x, y) = (at % columns, at / columns)
      let inwards = min(x, y, columns - 1 - x, rows - 1 - y)
      guard inwards < width else { return Double.random(in: 20...200, using: &generator) }
      return Double.random(in: 0..<1, using: &generator) < noise ? 246 : 254
    }
    let border = PictureBorder(GreyPlane(PaintedScene.frame(samples, columns, rows)))
    #expect([border.left, border.top, border.right, border.bottom] == [width, width, width, width])
  }

  /// A strip that varies more than that belongs to the picture.
  @Test func anUnevenStripIsNone() {
    var generator = SeededGenerator(seed: 4)
    let samples = (0..<300 * 200).map { at in
      at % 300 < 20 ? Double.random(in: 230...250, using: &generator) : 100
    }
    #expect(PictureBorder(GreyPlane(PaintedScene.frame(samples, 300, 200))).left == 0)
  }
}
