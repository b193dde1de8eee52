public import Basics

/// The part of a picture that is kept.
public enum Crop: Hashable, Sendable {
  /// The largest part that has the given aspect ratio, at the given position.
  case aspect(AspectRatio, Anchor)
  /// A rectangle of the picture.
  case rectangle(Rectangle)

  /// An aspect ratio, width to height, in lowest terms.
  public struct AspectRatio: Hashable, Sendable {
    /// The width term of the ratio.
    public let width: Int
    /// The height term of the ratio.
    public let height: Int

    /// The maximum for each of the two numbers in a ratio.
    public static let largest = 10_000

    /// - Parameters:
    ///   - width: The width term of the ratio, 1 to ``largest``.
    ///   - height: The height term of the ratio, 1 to ``largest``.
    /// - Throws: ``Basics/EditError`` if a number is out of range, or if the width is more than a hundred times the
    ///   height or vice versa.
    public init(width: Int, height: Int) throws(EditError) {
      guard 1...Self.largest ~= width, 1...Self.largest ~= height, width <= 100 * height,
        height <= 100 * width
      else {
        throw EditError(
          .invalidEdit, "the aspect ratio \(width):\(height) is not valid",
          remedy:
            "use two numbers from 1 to \(Self.largest), neither more than 100 times the other, such as 4:3"
        )
      }
      var (divisor, rest) = (width, height)
      while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
      self.init(reducedWidth: width / divisor, height: height / divisor)
    }

    private init(reducedWidth width: Int, height: Int) {
      self.width = width
      self.height = height
    }

    /// The ratio with width and height exchanged.
    var transposed: AspectRatio { AspectRatio(reducedWidth: height, height: width) }
  }

  /// The position of the part that a crop keeps, if several positions are possible.
  public enum Anchor: String, CaseIterable, Hashable, Sendable {
    /// In the top-left corner.
    case topLeft
    /// At the top edge.
    case top
    /// In the top-right corner.
    case topRight
    /// At the left edge.
    case left
    /// In the middle.
    case center
    /// At the right edge.
    case right
    /// In the bottom-left corner.
    case bottomLeft
    /// At the bottom edge.
    case bottom
    /// In the bottom-right corner.
    case bottomRight

    /// The horizontal position, from -1 (left) to 1 (right).
    public var x: Int {
      switch self {
      case .topLeft, .left, .bottomLeft: -1
      case .top, .center, .bottom: 0
      case .topRight, .right, .bottomRight: 1
      }
    }

    /// The vertical position, from -1 (top) to 1 (bottom).
    public var y: Int {
      switch self {
      case .topLeft, .top, .topRight: -1
      case .left, .center, .right: 0
      case .bottomLeft, .bottom, .bottomRight: 1
      }
    }

    /// Returns the same position in the transformed picture.
    func turned(by orientation: Orientation) -> Anchor {
      let m = orientation.matrix
      let turned = (m.a * x + m.c * y, m.b * x + m.d * y)
      return Anchor.allCases.first { ($0.x, $0.y) == turned } ?? .center
    }
  }

  /// A rectangle in fractions of the picture, stored in millionths. In a straightened picture, the rectangle may extend
  /// beyond the frame that is visible without a crop; see ``Geometry``.
  public struct Rectangle: Hashable, Sendable {
    /// The distance of the rectangle's left edge from the picture's left edge, in millionths of the picture's width.
    public let left: Int
    /// The distance of the rectangle's top edge from the picture's top edge, in millionths of the picture's height.
    public let top: Int
    /// The width of the rectangle, in millionths of the picture's width.
    public let width: Int
    /// The height of the rectangle, in millionths of the picture's height.
    public let height: Int

    /// The picture's width or height, in millionths.
    public static let whole = 1_000_000
    /// The maximum distance by which a rectangle may extend beyond each edge of the frame, in widths or heights of the
    /// frame.
    public static let reach = 4

    /// - Parameters:
    ///   - left: The distance of the rectangle's left edge from the picture's left edge, in millionths of the picture's
    ///     width.
    ///   - top: The distance of the rectangle's top edge from the picture's top edge, in millionths of the
    ///     picture's height.
    ///   - width: The width of the rectangle, in millionths of the picture's width.
    ///   - height: The height of the rectangle, in millionths of the picture's height.
    /// - Throws: ``Basics/EditError`` if the rectangle is empty or extends beyond any possible picture.
    public init(left: Int, top: Int, width: Int, height: Int) throws(EditError) {
      let (least, most) = (-Self.reach * Self.whole, (Self.reach + 1) * Self.whole)
      let sides = 1...(most - least)
      guard sides ~= width, sides ~= height else {
        throw EditError(
          .invalidEdit, "the crop rectangle has no width or height, or is larger than the picture",
          remedy: "use a rectangle inside the picture")
      }
      guard least...(most - width) ~= left, least...(most - height) ~= top else {
        throw EditError(
          .invalidEdit, "the crop rectangle extends beyond the picture",
          remedy: "use a rectangle inside the picture")
      }
      self.init(checkedLeft: left, top: top, width: width, height: height)
    }

    private init(checkedLeft left: Int, top: Int, width: Int, height: Int) {
      self.left = left
      self.top = top
      self.width = width
      self.height = height
    }

    /// Whether the rectangle covers the whole picture.
    var isWhole: Bool { left == 0 && top == 0 && width == Self.whole && height == Self.whole }

    /// Returns the same part in the transformed picture.
    func turned(by orientation: Orientation) -> Rectangle {
      let m = orientation.matrix
      func edge(_ horizontal: Int, _ vertical: Int) -> Int {
        switch (horizontal, vertical) {
        case (1, _): left
        case (-1, _): Self.whole - left - width
        case (_, 1): top
        default: Self.whole - top - height
        }
      }
      return Rectangle(
        checkedLeft: edge(m.a, m.c), top: edge(m.b, m.d), width: orientation.swapsAxes ? height : width,
        height: orientation.swapsAxes ? width : height)
    }
  }

  /// Returns the same part in the transformed picture.
  func turned(by orientation: Orientation) -> Crop {
    switch self {
    case .aspect(let ratio, let anchor):
      .aspect(orientation.swapsAxes ? ratio.transposed : ratio, anchor.turned(by: orientation))
    case .rectangle(let rectangle): .rectangle(rectangle.turned(by: orientation))
    }
  }
}
