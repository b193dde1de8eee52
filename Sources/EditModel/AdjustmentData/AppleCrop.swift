import Basics
internal import Glibc

/// The crop of Apple's adjustment data: straightening and a rectangle of what comes out.
///
/// Both are said of the picture as it is stored, in pixels, with the origin in the *lower* left corner, as in Core Image: the
/// picture is turned about its middle, by `straightenAngle` radians clockwise, and the rectangle is cut out of the plane. The
/// distance from the left and the sizes are measured on a photo with its render; the directions of y and of the angle are
/// reported by those who read Photos' frameworks, and no sample shows them.
struct AppleCrop: Hashable, Sendable {
  /// A crop that cannot be taken.
  struct Refusal: Error {
    /// Why, as the rest of a sentence.
    let reason: Message
  }

  /// Columns of the stored picture, in the data's own pixels.
  let width: Double
  /// Rows of the stored picture.
  let height: Double
  /// The turn clockwise, in degrees.
  let angle: Double
  /// The rectangle's edges, from the middle of the picture in its pixels, y down.
  let minimum: SIMD2<Double>
  /// Its lower right corner.
  let maximum: SIMD2<Double>

  /// The largest side of a picture, and of a rectangle in it.
  private static let largest = 1_000_000.0
  /// The pixels by which a rectangle may reach beyond the picture: Photos rounds its edges.
  private static let slack = 2.0
  /// The pixels beyond the frame that count as none: Photos puts rectangles on whole pixels, and the angle of an edit has
  /// hundredths of a degree.
  private static let rounding = 1.5
  /// The degrees of pitch and yaw that count as none.
  private static let level = 0.005

  /// Reads a crop.
  ///
  /// - Parameters:
  ///   - settings: the settings of the adjustment `Crop`.
  ///   - metadata: of the adjustments: the size of the picture, stored or turned, as the program's version writes it.
  ///   - original: the picture that it is about.
  /// - Throws: ``Refusal`` for values that make no sense, for another picture's, and for a perspective.
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

  /// The size of the stored picture in the data's pixels, which are more or fewer where the file was scaled since.
  private static func storedSize(
    _ width: Double, _ height: Double, of original: AppleAdjustments.Original
  ) throws(Refusal) -> (Double, Double) {
    guard width >= 1, height >= 1, original.width >= 1, original.height >= 1 else {
      throw Refusal(reason: "it refers to a picture without a size")
    }
    let (columns, rows) = (Double(original.width), Double(original.height))
    // Sides are whole pixels, and scaled files round them.
    func agrees(_ width: Double, _ height: Double) -> Bool {
      abs(width * rows - height * columns) <= 0.01 * height * columns
    }
    if agrees(width, height) { return (width, height) }
    if agrees(height, width) { return (height, width) }
    throw Refusal(
      reason: "it refers to a picture of \(Int(width)) x \(Int(height)) pixels,"
        + " but this picture has \(original.width) x \(original.height)")
  }

  /// True if all four corners lie on the turned picture.
  private var isInside: Bool {
    let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
    return [minimum, [maximum.x, minimum.y], maximum, [minimum.x, maximum.y]].allSatisfy { corner in
      let place = SIMD2(corner.x * c + corner.y * s, corner.y * c - corner.x * s)
      return abs(place.x) <= width / 2 + Self.slack && abs(place.y) <= height / 2 + Self.slack
    }
  }

  /// The same as an edit's geometry on the stored picture: the rectangle in fractions of the frame, see ``Geometry``.
  ///
  /// - Throws: ``Refusal`` when the rectangle reaches beyond what an edit can show.
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
      throw Refusal(reason: "it includes more of a corner of the straightened photo than liveedit supports")
    }
    geometry.crop = .rectangle(rectangle)
    return geometry
  }

  /// Half of the width and height of the largest upright rectangle of the picture's shape on the turned picture: it lies in
  /// the middle, and each of its corners on the turned edges gives a bound of the scale.
  private func frame(at degrees: Double) -> SIMD2<Double> {
    let (c, s) = (cos(degrees * .pi / 180), abs(sin(degrees * .pi / 180)))
    let scale = min(width / (width * c + height * s), height / (width * s + height * c))
    return SIMD2(width, height) / 2 * scale
  }
}
