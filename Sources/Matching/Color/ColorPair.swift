import Basics
import EditModel
import Rendering

/// The colours of two pictures at the same places, both made small.
struct ColorPair: Sendable {
  /// Columns of both.
  let width: Int
  /// Rows of both.
  let height: Int
  /// Colours of the one picture, encoded as looks see them, row after row.
  let original: [SIMD3<Double>]
  /// Those of the other.
  let edited: [SIMD3<Double>]
  /// How much a place says: little along edges, where a shift of a fraction of a pixel changes the colour.
  let weights: [Double]

  /// Pixels of the longer side: enough for small areas of a colour, and few enough that noise and coding are gone.
  private static let side = 512
  /// The difference of neighbours, encoded, at which a place counts half.
  private static let edge = 0.12
  /// How far encoded colours lie beyond sRGB that are seen to, and the share of such places.
  private static let (beyond, leastShareBeyond) = (0.02, 0.001)

  /// - Parameters:
  ///   - original: the picture that was edited, with the edit's turn and geometry applied.
  ///   - edited: what was made of it.
  /// - Throws: ``Basics/MediaError`` when one of them has no size.
  init(original: ColorMatch.Picture, edited: ColorMatch.Picture) throws {
    let sizes = [original.frame.format.size, edited.frame.format.size]
    let (most, least) = (
      sizes.map { max($0.width, $0.height) }.min() ?? 0, sizes.map { min($0.width, $0.height) }.min() ?? 0
    )
    guard least > 0 else { throw MediaError("one of the pictures has no size") }
    let scale = min(1, Double(Self.side) / Double(most))
    let size = PixelSize(
      width: max(1, Int((Double(sizes.map(\.width).min() ?? 1) * scale).rounded())),
      height: max(1, Int((Double(sizes.map(\.height).min() ?? 1) * scale).rounded())))
    self.init(
      width: size.width, height: size.height, original: try original.colors(in: size),
      edited: try edited.colors(in: size))
  }

  /// - Parameters:
  ///   - width: columns.
  ///   - height: rows.
  ///   - original: colours of the one picture.
  ///   - edited: those of the other, as many.
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

  /// True if colours of the edited picture are beyond sRGB, in more places than noise has.
  var goesBeyondSRGB: Bool {
    let beyond = edited.count { $0.min() < -Self.beyond || $0.max() > 1 + Self.beyond }
    return Double(beyond) > Self.leastShareBeyond * Double(edited.count)
  }
}

extension ColorMatch.Picture {
  /// The colours of the picture made small.
  fileprivate func colors(in size: PixelSize) throws -> [SIMD3<Double>] {
    guard let small = frame.scaled(to: size, sampling: .yuv444, bitDepth: 12) else {
      throw MediaError("the picture cannot be compared at \(size.width)x\(size.height)")
    }
    return small.lookColors(profile: profile)
  }
}
