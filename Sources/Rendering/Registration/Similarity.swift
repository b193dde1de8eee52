import EditModel

/// A map of places that turns, scales and moves them: q = (1 + a, -b; b, 1 + a) p + (x, y), where places are counted
/// from the middle of a picture, in luma samples as a rule.
package struct Similarity: Hashable, Sendable {
  /// The scale times the cosine of the angle, less 1.
  package var a = 0.0
  /// The scale times the sine of the angle.
  package var b = 0.0
  /// The movement of the middle to the right.
  package var x = 0.0
  /// The downward movement of the middle.
  package var y = 0.0

  /// The map that moves nothing.
  package static let identity = Similarity()

  /// - Parameters:
  ///   - a: the scale times the cosine of the angle, less 1.
  ///   - b: the scale times the sine of the angle.
  ///   - x: how far the middle moves to the right.
  ///   - y: how far the middle moves down.
  package init(a: Double = 0, b: Double = 0, x: Double = 0, y: Double = 0) {
    (self.a, self.b, self.x, self.y) = (a, b, x, y)
  }

  /// This map followed by another.
  package func then(_ next: Similarity) -> Similarity {
    let (c, d) = (1 + a, 1 + next.a)
    return Similarity(
      a: c * d - b * next.b - 1, b: c * next.b + b * d, x: d * x - next.b * y + next.x,
      y: next.b * x + d * y + next.y)
  }

  /// The map back.
  package var inverse: Similarity {
    let square = (1 + a) * (1 + a) + b * b
    let (c, s) = ((1 + a) / square, -b / square)
    return Similarity(a: c - 1, b: s, x: -(c * x - s * y), y: -(s * x + c * y))
  }

  /// The same map for places counted in other units.
  ///
  /// - Parameter scale: new units in one of the old ones.
  package func scaled(by scale: Double) -> Similarity { Similarity(a: a, b: b, x: x * scale, y: y * scale) }

  /// Moves a place.
  package func apply(_ place: SIMD2<Double>) -> SIMD2<Double> {
    [(1 + a) * place.x - b * place.y + x, b * place.x + (1 + a) * place.y + y]
  }

  /// The map that moves places of a turned or mirrored picture as this one moves those of the picture.
  package func turned(by orientation: Orientation) -> Similarity {
    let m = orientation.matrix
    return Similarity(
      a: a, b: orientation.isMirrored ? -b : b, x: Double(m.a) * x + Double(m.c) * y,
      y: Double(m.b) * x + Double(m.d) * y)
  }

  /// The same map of places that are counted from the upper left corner.
  ///
  /// - Parameter middle: the middle of the picture.
  func projection(around middle: SIMD2<Double>) -> PictureProjection {
    let corner = apply(-middle) + middle
    return PictureProjection(x: [1 + a, -b, corner.x], y: [b, 1 + a, corner.y])
  }
}
