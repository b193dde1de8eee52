import EditModel

/// All colour changes of an edit for a small picture or movie, from its encoded R′G′B′ to the encoded R′G′B′ of a
/// screen, at equidistant nodes. The table is a texture for a shader that interpolates between the nodes. The second
/// node is at 0 and the second-last node at 1. The outermost nodes are for values that local light adjustments move
/// outside the range from 0 to 1.
///
/// The formulas are the same as for renders; see ``ColorAdjustment``. Nodes are not clipped; the shader clips after
/// interpolating.
package struct PreviewTable: Sendable {
  /// The number of nodes per axis for still pictures (49 and 65 nodes did not come closer to renders), and the smaller
  /// number that suffices while the picture moves.
  package static let (fine, rough) = (33, 17)
  /// The number of nodes per axis.
  package let nodes: Int
  /// Red, green and blue of each node as 16-bit numbers (IEEE 754 binary16). Red varies fastest, blue slowest.
  package let samples: [UInt16]
  /// Whether the table changes no colour by more than a quarter of an 8-bit code.
  package let isIdentity: Bool

  /// The range to which values are clamped. Values outside this range are invisible, and binary16 would store them
  /// imprecisely.
  private static let limits = -1.0...2.0

  /// - Parameters:
  ///   - edit: The edit. Only its colour changes are used.
  ///   - colors: The colours of the picture.
  ///   - screen: The colours of the screen.
  ///   - nodes: The number of nodes per axis, at least 5.
  ///   - pieces: The number of pieces into which the work is split.
  ///   - run: A function that runs the pieces, in parallel if possible.
  package init(
    _ edit: Edit, of colors: PreviewColors, on screen: PreviewRequest.Colors, nodes: Int = fine,
    pieces: Int = 1,
    by run: GeometryPlan.Splitting = { count, body in for index in 0..<count { body(index) } }
  ) {
    let way = PreviewColors.Way(colors, after: edit, screen: screen)
    let adjustment = ColorAdjustment(edit, peak: way.source.peak, gamut: Gamut(way.result))
    let count = nodes
    self.nodes = nodes
    let pieces = max(1, min(pieces, count))
    let made = PreviewTableParts(count: pieces)
    run(pieces) { piece in
      var samples: [UInt16] = []
      var farthest = 0.0
      let step = 1 / Double(count - 3)
      for blue in count * piece / pieces..<count * (piece + 1) / pieces {
        for green in 0..<count {
          for red in 0..<count {
            let color = SIMD3(Double(red - 1), Double(green - 1), Double(blue - 1)) * step
            let light = way.light(color)
            let shown = way.shown(adjustment?.apply(light) ?? light).clamped(
              lowerBound: SIMD3(repeating: Self.limits.lowerBound),
              upperBound: SIMD3(repeating: Self.limits.upperBound))
            let apart = shown - color
            farthest = max(farthest, max(apart.max(), -apart.min()))
            for channel in 0..<3 { samples.append(Float16(shown[channel]).bitPattern) }
          }
        }
      }
      made.set(piece, samples, farthest)
    }
    (samples, isIdentity) = made.joined
  }
}
