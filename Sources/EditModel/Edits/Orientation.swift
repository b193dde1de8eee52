/// One of the eight orientations of a picture: the rotations by multiples of 90° and their mirror images (the dihedral
/// group of the square).
///
/// The raw value is the value of the Exif `Orientation` tag (0x0112, Exif 2.32 section 4.6.4). In a file, the value
/// stands for the transform from the stored picture to the displayed picture. In an edit, the value stands for the
/// transform from the displayed picture to the edited picture.
public enum Orientation: Int, Codable, Hashable, Sendable, CaseIterable {
  /// Neither rotated nor mirrored.
  case up = 1
  /// Mirrored from left to right.
  case upMirrored = 2
  /// Rotated by 180 degrees.
  case down = 3
  /// Mirrored from top to bottom.
  case downMirrored = 4
  /// Mirrored across the main diagonal: rows become columns and columns become rows.
  case leftMirrored = 5
  /// Rotated by 90 degrees clockwise.
  case right = 6
  /// Mirrored across the antidiagonal.
  case rightMirrored = 7
  /// Rotated by 270 degrees clockwise.
  case left = 8

  /// The identity element of the group.
  public static let identity = Orientation.up

  /// Mirrored from left to right, as with `flip --horizontal`.
  public static let flippedHorizontally = Orientation.upMirrored

  /// Mirrored from top to bottom, as with `flip --vertical`.
  public static let flippedVertically = Orientation.downMirrored

  /// Creates a clockwise rotation.
  ///
  /// - Parameter quarterTurns: The number of 90° rotations; any integer is valid.
  public init(quarterTurns: Int) {
    let turns: [Orientation] = [.up, .right, .down, .left]
    self = turns[((quarterTurns % 4) + 4) % 4]
  }

  /// The linear part (a, b, c, d) in the row-vector form of QuickTime matrices, with y pointing down: x′ = a·x + c·y,
  /// y′ = b·x + d·y. Every entry is -1, 0 or 1.
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

  /// Creates the orientation with the given linear part.
  ///
  /// - Returns: nil if the four numbers do not describe one of the eight orientations.
  public init?(a: Int, b: Int, c: Int, d: Int) {
    guard let match = Orientation.allCases.first(where: { $0.matrix == (a, b, c, d) }) else { return nil }
    self = match
  }

  /// Returns this transform followed by another transform.
  public func then(_ next: Orientation) -> Orientation {
    let m = matrix
    let n = next.matrix
    let product = Orientation(
      a: m.a * n.a + m.b * n.c, b: m.a * n.b + m.b * n.d,
      c: m.c * n.a + m.d * n.c, d: m.c * n.b + m.d * n.d)
    // The group is closed: the product of two of the eight elements is also one of the eight elements.
    return product ?? .identity
  }

  /// The inverse transform.
  public var inverse: Orientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self  // every other element is its own inverse
    }
  }

  /// Whether the transform exchanges width and height.
  public var swapsAxes: Bool { matrix.a == 0 }

  /// Whether the transform mirrors the picture (its determinant is -1).
  public var isMirrored: Bool { matrix.a * matrix.d - matrix.b * matrix.c < 0 }

  /// The clockwise rotation in degrees. For a mirrored orientation, this is the rotation after mirroring from left to
  /// right.
  public var degrees: Int {
    switch self {
    case .up, .upMirrored: 0
    case .right, .rightMirrored: 90
    case .down, .downMirrored: 180
    case .left, .leftMirrored: 270
    }
  }

  /// Transforms a point of the picture.
  ///
  /// - Parameters:
  ///   - x: The distance from the left edge, in the same unit as `width`.
  ///   - y: The distance from the top edge, in the same unit as `height`.
  ///   - width: The picture's width before the transform.
  ///   - height: The picture's height before the transform.
  /// - Returns: The point in the transformed picture.
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
