/// A photo, or the first frame of a movie, on its way to a picture for websites: upright and of a size that is asked for.
public struct ImageConversion: Codable, Hashable, Sendable {
  /// A file format.
  public enum Format: String, Codable, CaseIterable, Hashable, Sendable {
    /// JPEG.
    case jpeg
    /// Portable Network Graphics (ISO/IEC 15948), 8 bits a sample.
    case png
    /// WebP (RFC 9649).
    case webp

    /// The extension of its files.
    public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
  }

  /// The colours of the new picture.
  public enum Profile: String, Codable, CaseIterable, Hashable, Sendable {
    /// The source's, with its profile.
    case keep
    /// sRGB without a profile, for which everything takes a picture that has none.
    case srgb
  }

  /// Path of the photo or movie. Only read.
  public var source: String
  /// True if the source is a movie, whose first frame is taken.
  public var isMovie: Bool
  /// Path of the file to write. It must not exist yet; after a failure it is gone again.
  public var output: String
  /// Pixels of the longer side at most; nil keeps the size. No picture is enlarged.
  public var longerSide: Int?
  /// The file format.
  public var format: Format
  /// The colours.
  public var profile: Profile
  /// The fidelity of the picture to the source. PNG is always without loss; so is WebP, unless it is to be small.
  public var quality: RenderSettings.Quality

  /// - Parameters:
  ///   - source: path of the photo or movie.
  ///   - isMovie: whether it is a movie.
  ///   - output: path of the file to write.
  ///   - longerSide: pixels of the longer side at most; nil keeps the size.
  ///   - format: the file format.
  ///   - profile: the colours.
  ///   - quality: how near the picture comes to the source.
  public init(
    source: String, isMovie: Bool = false, output: String, longerSide: Int? = nil, format: Format = .jpeg,
    profile: Profile = .keep, quality: RenderSettings.Quality = .standard
  ) {
    self.source = source
    self.isMovie = isMovie
    self.output = output
    self.longerSide = longerSide
    self.format = format
    self.profile = profile
    self.quality = quality
  }

  /// The size of the new picture.
  ///
  /// - Parameter picture: columns and rows of the picture as displayed.
  public func size(of picture: PixelSize) -> PixelSize {
    let longest = max(picture.width, picture.height)
    guard let longerSide, longerSide < longest else { return picture }
    func scaled(_ side: Int) -> Int {
      max(1, Int((Double(side) * Double(longerSide) / Double(longest)).rounded()))
    }
    return PixelSize(width: scaled(picture.width), height: scaled(picture.height))
  }
}

/// A movie on its way to one that every browser plays: MP4 with H.264 of 8 bits in BT.709, upright, and AAC.
public struct VideoConversion: Codable, Hashable, Sendable {
  /// Path of the movie. Only read.
  public var source: String
  /// Path of the file to write. It must not exist yet; after a failure it is gone again.
  public var output: String
  /// Pixels of the shorter side at most, as in “720p”; nil keeps the size. No movie is enlarged.
  public var shorterSide: Int?
  /// The fidelity of the frames to the source's.
  public var quality: RenderSettings.Quality
  /// The time that the encoder takes to find fewer bits.
  public var speed: RenderSettings.Speed
  /// True if edits are shown on the frames, which make much of what coding took away: they are coded twice as finely.
  package var isForEdits = false

  /// - Parameters:
  ///   - source: path of the movie.
  ///   - output: path of the file to write.
  ///   - shorterSide: pixels of the shorter side at most; nil keeps the size.
  ///   - quality: how near the frames come to the source's.
  ///   - speed: how much time the encoder takes to find fewer bits.
  public init(
    source: String, output: String, shorterSide: Int? = nil, quality: RenderSettings.Quality = .standard,
    speed: RenderSettings.Speed = .medium
  ) {
    self.source = source
    self.output = output
    self.shorterSide = shorterSide
    self.quality = quality
    self.speed = speed
  }

  /// The size of the new frames: even numbers.
  ///
  /// - Parameters:
  ///   - width: columns of the movie as displayed, in square pixels.
  ///   - height: its rows.
  public func size(width: Double, height: Double) -> PixelSize {
    let shortest = max(min(width, height), 1)
    // Rounded down to even as a whole frame of odd size is cut.
    let wanted = min(Double(shorterSide ?? .max), shortest)
    let scale = wanted < shortest ? Double(max(Int(wanted) & ~1, 16)) / shortest : 1
    func even(_ side: Double) -> Int {
      scale < 1 ? max(16, 2 * Int((side * scale / 2).rounded())) : Int(side.rounded()) & ~1
    }
    return PixelSize(width: even(width), height: even(height))
  }
}
