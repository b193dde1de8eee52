import EditModel

/// Local contrast: what luma is beyond its surroundings is increased, except at strong edges, which so get no halos.
/// `Parameter.description` has the formula.
struct Definition: Sendable {
  private let amount: Float

  /// The radius of the surroundings, as a share of the longer side.
  private static let radius = 1.0 / 60
  /// The variance at which half of the effect is held back.
  private static let limit: Float = 500

  /// - Returns: nil when the edit leaves local contrast alone.
  init?(_ edit: Edit) {
    guard edit[.definition] > 0 else { return nil }
    amount = Float(1.2 * edit[.definition])
  }

  /// Changes the luma of a frame in place.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - codes: what samples are kept within.
  func apply(to frame: PlanarFrame, codes: ClosedRange<Int>) {
    guard let plane = frame.planes.first else { return }
    let radius = Double(max(plane.width, plane.height)) * Self.radius
    CellGrid(plane, depth: frame.format.bitDepth, radius: (radius, radius))
      .apply(CellGrid.Change(amount: amount, limit: 60, codes: codes)) { Self.limit / ($0 + Self.limit) }
  }
}
