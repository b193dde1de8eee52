public import Basics

/// The part of a picture that is kept.
public enum Crop: Hashable, Sendable {
  /// The largest part of a shape, at a place.
  case aspect(AspectRatio, Anchor)
  /// A rectangle of the picture.
  case rectangle(Rectangle)

  /// Width to height, in lowest terms.
  public struct AspectRatio: Hashable, Sendable {
    /// The width's share.
    public let width: Int
    /// The height's share.
    public let height: Int

    /// The greatest number of a ratio.
    public static let largest = 10_000

    /// - Parameters:
    ///   - width: the width's share, 1 to ``largest``.
    ///   - height: the height's share, 1 to ``largest``.
    /// - Throws: ``Basics/EditError`` when a share is out of range, or one is more than a hundred times the other.
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

    /// The shape of the picture with rows and columns exchanged.
    var transposed: AspectRatio { AspectRatio(reducedWidth: height, height: width) }
  }

  /// The place of a part that could lie at several places.
  public enum Anchor: String, CaseIterable, Hashable, Sendable {
    /// In the upper left corner.
    case topLeft
    /// At the upper edge.
    case top
    /// In the upper right corner.
    case topRight
    /// At the left edge.
    case left
    /// In the middle.
    case center
    /// At the right edge.
    case right
    /// In the lower left corner.
    case bottomLeft
    /// At the lower edge.
    case bottom
    /// In the lower right corner.
    case bottomRight

    /// From -1, left, to 1, right.
    public var x: Int {
      switch self {
      case .topLeft, .left, .bottomLeft: -1
      case .top, .center, .bottom: 0
      case .topRight, .right, .bottomRight: 1
      }
    }

    /// From -1, top, to 1, bottom.
    public var y: Int {
      switch self {
      case .topLeft, .top, .topRight: -1
      case .left, .center, .right: 0
      case .bottomLeft, .bottom, .bottomRight: 1
      }
    }

    /// The same place of the transformed picture.
    func turned(by orientation: Orientation) -> Anchor {
      let m = orientation.matrix
      let turned = (m.a * x + m.c * y, m.b * x + m.d * y)
      return Anchor.allCases.first { ($0.x, $0.y) == turned } ?? .center
    }
  }

  /// A rectangle in fractions of the picture, kept in millionths. Of a straightened picture it may reach beyond the frame
  /// that is seen without it, see ``Geometry``.
  public struct Rectangle: Hashable, Sendable {
    /// Distance of its left edge from the picture's, in millionths of the width.
    public let left: Int
    /// Distance of its upper edge from the picture's, in millionths of the height.
    public let top: Int
    /// Its width in millionths of the picture's.
    public let width: Int
    /// Its height in millionths of the picture's.
    public let height: Int

    /// The picture's width or height.
    public static let whole = 1_000_000
    /// The most that a rectangle may reach beyond any side of the frame, in widths or heights of it.
    public static let reach = 4

    /// - Parameters:
    ///   - left: distance of its left edge from the picture's, in millionths of the width.
    ///   - top: distance of its upper edge from the picture's, in millionths of the height.
    ///   - width: its width in millionths of the picture's.
    ///   - height: its height in millionths of the picture's.
    /// - Throws: ``Basics/EditError`` when it is empty or reaches beyond every picture.
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

    /// True if it is the whole picture.
    var isWhole: Bool { left == 0 && top == 0 && width == Self.whole && height == Self.whole }

    /// The same part of the transformed picture.
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

  /// The same part of the transformed picture.
  func turned(by orientation: Orientation) -> Crop {
    switch self {
    case .aspect(let ratio, let anchor):
      .aspect(orientation.swapsAxes ? ratio.transposed : ratio, anchor.turned(by: orientation))
    case .rectangle(let rectangle): .rectangle(rectangle.turned(by: orientation))
    }
  }
}
