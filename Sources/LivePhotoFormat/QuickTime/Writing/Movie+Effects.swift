import Basics
import EditModel

extension Movie {
  /// Returns the frames to which an effect is applied: the frames that a trim keeps, or all displayed frames if the
  /// movie is not trimmed. Each frame keeps its duration.
  ///
  /// - Returns: A plan with the frames, or nil if the edit does not contain an effect.
  /// - Throws: ``EditError`` if the number of frames is too small or too large, or if the trim is impossible.
  ///   ``MediaError`` if the movie does not have exactly one video track.
  package func framesOfEffect(of motion: Motion) throws -> MotionPlan? {
    let effect = motion.effect
    guard effect != .none else { return nil }
    let plan = try plan(for: motion) ?? whole(keyFrame(of: motion)?.seconds ?? shownStillTime)
    let count = plan.frames.count
    if count < effect.fewestFrames {
      throw EditError(
        .invalidEdit,
        .plural(
          count, "has \(count) frame, but \(effect.words) needs at least \(effect.fewestFrames)",
          "has \(count) frames, but \(effect.words) needs at least \(effect.fewestFrames)"),
        remedy: motion.trim == nil ? "choose another effect" : "keep a longer part")
    }
    guard count <= Motion.Effect.mostFrames else {
      throw EditError(
        .invalidEdit, "has \(count) frames, but an effect can use at most \(Motion.Effect.mostFrames)",
        remedy: "keep a shorter part with liveedit trim")
    }
    let numbers = plan.frames.map(\.parts[0].number)
    guard zip(numbers, numbers.dropFirst()).allSatisfy({ $1 == $0 + 1 }) else {
      throw EditError(
        .invalidEdit,
        "repeats or skips frames, but \(effect.words) needs consecutive frames",
        remedy: "keep a part with consecutive frames with liveedit trim")
    }
    return plan
  }

  /// Returns a plan that displays every frame of the edit list, from the first frame on.
  ///
  /// - Parameter still: The photo's time in seconds, or nil if unknown.
  private func whole(_ still: Double?) throws -> MotionPlan {
    let (source, shown) = (try frames, try shownFrames)
    guard let first = shown.first, let last = shown.last else {
      throw MediaError("the video track has no frames")
    }
    let timeScale = try Int(video.timeScale)
    try shown.checkIsUnbroken(timeScale: timeScale)
    let end = last.end(timeScale: timeScale)
    return try MotionPlan(
      showing: shown, of: source, sound: nil,
      still: still.flatMap { first.seconds - Trim.tolerance..<end ~= $0 ? $0 : nil })
  }
}

extension Motion.Effect {
  /// The effect's name, preceded by an article.
  fileprivate var words: Message {
    switch self {
    case .none: "no effect"
    case .loop: "a loop"
    case .bounce: "a bounce"
    case .longExposure: "a long exposure"
    }
  }
}
