/// One of the eight ways to lay a picture down: the quarter turns and their mirror images (the dihedral
/// group of the square).
///
/// The raw value is the Exif `Orientation` tag (0x0112, Exif 2.32 section 4.6.4): the value names the
/// transform that takes the stored picture to the displayed one. As an edit the same value names the
/// transform that takes the displayed picture to the edited one.
public enum Orientation: Int, Codable, Hashable, Sendable, CaseIterable {
  /// The picture as it is.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Turned by 180 degrees.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored at the main diagonal: rows become columns.
  case leftMirrored = 5
  /// Turned by 90 degrees clockwise.
  case right = 6
  /// Mirrored at the other diagonal.
  case rightMirrored = 7
  /// Turned by 270 degrees clockwise.
  case left = 8

  /// The identity of the group.
  public static let identity = Orientation.up

  /// Mirrored left to right, as `flip --horizontal` does.
  public static let flippedHorizontally = Orientation.upMirrored

  /// Mirrored top to bottom, as `flip --vertical` does.
  public static let flippedVertically = Orientation.downMirrored

  /// A turn clockwise.
  ///
  /// - Parameter quarterTurns: how many times 90 degrees; any whole number.
  public init(quarterTurns: Int) {
    let turns: [Orientation] = [.up, .right, .down, .left]
    self = turns[((quarterTurns % 4) + 4) % 4]
  }

  /// The linear part (a, b, c, d) in the row-vector form of QuickTime matrices, y downwards:
  /// x′ = a·x + c·y, y′ = b·x + d·y. Every entry is -1, 0 or 1.
  public var matrix: (a: Int, b: Int, c: Int, d: Int) {
    switch self {
    case .up: (1, 0, 0, 1)
    case .upMirrored: (-1, 0, 0, 1)
    case .down: (-1, 0, 0, -1)
    case .downMirrored: (1, 0, 0, -1)
    case .leftMirrored: (0, 1, 1, 0)
    case .right: (0, 1, -1, 0)
    case .rightMirrored: (0, -1, -1, 0)
    case .left: (0, -1, 1, 0)
    }
  }

  /// The element with this linear part.
  ///
  /// - Returns: nil when the four numbers are none of the eight elements.
  public init?(a: Int, b: Int, c: Int, d: Int) {
    guard let match = Orientation.allCases.first(where: { $0.matrix == (a, b, c, d) }) else { return nil }
    self = match
  }

  /// This transform followed by another one.
  public func then(_ next: Orientation) -> Orientation {
    let m = matrix
    let n = next.matrix
    let product = Orientation(
      a: m.a * n.a + m.b * n.c, b: m.a * n.b + m.b * n.d,
      c: m.c * n.a + m.d * n.c, d: m.c * n.b + m.d * n.d)
    // The group is closed: a product of two elements is one of the eight.
    return product ?? .identity
  }

  /// The transform that undoes this one.
  public var inverse: Orientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self  // every other element is its own inverse
    }
  }

  /// True if width and height change places.
  public var swapsAxes: Bool { matrix.a == 0 }

  /// True if the transform mirrors (its determinant is -1).
  public var isMirrored: Bool { matrix.a * matrix.d - matrix.b * matrix.c < 0 }

  /// The clockwise turn in degrees of the part that remains when a mirrored element is written as
  /// “mirror left to right, then turn”.
  public var degrees: Int {
    switch self {
    case .up, .upMirrored: 0
    case .right, .rightMirrored: 90
    case .down, .downMirrored: 180
    case .left, .leftMirrored: 270
    }
  }

  /// Turns and mirrors a point of the picture.
  ///
  /// - Parameters:
  ///   - x: distance from the left edge, in the same unit as `width`.
  ///   - y: distance from the top edge.
  ///   - width: the picture's width before the transform.
  ///   - height: its height before the transform.
  /// - Returns: the point in the transformed picture.
  public func apply(x: Double, y: Double, width: Double, height: Double) -> (x: Double, y: Double) {
    let m = matrix
    let originX = (m.a < 0 ? width : 0) + (m.c < 0 ? height : 0)
    let originY = (m.b < 0 ? width : 0) + (m.d < 0 ? height : 0)
    return (
      Double(m.a) * x + Double(m.c) * y + originX,
      Double(m.b) * x + Double(m.d) * y + originY
    )
  }
}
