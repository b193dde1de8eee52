import Basics
import Codecs
import EditModel
import LivePhotoFormat
import Rendering

/// Where the frames of a movie lie in the photo, by the camera's way since the photo's moment. Where that is not known, it is the middle
/// of what is shown.
struct LocalPlacing: Sendable {
  /// From places of the frame at the photo's moment to those of each frame, in samples of stored frames.
  private let moves: [Similarity]
  private let summary: MovieSummary
  /// When each frame of the source is shown, in ticks.
  private let times: [Int64]

  /// Decodes the frames and follows the camera.
  ///
  /// - Parameters:
  ///   - movie: the movie.
  ///   - path: its file.
  ///   - summary: its headers.
  ///   - stop: ends the work.
  ///   - onProgress: told the share of the work that is done.
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

  /// The number of the source's frame that is shown.
  ///
  /// - Parameters:
  ///   - ticks: when.
  ///   - plan: which frames are shown when; nil for every one at its own time.
  private func number(at ticks: Int64, _ plan: MotionPlan?) -> Int {
    let shown = max((plan?.times ?? times).partitioningIndex { $0 > ticks } - 1, 0)
    return plan?.frames[min(shown, (plan?.frames.count ?? 1) - 1)].parts[0].number ?? shown
  }

  /// From places of a frame that is turned to those of the frame at the photo's moment, both in fractions.
  ///
  /// - Parameters:
  ///   - ticks: when it is shown.
  ///   - plan: which frames are shown when; nil for every one at its own time.
  ///   - transform: how the stored frames are turned.
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
