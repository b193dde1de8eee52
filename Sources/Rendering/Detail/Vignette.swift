internal import CPixelKernels
import EditModel

/// Fades colours towards black or white from the centre of the picture to its corners, by the same factor for red,
/// green and blue. `Parameter.description` contains the formula.
struct Vignette: DetailPass {
  let amount: Double
  let radius: Float
  let width: Float
  /// How far the corners fade to black or white, from 0 to 1.
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

  /// Returns squared distances from the centre along one axis, scaled so that each of the two axes contributes 1/2 in a
  /// corner.
  private static func squares(_ count: Int) -> [Float] {
    (0..<count).map { index in
      let place = (Float(2 * index + 1) / Float(count)) - 1
      return place * place / 2
    }
  }
}
