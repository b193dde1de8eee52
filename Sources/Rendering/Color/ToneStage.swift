import EditModel

/// Applies brightness, whites and the luma curve. All three channels are multiplied by the same factor, by which the
/// curve changes the norm Σ|c|³ / Σc² of the colour. This norm is close to the brightest channel.
struct ToneStage: Sendable {
  private let curve: ChannelCurve

  /// - Returns: Nil if the edit changes none of these values.
  init?(_ edit: Edit) {
    let (brightness, whites) = (edit[.brightness], edit[.whites])
    let luma = edit.channelCurves[.luma].map(\.function)
    guard brightness != 0 || whites != 0 || luma != nil else { return nil }
    curve = ChannelCurve { value in
      var v = value
      v += 0.7 * brightness * v * (1 - v)
      v /= 1 - 0.13 * whites * v * v
      return luma.map { $0(min(v, 1)) } ?? v
    }
  }

  @inline(__always)
  func apply(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let square = color * color
    let sum = square.sum()
    // Near black, the curve is nearly straight.
    guard sum > 1e-8 else { return color * curve.startSlope }
    let cube = abs(color.x) * square.x + abs(color.y) * square.y + abs(color.z) * square.z
    let norm = cube / sum
    return color * (TransferFunction.sRGBLinear(curve(TransferFunction.sRGBEncoded(norm))) / norm)
  }
}

/// Applies the curves of red, green and blue to values encoded with sRGB primaries and transfer function.
struct PrimaryCurves: Sendable {
  private let red: ChannelCurve?
  private let green: ChannelCurve?
  private let blue: ChannelCurve?
  private let toSRGB: Matrix3
  private let toWorking: Matrix3

  /// - Returns: Nil if the edit has none of these curves.
  init?(_ edit: Edit) {
    func curve(_ channel: ToneCurve.Channel) -> ChannelCurve? {
      edit.channelCurves[channel].map { ChannelCurve($0.function) }
    }
    (red, green, blue) = (curve(.red), curve(.green), curve(.blue))
    guard red != nil || green != nil || blue != nil else { return nil }
    toWorking = Primaries.bt709.toWorking
    toSRGB = toWorking.inverse ?? .identity
  }

  @inline(__always)
  func apply(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var v = TransferFunction.sRGBEncoded(toSRGB * color)
    if let red { v.x = red(v.x) }
    if let green { v.y = green(v.y) }
    if let blue { v.z = blue(v.z) }
    return toWorking * TransferFunction.sRGBLinear(v)
  }
}
