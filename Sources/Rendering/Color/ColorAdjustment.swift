import EditModel

/// All colour changes of an edit that do not depend on position, as a function of linear light in the working space
/// (BT.2020 primaries, reference white at 1).
///
/// The changes are applied in this order: white balance; exposure, proportional tone and per-channel tone, which
/// preserve the hue that white balance produced; curves of single channels; chroma, hue ranges and grading in Oklab;
/// compression of out-of-gamut colours into the gamut; black and white; the look. ``Parameter/description`` contains
/// the formulas.
struct ColorAdjustment: Sendable {
  private let balance: WhiteBalance?
  private let exposure: ExposureStage?
  private let tone: ToneStage?
  private let channels: ChannelCurve?
  private let primaries: PrimaryCurves?
  private let chroma: ChromaStage?
  private let ranges: HueRanges?
  private let grading: ColorGrading?
  private let gamut: Gamut?
  private let monochrome: MonochromeStage?
  private let look: LookStage?
  private let space = Oklab()

  /// - Parameters:
  ///   - edit: The edit. Its orientation is ignored.
  ///   - peak: The brightest linear light that the source can encode.
  ///   - gamut: The gamut that the result can encode. If nil, out-of-gamut colours are left unchanged.
  /// - Returns: Nil if the edit does not change colours.
  init?(_ edit: Edit, peak: Double, gamut: Gamut? = nil) {
    balance = WhiteBalance(edit)
    exposure = ExposureStage(edit, balance, peak: peak)
    tone = ToneStage(edit)
    channels = Self.channelCurve(edit)
    primaries = PrimaryCurves(edit)
    chroma = ChromaStage(edit)
    ranges = HueRanges(edit)
    grading = ColorGrading(edit)
    monochrome = MonochromeStage(edit)
    look = edit.look.map(LookStage.init)
    self.gamut = gamut
    let stages: [Any?] = [
      balance, exposure, tone, channels, primaries, chroma, ranges, grading, monochrome, look,
    ]
    if stages.allSatisfy({ $0 == nil }) { return nil }
  }

  /// Returns the colour after the edit.
  @inline(__always)
  func apply(_ original: SIMD3<Double>) -> SIMD3<Double> {
    var color = original
    if let balance { color = balance.matrix * color }
    let balanced = color
    if let exposure { color = exposure.apply(color) }
    if let tone { color = tone.apply(color) }
    if let channels { color = Self.encoded(color, through: channels) }
    if exposure != nil || channels != nil { color = space.withHue(of: balanced, color) }
    if let primaries { color = primaries.apply(color) }
    if chroma != nil || ranges != nil || grading != nil {
      var lab = space.lab(color)
      if let ranges { lab = ranges.apply(lab) }
      if let chroma { lab = chroma.apply(lab) }
      if let grading { lab = grading.apply(lab) }
      color = space.color(lab)
    }
    if let gamut { color = gamut.broughtBack(color, from: original) }
    if let monochrome { color = monochrome.apply(color) }
    if let look { color = look.apply(color) }
    return color
  }

  @inline(__always)
  private static func encoded(_ color: SIMD3<Double>, through curve: ChannelCurve) -> SIMD3<Double> {
    let encoded = TransferFunction.sRGBEncoded(color)
    return TransferFunction.sRGBLinear(SIMD3(curve(encoded.x), curve(encoded.y), curve(encoded.z)))
  }

  /// Returns the combined curve of black point, contrast, levels and the user's curve.
  private static func channelCurve(_ edit: Edit) -> ChannelCurve? {
    let levels: [Parameter] = [
      .levelsBlack, .levelsMidtone, .levelsWhite, .levelsOutputBlack, .levelsOutputWhite,
    ]
    let used = levels + [.blackPoint, .contrast]
    guard edit.curve != .neutral || used.contains(where: { edit[$0] != $0.description.neutral }) else {
      return nil
    }
    let (black, contrast) = (edit[.blackPoint], edit[.contrast])
    let (low, high) = (edit[.levelsBlack], edit[.levelsWhite])
    let (least, greatest) = (edit[.levelsOutputBlack], edit[.levelsOutputWhite])
    let midtone = PowerOfTwo.value(-edit[.levelsMidtone])
    let curve = edit.curve == .neutral ? nil : edit.curve.function
    return ChannelCurve { value in
      var v = value
      let rest = (1 - v) * (1 - v)
      v *= 1 - 0.85 * black * rest * rest
      v += 1.5 * contrast * v * (1 - v) * (v - 0.48)
      v = min(max((v - low) / (high - low), 0), 1)
      v = v / (v + (1 - v) * midtone)
      v = least + v * (greatest - least)
      return curve.map { $0(v) } ?? v
    }
  }
}

extension Oklab {
  /// Returns the colour with the hue of another colour. Lightness and chroma do not change. If the other colour is
  /// grey, the hue does not change either.
  @inline(__always)
  func withHue(of other: SIMD3<Double>, _ color: SIMD3<Double>) -> SIMD3<Double> {
    let wanted = lab(other)
    let square = wanted.y * wanted.y + wanted.z * wanted.z
    guard square > 1e-10 else { return color }
    var lab = lab(color)
    let scale = ((lab.y * lab.y + lab.z * lab.z) / square).squareRoot()
    (lab.y, lab.z) = (wanted.y * scale, wanted.z * scale)
    return self.color(lab)
  }
}
