import EditModel

/// The settings that are asked for; the others stay as the last render had them.
package struct SettingsChange: Hashable, Sendable {
  /// The movie's codec.
  package var videoCodec: RenderSettings.VideoCodec?
  /// The likeness of the rendered pictures to the original ones.
  package var quality: RenderSettings.Quality?
  /// The time that the movie encoder takes.
  package var speed: RenderSettings.Speed?
  /// The photo's file format.
  package var photoFormat: RenderSettings.PhotoFormat?
  /// True if no pixel may be decoded. A lossless render stays lossless until a request for another
  /// codec, quality, speed or photo format, which only an encoder can give.
  package var isLossless: Bool
  /// The settings where none were ever asked for.
  package var defaults = RenderSettings.standard

  /// Asks for some settings, or for none.
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

  /// True if something is asked for that only an encoder can give.
  var asksForEncoder: Bool { videoCodec != nil || quality != nil || speed != nil || photoFormat != nil }

  /// The settings with the change in them.
  ///
  /// - Parameter settings: those of the last render; nil where there is none.
  package func applied(to settings: RenderSettings?) -> RenderSettings {
    let settings = settings ?? defaults
    return RenderSettings(
      videoCodec: videoCodec ?? settings.videoCodec, quality: quality ?? settings.quality,
      speed: speed ?? settings.speed, isLossless: isLossless || (settings.isLossless && !asksForEncoder),
      photoFormat: photoFormat ?? settings.photoFormat)
  }
}
