import FoundationEssentials

/// The pictures of one asset for a contact sheet. A separate process decodes the pictures and returns their samples, so
/// that a file that exploits a decoder cannot corrupt the pictures of other assets. The process that assembles the
/// sheet decodes nothing.
public struct SheetPictures: Codable, Hashable, Sendable {
  /// A source for a picture: a photo, or a frame of a movie.
  public struct Source: Codable, Hashable, Sendable {
    /// The path of the photo or movie. The file is only read.
    public var path: String
    /// The time of the frame to show, in seconds on the movie's timeline; nil for a photo.
    public var seconds: Double?

    /// - Parameters:
    ///   - path: The path of the photo or movie.
    ///   - seconds: The time of the frame to show; nil for a photo.
    public init(path: String, seconds: Double? = nil) { (self.path, self.seconds) = (path, seconds) }
  }

  /// A picture in the Y′CbCr of JPEG (ITU-T T.871 section 7), with 8 bits per sample and without chroma subsampling.
  public struct Picture: Codable, Hashable, Sendable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The samples of each plane in row-major order: of luma alone, or of luma, Cb and Cr.
    public var planes: [Data]

    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - planes: The samples of each plane.
    public init(width: Int, height: Int, planes: [Data]) {
      (self.width, self.height, self.planes) = (width, height, planes)
    }

    /// Returns whether the picture has the required number of samples, and whether its width and height are within a
    /// maximum.
    ///
    /// - Parameter side: The maximum width and height in pixels.
    public func isSound(within side: Int) -> Bool {
      (1...side).contains(width) && (1...side).contains(height) && [1, 3].contains(planes.count)
        && planes.allSatisfy { $0.count == width * height }
    }
  }

  /// The photo and the frames to decode.
  public var sources: [Source]
  /// The maximum length of a picture's longer side in pixels.
  public var side: Int

  /// - Parameters:
  ///   - sources: The photo and the frames to decode.
  ///   - side: The maximum length of a picture's longer side in pixels.
  public init(sources: [Source], side: Int) { (self.sources, self.side) = (sources, side) }
}
