/// A contact sheet on its way: pictures in rows, with captions and badges, below a title.
public struct SheetConversion: Codable, Hashable, Sendable {
  /// The place of a picture in the file of pictures: its luma samples, row after row, then those of Cb and Cr, a byte each.
  public struct Place: Codable, Hashable, Sendable {
    /// Bytes before it.
    public var offset: Int
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int
    /// True if it has no chroma.
    public var isGrey: Bool

    /// - Parameters:
    ///   - offset: bytes before it.
    ///   - width: columns.
    ///   - height: rows.
    ///   - isGrey: whether it has no chroma.
    public init(offset: Int, width: Int, height: Int, isGrey: Bool) {
      (self.offset, self.width, self.height, self.isGrey) = (offset, width, height, isGrey)
    }
  }

  /// One picture of the sheet.
  public struct Cell: Codable, Hashable, Sendable {
    /// The place of its picture; nil leaves its place empty.
    public var place: Place?
    /// The lines below the picture; one that is too long is cut in its middle.
    public var caption: [String]
    /// Short words on the picture: “LIVE”.
    public var badges: [String]
    /// True if the picture has a frame around it.
    public var isMarked: Bool

    /// - Parameters:
    ///   - place: where its picture lies; nil leaves its place empty.
    ///   - caption: the lines below the picture.
    ///   - badges: short words on the picture.
    ///   - isMarked: whether the picture has a frame around it.
    public init(
      place: Place? = nil, caption: [String] = [], badges: [String] = [], isMarked: Bool = false
    ) {
      self.place = place
      self.caption = caption
      self.badges = badges
      self.isMarked = isMarked
    }
  }

  /// The lines at the top; the first is in bold letters.
  public var title: [String]
  /// Path of the file with all pictures. Only read.
  public var pictures: String
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
  ///   - pictures: path of the file with all pictures.
  ///   - cells: the pictures, row by row.
  ///   - columns: pictures side by side.
  ///   - side: pixels of the longer side that pictures get at most.
  ///   - format: the file format.
  ///   - output: path of the file to write.
  public init(
    title: [String], pictures: String, cells: [Cell], columns: Int, side: Int, format: ImageConversion.Format,
    output: String
  ) {
    self.title = title
    self.pictures = pictures
    self.cells = cells
    self.columns = columns
    self.side = side
    self.format = format
    self.output = output
  }
}
