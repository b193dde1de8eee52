import Basics

/// The part of an edit that changes a picture's geometry: perspective, straightening and crop of the rotated picture.
/// Rotation by multiples of 90° and mirroring are not included.
///
/// A point p of the picture moves to R (p / (1 + 0.3 (h x + v y))). Points are measured from the picture's centre, in
/// units of half the picture's longer side. Here h and v are the horizontal and the vertical perspective, and R is the
/// clockwise rotation by the straightening angle. The visible part of the result is the *frame*: the largest upright
/// rectangle with the picture's aspect ratio and without empty corners. Without perspective and straightening, the
/// frame is the whole picture. The crop is either a rectangle or an aspect ratio. A rectangle is relative to the frame,
/// and may extend beyond the frame to the edges of the picture. An aspect ratio selects the largest upright rectangle
/// of that ratio without empty corners.
public struct Geometry: Hashable, Sendable {
  private var croppedTo: Crop?
  private var angle = 0
  private var horizontal = 0
  private var vertical = 0

  /// The geometry that changes nothing.
  public static let neutral = Geometry()

  /// The range of ``straighten``, in degrees.
  public static let angles = -45.0...45.0
  /// The range of the perspectives.
  public static let perspectives = -1.0...1.0
  /// The factor 0.3 in the formula: the strength of a perspective of 1.
  public static let fullPerspective = 0.3

  /// - Parameters:
  ///   - crop: The part that is kept; nil for the whole frame.
  ///   - straighten: The clockwise rotation of the picture, in degrees.
  ///   - horizontalPerspective: The widening of the left side.
  ///   - verticalPerspective: The widening of the top.
  public init(
    crop: Crop? = nil, straighten: Double = 0, horizontalPerspective: Double = 0,
    verticalPerspective: Double = 0
  ) {
    self.crop = crop
    self.straighten = straighten
    self.horizontalPerspective = horizontalPerspective
    self.verticalPerspective = verticalPerspective
  }

  /// The part that is kept; nil for the whole frame.
  public var crop: Crop? {
    get { croppedTo }
    set {
      croppedTo = newValue
      if case .rectangle(let rectangle)? = newValue, rectangle.isWhole { croppedTo = nil }
    }
  }

  /// The clockwise rotation of the picture, in degrees. A new value is rounded to hundredths of a degree and clamped to
  /// ``angles``; NaN becomes 0.
  public var straighten: Double {
    get { Double(angle) / 100 }
    set { angle = Self.parts(100, of: newValue, in: Self.angles) }
  }

  /// The widening of the left side, which narrows the right side. A new value is rounded to thousandths and clamped to
  /// ``perspectives``; NaN becomes 0.
  public var horizontalPerspective: Double {
    get { Double(horizontal) / 1000 }
    set { horizontal = Self.parts(1000, of: newValue, in: Self.perspectives) }
  }

  /// The widening of the top, which narrows the bottom. A new value is rounded to thousandths and clamped to
  /// ``perspectives``; NaN becomes 0.
  public var verticalPerspective: Double {
    get { Double(vertical) / 1000 }
    set { vertical = Self.parts(1000, of: newValue, in: Self.perspectives) }
  }

  /// Whether the geometry changes nothing.
  public var isNeutral: Bool { self == .neutral }

  /// Whether the geometry does nothing other than crop the picture, without rotation or perspective.
  public var isPureCrop: Bool { angle == 0 && horizontal == 0 && vertical == 0 }

  /// Returns the geometry that has the same effect on the transformed picture. The result of the returned geometry is
  /// the transformed result of this geometry.
  public func turned(by orientation: Orientation) -> Geometry {
    let m = orientation.matrix
    var turned = self
    turned.croppedTo = croppedTo?.turned(by: orientation)
    turned.angle = orientation.isMirrored ? -angle : angle
    turned.horizontal = m.a * horizontal + m.c * vertical
    turned.vertical = m.b * horizontal + m.d * vertical
    return turned
  }

  /// Returns a value as a rounded number of parts, where `count` parts make up 1. The value is clamped to the range.
  private static func parts(_ count: Double, of value: Double, in range: ClosedRange<Double>) -> Int {
    guard !value.isNaN else { return 0 }
    return Int((min(max(value, range.lowerBound), range.upperBound) * count).rounded())
  }
}

extension Geometry {
  /// The values that are not neutral, by name. A rectangle is stored as left, top, width and height.
  var canonicalJSON: JSONValue {
    var members: [String: JSONValue] = [:]
    switch croppedTo {
    case .aspect(let ratio, let anchor)?:
      var crop: [String: JSONValue] = ["aspect": .array([.integer(ratio.width), .integer(ratio.height)])]
      if anchor != .center { crop["anchor"] = .string(anchor.rawValue) }
      members["crop"] = .object(crop)
    case .rectangle(let rectangle)?:
      let sides = [rectangle.left, rectangle.top, rectangle.width, rectangle.height]
      members["crop"] = .object(["rectangle": .array(sides.map { .decimal($0, digits: 6) })])
    case nil: break
    }
    if angle != 0 { members["straighten"] = .decimal(angle, digits: 2) }
    if horizontal != 0 { members["horizontalPerspective"] = .decimal(horizontal, digits: 3) }
    if vertical != 0 { members["verticalPerspective"] = .decimal(vertical, digits: 3) }
    return .object(members)
  }

  /// Reads the output of ``canonicalJSON``.
  ///
  /// - Returns: nil if the value contains unknown or invalid parts.
  init?(stored value: JSONValue) {
    guard case .object(let members) = value else { return nil }
    self.init()
    for (name, value) in members {
      switch name {
      case "crop":
        guard let crop = Crop(stored: value) else { return nil }
        self.crop = crop
      case "straighten":
        guard let number = value.number, Self.angles ~= number else { return nil }
        straighten = number
      case "horizontalPerspective":
        guard let number = value.number, Self.perspectives ~= number else { return nil }
        horizontalPerspective = number
      case "verticalPerspective":
        guard let number = value.number, Self.perspectives ~= number else { return nil }
        verticalPerspective = number
      default: return nil
      }
    }
  }
}

extension Crop {
  fileprivate init?(stored value: JSONValue) {
    let anchor = value["anchor"].map { $0.text.flatMap(Anchor.init(rawValue:)) }
    switch (value["aspect"], value["rectangle"]) {
    case (let aspect?, nil):
      let sides = aspect.numbers?.compactMap { Int(exactly: $0) } ?? []
      guard sides.count == 2, let ratio = try? AspectRatio(width: sides[0], height: sides[1]),
        let anchor = anchor ?? .center
      else { return nil }
      self = .aspect(ratio, anchor)
    case (nil, let rectangle?):
      guard anchor == nil, let sides = rectangle.numbers, sides.count == 4,
        sides.allSatisfy({ abs($0) <= Double(2 * Rectangle.reach + 1) })
      else { return nil }
      let edges = sides.map { Int(($0 * Double(Rectangle.whole)).rounded()) }
      guard
        let rectangle = try? Rectangle(left: edges[0], top: edges[1], width: edges[2], height: edges[3])
      else { return nil }
      self = .rectangle(rectangle)
    default: return nil
    }
  }
}
