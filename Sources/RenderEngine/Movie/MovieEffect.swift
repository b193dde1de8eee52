import Basics
import Codecs
import EditModel
import LivePhotoFormat
import Rendering

/// The frames of a movie that an effect is made of, and how they are moved so that the camera holds still.
struct EffectFrames {
  /// Every one of them, shown for its own time.
  let plan: MotionPlan
  /// The way of the camera.
  let tracking: CameraTracking
  /// How they are moved as they are stored.
  let stabilization: Stabilization
  let summary: MovieSummary
  /// The number of the first of them in the source.
  let first: Int
  /// The number of the one in whose place the others are held: the one that shows what the photo shows, or the middle.
  let key: Int

  /// Decodes the frames and follows the camera.
  ///
  /// - Parameters:
  ///   - plan: shows frames that follow upon each other.
  ///   - path: the movie.
  ///   - summary: its headers.
  ///   - scene: left edge, upper edge, width and height of the part of the stored frames that may be seen.
  ///   - stop: ends the work.
  ///   - onProgress: told the share of the work that is done.
  init(
    _ plan: MotionPlan, of path: String, _ summary: MovieSummary, scene: SIMD4<Double>, stop: StopSignal,
    onProgress: (Double) -> Void
  ) throws {
    let numbers = plan.frames.map(\.parts[0].number)
    guard let first = numbers.first, numbers == Array(first..<first + numbers.count) else {
      throw MediaError("the sample tables contradict each other")
    }
    (self.plan, self.summary, self.first) = (plan, summary, first)
    key = plan.keyFrame(timeScale: summary.videoTimeScale) ?? numbers.count / 2
    var tracking = CameraTracking()
    do {
      try VideoCheck.decode(
        path: path, trackID: summary.videoTrackID, numbers: first..<first + numbers.count,
        isCancelled: { stop.isStopped }
      ) { _, frame in
        tracking.look(at: frame)
        onProgress(Double(tracking.path.count) / Double(numbers.count))
      }
    } catch is CancellationError {
      try stop.check()
    }
    guard tracking.path.count == numbers.count else {
      throw MediaError("the sample tables contradict each other")
    }
    self.tracking = tracking
    stabilization = Stabilization(
      tracking.path, around: key, of: scene, width: summary.storedWidth,
      height: summary.storedHeight)
  }

  /// The plan of what the movie shows under an effect that changes it.
  func shown(_ effect: Motion.Effect) throws -> MotionPlan {
    guard effect == .loop else { return try plan.bounced() }
    let search = LoopSearch(
      tracking, stabilization, width: summary.storedWidth, height: summary.storedHeight)
    let seconds = Double(plan.duration) / Double(summary.videoTimeScale)
    let fade = Int((Self.fadeSeconds * Double(plan.frames.count) / max(seconds, 0.001)).rounded())
    let loop = search.best(fade: fade, key: plan.still == nil ? nil : key)
    return try plan.looped(
      loop.frames, fade: loop.fade, from: loop.start, timeScale: summary.videoTimeScale)
  }

  /// How long the end of a loop goes over into what precedes its beginning, in seconds, if it is long enough.
  private static let fadeSeconds = 0.4

  /// Turns, moves and cuts the frames, each by its number in the source.
  ///
  /// - Parameters:
  ///   - geometry: the edit's.
  ///   - transform: how the stored frames are turned.
  func placing(
    _ geometry: JobGeometry, turnedBy transform: Orientation
  ) throws -> (plan: GeometryPlan, place: FramePlacing) {
    let turned = stabilization.turned(
      by: transform, width: summary.storedWidth, height: summary.storedHeight)
    let plan = try geometry.moviePlan(summary, turnedBy: transform, movedBy: turned)
    let (moves, first) = (turned.moves, first)
    return (
      plan,
      { frame, number in
        guard moves.indices.contains(number - first) else {
          throw MediaError("the sample tables contradict each other")
        }
        let turned = transform == .identity ? frame : frame.turned(by: transform)
        return try plan.applied(to: turned, moved: moves[number - first])
      }
    )
  }

  /// A sentence that says how the picture was cut, for people.
  func note(_ size: PixelSize) -> Message {
    let shape = "\(size.width)x\(size.height)"
    return stabilization.isHeld
      ? "The camera appears still: the movie's picture was cropped to \(shape), the area that all frames cover."
      : "The camera moves too far to appear still, so only its shake was removed. The movie's picture was cropped to "
        + "\(shape), the area that all frames cover."
  }
}
