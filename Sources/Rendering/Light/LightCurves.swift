import EditModel

/// The changes of light by areas that an edit makes, as functions of the base in EV from white. `Parameter.description`
/// has the formulas.
struct LightCurves: Sendable {
  private let shadows, highlights, brilliance, definition, exposure: Double
  /// The share of the veil that is taken away; below 0 it is added.
  let dehaze: Double

  /// - Returns: nil when the edit leaves light where it is.
  init?(_ edit: Edit) {
    shadows = edit[.shadows]
    highlights = edit[.highlights]
    brilliance = edit[.brilliance]
    definition = edit[.definition]
    // Areas count as they will be exposed.
    exposure = edit[.exposure]
    dehaze = edit[.dehaze] > 0 ? 0.6 * edit[.dehaze] : 0.3 * edit[.dehaze]
    if edit.keepsAreas { return nil }
  }

  /// True if detail changes against its area.
  var changesDetail: Bool { definition != 0 || brilliance != 0 || shadows > 0 }

  /// The change in EV of an area.
  func change(_ base: Double) -> Double {
    let at = base + exposure
    let dark = smoothstep((-1.5 - at) / 5.5)
    let bright = smoothstep((at + 2.5) / 1.6) * (1 - 0.25 * smoothstep((at + 0.5) / 0.5))
    // White stays when what is beside it becomes lighter.
    let below = 1 - smoothstep(at + 1)
    func lift(_ amount: Double) -> Double { amount * bright * (amount > 0 ? below : 1) }
    return 1.18 * shadows * dark + lift(0.36 * highlights) + 0.6 * brilliance * dark + lift(-0.2 * brilliance)
  }

  /// The share of the detail of an area that is added. In deep shadows, where noise is, there is less, but for what
  /// opening them takes away.
  func detail(_ base: Double) -> Double {
    let at = base + exposure
    let opened = 0.1 * max(shadows, 0) * smoothstep((-1.5 - at) / 2)
    return (0.52 * definition + 0.15 * brilliance) * smoothstep((at + 9) / 4) + opened
  }
}
