import EditModel

/// How a job changes the stored coordinates of its halves. Metadata about positions in a photo or frame uses these
/// coordinates, so this type alone determines whether such metadata stays correct.
struct PixelPlacement: Sendable {
  /// Whether the pixels of both halves keep their stored positions and both halves keep their orientation, because the
  /// edit neither rotates nor crops.
  let isKept: Bool
  /// Whether the movie's pixels keep their stored positions.
  private let movieStays: Bool
  private let turn: Orientation

  /// - Parameters:
  ///   - job: The job.
  ///   - isUpright: Whether a later stage needs pictures in their displayed orientation.
  init(_ job: RenderJob, isUpright: Bool) {
    turn = job.edit.orientation
    isKept = turn == .identity && job.edit.geometry.isNeutral && !isUpright
    movieStays = isKept || job.settings.isLossless
  }

  /// Returns the rotation to apply to the pixels of frames, and the display orientation of the new frames.
  ///
  /// - Parameter own: The current orientation of the movie's frames.
  func movie(_ own: Orientation) -> (transform: Orientation, display: Orientation) {
    let display = own.then(turn)
    return movieStays ? (.identity, display) : (display, .identity)
  }

  /// Returns the rotation to apply to a photo's pixels, and the display orientation of the new photo. If metadata
  /// rotates the photo, the pixels are always kept.
  ///
  /// - Parameter own: The current orientation of the photo.
  func photo(_ own: Orientation) -> (transform: Orientation, display: Orientation) {
    isKept ? (.identity, own) : (own.then(turn), .identity)
  }
}
