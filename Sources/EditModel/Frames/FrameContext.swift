/// The context of a frame: the half of the asset that it belongs to, its time and its scale.
public struct FrameContext: Hashable, Sendable {
  /// The half that the frame belongs to.
  public var half: HalfKind
  /// The display time of the frame, in seconds on the movie's timeline, with the edit list applied. For the photo, the
  /// time in the movie at which the photo was taken; 0 if that time is not known.
  public var time: Double
  /// The scale of the picture relative to full size: 1, or less than 1 in a preview.
  public var renderScale: Double
  /// The map from positions in the frame to positions in the unedited, displayed photo. Both are in fractions of the
  /// width and height. The map includes all geometric changes of the edit, and the camera's motion since the photo was
  /// taken. The map is computed only if the edit needs it.
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
