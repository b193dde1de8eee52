import FoundationEssentials

/// A picture reduced to so few samples that many pictures can be compared by them: upright, as sRGB in the Y′CbCr of JPEGs
/// (ITU-T T.871 section 7), with 8 bits a sample, each side stretched over the whole grid.
public struct PictureGrid: Codable, Hashable, Sendable {
  /// A file whose picture is asked for.
  public struct Source: Codable, Hashable, Sendable {
    /// Path of the file. Only read.
    public var path: String
    /// True for a movie, whose first frame is taken.
    public var isMovie: Bool

    /// - Parameters:
    ///   - path: path of the file.
    ///   - isMovie: whether it is a movie.
    public init(path: String, isMovie: Bool) {
      self.path = path
      self.isMovie = isMovie
    }
  }

  /// Columns and rows of the luma samples. A picture with fewer has no grid.
  public static let side = 64
  /// Columns and rows of the chroma samples, means of four by four.
  public static let chromaSide = 16

  /// The luma samples, row after row.
  public var luma: Data
  /// The samples of Cb, row after row.
  public var blue: Data
  /// The samples of Cr, row after row.
  public var red: Data
  /// Columns of the whole picture.
  public var width: Int
  /// Rows of the whole picture.
  public var height: Int

  /// - Parameters:
  ///   - luma: the luma samples, row after row.
  ///   - blue: the samples of Cb.
  ///   - red: the samples of Cr.
  ///   - width: columns of the whole picture.
  ///   - height: rows of the whole picture.
  public init(luma: Data, blue: Data, red: Data, width: Int, height: Int) {
    (self.luma, self.blue, self.red) = (luma, blue, red)
    (self.width, self.height) = (width, height)
  }

  /// True if it has as many samples as it must.
  public var isSound: Bool {
    luma.count == Self.side * Self.side && width >= Self.side && height >= Self.side
      && [blue, red].allSatisfy { $0.count == Self.chromaSide * Self.chromaSide }
  }
}
