import Basics
import EditModel
import Rendering

/// The colours of two pictures at the same positions. Both pictures are reduced in size.
struct ColorPair: Sendable {
  /// The width of both pictures in pixels.
  let width: Int
  /// The height of both pictures in pixels.
  let height: Int
  /// The colours of the original picture, encoded as in looks, row after row.
  let original: [SIMD3<Double>]
  /// The colours of the edited picture, encoded as in looks, row after row.
  let edited: [SIMD3<Double>]
  /// The weight of each position. Weights are low along edges, where a shift by a fraction of a pixel changes the
  /// colour.
  let weights: [Double]

  /// The length of the longer side in pixels. It is large enough for small areas of a colour, and small enough to
  /// remove noise and compression artefacts.
  private static let side = 512
  /// The difference between neighbouring pixels, in encoded values, at which the weight is halved.
  private static let edge = 0.12
  /// The minimum distance from sRGB, in encoded values, of colours that count as outside sRGB, and the minimum fraction
  /// of pixels with such colours.
  private static let (beyond, leastShareBeyond) = (0.02, 0.001)

  /// - Parameters:
  ///   - original: The picture that was edited, after the edit's rotation and geometry.
  ///   - edited: The edited picture.
  /// - Throws: ``Basics/MediaError`` if one of the pictures is empty.
  init(original: ColorMatch.Picture, edited: ColorMatch.Picture) throws {
    let sizes = [original.frame.format.size, edited.frame.format.size]
    let (most, least) = (
      sizes.map { max($0.width, $0.height) }.min() ?? 0, sizes.map { min($0.width, $0.height) }.min() ?? 0
    )
    guard least > 0 else { throw MediaError("one of the pictures has no width or height") }
    let scale = min(1, Double(Self.side) / Double(most))
    let size = PixelSize(
      width: max(1, Int((Double(sizes.map(\.width).min() ?? 1) * scale).rounded())),
      height: max(1, Int((Double(sizes.map(\.height).min() ?? 1) * scale).rounded())))
    self.init(
      width: size.width, height: size.height, original: try original.colors(in: size),
      edited: try edited.colors(in: size))
  }

  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - original: The colours of the original picture.
  ///   - edited: The colours of the edited picture. Their number must equal that of the original.
  init(width: Int, height: Int, original: [SIMD3<Double>], edited: [SIMD3<Double>]) {
    (self.width, self.height, self.original, self.edited) = (width, height, original, edited)
    weights = original.indices.map { at in
      let (x, y) = (at % width, at / width)
      var steepest = 0.0
      for other in [
        x > 0 ? at - 1 : at, x < width - 1 ? at + 1 : at, y > 0 ? at - width : at,
        y < height - 1 ? at + width : at,
      ] {
        let difference = original[other] - original[at]
        steepest = max(steepest, difference.max(), -difference.min())
      }
      return 1 / (1 + steepest * steepest / (Self.edge * Self.edge))
    }
  }

  /// Whether more colours of the edited picture lie outside sRGB than noise can explain.
  var goesBeyondSRGB: Bool {
    let beyond = edited.count { $0.min() < -Self.beyond || $0.max() > 1 + Self.beyond }
    return Double(beyond) > Self.leastShareBeyond * Double(edited.count)
  }
}

extension ColorMatch.Picture {
  /// Returns the colours of the reduced picture.
  fileprivate func colors(in size: PixelSize) throws -> [SIMD3<Double>] {
    guard let small = frame.scaled(to: size, sampling: .yuv444, bitDepth: 12) else {
      throw MediaError("the picture cannot be compared at \(size.width)x\(size.height)")
    }
    return small.lookColors(profile: profile)
  }
}
