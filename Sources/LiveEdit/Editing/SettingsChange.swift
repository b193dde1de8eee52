import EditModel

/// The settings that somebody asks for; the others stay as the last render had them.
public struct SettingsChange: Hashable, Sendable {
  /// The movie's codec.
  public var videoCodec: RenderSettings.VideoCodec?
  /// How near the rendered pictures come to the original ones.
  public var quality: RenderSettings.Quality?
  /// How much time the movie encoder takes.
  public var speed: RenderSettings.Speed?
  /// The photo's file format.
  public var photoFormat: RenderSettings.PhotoFormat?
  /// Whether no pixel may be decoded. A lossless render stays lossless until somebody asks for another
  /// codec, quality, speed or photo format, which only an encoder can give.
  public var isLossless: Bool

  /// - Parameters:
  ///   - videoCodec: the movie's codec.
  ///   - quality: how near the rendered pictures come to the original ones.
  ///   - speed: how much time the movie encoder takes.
  ///   - isLossless: whether no pixel may be decoded.
  ///   - photoFormat: the photo's file format.
  public init(
    videoCodec: RenderSettings.VideoCodec? = nil, quality: RenderSettings.Quality? = nil,
    speed: RenderSettings.Speed? = nil, isLossless: Bool = false,
    photoFormat: RenderSettings.PhotoFormat? = nil
  ) {
    self.videoCodec = videoCodec
    self.quality = quality
    self.speed = speed
    self.isLossless = isLossless
    self.photoFormat = photoFormat
  }

  /// The settings with the change in them.
  public func applied(to settings: RenderSettings) -> RenderSettings {
    let asksForEncoder = videoCodec != nil || quality != nil || speed != nil || photoFormat != nil
    return RenderSettings(
      videoCodec: videoCodec ?? settings.videoCodec, quality: quality ?? settings.quality,
      speed: speed ?? settings.speed, isLossless: isLossless || (settings.isLossless && !asksForEncoder),
      photoFormat: photoFormat ?? settings.photoFormat)
  }
}
