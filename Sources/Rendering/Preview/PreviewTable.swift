import EditModel

/// All that an edit does to the colours of a small picture or movie, from its encoded R′G′B′ to encoded R′G′B′ of a
/// screen, by nodes at equal distances: a texture for a shader that interpolates between them. The first node but one is at
/// 0, the last but one at 1; those beyond are for what light by areas brings there.
///
/// The formulas are those of renders, ``ColorAdjustment``. Nodes are not clipped: that happens behind the interpolation.
package struct PreviewTable: Sendable {
  /// Nodes along each axis that a picture at rest needs (pictures by 49 and 65 came no nearer to renders), and those that are
  /// enough while something moves.
  package static let (fine, rough) = (33, 17)
  /// Nodes along each axis.
  package let nodes: Int
  /// Red, green and blue of each node as numbers of 16 bits (IEEE 754 binary16); red goes fastest, blue slowest.
  package let samples: [UInt16]
  /// True if the table leaves colours as they are, to a quarter of an 8-bit code.
  package let isIdentity: Bool

  /// The values that are kept: beyond them nothing can be seen, and halves become coarse.
  private static let limits = -1.0...2.0

  /// - Parameters:
  ///   - edit: the edit; only what it does to colours counts.
  ///   - colors: those of the picture.
  ///   - screen: those that it is shown in.
  ///   - nodes: nodes along each axis, at least 5.
  ///   - pieces: into how many pieces the work is split.
  ///   - run: runs the pieces, side by side if it can.
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
