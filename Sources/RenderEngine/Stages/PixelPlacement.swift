import EditModel

/// The changes of a job to the stored coordinates of its halves. Metadata that describes positions in a photo or frame
/// uses these coordinates, so this type alone determines whether such metadata stays correct.
struct PixelPlacement: Sendable {
  /// Whether both halves keep the stored positions of their pixels and their orientation, because the edit neither
  /// rotates nor crops.
  let isKept: Bool
  /// Whether the movie's pixels keep their stored positions.
  private let movieStays: Bool
  private let turn: Orientation

  /// - Parameters:
  ///   - job: The job.
  ///   - isUpright: Whether a later stage must see pictures as they are displayed.
  init(_ job: RenderJob, isUpright: Bool) {
    turn = job.edit.orientation
    isKept = turn == .identity && job.edit.geometry.isNeutral && !isUpright
    movieStays = isKept || job.settings.isLossless
  }

  /// Returns the rotation of the frames' pixels, and the display orientation of the new frames.
  ///
  /// - Parameter own: The current orientation of the movie's frames.
  func movie(_ own: Orientation) -> (transform: Orientation, display: Orientation) {
    let display = own.then(turn)
    return movieStays ? (.identity, display) : (display, .identity)
  }

  /// Returns the rotation of a photo's pixels, and the display orientation of the new photo. A photo that is rotated by
  /// metadata always keeps its pixels.
  ///
  /// - Parameter own: The current orientation of the photo.
  func photo(_ own: Orientation) -> (transform: Orientation, display: Orientation) {
    isKept ? (.identity, own) : (own.then(turn), .identity)
  }
}
