/// A contact sheet on its way: pictures in rows, with captions and badges, below a title.
public struct SheetConversion: Codable, Hashable, Sendable {
  /// One picture of the sheet.
  public struct Cell: Codable, Hashable, Sendable {
    /// Path of the photo or movie. Only read.
    public var source: String
    /// The time of the frame that is shown, in seconds on the movie's timeline; nil for a photo.
    public var seconds: Double?
    /// The lines below the picture; one that is too long is cut in its middle.
    public var caption: [String]
    /// Short words on the picture: “LIVE”.
    public var badges: [String]
    /// True if the picture has a frame around it.
    public var isMarked: Bool

    /// - Parameters:
    ///   - source: path of the photo or movie.
    ///   - seconds: the time of a movie's frame; nil for a photo.
    ///   - caption: the lines below the picture.
    ///   - badges: short words on the picture.
    ///   - isMarked: whether the picture has a frame around it.
    public init(
      source: String, seconds: Double? = nil, caption: [String] = [], badges: [String] = [],
      isMarked: Bool = false
    ) {
      self.source = source
      self.seconds = seconds
      self.caption = caption
      self.badges = badges
      self.isMarked = isMarked
    }
  }

  /// The lines at the top; the first is in bold letters.
  public var title: [String]
  /// The pictures, row by row.
  public var cells: [Cell]
  /// Pictures side by side, from 1 on.
  public var columns: Int
  /// Pixels of the longer side that pictures get at most.
  public var side: Int
  /// The file format.
  public var format: ImageConversion.Format
  /// Path of the file to write. It must not exist yet; after a failure it is gone again.
  public var output: String

  /// - Parameters:
  ///   - title: the lines at the top.
  ///   - cells: the pictures, row by row.
  ///   - columns: pictures side by side.
  ///   - side: pixels of the longer side that pictures get at most.
  ///   - format: the file format.
  ///   - output: path of the file to write.
  public init(
    title: [String], cells: [Cell], columns: Int, side: Int, format: ImageConversion.Format, output: String
  ) {
    self.title = title
    self.cells = cells
    self.columns = columns
    self.side = side
    self.format = format
    self.output = output
  }
}
