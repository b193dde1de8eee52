/// The brightness of the areas in a picture: the picture's light in EV without its texture but with its edges. For each
/// position, this brightness is a linear function of the light.
///
/// A mean over 1/50 of the longer side removes texture. Guided filters then restore edges, from a coarse grid to a fine
/// grid, each with the previous result as its guide: the rolling guidance of Zhang, Shen, Xu and Jia (ECCV 2014) with
/// the filter of He and Sun (Fast Guided Filter, arXiv:1505.00996). Areas can then be lightened and darkened as a
/// whole, which preserves the contrast within an area and causes no halos at edges.
struct LightBase {
  /// The coefficients of base = a · light + b, for each cell.
  let a, b: CellPlane

  /// The approximate number of cells along the longer side.
  static let cells = 256
  /// The size below which detail counts as texture, and the radius of the coarsest filter, both as fractions of the
  /// longer side.
  private static let texture = 1.0 / 50
  private static let radius = 1.0 / 32
  /// The radius on each finer grid, as a fraction of the radius on the previous grid.
  private static let shrinking = 0.85
  private static let rounds = 3
  private static let levels = 3
  /// The variance, in EV², from which a change of light counts as an edge.
  private static let edge: Float = 0.02
  /// The variance, in EV², from which a change of light counts as an edge in the final linear fit.
  private static let lineEdge: Float = 0.05
  /// The radius, in cells, of the final linear fit.
  private static let lineRadius = 2

  /// - Parameter light: The light of each cell in EV.
  init(_ light: CellPlane) {
    var grids = [light]
    for _ in 1..<Self.levels {
      if let last = grids.last, min(last.width, last.height) > 2 { grids.append(last.halved) }
    }
    let side = Double(max(light.width, light.height))
    var guide = grids[grids.count - 1]
    let coarse = side / Double(1 << (grids.count - 1))
    for _ in 0..<2 { guide = guide.mean(radius: max(1, Int((coarse * Self.texture).rounded()))) }
    var radius = Self.radius
    for level in grids.indices.reversed() {
      let grid = grids[level]
      if guide.width != grid.width || guide.height != grid.height {
        guide = guide.doubled(width: grid.width, height: grid.height)
      }
      let cells = max(2, Int((side / Double(1 << level) * radius).rounded()))
      let mean = grid.mean(radius: cells)
      for _ in 0..<Self.rounds {
        guide = GuidedFilter(grid, mean: mean, guide: guide, radius: cells, epsilon: Self.edge).applied(
          to: guide)
      }
      radius *= Self.shrinking
    }
    let line = GuidedFilter(guide, guide: light, radius: Self.lineRadius, epsilon: Self.lineEdge)
    (a, b) = (line.a, line.b)
  }
}
