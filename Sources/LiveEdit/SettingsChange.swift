import EditModel

/// The settings that somebody asks for; the others stay as the last render had them.
public struct SettingsChange: Hashable, Sendable {
  /// The movie's codec.
  public var videoCodec: RenderSettings.VideoCodec?
  /// How near the rendered pictures come to the original ones.
  public var quality: RenderSettings.Quality?
  /// How much time the movie encoder takes.
  public var speed: RenderSettings.Speed?

  /// - Parameters:
  ///   - videoCodec: the movie's codec.
  ///   - quality: how near the rendered pictures come to the original ones.
  ///   - speed: how much time the movie encoder takes.
  public init(
    videoCodec: RenderSettings.VideoCodec? = nil, quality: RenderSettings.Quality? = nil,
    speed: RenderSettings.Speed? = nil
  ) {
    self.videoCodec = videoCodec
    self.quality = quality
    self.speed = speed
  }

  /// The settings with the change in them.
  public func applied(to settings: RenderSettings) -> RenderSettings {
    RenderSettings(
      videoCodec: videoCodec ?? settings.videoCodec, quality: quality ?? settings.quality,
      speed: speed ?? settings.speed)
  }
}
