/// The settings of a render, as opposed to the edit itself. The settings are part of a version and influence the
/// version's identifier.
public struct RenderSettings: Codable, Hashable, Sendable {
  /// A video codec for the movie.
  public enum VideoCodec: String, Codable, Hashable, Sendable, CaseIterable {
    /// H.264 (ISO/IEC 14496-10), stored as `avc1`.
    case h264
    /// HEVC (ISO/IEC 23008-2), stored as `hvc1`.
    case hevc
  }

  /// How closely the rendered pictures resemble the original pictures.
  public enum Quality: String, Codable, Hashable, Sendable, CaseIterable {
    /// Files that are small enough to send.
    case small
    /// Pictures that are hardly distinguishable from the original pictures, in files up to about twice as large.
    case standard
    /// Pictures that are even closer to the original pictures, in larger files.
    case high
  }

  /// The speed of the movie encoder. At the same quality, slower encoding makes smaller files.
  public enum Speed: String, Codable, Hashable, Sendable, CaseIterable {
    /// The fastest speed, which is the default.
    case fast
    /// About three times as slow as ``fast``.
    case medium
    /// Much slower than ``medium``, with the smallest files.
    case slow
  }

  /// A file format for the photo.
  public enum PhotoFormat: String, Codable, Hashable, Sendable, CaseIterable {
    /// The source's file format.
    case same
    /// HEIC (ISO/IEC 23008-12 with HEVC).
    case heic
    /// JPEG.
    case jpeg
  }

  /// The movie's codec; nil keeps the source's codec.
  public var videoCodec: VideoCodec?
  /// How closely the rendered pictures resemble the original pictures.
  public var quality: Quality
  /// The speed of the movie encoder.
  public var speed: Speed

  /// The photo's file format.
  public var photoFormat: PhotoFormat

  /// Whether decoding pixels is forbidden. The movie is then rotated by its matrix, and the photo in the DCT domain or
  /// by its Exif orientation. The other settings have no effect.
  public var isLossless: Bool

  /// The default settings.
  public static let standard = RenderSettings()

  /// - Parameters:
  ///   - videoCodec: The movie's codec; nil keeps the source's codec.
  ///   - quality: How closely the rendered pictures resemble the original pictures.
  ///   - speed: The speed of the movie encoder.
  ///   - isLossless: Whether decoding pixels is forbidden.
  ///   - photoFormat: The photo's file format.
  public init(
    videoCodec: VideoCodec? = nil, quality: Quality = .standard, speed: Speed = .fast,
    isLossless: Bool = false, photoFormat: PhotoFormat = .same
  ) {
    self.videoCodec = videoCodec
    self.quality = quality
    self.speed = speed
    self.isLossless = isLossless
    self.photoFormat = photoFormat
  }

  /// The photo format in effect: ``photoFormat``, or the source's format if the render is lossless.
  public var renderedPhotoFormat: PhotoFormat { isLossless ? .same : photoFormat }
}
