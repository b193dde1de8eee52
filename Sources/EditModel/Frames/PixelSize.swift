/// The size of a picture in pixels.
public struct PixelSize: Codable, Hashable, Sendable {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Creates the size of a stored picture after a transform.
  ///
  /// - Parameters:
  ///   - stored: The width and height of the stored picture.
  ///   - transform: The rotation or mirroring.
  public init(turning stored: (width: Int, height: Int), by transform: Orientation) {
    self =
      transform.swapsAxes
      ? Self(width: stored.height, height: stored.width)
      : Self(width: stored.width, height: stored.height)
  }

  /// Returns the largest size that fits into this size and does not exceed a picture's size. The width and height are
  /// even, and their ratio is close to the picture's aspect ratio. Both are at least 16 pixels, as encoders require,
  /// unless the picture itself is smaller.
  public func fitting(_ picture: PixelSize) -> PixelSize {
    let scale = min(
      1, Double(max(width, 1)) / Double(max(picture.width, 1)),
      Double(max(height, 1)) / Double(max(picture.height, 1)))
    if scale == 1 { return picture }
    func even(_ length: Int) -> Int { min(max(Int((Double(length) * scale).rounded()) & ~1, 16), length) }
    return PixelSize(width: even(picture.width), height: even(picture.height))
  }
}
