import FoundationEssentials

/// The pictures of one asset for a contact sheet. They are made by a process of their own, so that a file that breaks it falsifies no
/// other asset's, and come back as samples: whoever puts the sheet together decodes nothing.
public struct SheetPictures: Codable, Hashable, Sendable {
  /// A photo, or a frame of a movie.
  public struct Source: Codable, Hashable, Sendable {
    /// Path of the photo or movie. Only read.
    public var path: String
    /// The time of the frame that is shown, in seconds on the movie's timeline; nil for a photo.
    public var seconds: Double?

    /// - Parameters:
    ///   - path: path of the photo or movie.
    ///   - seconds: the time of a movie's frame; nil for a photo.
    public init(path: String, seconds: Double? = nil) { (self.path, self.seconds) = (path, seconds) }
  }

  /// A picture in the Y′CbCr of JPEGs (ITU-T T.871 section 7), with 8 bits a sample and chroma for each pixel.
  public struct Picture: Codable, Hashable, Sendable {
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int
    /// The samples of each plane, row after row: of luma alone, or of luma, Cb and Cr.
    public var planes: [Data]

    /// - Parameters:
    ///   - width: columns.
    ///   - height: rows.
    ///   - planes: the samples of each plane.
    public init(width: Int, height: Int, planes: [Data]) {
      (self.width, self.height, self.planes) = (width, height, planes)
    }

    /// True if it has as many samples as it must, and no side is longer than one.
    ///
    /// - Parameter side: pixels.
    public func isSound(within side: Int) -> Bool {
      (1...side).contains(width) && (1...side).contains(height) && [1, 3].contains(planes.count)
        && planes.allSatisfy { $0.count == width * height }
    }
  }

  /// The photo and the frames.
  public var sources: [Source]
  /// Pixels of the longer side that pictures get at most.
  public var side: Int

  /// - Parameters:
  ///   - sources: the photo and the frames.
  ///   - side: pixels of the longer side that pictures get at most.
  public init(sources: [Source], side: Int) { (self.sources, self.side) = (sources, side) }
}
