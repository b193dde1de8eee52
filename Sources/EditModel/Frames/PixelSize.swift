/// The size of a picture in pixels.
public struct PixelSize: Codable, Hashable, Sendable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// - Parameters:
  ///   - width: columns.
  ///   - height: rows.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size of a stored picture after a turn.
  ///
  /// - Parameters:
  ///   - stored: its columns and rows.
  ///   - transform: how it is turned.
  public init(turning stored: (width: Int, height: Int), by transform: Orientation) {
    self =
      transform.swapsAxes
      ? Self(width: stored.height, height: stored.width)
      : Self(width: stored.width, height: stored.height)
  }

  /// The largest even size of about a picture's shape that fits into this one, and is not larger than the picture;
  /// at least 16 a side where the picture has as many, because encoders take no less.
  public func fitting(_ picture: PixelSize) -> PixelSize {
    let scale = min(
      1, Double(max(width, 1)) / Double(max(picture.width, 1)),
      Double(max(height, 1)) / Double(max(picture.height, 1)))
    if scale == 1 { return picture }
    func even(_ length: Int) -> Int { min(max(Int((Double(length) * scale).rounded()) & ~1, 16), length) }
    return PixelSize(width: even(picture.width), height: even(picture.height))
  }
}
