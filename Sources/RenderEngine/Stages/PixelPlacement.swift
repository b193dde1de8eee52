import EditModel

/// The change that a job makes to the stored coordinates of its halves. Whatever describes places in a photo or a
/// frame is in those coordinates, so whether it stays true follows from this alone.
struct PixelPlacement: Sendable {
  /// True if pixels stay where they are stored in both halves, and are laid down as before: under edits that neither turn
  /// nor reframe.
  let isKept: Bool
  /// True if pixels of the movie stay where they are stored.
  private let movieStays: Bool
  private let turn: Orientation

  /// - Parameters:
  ///   - job: what is done.
  ///   - isUpright: whether pictures are handed to somebody who must see them as they are displayed.
  init(_ job: RenderJob, isUpright: Bool) {
    turn = job.edit.orientation
    isKept = turn == .identity && job.edit.geometry.isNeutral && !isUpright
    movieStays = isKept || job.settings.isLossless
  }

  /// The turn of the frames' pixels, and the one by which the new frames are displayed.
  ///
  /// - Parameter own: how the movie's frames are laid down now.
  func movie(_ own: Orientation) -> (transform: Orientation, display: Orientation) {
    let display = own.then(turn)
    return movieStays ? (.identity, display) : (display, .identity)
  }

  /// The same for a photo whose pixels can be turned; one that is turned by a flag keeps them in any case.
  ///
  /// - Parameter own: how the photo is laid down now.
  func photo(_ own: Orientation) -> (transform: Orientation, display: Orientation) {
    isKept ? (.identity, own) : (own.then(turn), .identity)
  }
}
