package import Basics

extension Motion.Effect {
  /// The minimum number of frames that the effect requires.
  package var fewestFrames: Int {
    switch self {
    case .none: 1
    case .longExposure: 2
    case .bounce: 3
    case .loop: 8
    }
  }

  /// The maximum number of frames that the effect supports; by default, half a minute of frames.
  package static var mostFrames: Int { ReadingLimit.effectFrames.value }

  /// Whether the effect changes the movie.
  package var changesMovie: Bool { self == .loop || self == .bounce }
}

/// Motion plans that repeat a part of a movie.
extension MotionPlan {
  /// Returns the frame that is displayed at the photo's time; nil if the photo's time is not marked.
  ///
  /// - Parameter timeScale: The time scale of the source's video track, in ticks per second.
  package func keyFrame(timeScale: Int) -> Int? {
    still.map { still in
      max(0, times.partitioningIndex { Double($0) / Double(timeScale) > still + Trim.tolerance } - 1)
    }
  }

  /// Returns a plan that shows the frames forwards and then backwards. The backward part omits the last and the first
  /// frame. The new movie is silent. The photo's time remains in the period in which the photo's frame is first
  /// displayed.
  ///
  /// - Throws: ``MediaError`` if the movie would be too long.
  package func bounced() throws(MediaError) -> MotionPlan {
    // In the backward part, each frame is displayed for as long as the preceding frame is displayed in the forward
    // part.
    let back = frames.indices.dropFirst().dropLast().reversed().map { number in
      var frame = frames[number]
      frame.duration = frames[number - 1].duration
      return frame
    }
    return try MotionPlan(frames: frames + back, of: source, sound: nil, still: still)
  }

  /// Returns a plan that shows some of the frames, and cross-fades the last of these frames with the frames that
  /// precede the first. The new movie is silent. The photo's time remains in the period in which the photo's frame is
  /// first displayed.
  ///
  /// - Parameters:
  ///   - part: The numbers of the frames to show.
  ///   - fade: The number of frames at the end to cross-fade. The same number of frames must precede the first frame.
  ///   - start: The number of the frame to show first. The frames before this frame follow after the last frame.
  ///   - timeScale: The time scale of the source's video track, in ticks per second.
  /// - Throws: ``MediaError`` if the frames do not exist.
  package func looped(
    _ part: ClosedRange<Int>, fade: Int, from start: Int, timeScale: Int
  ) throws(MediaError) -> MotionPlan {
    guard part.contains(start), frames.indices.contains(part.lowerBound),
      frames.indices.contains(part.upperBound),
      0...min(part.lowerBound, part.count - 1) ~= fade
    else { throw MediaError("it does not have the frames needed for this loop") }
    let shown = part.map { number in
      var frame = frames[number]
      let place = number - (part.upperBound - fade)
      if place > 0 {
        let share = Double(place) / Double(fade + 1)
        let other = frames[part.lowerBound - fade - 1 + place]
        frame.parts =
          frame.parts.map { Frame.Part(number: $0.number, share: $0.share * (1 - share)) }
          + other.parts.map { Frame.Part(number: $0.number, share: $0.share * share) }
      }
      return frame
    }
    let turn = start - part.lowerBound
    let plan = try MotionPlan(
      frames: Array(shown[turn...] + shown[..<turn]), of: source, sound: nil, still: nil)
    guard let still, let key = keyFrame(timeScale: timeScale), part.contains(key) else { return plan }
    let place = plan.times[(key - part.lowerBound - turn + part.count) % part.count]
    let moment = still - Double(times[key] - place) / Double(timeScale)
    return try MotionPlan(frames: plan.frames, of: source, sound: nil, still: max(0, moment))
  }
}
