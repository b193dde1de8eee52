import EditModel

/// The passes of an edit that depend on a pixel's neighbours or position: sharpening, vignette and grain, in this
/// order.
///
/// The vignette follows sharpening, so that sharpening works on the picture without the vignette. Grain comes last, so
/// that no other pass smooths or sharpens it. All passes follow the colour changes, so that the result of each pass
/// looks the same with any colour changes.
package final class DetailPasses: Sendable {
  private let passes: [any DetailPass]

  /// - Parameter edit: The edit.
  /// - Returns: Nil if the edit uses none of these passes.
  package init?(_ edit: Edit) {
    let kinds: [any DetailPass.Type] = [Sharpening.self, Vignette.self, Grain.self]
    passes = kinds.compactMap { $0.init(edit) }
    if passes.isEmpty { return nil }
  }

  /// Changes a frame in place.
  ///
  /// - Parameter frame: A frame of the final size, with any chroma sampling and bit depth. Radii are fractions of the
  ///   frame's longer side.
  package func apply(to frame: PlanarFrame) {
    let encoding = ColorEncoding(frame.format.color, bitDepth: frame.format.bitDepth)
    for pass in passes { pass.apply(to: frame, encoding) }
  }
}

/// A pass that depends on a pixel's neighbours or position.
protocol DetailPass: Sendable {
  /// - Returns: Nil if the edit does not use this pass.
  init?(_ edit: Edit)
  /// Changes a frame in place.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - encoding: The encoding of the frame's codes.
  func apply(to frame: PlanarFrame, _ encoding: ColorEncoding)
}
