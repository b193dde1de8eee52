internal import CPixelKernels
import EditModel

/// Moves colours towards black, or white, from the middle of the picture to its corners: red, green and blue by the
/// same share. `Parameter.description` has the formula.
struct Vignette: DetailPass {
  let amount: Double
  let radius: Float
  let width: Float
  /// The share of the way to black, or to white, in the corners.
  var share: Float { Float(0.85 * abs(amount)) }

  init?(_ edit: Edit) {
    amount = edit[.vignette]
    guard amount != 0 else { return nil }
    radius = Float(0.35 + 0.7 * edit[.vignetteRadius])
    width = Float(0.1 + 1.2 * edit[.vignetteSoftness])
  }

  func apply(to frame: PlanarFrame, _ encoding: ColorEncoding) {
    let depth = frame.format.bitDepth
    let unit = Double(1 << (depth - 8))
    let end = amount > 0 ? encoding.black : encoding.black + encoding.lumaRange
    for (index, plane) in frame.planes.enumerated() {
      let target = Float((index == 0 ? end : 128) * unit)
      let across = Self.squares(plane.width)
      let shares = NumberRows<Float>(width: plane.width, count: 1)
      for (y, down) in Self.squares(plane.height).enumerated() {
        vignette_shares(
          across, down, Int64(plane.width), share, radius, width, shares[0])
        vignette_apply(
          shares[0], Int64(plane.width), target, Int32(depth), Int32(encoding.codes.lowerBound),
          Int32(encoding.codes.upperBound), plane.row(y))
      }
    }
  }

  /// Squares of distances from the middle, such that a corner has 1/2 + 1/2.
  private static func squares(_ count: Int) -> [Float] {
    (0..<count).map { index in
      let place = (Float(2 * index + 1) / Float(count)) - 1
      return place * place / 2
    }
  }
}
