import EditModel

/// The local light changes of an edit, as functions of the base (``LightBase``) in EV relative to white.
/// `Parameter.description` contains the formulas.
struct LightCurves: Sendable {
  private let shadows, highlights, brilliance, definition, exposure: Double
  /// The fraction of the veil to remove. Negative values add a veil.
  let dehaze: Double

  /// - Returns: Nil if the edit makes no local light changes.
  init?(_ edit: Edit) {
    shadows = edit[.shadows]
    highlights = edit[.highlights]
    brilliance = edit[.brilliance]
    definition = edit[.definition]
    // Areas are classified by their brightness after the exposure change.
    exposure = edit[.exposure]
    dehaze = edit[.dehaze] > 0 ? 0.6 * edit[.dehaze] : 0.3 * edit[.dehaze]
    if edit.keepsAreas { return nil }
  }

  /// Whether the edit changes the contrast of detail within an area.
  var changesDetail: Bool { definition != 0 || brilliance != 0 || shadows > 0 }

  /// Returns the change of an area's light in EV.
  func change(_ base: Double) -> Double {
    let at = base + exposure
    let dark = smoothstep((-1.5 - at) / 5.5)
    let bright = smoothstep((at + 2.5) / 1.6) * (1 - 0.25 * smoothstep((at + 0.5) / 0.5))
    // White is preserved when tones near it become lighter.
    let below = 1 - smoothstep(at + 1)
    func lift(_ amount: Double) -> Double { amount * bright * (amount > 0 ? below : 1) }
    return 1.18 * shadows * dark + lift(0.36 * highlights) + 0.6 * brilliance * dark + lift(-0.2 * brilliance)
  }

  /// Returns the fraction of an area's detail to add. The fraction is smaller in deep shadows, which contain noise. The
  /// fraction also compensates for detail lost by opening shadows.
  func detail(_ base: Double) -> Double {
    let at = base + exposure
    let opened = 0.1 * max(shadows, 0) * smoothstep((-1.5 - at) / 2)
    return (0.52 * definition + 0.15 * brilliance) * smoothstep((at + 9) / 4) + opened
  }
}
