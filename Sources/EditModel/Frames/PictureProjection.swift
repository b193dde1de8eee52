/// A map from positions in one picture to positions in another picture (a homography). The map keeps straight lines
/// straight. Positions are in fractions of a picture's width and height, or in any other unit.
public struct PictureProjection: Hashable, Sendable {
  /// The coefficients of x, y and 1 for the new x. The sum of the three terms is divided by the sum for ``w``.
  public var x: SIMD3<Double>
  /// The coefficients of x, y and 1 for the new y. The sum of the three terms is divided by the sum for ``w``.
  public var y: SIMD3<Double>
  /// The coefficients of x, y and 1 for the divisor.
  public var w: SIMD3<Double>

  /// - Parameters:
  ///   - x: The factors of x, y and 1 in the new x.
  ///   - y: The factors of x, y and 1 in the new y.
  ///   - w: The factors of x, y and 1 in the divisor.
  public init(
    x: SIMD3<Double> = [1, 0, 0], y: SIMD3<Double> = [0, 1, 0], w: SIMD3<Double> = [0, 0, 1]
  ) {
    (self.x, self.y, self.w) = (x, y, w)
  }

  /// Creates a map that scales both axes and then shifts.
  ///
  /// - Parameters:
  ///   - scale: The factors of x and y.
  ///   - shift: The shift that is applied after scaling.
  public init(scale: SIMD2<Double>, shift: SIMD2<Double>) {
    self.init(x: [scale.x, 0, shift.x], y: [0, scale.y, shift.y])
  }

  // Inlined, because millions of positions are mapped when an edit is fitted.
  /// Maps a position. Returns nil if the divisor is not positive, since such a position has no image.
  @inlinable public func apply(_ point: SIMD2<Double>) -> SIMD2<Double>? {
    let place = SIMD3(point.x, point.y, 1)
    let divisor = (w * place).sum()
    guard divisor > 0 else { return nil }
    return [(x * place).sum() / divisor, (y * place).sum() / divisor]
  }

  /// Returns this map followed by another map.
  public func then(_ next: PictureProjection) -> PictureProjection {
    func row(_ factors: SIMD3<Double>) -> SIMD3<Double> {
      x * factors.x + y * factors.y + w * factors.z
    }
    return PictureProjection(x: row(next.x), y: row(next.y), w: row(next.w))
  }

  /// The inverse map, which must exist.
  public var inverse: PictureProjection {
    func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
    }
    // The columns of the adjugate matrix. The adjugate differs from the inverse only by a factor, which cancels out.
    let columns = [cross(y, w), cross(w, x), cross(x, y)]
    let determinant = (x * columns[0]).sum()
    func row(_ part: KeyPath<SIMD3<Double>, Double>) -> SIMD3<Double> {
      SIMD3(columns[0][keyPath: part], columns[1][keyPath: part], columns[2][keyPath: part]) / determinant
    }
    return PictureProjection(x: row(\.x), y: row(\.y), w: row(\.z))
  }
}

extension PictureProjection {
  /// Creates the map for a rotated or mirrored picture. Positions are in fractions of the width and height.
  public init(_ orientation: Orientation) {
    let m = orientation.matrix
    self.init(
      x: [Double(m.a), Double(m.c), m.a + m.c < 0 ? 1 : 0],
      y: [Double(m.b), Double(m.d), m.b + m.d < 0 ? 1 : 0])
  }

  /// Returns the bounding box (an upright rectangle) of a rectangle's image.
  ///
  /// - Parameters:
  ///   - minimum: The minimum x and y of the rectangle.
  ///   - maximum: The maximum x and y of the rectangle.
  /// - Returns: nil if a corner cannot be mapped.
  public func bounds(
    _ minimum: SIMD2<Double>, _ maximum: SIMD2<Double>
  ) -> (minimum: SIMD2<Double>, maximum: SIMD2<Double>)? {
    let corners = [minimum, [maximum.x, minimum.y], [minimum.x, maximum.y], maximum].compactMap(apply)
    guard corners.count == 4 else { return nil }
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
      return nil
    }
    return ([left, top], [right, bottom])
  }
}
