/// A conversion of pictures to a contact sheet: pictures in rows, with captions and badges, below a title.
public struct SheetConversion: Codable, Hashable, Sendable {
  /// The location of a picture's samples in the file that contains all pictures. The file contains the picture's luma
  /// samples in row-major order, followed by the Cb and Cr samples, one byte each.
  public struct Place: Codable, Hashable, Sendable {
    /// The number of bytes before the picture in the file.
    public var offset: Int
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// Whether the picture has no chroma.
    public var isGrey: Bool

    /// - Parameters:
    ///   - offset: The number of bytes before the picture.
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - isGrey: Whether the picture has no chroma.
    public init(offset: Int, width: Int, height: Int, isGrey: Bool) {
      (self.offset, self.width, self.height, self.isGrey) = (offset, width, height, isGrey)
    }
  }

  /// A picture on the sheet, with its caption.
  public struct Cell: Codable, Hashable, Sendable {
    /// The location of the picture in the file of pictures; nil leaves the cell empty except for its caption.
    public var place: Place?
    /// The lines below the picture. A line that is too long is shortened in its middle.
    public var caption: [String]
    /// The short labels on the picture, such as “LIVE”.
    public var badges: [String]
    /// Whether the picture has a frame around it.
    public var isMarked: Bool

    /// - Parameters:
    ///   - place: The location of the picture in the file of pictures; nil leaves the cell without a picture.
    ///   - caption: The lines below the picture.
    ///   - badges: Short labels on the picture.
    ///   - isMarked: Whether the picture has a frame around it.
    public init(
      place: Place? = nil, caption: [String] = [], badges: [String] = [], isMarked: Bool = false
    ) {
      self.place = place
      self.caption = caption
      self.badges = badges
      self.isMarked = isMarked
    }
  }

  /// The lines at the top of the sheet. The first line is bold.
  public var title: [String]
  /// The path of the file that contains all pictures. The file is only read.
  public var pictures: String
  /// The pictures with their captions, row by row.
  public var cells: [Cell]
  /// The number of pictures in a row, at least 1.
  public var columns: Int
  /// The maximum length of a picture's longer side in pixels.
  public var side: Int
  /// The file format of the sheet.
  public var format: ImageConversion.Format
  /// The path of the file to write. The file must not exist yet; it is deleted if the conversion fails.
  public var output: String

  /// - Parameters:
  ///   - title: The lines at the top of the sheet.
  ///   - pictures: The path of the file that contains all pictures.
  ///   - cells: The pictures with their captions, row by row.
  ///   - columns: The number of pictures in a row.
  ///   - side: The maximum length of a picture's longer side in pixels.
  ///   - format: The file format of the sheet.
  ///   - output: The path of the file to write.
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
