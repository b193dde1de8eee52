import Basics
internal import Glibc

/// The crop in Apple's adjustment data: the straightening, and a rectangle in the straightened picture.
///
/// Both are relative to the stored picture, in pixels, with the origin in the *bottom-left* corner, as in Core Image.
/// First the picture is rotated about its centre by `straightenAngle` radians clockwise, and then the rectangle is cut
/// out. The left offset, the width and the height were verified with a photo and its rendered version. The directions
/// of y and of the angle were taken from published analyses of Photos' frameworks; no sample file confirms these
/// directions.
struct AppleCrop: Hashable, Sendable {
  /// The error for a crop that cannot be converted.
  struct Refusal: Error {
    /// The reason, which completes a sentence.
    let reason: Message
  }

  /// The width of the stored picture, in the data's own pixels.
  let width: Double
  /// The height of the stored picture, in the data's own pixels.
  let height: Double
  /// The clockwise rotation in degrees.
  let angle: Double
  /// The top-left corner of the rectangle, in pixels from the centre of the picture, with y pointing down.
  let minimum: SIMD2<Double>
  /// The bottom-right corner of the rectangle, in pixels from the centre of the picture, with y pointing down.
  let maximum: SIMD2<Double>

  /// The maximum width or height, in pixels, of a picture and of a rectangle in the picture.
  private static let largest = 1_000_000.0
  /// The number of pixels by which a rectangle may extend beyond the picture, since Photos rounds the rectangle's
  /// edges.
  private static let slack = 2.0
  /// The number of pixels by which a rectangle may extend beyond the frame and still count as inside. Photos aligns
  /// rectangles to whole pixels, and the angle of an edit is rounded to hundredths of a degree.
  private static let rounding = 1.5
  /// The largest pitch or yaw, in degrees, that is treated as 0.
  private static let level = 0.005

  /// Reads a crop.
  ///
  /// - Parameters:
  ///   - settings: The settings of the adjustment `Crop`.
  ///   - metadata: The metadata of the adjustments, including the size of the picture. Depending on the version of
  ///     Photos, this is the size of the stored picture or of the rotated picture.
  ///   - original: The picture that the crop applies to.
  /// - Throws: ``Refusal`` if the values are not valid or belong to another picture, or if the crop has a perspective.
  init(
    _ settings: JSONValue, _ metadata: JSONValue, of original: AppleAdjustments.Original
  ) throws(Refusal) {
    func value(_ name: String, in object: JSONValue, or missing: Double? = nil) throws(Refusal)
      -> Double
    {
      guard let stored = object[name] else {
        if let missing { return missing }
        throw Refusal(reason: "it does not state \(name)")
      }
      guard let number = stored.number, abs(number) <= Self.largest else {
        throw Refusal(reason: "its \(name) is not valid")
      }
      return number
    }
    (width, height) = try Self.storedSize(
      value("masterWidth", in: metadata), value("masterHeight", in: metadata), of: original)
    let (pitch, yaw) = try (value("pitch", in: settings, or: 0), value("yaw", in: settings, or: 0))
    guard abs(pitch) <= Self.level, abs(yaw) <= Self.level else {
      throw Refusal(
        reason:
          "its perspective (pitch \(AppleAppearance.signed(pitch))°, yaw \(AppleAppearance.signed(yaw))°) simulates a rotated camera, "
          + "which also stretches the picture"
      )
    }
    angle = try value("straightenAngle", in: settings, or: 0) * 180 / .pi
    guard Geometry.angles ~= angle else { throw Refusal(reason: "it rotates the picture by more than 45°") }
    let size = try SIMD2(value("width", in: settings), value("height", in: settings))
    guard size.x >= 1, size.y >= 1 else { throw Refusal(reason: "it has no width or height") }
    let left = try value("xOrigin", in: settings)
    let top = try height - value("yOrigin", in: settings) - size.y
    minimum = SIMD2(left - width / 2, top - height / 2)
    maximum = minimum + size
    guard isInside else { throw Refusal(reason: "it extends beyond the photo") }
  }

  /// Returns the size of the stored picture in the data's pixels. This size differs from the size in the file if the
  /// file was scaled later.
  private static func storedSize(
    _ width: Double, _ height: Double, of original: AppleAdjustments.Original
  ) throws(Refusal) -> (Double, Double) {
    guard width >= 1, height >= 1, original.width >= 1, original.height >= 1 else {
      throw Refusal(reason: "it refers to a picture without a width or height")
    }
    let (columns, rows) = (Double(original.width), Double(original.height))
    // Widths and heights are whole numbers of pixels, so a scaled file has a slightly different aspect ratio.
    func agrees(_ width: Double, _ height: Double) -> Bool {
      abs(width * rows - height * columns) <= 0.01 * height * columns
    }
    if agrees(width, height) { return (width, height) }
    if agrees(height, width) { return (height, width) }
    throw Refusal(
      reason: "it refers to a picture of \(Int(width)) x \(Int(height)) pixels,"
        + " but this picture has \(original.width) x \(original.height)")
  }

  /// Whether all four corners of the rectangle lie inside the rotated picture.
  private var isInside: Bool {
    let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
    return [minimum, [maximum.x, minimum.y], maximum, [minimum.x, maximum.y]].allSatisfy { corner in
      let place = SIMD2(corner.x * c + corner.y * s, corner.y * c - corner.x * s)
      return abs(place.x) <= width / 2 + Self.slack && abs(place.y) <= height / 2 + Self.slack
    }
  }

  /// Returns an edit's geometry with the same effect on the stored picture. The rectangle is given in fractions of the
  /// frame; see ``Geometry``.
  ///
  /// - Throws: ``Refusal`` if the rectangle extends beyond the area that an edit can show.
  func geometry() throws(Refusal) -> Geometry {
    var geometry = Geometry(straighten: angle)
    let frame = frame(at: geometry.straighten)
    func rectangle(slack: Double) -> Crop.Rectangle? {
      let whole = Double(Crop.Rectangle.whole)
      func edge(_ place: Double, _ half: Double) -> Int {
        let fraction = place / (2 * half) + 0.5
        let slack = slack / (2 * half)
        let kept = -slack...0 ~= fraction ? 0 : 1...1 + slack ~= fraction ? 1 : fraction
        return Int((kept * whole).rounded())
      }
      let (left, right) = (edge(minimum.x, frame.x), edge(maximum.x, frame.x))
      let (top, bottom) = (edge(minimum.y, frame.y), edge(maximum.y, frame.y))
      return try? Crop.Rectangle(left: left, top: top, width: right - left, height: bottom - top)
    }
    guard let rectangle = rectangle(slack: 0) ?? rectangle(slack: Self.rounding) else {
      throw Refusal(reason: "it extends beyond the area that liveedit can show after straightening")
    }
    geometry.crop = .rectangle(rectangle)
    return geometry
  }

  /// Returns half the width and half the height of the largest upright rectangle that has the picture's aspect ratio
  /// and fits into the rotated picture. This rectangle is centred, so its corners can only touch the rotated edges.
  /// Each such contact limits the rectangle's scale.
  private func frame(at degrees: Double) -> SIMD2<Double> {
    let (c, s) = (cos(degrees * .pi / 180), abs(sin(degrees * .pi / 180)))
    let scale = min(width / (width * c + height * s), height / (width * s + height * c))
    return SIMD2(width, height) / 2 * scale
  }
}
