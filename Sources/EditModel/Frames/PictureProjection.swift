/// A map from the places of one picture to those of another that keeps lines straight (a homography), in fractions of
/// their widths and heights, or in whatever other units.
public struct PictureProjection: Hashable, Sendable {
  /// The terms of x: the factors of x, y and 1, to be divided by what ``w`` gives.
  public var x: SIMD3<Double>
  /// The terms of y.
  public var y: SIMD3<Double>
  /// The terms of the number that both are divided by.
  public var w: SIMD3<Double>

  /// - Parameters:
  ///   - x: the factors of x, y and 1 in the new x.
  ///   - y: the same in the new y.
  ///   - w: the same in what both are divided by.
  public init(
    x: SIMD3<Double> = [1, 0, 0], y: SIMD3<Double> = [0, 1, 0], w: SIMD3<Double> = [0, 0, 1]
  ) {
    (self.x, self.y, self.w) = (x, y, w)
  }

  /// Scales both axes, then shifts.
  ///
  /// - Parameters:
  ///   - scale: factors of x and y.
  ///   - shift: what is added then.
  public init(scale: SIMD2<Double>, shift: SIMD2<Double>) {
    self.init(x: [scale.x, 0, shift.x], y: [0, scale.y, shift.y])
  }

  // Inlined, for fits ask for millions of places.
  /// Maps a place; nil where it lands nowhere.
  @inlinable public func apply(_ point: SIMD2<Double>) -> SIMD2<Double>? {
    let place = SIMD3(point.x, point.y, 1)
    let divisor = (w * place).sum()
    guard divisor > 0 else { return nil }
    return [(x * place).sum() / divisor, (y * place).sum() / divisor]
  }

  /// This map followed by another.
  public func then(_ next: PictureProjection) -> PictureProjection {
    func row(_ factors: SIMD3<Double>) -> SIMD3<Double> {
      x * factors.x + y * factors.y + w * factors.z
    }
    return PictureProjection(x: row(next.x), y: row(next.y), w: row(next.w))
  }

  /// The map back. It must exist.
  public var inverse: PictureProjection {
    func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
    }
    // The columns of the adjugate matrix; it differs from the inverse by a factor, which cancels.
    let columns = [cross(y, w), cross(w, x), cross(x, y)]
    let determinant = (x * columns[0]).sum()
    func row(_ part: KeyPath<SIMD3<Double>, Double>) -> SIMD3<Double> {
      SIMD3(columns[0][keyPath: part], columns[1][keyPath: part], columns[2][keyPath: part]) / determinant
    }
    return PictureProjection(x: row(\.x), y: row(\.y), w: row(\.z))
  }
}

extension PictureProjection {
  /// Places of a turned or mirrored picture, in fractions.
  public init(_ orientation: Orientation) {
    let m = orientation.matrix
    self.init(
      x: [Double(m.a), Double(m.c), m.a + m.c < 0 ? 1 : 0],
      y: [Double(m.b), Double(m.d), m.b + m.d < 0 ? 1 : 0])
  }

  /// The upright rectangle around what a rectangle becomes.
  ///
  /// - Parameters:
  ///   - minimum: its least x and y.
  ///   - maximum: its greatest x and y.
  /// - Returns: nil where a corner has no place.
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
