import EditModel

/// The passes of an edit that look at the surroundings or the place of a pixel: sharpness, vignette and grain, in
/// this order.
///
/// The vignette goes after sharpness, which so sees the picture without it; grain last, so that nothing smooths or sharpens
/// it. All of them come after colours, because they are to look the same whatever was done to those.
package final class DetailPasses: Sendable {
  private let passes: [any DetailPass]

  /// - Parameter edit: the edit.
  /// - Returns: nil when it has no detail and no effects.
  package init?(_ edit: Edit) {
    let kinds: [any DetailPass.Type] = [Sharpening.self, Vignette.self, Grain.self]
    passes = kinds.compactMap { $0.init(edit) }
    if passes.isEmpty { return nil }
  }

  /// Changes a frame in place.
  ///
  /// - Parameter frame: a frame as it comes out, of any sampling and depth. Radii are shares of its longer side.
  package func apply(to frame: PlanarFrame) {
    let encoding = ColorEncoding(frame.format.color, bitDepth: frame.format.bitDepth)
    for pass in passes { pass.apply(to: frame, encoding) }
  }
}

/// One of the passes.
protocol DetailPass: Sendable {
  /// - Returns: nil when the edit leaves alone what the pass changes.
  init?(_ edit: Edit)
  /// Changes a frame in place.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - encoding: what its codes mean.
  func apply(to frame: PlanarFrame, _ encoding: ColorEncoding)
}
