/// A frame's place in its asset.
public struct FrameContext: Hashable, Sendable {
  /// The half that it belongs to.
  public var half: HalfKind
  /// Time it is shown: seconds on the movie's timeline, edit list applied. For the photo, the moment of the
  /// movie that it was taken at; 0 where that is not known.
  public var time: Double
  /// The picture's size as a part of the full one: 1, or less in a preview.
  public var renderScale: Double
  /// From places of the frame to those of the photo before it was edited, displayed, both in fractions: as far as the edit
  /// asks for it, and with all that the edit does to places and the camera's way since that moment.
  package var source = PictureProjection()

  /// - Parameters:
  ///   - half: the half that it belongs to.
  ///   - time: when it is shown, in seconds.
  ///   - renderScale: how large it is compared with the full picture.
  public init(half: HalfKind, time: Double, renderScale: Double = 1) {
    self.half = half
    self.time = time
    self.renderScale = renderScale
  }
}
