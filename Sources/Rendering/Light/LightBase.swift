/// The light of areas: a picture of light in EV without its texture, but with its edges, as a line of the light of
/// each place.
///
/// Texture goes by a mean over 1/50 of the longer side, and edges come back by guided filters, each with the last one's
/// result as its guide, from a coarse grid to a fine one: the rolling guidance of Zhang, Shen, Xu and Jia (ECCV 2014) with
/// the filter of He and Sun (Fast Guided Filter, arXiv:1505.00996). So light is raised and lowered by areas: what is
/// within an area keeps its contrast, and edges get no halos.
struct LightBase {
  /// By cells: base = a · light + b.
  let a, b: CellPlane

  /// Cells along the longer side, about.
  static let cells = 256
  /// The share of the longer side that texture is smaller than, and the radius of the coarsest filter.
  private static let texture = 1.0 / 50
  private static let radius = 1.0 / 32
  /// The radius of each finer grid as a share of the one before.
  private static let shrinking = 0.85
  private static let rounds = 3
  private static let levels = 3
  /// The variance, in EV², that counts as an edge.
  private static let edge: Float = 0.02
  /// The same where the base is made a line of light.
  private static let lineEdge: Float = 0.05
  /// The radius in cells within which the base is made a line of light.
  private static let lineRadius = 2

  /// - Parameter light: light in EV by cells.
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
