import Basics
import EditModel

/// The sizes and sample positions that a ``Geometry`` produces for the pictures of one half of a Live Photo: the output
/// size, and the position in the source for each output sample.
///
/// The output width and height are rounded to the nearest whole number, or to the nearest even number. If the full
/// width or height is kept but must be even, it is rounded down. A crop to an aspect ratio has exactly this ratio if
/// neither width nor height decreases by more than 1/250. Otherwise, the crop has the nearest ratio possible with whole
/// or even numbers. If nothing is straightened and no edge moves by more than 1/500 of the picture's width or height,
/// the rectangle is moved to the nearest chroma samples, so that samples can be copied. In all other cases the picture
/// is resampled once, and the rectangle then fills the output exactly.
package struct GeometryPlan: Hashable, Sendable {
  /// The picture to transform.
  package struct Picture: Hashable, Sendable {
    /// The width of the picture in luma samples.
    package var width: Int
    /// The height of the picture in luma samples.
    package var height: Int
    /// The scene area of the picture: its left edge, top edge, width and height, in samples.
    package var scene: SIMD4<Double>
    /// The layout of the chroma samples.
    package var sampling: ChromaSampling
    /// The intended aspect ratio of the scene (width divided by height), or nil to use the ratio of the sample counts.
    /// If both halves of a Live Photo get the same aspect ratio, they keep the same areas of the scene.
    package var shape: Double?
    /// Whether the width and height of the output must be even numbers.
    package var needsEvenSize: Bool

    /// - Parameters:
    ///   - width: The width of the picture in luma samples.
    ///   - height: The height of the picture in luma samples.
    ///   - scene: The left edge, top edge, width and height of the scene area, in samples, or nil for the whole
    ///     picture. Areas outside the picture are ignored.
    ///   - sampling: The chroma sampling.
    ///   - shape: The intended aspect ratio of the scene (width divided by height).
    ///   - needsEvenSize: Whether the width and height of the output must be even numbers.
    package init(
      width: Int, height: Int, scene: SIMD4<Double>? = nil, sampling: ChromaSampling = .grey,
      shape: Double? = nil, needsEvenSize: Bool = false
    ) {
      self.width = max(width, 1)
      self.height = max(height, 1)
      self.sampling = sampling
      self.shape = shape.flatMap { 0.01...100 ~= $0 ? $0 : nil }
      self.needsEvenSize = needsEvenSize
      let whole = SIMD4(0, 0, Double(self.width), Double(self.height))
      guard let scene else {
        self.scene = whole
        return
      }
      let left = max(scene.x, 0)
      let top = max(scene.y, 0)
      let right = min(scene.x + scene.z, whole.z)
      let bottom = min(scene.y + scene.w, whole.w)
      // The comparisons are also false for NaN.
      self.scene = right - left >= 1 && bottom - top >= 1 ? [left, top, right - left, bottom - top] : whole
    }
  }

  /// The picture to which the plan applies.
  package let picture: Picture
  /// The width of the output in luma samples.
  package let width: Int
  /// The height of the output in luma samples.
  package let height: Int
  /// Whether the plan keeps the whole scene unchanged, so that the picture need not be processed.
  package let isIdentity: Bool
  /// The mapping from positions in the scene to positions in the output, both as fractions of width and height. Output
  /// positions outside 0 to 1 are cut off.
  package let projection: PictureProjection
  /// The first column and row to copy, or nil if samples are interpolated.
  let copied: SIMD2<Int>?
  /// The first column and row of the picture that are copied unchanged, or nil if samples are interpolated.
  package var copiedFrom: (x: Int, y: Int)? { copied.map { ($0.x, $0.y) } }
  /// The mapping from positions in the output to positions in the scene.
  package let sources: PictureProjection

  /// The smallest width and height that a video encoder accepts.
  private static let leastSide = 16
  /// How far edges may move to align with chroma samples, as a fraction of the width or height.
  private static let tolerance = 1.0 / 500
  /// How far a crop may extend beyond the picture, as a fraction of half the longer side. Crops that were found by
  /// comparing pictures have this accuracy. Beyond the picture, the outermost samples are repeated.
  package static let emptiness = 1.0 / 500

  /// - Parameters:
  ///   - geometry: The crop, straightening and perspective to apply.
  ///   - picture: The picture.
  /// - Throws: ``EditError`` if too little of the picture remains, or if the crop extends beyond the picture.
  package init(_ geometry: Geometry, of picture: Picture) throws(EditError) {
    self.picture = picture
    let shape = picture.shape ?? picture.scene.z / picture.scene.w
    // The corner of the scene, in units of half the longer side.
    let corner = SIMD2(min(shape, 1), min(1 / shape, 1))
    let warp = Self.warp(geometry)
    guard var seen = try Self.part(of: geometry, corner: corner, shape: shape, warp: warp) else {
      throw Self.tooSmall(0, 0)
    }

    let sides = SIMD2(picture.scene.z, picture.scene.w)
    var exact = seen.half / corner * sides
    let isWhole =
      geometry.isPureCrop && abs(exact.x - sides.x) < 0.5 && abs(exact.y - sides.y) < 0.5
    var size = SIMD2(
      Self.rounded(exact.x, of: sides.x, isEven: picture.needsEvenSize),
      Self.rounded(exact.y, of: sides.y, isEven: picture.needsEvenSize))
    if case .aspect(let ratio, let anchor)? = geometry.crop, !isWhole,
      let shaped = Self.size(exact, shaped: ratio, in: geometry.isPureCrop ? sides : exact + 2, picture)
    {
      size = shaped
      // Copied samples are not stretched to fit the rectangle, so the edges of the rectangle are moved instead.
      if geometry.isPureCrop {
        let half = SIMD2(min(exact.x, Double(size.x)), min(exact.y, Double(size.y))) / sides * corner
        seen.center += SIMD2(Double(anchor.x), Double(anchor.y)) * (seen.half - half)
        seen.half = half
        exact = half / corner * sides
      }
    }
    let least = picture.needsEvenSize ? Self.leastSide : 1
    guard size.x >= least, size.y >= least else { throw Self.tooSmall(size.x, size.y) }
    (width, height) = (size.x, size.y)

    let fraction = PictureProjection(scale: 1 / (2 * corner), shift: [0.5, 0.5])
    let output = PictureProjection(scale: 2 * seen.half, shift: seen.center - seen.half)
    if geometry.isPureCrop {
      let first = SIMD2(
        picture.scene.x + picture.scene.z * ((seen.center.x - seen.half.x) / (2 * corner.x) + 0.5),
        picture.scene.y + picture.scene.w * ((seen.center.y - seen.half.y) / (2 * corner.y) + 0.5))
      isIdentity =
        isWhole && abs(first.x - picture.scene.x) < 0.5 && abs(first.y - picture.scene.y) < 0.5
      if let copied = Self.aligned(first, exact, size, in: picture) {
        let scene = picture.scene
        self.copied = copied
        sources = PictureProjection(
          scale: [Double(size.x) / scene.z, Double(size.y) / scene.w],
          shift: [(Double(copied.x) - scene.x) / scene.z, (Double(copied.y) - scene.y) / scene.w])
        projection = sources.inverse
        return
      }
    } else {
      isIdentity = false
    }
    copied = nil
    sources = output.then(warp.inverse).then(fraction)
    projection = sources.inverse
  }

  private init(
    _ picture: Picture, width: Int, height: Int, copied: SIMD2<Int>?, sources: PictureProjection
  ) {
    (self.picture, self.width, self.height, self.copied) = (picture, width, height, copied)
    self.sources = sources
    (isIdentity, projection) = (false, sources.inverse)
  }

  /// The area of the picture that the output needs, including a margin of samples for interpolation.
  package var neededPart: (x: Int, y: Int, width: Int, height: Int) {
    let corners = [SIMD2(0.0, 0.0), [1, 0], [1, 1], [0, 1]].compactMap(sources.apply)
    let scene = picture.scene
    func part(_ places: [Double], _ start: Double, _ length: Double, _ side: Int) -> Range<Int> {
      let margin = 8.0
      let first = start + (places.min() ?? 0) * length - margin
      let last = start + (places.max() ?? 1) * length + margin
      // Start at a multiple of four, where a chroma sample begins in every layout.
      let lower = Int(min(max(first, 0), Double(side - 1))) / 4 * 4
      return lower..<max(Int(min(max(last, 0), Double(side)).rounded(.up)), lower + 1)
    }
    let columns = part(corners.map(\.x), scene.x, scene.z, picture.width)
    let rows = part(corners.map(\.y), scene.y, scene.w, picture.height)
    return (columns.lowerBound, rows.lowerBound, columns.count, rows.count)
  }

  /// Returns the plan that produces the same output from an area of the picture.
  ///
  /// - Parameter part: The area, which must contain ``neededPart``. A chroma sample must start at its first column and
  ///   row.
  package func cut(to part: (x: Int, y: Int, width: Int, height: Int)) -> GeometryPlan {
    var smaller = picture
    (smaller.width, smaller.height) = (part.width, part.height)
    smaller.scene = [0, 0, Double(part.width), Double(part.height)]
    smaller.shape = nil
    let scene = picture.scene
    let size = SIMD2(Double(part.width), Double(part.height))
    let places = PictureProjection(
      scale: SIMD2(scene.z, scene.w) / size,
      shift: (SIMD2(scene.x, scene.y) - SIMD2(Double(part.x), Double(part.y))) / size)
    return GeometryPlan(
      smaller, width: width, height: height, copied: copied.map { $0 &- SIMD2(part.x, part.y) },
      sources: sources.then(places))
  }

  /// Returns the mapping for perspective followed by straightening. Positions are measured from the centre, in units of
  /// half the longer side; see ``Geometry``.
  ///
  /// - Parameter geometry: The geometry, whose crop is ignored.
  package static func warp(_ geometry: Geometry) -> PictureProjection {
    let strength = Geometry.fullPerspective
    let perspective = PictureProjection(
      w: [strength * geometry.horizontalPerspective, strength * geometry.verticalPerspective, 1])
    guard geometry.straighten != 0 else { return perspective }
    let (cosine, sine) = Self.turn(geometry.straighten * .pi / 180)
    return perspective.then(PictureProjection(x: [cosine, -sine, 0], y: [sine, cosine, 0]))
  }

  /// Returns the cosine and sine of an angle up to π/4, calculated from Taylor series. This method needs no mathematics
  /// library, and its results are bit-identical on every system.
  private static func turn(_ angle: Double) -> (cosine: Double, sine: Double) {
    var (cosine, sine, term) = (0.0, 0.0, 1.0)
    for index in 0..<24 {
      switch index % 4 {
      case 0: cosine += term
      case 1: sine += term
      case 2: cosine -= term
      default: sine -= term
      }
      term *= angle / Double(index + 1)
    }
    return (cosine, sine)
  }

  /// Returns the area of the warped plane that remains visible.
  private static func part(
    of geometry: Geometry, corner: SIMD2<Double>, shape: Double, warp: PictureProjection
  ) throws(EditError) -> InscribedRectangle? {
    let corners: [SIMD2<Double>] = [-corner, [corner.x, -corner.y], corner, [-corner.x, corner.y]]
    let warped = corners.compactMap(warp.apply)
    if case .aspect(let ratio, let anchor)? = geometry.crop {
      return InscribedRectangle(
        in: warped, shape: Double(ratio.width) / Double(ratio.height),
        anchor: [Double(anchor.x), Double(anchor.y)])
    }
    guard var part = InscribedRectangle(in: warped, shape: shape) else { return nil }
    if case .rectangle(let rectangle)? = geometry.crop {
      let whole = Double(Crop.Rectangle.whole)
      let first = SIMD2(Double(rectangle.left), Double(rectangle.top)) / whole
      let size = SIMD2(Double(rectangle.width), Double(rectangle.height)) / whole
      part.center += part.half * (2 * first + size - 1)
      part.half *= size
      guard part.reach(beyond: warped) <= emptiness else { throw Self.beyond }
    }
    return part
  }

  private static func rounded(_ length: Double, of side: Double, isEven: Bool) -> Int {
    let most = 65_535.0
    guard isEven else { return max(Int(min(length, most).rounded()), 1) }
    // A full width or height that is odd is rounded down, so that nothing outside the scene becomes visible.
    let isWhole = abs(length - side) < 0.5
    return 2 * Int((min(length, most) / 2).rounded(isWhole ? .down : .toNearestOrAwayFromZero))
  }

  /// Returns the size nearest to a rectangle's size that has a given aspect ratio. The ratio is exact if neither the
  /// width nor the height then shrinks by more than the tolerance for moving edges. Otherwise, the size has the nearest
  /// ratio among the sizes around the rectangle.
  ///
  /// - Parameters:
  ///   - exact: The width and height of the rectangle.
  ///   - ratio: The aspect ratio.
  ///   - most: The maximum width and height.
  ///   - picture: The picture that is cropped.
  /// - Returns: Nil if the rectangle has a different aspect ratio in samples, as in an anamorphic movie.
  private static func size(
    _ exact: SIMD2<Double>, shaped ratio: Crop.AspectRatio, in most: SIMD2<Double>, _ picture: Picture
  ) -> SIMD2<Int>? {
    let shape = Double(ratio.width) / Double(ratio.height)
    guard abs(exact.x / exact.y / shape - 1) < 0.01 else { return nil }
    let step = picture.needsEvenSize ? 2 : 1
    let isOdd = !(ratio.width.isMultiple(of: step) && ratio.height.isMultiple(of: step))
    let unit = SIMD2(ratio.width, ratio.height) &* (isOdd ? step : 1)
    let count = Int(min(exact.x / Double(unit.x), exact.y / Double(unit.y), 65_535) + 1e-6)
    let whole = unit &* count
    let side = min(exact.x, exact.y * shape)
    if count > 0, side - Double(whole.x) <= 2 * tolerance * side { return whole }
    func around(_ length: Double, _ most: Double) -> [Int] {
      let below = Int(length) / step * step
      return [below, below + step].filter { $0 > 0 && Double($0) <= most + 1e-6 }
    }
    let sizes = around(exact.x, most.x).flatMap { x in around(exact.y, most.y).map { SIMD2(x, $0) } }
    func error(_ size: SIMD2<Int>) -> Double {
      let ratio = Double(size.x) / Double(size.y) / shape
      return max(ratio, 1 / ratio)
    }
    return sizes.min { (error($0), -$0.x) < (error($1), -$1.x) }
  }

  /// Returns the top-left corner of a rectangle that was moved to whole chroma samples, or nil if an edge would move
  /// too far.
  private static func aligned(
    _ first: SIMD2<Double>, _ exact: SIMD2<Double>, _ size: SIMD2<Int>, in picture: Picture
  ) -> SIMD2<Int>? {
    func place(_ first: Double, _ exact: Double, _ size: Int, shift: Int, side: Int, scene: Double) -> Int? {
      let step = 1 << shift
      var place = Int((first / Double(step)).rounded()) * step
      if place + size > side { place = (side - size) / step * step }
      let moved = max(abs(Double(place) - first), abs(Double(place + size) - first - exact))
      return place >= 0 && place + size <= side && moved <= scene * tolerance ? place : nil
    }
    guard
      let x = place(
        first.x, exact.x, size.x, shift: picture.sampling.horizontalShift, side: picture.width,
        scene: picture.scene.z),
      let y = place(
        first.y, exact.y, size.y, shift: picture.sampling.verticalShift, side: picture.height,
        scene: picture.scene.w)
    else { return nil }
    return [x, y]
  }

  private static let beyond = EditError(
    .invalidEdit, "cannot be cropped to this rectangle, which extends beyond the straightened picture",
    remedy: "crop to another area, or remove the crop")

  private static func tooSmall(_ width: Int, _ height: Int) -> EditError {
    EditError(
      .invalidEdit, "cannot be cropped this far: only \(width)x\(height) pixels would remain",
      remedy: "keep a larger area of the picture")
  }

  /// Returns the output size for another picture that shows the same scene.
  ///
  /// - Parameters:
  ///   - width: The width of the other picture in pixels.
  ///   - height: The height of the other picture in pixels.
  package func outputSize(forWidth width: Int, height: Int) -> (width: Int, height: Int) {
    if width == picture.width, height == picture.height { return (self.width, self.height) }
    func scaled(_ output: Int, _ side: Int, _ whole: Int) -> Int {
      max(1, Int((Double(output) * Double(side) / Double(whole)).rounded()))
    }
    return (scaled(self.width, width, picture.width), scaled(self.height, height, picture.height))
  }
}
