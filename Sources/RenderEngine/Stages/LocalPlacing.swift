import Basics
import Codecs
import EditModel
import LivePhotoFormat
import Rendering

/// The positions of movie frames relative to the photo. The positions are found by tracking the camera relative to the
/// frame at the time of the photo. If this time is unknown, the frame in the middle of the visible part serves as the
/// reference.
struct LocalPlacing: Sendable {
  /// The mappings from positions in the frame at the time of the photo to positions in each frame, in samples of stored
  /// frames.
  private let moves: [Similarity]
  private let summary: MovieSummary
  /// The presentation time of each source frame, in ticks.
  private let times: [Int64]

  /// Decodes the frames and tracks the camera.
  ///
  /// - Parameters:
  ///   - movie: The movie.
  ///   - path: The path of the movie.
  ///   - summary: The headers of the movie.
  ///   - stop: The signal that stops the work.
  ///   - onProgress: Receives the completed fraction of the work.
  init(
    _ movie: Movie, of path: String, _ summary: MovieSummary, stop: StopSignal, onProgress: (Double) -> Void
  ) throws {
    let frames = try movie.frames
    var tracking = CameraTracking()
    do {
      try VideoCheck.decode(
        path: path, trackID: summary.videoTrackID, isCancelled: { stop.isStopped }
      ) { _, frame in
        tracking.look(at: frame)
        onProgress(Double(tracking.path.count) / Double(max(frames.count, 1)))
      }
    } catch is CancellationError {
      try stop.check()
    }
    guard tracking.path.count == frames.count, !frames.isEmpty else {
      throw MediaError("the sample tables contradict each other")
    }
    let shown = try movie.shownFrames
    let middle = shown.dropFirst(shown.count / 2).first
    let key = (movie.stillImageTime.flatMap(shown.frame(at:)) ?? middle)?.number ?? 0
    moves = tracking.path.map { tracking.path[key].inverse.then($0) }
    (self.summary, times) = (summary, frames.map(\.time))
  }

  /// Returns the number of the source frame that is shown at a given time.
  ///
  /// - Parameters:
  ///   - ticks: The time in ticks.
  ///   - plan: The frames to show and their times, or nil to show every frame at its original time.
  private func number(at ticks: Int64, _ plan: MotionPlan?) -> Int {
    let shown = max((plan?.times ?? times).partitioningIndex { $0 > ticks } - 1, 0)
    return plan?.frames[min(shown, (plan?.frames.count ?? 1) - 1)].parts[0].number ?? shown
  }

  /// Returns the mapping from positions in a rotated frame to positions in the frame at the time of the photo, both as
  /// fractions of width and height.
  ///
  /// - Parameters:
  ///   - ticks: The time at which the frame is shown.
  ///   - plan: The frames to show and their times, or nil to show every frame at its original time.
  ///   - transform: The rotation or flip of the stored frames.
  func back(at ticks: Int64, _ plan: MotionPlan?, turnedBy transform: Orientation) -> PictureProjection {
    let index = number(at: ticks, plan)
    guard moves.indices.contains(index) else { return PictureProjection() }
    let move = moves[index].turned(by: transform).inverse
    let turned = PixelSize(turning: (summary.storedWidth, summary.storedHeight), by: transform)
    let size = SIMD2(Double(turned.width), Double(turned.height))
    return PictureProjection(scale: size, shift: -size / 2)
      .then(PictureProjection(x: [1 + move.a, -move.b, move.x], y: [move.b, 1 + move.a, move.y]))
      .then(PictureProjection(scale: 1 / size, shift: [0.5, 0.5]))
  }
}
