import Basics
import EditModel

extension Movie {
  /// The frames that an effect is made of: all that the movie shows, or those that a trim keeps, each for its own time.
  ///
  /// - Returns: nil where there is no effect.
  /// - Throws: ``EditError`` when there are too few of them, or too many, or when the trim is impossible; ``MediaError``
  ///   when there is not exactly one video track.
  package func framesOfEffect(of motion: Motion) throws -> MotionPlan? {
    let effect = motion.effect
    guard effect != .none else { return nil }
    let plan = try plan(for: motion) ?? whole(keyFrame(of: motion)?.seconds ?? shownStillTime)
    let count = plan.frames.count
    if count < effect.fewestFrames {
      throw EditError(
        .invalidEdit,
        .plural(
          count, "has \(count) frame, and \(effect.words) needs \(effect.fewestFrames)",
          "has \(count) frames, and \(effect.words) needs \(effect.fewestFrames)"),
        remedy: motion.trim == nil ? "take another effect" : "keep a longer part")
    }
    guard count <= Motion.Effect.mostFrames else {
      throw EditError(
        .invalidEdit, "has \(count) frames, and an effect takes at most \(Motion.Effect.mostFrames)",
        remedy: "keep a shorter part with liveedit trim")
    }
    let numbers = plan.frames.map(\.parts[0].number)
    guard zip(numbers, numbers.dropFirst()).allSatisfy({ $1 == $0 + 1 }) else {
      throw EditError(
        .invalidEdit,
        "shows frames again or leaves some out, and \(effect.words) needs them one after the other",
        remedy: "keep a part in which they are, with liveedit trim")
    }
    return plan
  }

  /// The plan that shows every frame that the edit list shows, from the first one on.
  ///
  /// - Parameter still: the photo's moment in seconds; nil where it is not known.
  private func whole(_ still: Double?) throws -> MotionPlan {
    let (source, shown) = (try frames, try shownFrames)
    guard let first = shown.first, let last = shown.last else {
      throw MediaError("its video track has no frames")
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
  /// The effect with its article.
  fileprivate var words: Message {
    switch self {
    case .none: "no effect"
    case .loop: "a loop"
    case .bounce: "a bounce"
    case .longExposure: "a long exposure"
    }
  }
}
