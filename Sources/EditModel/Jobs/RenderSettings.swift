/// The way an edit is rendered, as opposed to what it does. Part of a version, and of its identifier.
public struct RenderSettings: Codable, Hashable, Sendable {
  /// A compression format for the movie.
  public enum VideoCodec: String, Codable, Hashable, Sendable, CaseIterable {
    /// H.264 (ISO/IEC 14496-10), stored as `avc1`.
    case h264
    /// HEVC (ISO/IEC 23008-2), stored as `hvc1`.
    case hevc
  }

  /// The fidelity of the rendered pictures to the original ones.
  public enum Quality: String, Codable, Hashable, Sendable, CaseIterable {
    /// Small files for sending.
    case small
    /// Hard to tell from the original, at most about twice its size.
    case standard
    /// Nearer still, larger.
    case high
  }

  /// The time that the movie encoder takes to make the same quality smaller.
  public enum Speed: String, Codable, Hashable, Sendable, CaseIterable {
    /// The default.
    case fast
    /// About three times as long.
    case medium
    /// Much longer; smallest files.
    case slow
  }

  /// A file format for the photo.
  public enum PhotoFormat: String, Codable, Hashable, Sendable, CaseIterable {
    /// The source's.
    case same
    /// HEIC (ISO/IEC 23008-12 with HEVC).
    case heic
    /// JPEG.
    case jpeg
  }

  /// The movie's codec; nil keeps the source's.
  public var videoCodec: VideoCodec?
  /// The fidelity of the rendered pictures to the original ones.
  public var quality: Quality
  /// The time that the movie encoder takes.
  public var speed: Speed

  /// The photo's file format.
  public var photoFormat: PhotoFormat

  /// True if no pixel may be decoded: the movie is turned by its matrix, the photo in the DCT domain or by
  /// its Exif orientation. The other settings then have no effect.
  public var isLossless: Bool

  /// The settings that hold when nobody asks for others.
  public static let standard = RenderSettings()

  /// - Parameters:
  ///   - videoCodec: the movie's codec; nil keeps the source's.
  ///   - quality: how near the rendered pictures come to the original ones.
  ///   - speed: how much time the movie encoder takes.
  ///   - isLossless: whether no pixel may be decoded.
  ///   - photoFormat: the photo's file format.
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

  /// The photo's file format, as far as it has an effect.
  public var renderedPhotoFormat: PhotoFormat { isLossless ? .same : photoFormat }
}
