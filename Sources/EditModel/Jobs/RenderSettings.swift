/// The settings of a render, as opposed to the edit itself. They are part of a version and influence its identifier.
public struct RenderSettings: Codable, Hashable, Sendable {
  /// A video codec for the movie.
  public enum VideoCodec: String, Codable, Hashable, Sendable, CaseIterable {
    /// H.264 (ISO/IEC 14496-10), stored as `avc1`.
    case h264
    /// HEVC (ISO/IEC 23008-2), stored as `hvc1`.
    case hevc
  }

  /// How closely the rendered pictures resemble the original ones.
  public enum Quality: String, Codable, Hashable, Sendable, CaseIterable {
    /// Small files for sending.
    case small
    /// Hardly distinguishable from the original, at up to about twice its size.
    case standard
    /// Even closer to the original, with larger files.
    case high
  }

  /// The speed of the movie encoder. At the same quality, slower encoding makes smaller files.
  public enum Speed: String, Codable, Hashable, Sendable, CaseIterable {
    /// The fastest speed, and the default.
    case fast
    /// About three times as slow as ``fast``.
    case medium
    /// Much slower still, with the smallest files.
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
  /// How closely the rendered pictures resemble the original ones.
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
  ///   - quality: How closely the rendered pictures resemble the original ones.
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
