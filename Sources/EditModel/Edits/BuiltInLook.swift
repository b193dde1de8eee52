/// liveedit's built-in looks. Each look is a formula that is sampled to a table when it is used. An edit stores only
/// the name, so a formula never changes after its release.
///
/// The raw value is the name under which the look is stored.
public enum BuiltInLook: String, CaseIterable, Hashable, Sendable {
  case amber
  case dusk
  case fade
  case film
  case glacier
  case noir
  case sepia
  case silver

  /// A one-line description.
  public var summary: String {
    switch self {
    case .amber: "late sun: warm highlights, soft contrast"
    case .dusk: "blue shadows, warm highlights"
    case .fade: "faded print: lifted blacks, muted colours"
    case .film: "slide film: deep, strong colours"
    case .glacier: "cool and clear"
    case .noir: "high-contrast black and white"
    case .sepia: "brown-toned monochrome"
    case .silver: "soft black and white, slightly cool in the shadows"
    }
  }

  /// The look as a table with 33 samples per axis.
  public var table: LookTable {
    let size = 33
    var samples: [UInt16] = []
    samples.reserveCapacity(size * size * size * 3)
    let recipe = recipe
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size {
          let color = SIMD3(Double(red), Double(green), Double(blue)) / Double(size - 1)
          let result = recipe.apply(color)
          for channel in 0..<3 { samples.append(LookTable.Grid.stored(result[channel])) }
        }
      }
    }
    let lattice = LookTable.Grid(size: size, places: size * size * size, samples: samples)
    return LookTable(title: rawValue, checkedLattice: lattice)
  }

  /// The formula of a look. Four steps change a colour c with luma y, in this order: saturation, y + s (c - y);
  /// contrast, c + k c (1 - c) (c - 0.5); tints, dark · y (1 - y)² + light · y² (1 - y), with peaks at one third and
  /// two thirds; and the end levels.
  private struct Recipe {
    var saturation = 1.0
    /// The weights of the channels in y; by default, the weights of BT.709.
    var weights = SIMD3(0.2126, 0.7152, 0.0722)
    var contrast = 0.0
    var dark = SIMD3(0.0, 0.0, 0.0)
    var light = SIMD3(0.0, 0.0, 0.0)
    var black = 0.0
    var white = 1.0

    func apply(_ color: SIMD3<Double>) -> SIMD3<Double> {
      let luma = (color * weights).sum()
      let grey = SIMD3<Double>(repeating: luma)
      var c: SIMD3<Double> = grey + saturation * (color - grey)
      let slope: SIMD3<Double> = c * (1 - c)
      c += contrast * slope * (c - 0.5)
      let darkness = luma * (1 - luma) * (1 - luma)
      let lightness = luma * luma * (1 - luma)
      c += darkness * dark
      c += lightness * light
      return black + (white - black) * c
    }
  }

  private var recipe: Recipe {
    switch self {
    case .amber:
      Recipe(
        saturation: 1.05, contrast: 0.3, dark: [0.1, 0.02, -0.06], light: [0.35, 0.13, -0.35], black: 0.015)
    case .dusk:
      Recipe(
        saturation: 0.95, contrast: 0.6, dark: [-0.3, -0.08, 0.35], light: [0.3, 0.06, -0.28], black: 0.02)
    case .fade:
      Recipe(
        saturation: 0.72, contrast: -0.3, dark: [0.02, 0.02, 0.08], light: [0.06, 0.04, -0.08], black: 0.09,
        white: 0.96)
    case .film:
      Recipe(saturation: 1.22, contrast: 1, dark: [-0.04, 0, 0.06], light: [0.08, 0.04, -0.06])
    case .glacier:
      Recipe(saturation: 0.9, contrast: 0.5, dark: [-0.2, 0, 0.2], light: [-0.18, 0.02, 0.2])
    case .noir:
      Recipe(saturation: 0, weights: [0.4, 0.5, 0.1], contrast: 1.6)
    case .sepia:
      Recipe(
        saturation: 0, weights: [0.3, 0.6, 0.1], contrast: 0.4, dark: [0.45, 0.12, -0.35],
        light: [0.3, 0.08, -0.4], black: 0.03, white: 0.98)
    case .silver:
      Recipe(
        saturation: 0, weights: [0.3, 0.59, 0.11], contrast: 0.3, dark: [-0.05, 0, 0.09], black: 0.02)
    }
  }
}
