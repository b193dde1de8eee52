import EditModel

/// All that an edit does to colours, as a function of linear light in the working space (BT.2020 primaries,
/// reference white at 1).
///
/// In this order: white balance and exposure with their soft shoulder; tone in proportion; tone by channel;
/// saturation and vibrance; black and white; the look. ``Parameter/description`` has the formulas.
struct ColorAdjustment: Sendable {
  private let light: LightStage?
  private let tone: ToneStage?
  private let channels: ChannelCurve?
  private let chroma: ChromaStage?
  private let monochrome: MonochromeStage?
  private let look: LookStage?

  /// - Parameters:
  ///   - edit: the edit; its orientation has no meaning here.
  ///   - peak: the greatest linear light that the source can encode.
  /// - Returns: nil when colours stay as they are.
  init?(_ edit: Edit, peak: Double) {
    light = LightStage(edit, peak: peak)
    tone = ToneStage(edit)
    channels = Self.channelCurve(edit)
    chroma = ChromaStage(edit)
    monochrome = MonochromeStage(edit)
    look = edit.look.map(LookStage.init)
    if light == nil, tone == nil, channels == nil, chroma == nil, monochrome == nil, look == nil {
      return nil
    }
  }

  /// The colour after the edit.
  @inline(__always)
  func apply(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var color = color
    if let light { color = light.apply(color) }
    if let tone { color = tone.apply(color) }
    if let channels { color = Self.encoded(color, through: channels) }
    if let chroma { color = chroma.apply(color) }
    if let monochrome { color = monochrome.apply(color) }
    if let look { color = look.apply(color) }
    return color
  }

  @inline(__always)
  private static func encoded(_ color: SIMD3<Double>, through curve: ChannelCurve) -> SIMD3<Double> {
    let encoded = TransferFunction.sRGBEncoded(color)
    return TransferFunction.sRGBLinear(SIMD3(curve(encoded.x), curve(encoded.y), curve(encoded.z)))
  }

  /// Black point, contrast, levels and the curve.
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

/// White balance and exposure.
private struct LightStage: Sendable {
  let matrix: Matrix3
  let shoulders: (SoftShoulder?, SoftShoulder?, SoftShoulder?)

  init?(_ edit: Edit, peak: Double) {
    let (warmth, tint) = (edit[.warmth], edit[.tint])
    guard edit[.exposure] != 0 || warmth != 0 || tint != 0 else { return nil }
    let gain = PowerOfTwo.value(edit[.exposure])
    var matrix = Matrix3(diagonal: [gain, gain, gain])
    if warmth != 0 || tint != 0 {
      let neutral = 1_000_000 / 6504.0
      let adaptation = ChromaticAdaptation.matrix(
        from: ChromaticAdaptation.daylight(mired: neutral, offset: 0),
        to: ChromaticAdaptation.daylight(mired: neutral + 70 * warmth, offset: -0.02 * tint))
      matrix = matrix * (Primaries.xyzToWorking * (adaptation * Primaries.bt2020.toXYZ))
    }
    self.matrix = matrix
    let white = matrix * SIMD3(peak, peak, peak)
    let made = (0..<3).map { SoftShoulder(knee: peak / 2, top: peak, largest: white[$0]) }
    shoulders = (made[0], made[1], made[2])
  }

  @inline(__always)
  func apply(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var c = matrix * color
    if let shoulder = shoulders.0 { c.x = shoulder(c.x) }
    if let shoulder = shoulders.1 { c.y = shoulder(c.y) }
    if let shoulder = shoulders.2 { c.z = shoulder(c.z) }
    return c
  }
}

/// Brilliance, highlights, shadows and brightness: the three channels change in proportion, by what a curve
/// does to their norm Σ|c|³ / Σc², which lies near the greatest channel.
private struct ToneStage: Sendable {
  let curve: ChannelCurve

  init?(_ edit: Edit) {
    let (brilliance, highlights) = (edit[.brilliance], edit[.highlights])
    let (shadows, brightness) = (edit[.shadows], edit[.brightness])
    guard brilliance != 0 || highlights != 0 || shadows != 0 || brightness != 0 else { return nil }
    curve = ChannelCurve { value in
      func low(_ v: Double) -> Double { v * v * (1 - v) * (1 - v) * (1 - v) * (1 - v) }
      func high(_ v: Double) -> Double { low(1 - v) }
      var v = value
      v += brilliance * (4.5 * low(v) - 2.5 * high(v))
      v += 6.5 * highlights * high(v)
      v += 6.5 * shadows * low(v)
      v += 0.7 * brightness * v * (1 - v)
      return v
    }
  }

  @inline(__always)
  func apply(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let square = color * color
    let sum = square.sum()
    // So near black the curve is straight.
    guard sum > 1e-8 else { return color * curve.startSlope }
    let cube = abs(color.x) * square.x + abs(color.y) * square.y + abs(color.z) * square.z
    let norm = cube / sum
    return color * (TransferFunction.sRGBLinear(curve(TransferFunction.sRGBEncoded(norm))) / norm)
  }
}

/// Saturation and vibrance: lightness and hue in Oklab stay.
private struct ChromaStage: Sendable {
  let saturation: Double
  let vibrance: Double
  let shoulder: SoftShoulder?
  let space = Oklab()

  /// Chroma over lightness: where strong colours begin, and beyond those of BT.2020's primaries.
  private static let knee = 0.05
  private static let top = 0.75

  /// The hue of skin of all complexions in Oklab: 55 degrees.
  private static let skin = (a: 0.5735764363510461, b: 0.8191520442889918)

  init?(_ edit: Edit) {
    guard edit[.saturation] != 0 || edit[.vibrance] != 0 else { return nil }
    let value = edit[.saturation]
    saturation = 1 + (value > 0 ? 0.7 * value : value)
    vibrance = edit[.vibrance]
    shoulder = SoftShoulder(knee: Self.knee, top: Self.top, largest: Self.top * saturation)
  }

  @inline(__always)
  func apply(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var lab = space.lab(color)
    let square = lab.y * lab.y + lab.z * lab.z
    var gain = saturation
    if vibrance != 0 {
      // Without the small number the hue of greys would be undefined.
      let along = (lab.y * Self.skin.a + lab.z * Self.skin.b) / (square + 1e-6).squareRoot()
      let near = max(along, 0)
      let squared = near * near
      let fourth = squared * squared
      let spared = 1 - 0.65 * fourth * fourth
      gain *= 1 + 0.8 * vibrance * spared / (1 + square * (1 / (0.12 * 0.12)))
    }
    if let shoulder {
      // Chroma over lightness does not depend on how much light there is.
      let chroma = square.squareRoot()
      let wanted = chroma * gain
      if wanted > Self.knee * lab.x, lab.x > 1e-4 { gain = shoulder(wanted / lab.x) * lab.x / chroma }
    }
    lab.y *= gain
    lab.z *= gain
    return space.color(lab)
  }
}

/// Black and white.
private struct MonochromeStage: Sendable {
  let share: Double
  let weights: SIMD3<Double>
  let curve: ChannelCurve?

  init?(_ edit: Edit) {
    share = edit[.monochrome]
    guard share > 0 else { return nil }
    let mix = [edit[.monochromeRed], edit[.monochromeGreen], edit[.monochromeBlue]]
    let luminance = SIMD3(0.2627, 0.6780, 0.0593)
    let scaled = luminance * SIMD3(mix.map { PowerOfTwo.value(2 * $0) })
    weights = scaled / scaled.sum()
    let tone = edit[.monochromeTone]
    curve = tone == 0 ? nil : ChannelCurve { $0 + 1.5 * tone * $0 * (1 - $0) * ($0 - 0.48) }
  }

  @inline(__always)
  func apply(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var grey = (color * weights).sum()
    if let curve { grey = TransferFunction.sRGBLinear(curve(TransferFunction.sRGBEncoded(grey))) }
    return color + share * (SIMD3(repeating: grey) - color)
  }
}

/// Powers of two of numbers with few digits, without the C library: see ``Roots``.
enum PowerOfTwo {
  /// - Parameter exponent: any number from -1000 to 1000.
  static func value(_ exponent: Double) -> Double {
    let whole = exponent.rounded(.down)
    // The fraction bit by bit: each is a square root of the one before.
    var (rest, root, product) = (exponent - whole, 2.0.squareRoot(), 1.0)
    for _ in 0..<53 {
      rest *= 2
      if rest >= 1 {
        product *= root
        rest -= 1
      }
      root = root.squareRoot()
    }
    return Double(sign: .plus, exponent: Int(whole), significand: product)
  }
}
