import Basics

extension Parameter {
  /// The parameter's meaning and its valid values.
  ///
  /// In the formulas, p is the parameter's value. Linear light is 1 at reference white. v is an encoded value from 0 to
  /// 1 with the transfer function of IEC 61966-2-1 (sRGB). C is chroma in Oklab. Y is luma in 8-bit codes.
  public var description: Description {
    switch self {
    case .exposure:
      Description(
        .light, -4...4, unit: "EV",
        summary: "brighten or darken, like a longer or shorter exposure",
        formula: "linear light times 2^p; above half of the maximum, a soft shoulder keeps white at white")
    case .brilliance:
      Description(
        .light, summary: "brighten dark and darken bright areas, bring out detail",
        formula: "light times 2^(p (0.6 s((-1.5 - b) / 5.5) - 0.2 h + 0.15 d s((b + 9) / 4)))")
    case .whites:
      Description(
        .light, summary: "brighten or darken near-white tones",
        formula: "v / (1 - 0.13 p v²), all channels scaled in proportion")
    case .highlights:
      Description(
        .light,
        summary: "brighten or darken bright areas, keeping their detail",
        formula:
          "light times 2^(0.36 p h) with h = s((b + 2.5) / 1.6) (1 - s((b + 0.5) / 0.5) / 4); if brightened, h times"
          + " 1 - s(b + 1)")
    case .shadows:
      Description(
        .light, summary: "brighten or darken dark areas, keeping pure black",
        formula: "light times 2^(1.18 p s((-1.5 - b) / 5.5)), and above 0 times 2^(0.1 p d s((-1.5 - b) / 2))"
      )
    case .dehaze:
      Description(
        .light, summary: "remove or add haze",
        formula:
          "(v - 0.6 p D) / (1 - 0.6 p D / A), where D is the minimum of red, green and blue within S / 64, A the value of its"
          + " brightest hundredth; chroma increases by half as much; below 0, (v + 0.3 |p| A) / (1 + 0.3 |p|)"
      )
    case .brightness:
      Description(
        .light, summary: "brighten or darken midtones, keeping black and white",
        formula: "v + 0.7 p v (1 - v), all channels scaled in proportion")
    case .contrast:
      Description(
        .light, summary: "increase or reduce contrast",
        formula: "v + 1.5 p v (1 - v) (v - 0.48) in every channel")
    case .blackPoint:
      Description(
        .light, summary: "deepen or lift near-black tones",
        formula: "v (1 - 0.85 p (1 - v)⁴) in every channel")
    case .levelsBlack:
      Description(
        .light, 0...0.3, digits: 3, summary: "input level that becomes black",
        formula: "(v - p) / (levelsWhite - p) in every channel, clipped to the range from 0 to 1")
    case .levelsMidtone:
      Description(
        .light,
        summary: "midpoint between the input levels; positive brightens",
        formula: "v / (v + (1 - v) k) with k = 2^-p, after the input levels")
    case .levelsWhite:
      Description(
        .light, 0.7...1, neutral: 1, digits: 3, summary: "input level that becomes white",
        formula: "(v - levelsBlack) / (p - levelsBlack) in every channel, clipped to the range from 0 to 1")
    case .levelsOutputBlack:
      Description(
        .light, 0...0.45, digits: 3, summary: "output level of black",
        formula: "p + v (levelsOutputWhite - p) in every channel")
    case .levelsOutputWhite:
      Description(
        .light, 0.55...1, neutral: 1, digits: 3, summary: "output level of white",
        formula: "levelsOutputBlack + v (p - levelsOutputBlack) in every channel")
    case .saturation:
      Description(
        .color, summary: "strengthen or weaken colours; -1 is grey",
        formula: "C times 1 + p below 0, times 1 + 0.7 p above")
    case .vibrance:
      Description(
        .color, summary: "strengthen or weaken pale colours, protecting skin",
        formula: "C times 1 + 0.8 p w s with w = 1 / (1 + (C / 0.075)⁴); s falls to 0.28 at the hue of skin")
    case .temperature:
      Description(
        .color, 2500...25000, neutral: 6504, digits: 0, unit: "K",
        summary: "colour of the light; higher is warmer",
        formula: "adaptation (Bradford) from daylight of p kelvin to 6504 K")
    case .warmth:
      Description(
        .color, summary: "make the light warmer or cooler",
        formula: "adaptation (Bradford) from 6504 K to 153.8 + 70 p mired on the daylight locus")
    case .tint:
      Description(
        .color, summary: "shift colours towards magenta or green",
        formula: "adaptation (Bradford) to a white 0.02 p across the daylight locus (CIE 1960 u, v)")
    case .redHue, .redSaturation, .redLuminance, .orangeHue, .orangeSaturation, .orangeLuminance, .yellowHue,
      .yellowSaturation, .yellowLuminance, .greenHue, .greenSaturation, .greenLuminance, .cyanHue,
      .cyanSaturation,
      .cyanLuminance, .blueHue, .blueSaturation, .blueLuminance, .purpleHue, .purpleSaturation,
      .purpleLuminance,
      .magentaHue, .magentaSaturation, .magentaLuminance:
      hueRangeDescription
    case .shadowGradeHue, .shadowGradeSaturation, .shadowGradeLuminance, .midtoneGradeHue,
      .midtoneGradeSaturation,
      .midtoneGradeLuminance, .highlightGradeHue, .highlightGradeSaturation, .highlightGradeLuminance:
      gradeDescription
    case .monochrome:
      Description(
        .blackAndWhite, 0...1, summary: "mix in black and white; 1 removes all colour",
        formula: "linear light mixed with the weighted sum of its channels")
    case .monochromeTone:
      Description(
        .blackAndWhite, summary: "contrast of the black-and-white picture",
        formula: "v + 1.5 p v (1 - v) (v - 0.48) of the sum")
    case .monochromeRed:
      Description(
        .blackAndWhite, summary: "lightness of red in black and white",
        formula: "the weight of red light times 4^p; the three weights are scaled to the sum 1")
    case .monochromeGreen:
      Description(
        .blackAndWhite, summary: "lightness of green in black and white",
        formula: "the weight of green light times 4^p; the three weights are scaled to the sum 1")
    case .monochromeBlue:
      Description(
        .blackAndWhite, summary: "lightness of blue in black and white",
        formula: "the weight of blue light times 4^p; the three weights are scaled to the sum 1")
    case .sharpness:
      Description(
        .detail, 0...1, summary: "sharpen edges, but not noise or flat areas",
        formula:
          "Y + 3 p (Y - m) V / (V + 6) / (1 + V / 600) with m of radius S / 2000 and V the mean of (Y - m)² of radius"
          + " S / 1000")
    case .definition:
      Description(
        .detail, 0...1,
        summary: "increase local contrast without halos",
        formula: "light times 2^(0.52 p d s((b + 9) / 4))")
    case .noiseReduction:
      Description(
        .detail, 0...1, summary: "reduce noise in brightness and colour, keeping edges",
        formula:
          "cosine coefficients of blocks of 8×8 samples below 3.5 p e (in Cb and Cr, 4.4 p e) are dropped, then all c"
          + " times k² / (k² + 4 p² e²), where k is what remained of c, and e the noise found in the picture"
      )
    case .vignette:
      Description(
        .effects, summary: "darken the corners, or brighten them if negative",
        formula:
          "blend with black, or with white below 0, by the share 0.85 |p| t² (3 - 2 t) with"
          + " t = (d - r) / w + 1/2, limited to the range from 0 to 1")
    case .vignetteRadius:
      Description(
        .effects, 0...1, neutral: 0.5, summary: "where the vignette reaches half its strength",
        formula: "r = 0.35 + 0.7 p of the distance from the centre to a corner")
    case .vignetteSoftness:
      Description(
        .effects, 0...1, neutral: 0.5, summary: "how gradually the vignette fades in",
        formula: "w = 0.1 + 1.2 p of the distance from the centre to a corner")
    case .grain:
      Description(
        .effects, 0...1, summary: "add film grain, the same in every frame",
        formula:
          "Y + n min(40 p 4 v (1 - v), d / 3.2) with v = Y from 0 to 1, d the distance of Y from black or white, and n noise"
          + " with the mean 0")
    case .grainSize:
      Description(
        .effects, 0...1, neutral: 0.3, summary: "coarseness of the grain",
        formula: "a grain has the size S (0.5 + p) / 2000")
    }
  }
}

extension Parameter.Description {
  init(
    _ group: EditPart, _ range: ClosedRange<Double> = -1...1, neutral: Double = 0, digits: Int = 2,
    unit: String? = nil, summary: Message, formula: String
  ) {
    (self.group, self.range, self.neutral) = (group, range, neutral)
    (self.digits, self.unit, self.summary, self.formula) = (digits, unit, summary, formula)
  }
}
