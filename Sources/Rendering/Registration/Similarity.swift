import EditModel

/// A mapping that rotates, scales and moves positions: q = (1 + a, -b; b, 1 + a) p + (x, y). Positions are measured
/// from the centre of a picture, usually in luma samples.
package struct Similarity: Hashable, Sendable {
  /// The scale times the cosine of the angle, minus 1.
  package var a = 0.0
  /// The scale times the sine of the angle.
  package var b = 0.0
  /// The shift of the centre to the right.
  package var x = 0.0
  /// The shift of the centre downwards.
  package var y = 0.0

  /// The mapping that changes nothing.
  package static let identity = Similarity()

  /// - Parameters:
  ///   - a: The scale times the cosine of the angle, minus 1.
  ///   - b: The scale times the sine of the angle.
  ///   - x: The shift of the centre to the right.
  ///   - y: The shift of the centre downwards.
  package init(a: Double = 0, b: Double = 0, x: Double = 0, y: Double = 0) {
    (self.a, self.b, self.x, self.y) = (a, b, x, y)
  }

  /// Returns this mapping followed by another mapping.
  package func then(_ next: Similarity) -> Similarity {
    let (c, d) = (1 + a, 1 + next.a)
    return Similarity(
      a: c * d - b * next.b - 1, b: c * next.b + b * d, x: d * x - next.b * y + next.x,
      y: next.b * x + d * y + next.y)
  }

  /// The inverse mapping.
  package var inverse: Similarity {
    let square = (1 + a) * (1 + a) + b * b
    let (c, s) = ((1 + a) / square, -b / square)
    return Similarity(a: c - 1, b: s, x: -(c * x - s * y), y: -(s * x + c * y))
  }

  /// Returns the same mapping for positions in other units.
  ///
  /// - Parameter scale: The number of new units per old unit.
  package func scaled(by scale: Double) -> Similarity { Similarity(a: a, b: b, x: x * scale, y: y * scale) }

  /// Returns the position to which this mapping moves a position.
  package func apply(_ place: SIMD2<Double>) -> SIMD2<Double> {
    [(1 + a) * place.x - b * place.y + x, b * place.x + (1 + a) * place.y + y]
  }

  /// Returns the same mapping for positions in the rotated or mirrored picture.
  package func turned(by orientation: Orientation) -> Similarity {
    let m = orientation.matrix
    return Similarity(
      a: a, b: orientation.isMirrored ? -b : b, x: Double(m.a) * x + Double(m.c) * y,
      y: Double(m.b) * x + Double(m.d) * y)
  }

  /// Returns the same mapping for positions measured from the top-left corner.
  ///
  /// - Parameter middle: The centre of the picture.
  func projection(around middle: SIMD2<Double>) -> PictureProjection {
    let corner = apply(-middle) + middle
    return PictureProjection(x: [1 + a, -b, corner.x], y: [b, 1 + a, corner.y])
  }
}
