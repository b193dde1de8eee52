import EditModel
import Glibc

/// Changes hue, saturation and luminance in eight overlapping hue ranges in Oklab.
struct HueRanges: Sendable {
  /// The centres of the ranges, as positions along the perimeter of a square. See ``turn(_:_:)``.
  private let middles: [Double]
  /// The changes for each range: the tangent of half the hue rotation, the chroma factor minus 1, and the change of
  /// lightness.
  private let changes: [SIMD3<Double>]

  /// - Returns: Nil if the edit changes no hue range.
  init?(_ edit: Edit) {
    let ranges = Parameter.hueRanges
    guard ranges.contains(where: { edit[$0.hue] != 0 || edit[$0.saturation] != 0 || edit[$0.luminance] != 0 })
    else { return nil }
    middles = ranges.map { Self.turn(cos($0.degrees * .pi / 180), sin($0.degrees * .pi / 180)) }
    changes = ranges.map { range in
      SIMD3(tan(edit[range.hue] * .pi / 12), edit[range.saturation], 0.25 * edit[range.luminance])
    }
  }

  /// Returns an angle as a position along the perimeter of a square, from 0 to 4. Unlike the angle itself, this
  /// position can be calculated without a C library function.
  @inline(__always)
  private static func turn(_ a: Double, _ b: Double) -> Double {
    if b >= 0 { return a >= 0 ? b / (a + b + 1e-30) : 1 - a / (b - a) }
    return a < 0 ? 2 + b / (a + b) : 3 + a / (a - b)
  }

  @inline(__always)
  func apply(_ lab: SIMD3<Double>) -> SIMD3<Double> {
    let chroma = (lab.y * lab.y + lab.z * lab.z).squareRoot()
    guard chroma > 1e-6 else { return lab }
    let turn = Self.turn(lab.y, lab.z)
    let last = middles.count - 1
    let upper = middles.firstIndex { $0 > turn } ?? 0
    let lower = upper == 0 ? last : upper - 1
    let width = middles[upper] - middles[lower] + (upper == 0 ? 4 : 0)
    let distance = turn - middles[lower]
    let weight = smoothstep((distance < 0 ? distance + 4 : distance) / width)
    let change = changes[lower] + (changes[upper] - changes[lower]) * weight
    // Rotate by the angle whose half has the tangent t.
    let t = change.x
    let (cosine, sine) = ((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t))
    let gain = 1 + change.y
    // Nearly grey colours have hardly any hue.
    let coloured = chroma / (chroma + 0.05)
    return [
      lab.x * (1 + change.z * coloured), gain * (lab.y * cosine - lab.z * sine),
      gain * (lab.y * sine + lab.z * cosine),
    ]
  }
}
