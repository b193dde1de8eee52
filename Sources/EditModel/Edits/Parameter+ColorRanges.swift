import Basics

extension Parameter {
  /// The three parameters for a range of hues.
  package struct HueRange: Sendable {
    /// The name of the colours in the range, in the plural.
    let hues: Message
    /// The centre of the range, in degrees of hue in Oklab.
    package let degrees: Double
    /// The parameter that shifts the hue.
    package let hue: Parameter
    /// The parameter that increases or decreases the chroma.
    package let saturation: Parameter
    /// The parameter that increases or decreases the lightness.
    package let luminance: Parameter
  }

  /// The hue ranges in order of ascending hue.
  package static let hueRanges = [
    HueRange(hues: "reds", degrees: 27, hue: .redHue, saturation: .redSaturation, luminance: .redLuminance),
    HueRange(
      hues: "oranges", degrees: 55, hue: .orangeHue, saturation: .orangeSaturation,
      luminance: .orangeLuminance),
    HueRange(
      hues: "yellows", degrees: 103, hue: .yellowHue, saturation: .yellowSaturation,
      luminance: .yellowLuminance),
    HueRange(
      hues: "greens", degrees: 142, hue: .greenHue, saturation: .greenSaturation, luminance: .greenLuminance),
    HueRange(
      hues: "cyans", degrees: 195, hue: .cyanHue, saturation: .cyanSaturation, luminance: .cyanLuminance),
    HueRange(
      hues: "blues", degrees: 258, hue: .blueHue, saturation: .blueSaturation, luminance: .blueLuminance),
    HueRange(
      hues: "purples", degrees: 303, hue: .purpleHue, saturation: .purpleSaturation,
      luminance: .purpleLuminance),
    HueRange(
      hues: "magentas", degrees: 348, hue: .magentaHue, saturation: .magentaSaturation,
      luminance: .magentaLuminance),
  ]

  /// The three parameters for a tonal range.
  package struct Grade: Sendable {
    /// The name of the tones in the range, in the plural.
    let tones: Message
    /// The parameter for the hue of the tint, in degrees in Oklab.
    package let hue: Parameter
    /// The parameter for the strength of the tint.
    package let saturation: Parameter
    /// The parameter that increases or decreases the lightness.
    package let luminance: Parameter
  }

  /// The tonal ranges from dark to light.
  package static let grades = [
    Grade(
      tones: "shadows", hue: .shadowGradeHue, saturation: .shadowGradeSaturation,
      luminance: .shadowGradeLuminance),
    Grade(
      tones: "midtones", hue: .midtoneGradeHue, saturation: .midtoneGradeSaturation,
      luminance: .midtoneGradeLuminance),
    Grade(
      tones: "highlights", hue: .highlightGradeHue, saturation: .highlightGradeSaturation,
      luminance: .highlightGradeLuminance),
  ]

  /// Whether the value is a direction, so that halving the value does not halve the effect.
  var isDirection: Bool { Self.grades.contains { $0.hue == self } }

  var hueRangeDescription: Description {
    for range in Self.hueRanges {
      let weight = "scaled by the weight of the range around \(Int(range.degrees))°"
      switch self {
      case range.hue:
        return Description(
          .color, summary: "shift the hue of \(range.hues) by up to 30 degrees",
          formula: "hue in Oklab rotated by 30° p, \(weight)")
      case range.saturation:
        return Description(
          .color, summary: "strengthen or weaken \(range.hues)", formula: "C times 1 + p, \(weight)")
      case range.luminance:
        return Description(
          .color, summary: "brighten or darken \(range.hues)",
          formula: "L times 1 + 0.25 p C / (C + 0.05), \(weight)")
      default: continue
      }
    }
    return Description(.color, summary: "", formula: "")
  }

  var gradeDescription: Description {
    for part in Self.grades {
      let weight = "scaled by the weight of \(part.tones)"
      switch self {
      case part.hue:
        return Description(
          .color, 0...359, digits: 0, unit: "°",
          summary:
            "hue of the tint in \(part.tones): 30 red, 55 orange, 105 yellow, 145 green, 260 blue",
          formula: "the direction of the tint in Oklab")
      case part.saturation:
        return Description(
          .color, 0...1, summary: "strength of the tint in \(part.tones)",
          formula: "a and b plus 0.1 p in the direction of the tint, \(weight)")
      case part.luminance:
        return Description(
          .color, summary: "brighten or darken \(part.tones)", formula: "L plus 0.6 p L (1 - L), \(weight)")
      default: continue
      }
    }
    return Description(.color, summary: "", formula: "")
  }
}
