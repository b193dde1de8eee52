internal import CPixelKernels

/// The tables of ``LocalLight`` for one colour encoding and one edit.
struct LightTables: Sendable {
  /// Two tables indexed by luma. Both contain light in EV; the first, which is used to calculate the base, has a small
  /// offset at black.
  let smoothed, light: [Float]
  /// Two tables indexed by the base in EV: the change in EV, and the fraction of detail to add.
  let change, detail: [Float]
  /// The encoded luma for each light value in EV.
  let encoded: [Float]

  /// The offset added to light when the base is calculated, so that tones darker than this offset hardly matter.
  private static let least = 1.0 / 512

  /// - Parameters:
  ///   - curves: The curves of the edit.
  ///   - transfer: The transfer function of luma.
  init(_ curves: LightCurves, _ transfer: TransferFunction) {
    let lights = (0..<Int(LIGHT_CODE_COUNT)).map {
      transfer.linear(Double($0) / Double(LIGHT_CODES))
    }
    smoothed = lights.map { Float(Base2.logarithm(max($0, 0) + Self.least)) }
    light = lights.map { Float(max(Base2.logarithm(max($0, 1e-9)), Double(LIGHT_LEAST))) }
    let steps = (0...Int(LIGHT_STEP_COUNT)).map {
      Double(LIGHT_LEAST) + (Double($0)) / Double(LIGHT_STEPS)
    }
    // The tables are not interpolated, so each entry is calculated for the centre of its step.
    let middles = steps.map { $0 + 0.5 / Double(LIGHT_STEPS) }
    change = middles.map { Float(curves.change($0)) }
    detail = middles.map { Float(curves.detail($0)) }
    encoded = steps.map { Float(transfer.encoded(PowerOfTwo.value($0))) }
  }
}

/// Base-2 logarithms calculated without the C library. See ``Roots`` for the reason.
enum Base2 {
  /// - Parameter x: A positive number.
  static func logarithm(_ x: Double) -> Double {
    guard x > 0 else { return -1022 }
    // log₂ m = 2 artanh((m - 1) / (m + 1)) / ln 2 with m from √½ to √2.
    var (exponent, m) = (Double(x.exponent), x.significand)
    if m > 1.4142135623730951 { (exponent, m) = (exponent + 1, m / 2) }
    let t = (m - 1) / (m + 1)
    let square = t * t
    var (term, sum) = (t, 0.0)
    for k in 0..<14 {
      sum += term / Double(2 * k + 1)
      term *= square
    }
    return exponent + 2 * sum / 0.6931471805599453
  }
}
