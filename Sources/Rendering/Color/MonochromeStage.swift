import EditModel

/// Converts colours to black and white.
struct MonochromeStage: Sendable {
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
