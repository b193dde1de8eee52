public import EditModel

/// The passes of an edit that look at the surroundings or the place of a pixel: noise reduction, definition, sharpness,
/// vignette and grain, in this order.
///
/// Noise goes before anything can raise it; the large structure before the fine one; the vignette after both, so
/// that they see the picture without it; grain last, so that nothing smooths or sharpens it. All of them come after
/// colours, because they are to look the same whatever was done to those.
public final class DetailPasses: Sendable {
  private let noiseReduction: NoiseReduction?
  private let definition: Definition?
  private let sharpening: Sharpening?
  private let vignette: Vignette?
  private let grain: Grain?

  /// - Parameter edit: the edit.
  /// - Returns: nil when it has no detail and no effects.
  public init?(_ edit: Edit) {
    noiseReduction = NoiseReduction(edit)
    definition = Definition(edit)
    sharpening = Sharpening(edit)
    vignette = Vignette(edit)
    grain = Grain(edit)
    if noiseReduction == nil, definition == nil, sharpening == nil, vignette == nil, grain == nil {
      return nil
    }
  }

  /// Changes a frame in place.
  ///
  /// - Parameter frame: a frame as it comes out, of any sampling and depth. Radii are shares of its longer side.
  public func apply(to frame: PlanarFrame) {
    let encoding = ColorEncoding(frame.format.color, bitDepth: frame.format.bitDepth)
    let codes = encoding.codes(bitDepth: frame.format.bitDepth)
    noiseReduction?.apply(to: frame, codes: codes)
    definition?.apply(to: frame, codes: codes)
    sharpening?.apply(to: frame, codes: codes)
    vignette?.apply(to: frame, encoding: encoding)
    grain?.apply(to: frame, encoding: encoding)
  }
}
