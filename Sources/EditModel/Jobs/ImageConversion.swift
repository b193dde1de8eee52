/// A conversion of a photo, or of a movie's first frame, to an upright picture for websites, optionally with a maximum
/// size.
public struct ImageConversion: Codable, Hashable, Sendable {
  /// The file format of a picture.
  public enum Format: String, Codable, CaseIterable, Hashable, Sendable {
    /// JPEG.
    case jpeg
    /// Portable Network Graphics (ISO/IEC 15948), 8 bits per sample.
    case png
    /// WebP (RFC 9649).
    case webp

    /// The file name extension.
    public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
  }

  /// The colour space of the new picture.
  public enum Profile: String, Codable, CaseIterable, Hashable, Sendable {
    /// The source's colour space, with the source's colour profile.
    case keep
    /// sRGB without a colour profile. Software treats pictures without a profile as sRGB.
    case srgb
  }

  /// The path of the photo or movie. The file is only read.
  public var source: String
  /// Whether the source is a movie. In that case, its first frame is used.
  public var isMovie: Bool
  /// The path of the file to write. The file must not exist yet; it is deleted if the conversion fails.
  public var output: String
  /// The maximum length of the longer side in pixels; nil keeps the picture's size. Pictures are never enlarged.
  public var longerSide: Int?
  /// The file format of the new picture.
  public var format: Format
  /// The colour space of the new picture.
  public var profile: Profile
  /// How closely the picture resembles the source. PNG is always lossless; WebP is lossless unless the quality is
  /// small.
  public var quality: RenderSettings.Quality

  /// - Parameters:
  ///   - source: The path of the photo or movie.
  ///   - isMovie: Whether the source is a movie.
  ///   - output: The path of the file to write.
  ///   - longerSide: The maximum length of the longer side in pixels; nil keeps the size.
  ///   - format: The file format of the new picture.
  ///   - profile: The colour space of the new picture.
  ///   - quality: How closely the picture resembles the source.
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

  /// Returns the size of the new picture.
  ///
  /// - Parameter picture: The size of the source as displayed.
  public func size(of picture: PixelSize) -> PixelSize {
    let longest = max(picture.width, picture.height)
    guard let longerSide, longerSide < longest else { return picture }
    func scaled(_ side: Int) -> Int {
      max(1, Int((Double(side) * Double(longerSide) / Double(longest)).rounded()))
    }
    return PixelSize(width: scaled(picture.width), height: scaled(picture.height))
  }
}

/// A conversion of a movie to a format that plays in every browser: an upright MP4 with 8-bit H.264 in BT.709, and AAC.
public struct VideoConversion: Codable, Hashable, Sendable {
  /// The path of the movie. The movie is only read.
  public var source: String
  /// The path of the file to write. The file must not exist yet; it is deleted if the conversion fails.
  public var output: String
  /// The maximum length of the shorter side in pixels, such as 720 for “720p”; nil keeps the size. Movies are never
  /// enlarged.
  public var shorterSide: Int?
  /// How closely the frames resemble the source's frames.
  public var quality: RenderSettings.Quality
  /// The speed of the encoder. Slower encoding produces smaller files.
  public var speed: RenderSettings.Speed
  /// Whether edits will be previewed on the frames. Because edits amplify coding losses, the frames are then encoded
  /// twice as finely.
  package var isForEdits = false

  /// - Parameters:
  ///   - source: The path of the movie.
  ///   - output: The path of the file to write.
  ///   - shorterSide: The maximum length of the shorter side in pixels; nil keeps the size.
  ///   - quality: How closely the frames resemble the source's frames.
  ///   - speed: The speed of the encoder.
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

  /// Returns the size of the new frames, in even numbers.
  ///
  /// - Parameters:
  ///   - width: The displayed width of the movie, in square pixels.
  ///   - height: The displayed height of the movie, in square pixels.
  public func size(width: Double, height: Double) -> PixelSize {
    let shortest = max(min(width, height), 1)
    // Rounded down to an even number, just as unscaled frames with an odd width or height are cropped.
    let wanted = min(Double(shorterSide ?? .max), shortest)
    let scale = wanted < shortest ? Double(max(Int(wanted) & ~1, 16)) / shortest : 1
    func even(_ side: Double) -> Int {
      scale < 1 ? max(16, 2 * Int((side * scale / 2).rounded())) : Int(side.rounded()) & ~1
    }
    return PixelSize(width: even(width), height: even(height))
  }
}
