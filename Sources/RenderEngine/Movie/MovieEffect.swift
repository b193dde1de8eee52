import Basics
import Codecs
import EditModel
import LivePhotoFormat
import Rendering

/// The frames from which an effect is created, and the movements that stabilise these frames.
struct EffectFrames {
  /// A plan that shows every frame at its original time.
  let plan: MotionPlan
  /// The path of the camera.
  let tracking: CameraTracking
  /// The movements of the stored frames.
  let stabilization: Stabilization
  let summary: MovieSummary
  /// The number of the first frame in the source.
  let first: Int
  /// The number of the frame with which the other frames are aligned: the frame that matches the photo, or the middle
  /// frame.
  let key: Int

  /// Decodes the frames and tracks the camera.
  ///
  /// - Parameters:
  ///   - plan: A plan that shows consecutive frames.
  ///   - path: The path of the movie.
  ///   - summary: The headers of the movie.
  ///   - scene: The visible part of stored frames: its left edge, top edge, width and height.
  ///   - stop: The signal that stops the work.
  ///   - onProgress: Receives the completed fraction of the work.
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

  /// Returns the plan of the movie after an effect has been applied.
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

  /// The duration of a loop's cross-fade in seconds, if the loop is long enough. During this time, the end of the loop
  /// fades into the frames before its start.
  private static let fadeSeconds = 0.4

  /// Returns a function that rotates, moves and crops a frame. The movement depends on the frame's number in the
  /// source.
  ///
  /// - Parameters:
  ///   - geometry: The geometry of the edit.
  ///   - transform: The rotation or flip to apply to stored frames.
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

  /// Returns a sentence for the user about how the picture was cropped.
  func note(_ size: PixelSize) -> Message {
    let shape = "\(size.width)x\(size.height)"
    return stabilization.isHeld
      ? "The camera appears still: the movie's picture was cropped to \(shape), the area that all frames cover."
      : "The camera moves too far to appear still, so only its shake was removed. The movie's picture was cropped to "
        + "\(shape), the area that all frames cover."
  }
}
