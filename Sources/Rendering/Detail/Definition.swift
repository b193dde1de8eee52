import EditModel

/// Local contrast: what luma is beyond its surroundings is increased, except at strong edges, which so get no halos.
/// `Parameter.description` has the formula.
struct Definition: DetailPass {
  private let amount: Float

  /// The radius of the surroundings, as a share of the longer side.
  private static let radius = 1.0 / 60
  /// The variance at which half of the effect is held back.
  private static let limit: Float = 500

  init?(_ edit: Edit) {
    guard edit[.definition] > 0 else { return nil }
    amount = Float(1.2 * edit[.definition])
  }

  func apply(to frame: PlanarFrame, _ encoding: ColorEncoding) {
    guard let plane = frame.planes.first else { return }
    let radius = Double(max(plane.width, plane.height)) * Self.radius
    CellGrid(plane, depth: frame.format.bitDepth, radius: (radius, radius))
      .apply(CellGrid.Change(amount: amount, limit: 60, codes: encoding.codes)) {
        Self.limit / ($0 + Self.limit)
      }
  }
}
