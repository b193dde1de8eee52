import EditModel
import Glibc
import Rendering

extension GeometryModel {
  /// The usual accuracy of the fit, as a fraction of the picture's width.
  private static let exactness = 1.5e-4

  /// The model with the perspective and the angle rounded to stored precision.
  var rounded: GeometryModel {
    var rounded = self
    let stored = Geometry(
      straighten: angle * 180 / .pi, horizontalPerspective: perspective.x, verticalPerspective: perspective.y)
    rounded.angle = stored.straighten * .pi / 180
    rounded.perspective = [stored.horizontalPerspective, stored.verticalPerspective]
    return rounded
  }

  /// Returns the geometry of an edit for this model, or nil if the model shows areas outside the picture. The model's
  /// parameters must already be rounded.
  ///
  /// - Parameters:
  ///   - size: The width and height of the original in pixels.
  ///   - shown: The width and height of the edited picture in pixels.
  func geometry(of size: SIMD2<Double>, shown: SIMD2<Double>) -> Geometry? {
    var geometry = Geometry(
      straighten: angle * 180 / .pi, horizontalPerspective: perspective.x, verticalPerspective: perspective.y)
    let turned = orientation.swapsAxes ? SIMD2(size.y, size.x) : size
    let picture = GeometryPlan.Picture(width: Int(turned.x), height: Int(turned.y))
    guard let frame = try? GeometryPlan(geometry, of: picture) else { return nil }
    // The corners of the frame in the warped plane.
    let way = frame.sources.then(PictureProjection(orientation).inverse).then(self.turned).then(warp)
    guard let first = way.apply([0, 0]), let last = way.apply([1, 1]) else { return nil }
    let side = last - first
    var edges = ((center - half - first) / side, (center + half - first) / side)
    if geometry.isPureCrop { edges = Self.whole(edges, turned, shown) }
    // Edges that coincide with the frame's edges within the accuracy of the fit are treated as the frame's edges.
    let near = SIMD2(Self.exactness, Self.exactness * turned.x / turned.y)
    let isFrame = [
      abs(edges.0.x) < near.x, abs(edges.0.y) < near.y, abs(edges.1.x - 1) < near.x,
      abs(edges.1.y - 1) < near.y,
    ]
    if isFrame.allSatisfy({ $0 }) { return geometry }
    let unit = Double(Crop.Rectangle.whole)
    func stored(_ edge: Double) -> Int { Int((edge * unit).rounded()) }
    // A crop that extends slightly beyond the picture is reduced, because the fit is not accurate enough to rule out a
    // smaller crop.
    for inset in stride(from: 0.0, through: 0.02, by: 0.0005) {
      let middle = (edges.0 + edges.1) / 2
      let half = (edges.1 - edges.0) / 2 * (1 - inset)
      guard abs(middle.x) < 4, abs(middle.y) < 4, half.x < 4, half.y < 4 else { return nil }
      let (left, top) = (stored(middle.x - half.x), stored(middle.y - half.y))
      guard
        let rectangle = try? Crop.Rectangle(
          left: left, top: top, width: stored(middle.x + half.x) - left,
          height: stored(middle.y + half.y) - top)
      else { return nil }
      geometry.crop = .rectangle(rectangle)
      if (try? GeometryPlan(geometry, of: picture)) != nil { return geometry }
    }
    return nil
  }

  /// Returns the edges of a crop whose samples were copied unchanged. Copying is likely if the edited picture has as
  /// many samples as the crop.
  private static func whole(
    _ edges: (SIMD2<Double>, SIMD2<Double>), _ size: SIMD2<Double>, _ shown: SIMD2<Double>
  ) -> (SIMD2<Double>, SIMD2<Double>) {
    let first = edges.0 * size
    let rounded = SIMD2(first.x.rounded(), first.y.rounded())
    let (off, grown) = (first - rounded, (edges.1 - edges.0) * size - shown)
    // The tolerance around whole samples, which depends on the accuracy of the fit. In large pictures, nearly every
    // position is within the tolerance.
    let room = min(0.35, 0.05 + 1.5 * exactness * max(size.x, size.y))
    guard max(abs(off.x), abs(off.y)) < room, max(abs(grown.x), abs(grown.y)) < 1.7 * room,
      rounded.x >= 0, rounded.y >= 0, rounded.x + shown.x <= size.x, rounded.y + shown.y <= size.y
    else { return edges }
    return (rounded / size, (rounded + shown) / size)
  }
}
