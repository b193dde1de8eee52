import EditModel

/// The settings that were requested. Other settings stay as in the last render.
package struct SettingsChange: Hashable, Sendable {
  /// The movie's codec.
  package var videoCodec: RenderSettings.VideoCodec?
  /// The quality of the rendered pictures, that is, how close they are to the originals.
  package var quality: RenderSettings.Quality?
  /// The speed of the movie encoder.
  package var speed: RenderSettings.Speed?
  /// The photo's file format.
  package var photoFormat: RenderSettings.PhotoFormat?
  /// Whether decoding pixels is forbidden. A lossless render stays lossless until another codec, quality, speed or
  /// photo format is requested, because these require encoding.
  package var isLossless: Bool
  /// The settings to use if none were ever requested.
  package var defaults = RenderSettings.standard

  /// Creates a request for some settings, or for none.
  package init(
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

  /// Whether a requested setting requires encoding.
  var asksForEncoder: Bool { videoCodec != nil || quality != nil || speed != nil || photoFormat != nil }

  /// Returns the settings with the change applied.
  ///
  /// - Parameter settings: The settings of the last render, or nil if there was no earlier render.
  package func applied(to settings: RenderSettings?) -> RenderSettings {
    let settings = settings ?? defaults
    return RenderSettings(
      videoCodec: videoCodec ?? settings.videoCodec, quality: quality ?? settings.quality,
      speed: speed ?? settings.speed, isLossless: isLossless || (settings.isLossless && !asksForEncoder),
      photoFormat: photoFormat ?? settings.photoFormat)
  }
}
