import EditModel
import Glibc

/// Three-way colour grading in Oklab, with a separate tint and lightness for shadows, mid-tones and highlights.
struct ColorGrading: Sendable {
  /// The changes of the Oklab values (lightness, a and b) for shadows, mid-tones and highlights.
  private let changes: [SIMD3<Double>]

  /// - Returns: Nil if the edit contains no colour grading.
  init?(_ edit: Edit) {
    let parts = Parameter.grades
    guard parts.contains(where: { edit[$0.saturation] != 0 || edit[$0.luminance] != 0 }) else { return nil }
    changes = parts.map { part in
      let angle = edit[part.hue] * .pi / 180
      let chroma = 0.1 * edit[part.saturation]
      return [0.6 * edit[part.luminance], chroma * cos(angle), chroma * sin(angle)]
    }
  }

  @inline(__always)
  func apply(_ lab: SIMD3<Double>) -> SIMD3<Double> {
    let shadows = 1 - smoothstep((lab.x - 0.2) / 0.45)
    let highlights = smoothstep((lab.x - 0.55) / 0.4)
    let change =
      changes[0] * shadows + changes[1] * (1 - shadows - highlights) + changes[2] * highlights
    let room = max(lab.x * (1 - lab.x), 0)
    return [lab.x + change.x * room, lab.y + change.y, lab.z + change.z]
  }
}
