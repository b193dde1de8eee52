/// The context of a frame: its half of the asset, its time and its scale.
public struct FrameContext: Hashable, Sendable {
  /// The half that the frame belongs to.
  public var half: HalfKind
  /// The display time of the frame, in seconds on the movie's timeline, with the edit list applied. For the photo, the
  /// time in the movie at which it was taken; 0 if that is not known.
  public var time: Double
  /// The scale of the picture relative to full size: 1, or less in a preview.
  public var renderScale: Double
  /// The map from positions in the frame to positions in the unedited, displayed photo, both in fractions. It includes
  /// all geometric changes of the edit and the camera's motion since the photo was taken. It is computed only if the
  /// edit needs it.
  package var source = PictureProjection()

  /// - Parameters:
  ///   - half: The half that the frame belongs to.
  ///   - time: The display time of the frame, in seconds.
  ///   - renderScale: The scale of the picture relative to full size.
  public init(half: HalfKind, time: Double, renderScale: Double = 1) {
    self.half = half
    self.time = time
    self.renderScale = renderScale
  }
}
