import FoundationEssentials

/// A picture reduced to a few samples, so that many pictures can be compared. The picture is upright and converted to
/// sRGB in the Y′CbCr of JPEG (ITU-T T.871 section 7), with 8 bits per sample. The width and height are stretched to
/// fill the grid.
public struct PictureGrid: Codable, Hashable, Sendable {
  /// A file whose reduced picture is requested.
  public struct Source: Codable, Hashable, Sendable {
    /// The path of the file. The file is only read.
    public var path: String
    /// Whether the file is a movie. In that case, its first frame is used.
    public var isMovie: Bool

    /// - Parameters:
    ///   - path: The path of the file.
    ///   - isMovie: Whether the file is a movie.
    public init(path: String, isMovie: Bool) {
      self.path = path
      self.isMovie = isMovie
    }
  }

  /// The width and height of the luma grid, in samples. A picture with fewer pixels has no grid.
  public static let side = 64
  /// The width and height of the chroma grids, in samples. Each chroma sample is the mean of a 4 × 4 block.
  public static let chromaSide = 16

  /// The luma samples in row-major order.
  public var luma: Data
  /// The Cb samples in row-major order.
  public var blue: Data
  /// The Cr samples in row-major order.
  public var red: Data
  /// The width of the whole picture in pixels.
  public var width: Int
  /// The height of the whole picture in pixels.
  public var height: Int

  /// - Parameters:
  ///   - luma: The luma samples in row-major order.
  ///   - blue: The Cb samples in row-major order.
  ///   - red: The Cr samples in row-major order.
  ///   - width: The width of the whole picture in pixels.
  ///   - height: The height of the whole picture in pixels.
  public init(luma: Data, blue: Data, red: Data, width: Int, height: Int) {
    (self.luma, self.blue, self.red) = (luma, blue, red)
    (self.width, self.height) = (width, height)
  }

  /// Whether the grid has the required number of samples.
  public var isSound: Bool {
    luma.count == Self.side * Self.side && width >= Self.side && height >= Self.side
      && [blue, red].allSatisfy { $0.count == Self.chromaSide * Self.chromaSide }
  }
}
