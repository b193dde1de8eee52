import EditModel

extension PixelSize {
  /// Returns the picture's size after a rotation or mirroring.
  package func turned(by transform: Orientation) -> Self { Self(turning: (width, height), by: transform) }

  /// Converts a shape in a picture of this size to the coordinates of the transformed picture. The shape is a point (x,
  /// y), a circle (x, y, diameter) or a rectangle (centre x, y, width, height).
  ///
  /// - Parameters:
  ///   - values: The two to four numbers that describe the shape.
  ///   - change: The transformation, and the picture's new size.
  /// - Returns: The new values, or nil if the shape's centre is cropped away or lies outside the picture. A centre
  ///   outside the picture means that the values refer to another picture.
  func turnedArea(_ values: [Int], _ change: PictureChange) -> [Int]? {
    guard 2...4 ~= values.count, width > 0, height > 0, 0...width ~= values[0], 0...height ~= values[1],
      values.allSatisfy({ 0...0xFFFF_FFFF ~= $0 })
    else { return nil }
    let old = SIMD2(Double(width), Double(height))
    let center = SIMD2(Double(values[0]), Double(values[1])) / old
    let size = SIMD2(
      values.count > 2 ? Double(values[2]) / old.x : 0,
      // A circle's width and height in pixels are equal.
      values.count > 3 ? Double(values[3]) / old.y : values.count > 2 ? Double(values[2]) / old.y : 0)
    let area = PictureArea(center: center, size: size)
    guard let area = area.moved(by: change.transform, then: change.projection) else { return nil }
    let places = [area.center.x, area.center.y, area.size.x, area.size.y].prefix(values.count)
    let turned = zip(places, [change.new.width, change.new.height, change.new.width, change.new.height])
      .compactMap { fraction, side in
        Int(exactly: (fraction * Double(side)).rounded())
      }
    return turned.count == values.count ? turned : nil
  }
}

/// An axis-aligned rectangle, in fractions of a picture's width and height.
struct PictureArea: Hashable, Sendable {
  var center: SIMD2<Double>
  var size: SIMD2<Double>

  /// Returns this rectangle's axis-aligned bounding rectangle in the transformed picture, limited to the parts that are
  /// not cropped away.
  ///
  /// - Parameter projection: The mapping from positions in the rotated picture to positions in the new picture, in
  ///   fractions of width and height.
  /// - Returns: The rectangle, or nil if the rectangle's centre is cropped away.
  func moved(by transform: Orientation, then projection: PictureProjection?) -> PictureArea? {
    let turn = PictureProjection(transform)
    guard let projection else {
      guard let center = turn.apply(center) else { return nil }
      return PictureArea(center: center, size: transform.swapsAxes ? [size.y, size.x] : size)
    }
    let whole = turn.then(projection)
    let inside = 0.0...1.0
    guard let center = whole.apply(center), inside.contains(center.x), inside.contains(center.y) else {
      return nil
    }
    guard size != .zero else { return PictureArea(center: center, size: .zero) }
    guard let bounds = whole.bounds(self.center - size / 2, self.center + size / 2) else { return nil }
    let minimum = bounds.minimum.clamped(lowerBound: .zero, upperBound: .one)
    let maximum = bounds.maximum.clamped(lowerBound: .zero, upperBound: .one)
    return PictureArea(center: (minimum + maximum) / 2, size: maximum - minimum)
  }
}
