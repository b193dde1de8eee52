package import Basics

extension Motion.Effect {
  /// The fewest frames that it can be made of.
  package var fewestFrames: Int {
    switch self {
    case .none: 1
    case .longExposure: 2
    case .bounce: 3
    case .loop: 8
    }
  }

  /// The most frames that it can be made of: half a minute as a rule.
  package static var mostFrames: Int { ReadingLimit.effectFrames.value }

  /// True if it changes the movie.
  package var changesMovie: Bool { self == .loop || self == .bounce }
}

/// The ways to show a part of a movie again and again.
extension MotionPlan {
  /// The frame that is shown at the photo's place; nil where that is not marked.
  ///
  /// - Parameter timeScale: ticks a second of the source's video media.
  package func keyFrame(timeScale: Int) -> Int? {
    still.map { still in
      max(0, times.partitioningIndex { Double($0) / Double(timeScale) > still + Trim.tolerance } - 1)
    }
  }

  /// The plan that shows the frames and then, without the last one and the first, the same backwards: silent, the
  /// photo's place where its frame is shown first.
  ///
  /// - Throws: ``MediaError`` when it would last impossibly long.
  package func bounced() throws(MediaError) -> MotionPlan {
    // On the way back a frame is shown until the time of the one before it, as far away as on the way there.
    let back = frames.indices.dropFirst().dropLast().reversed().map { number in
      var frame = frames[number]
      frame.duration = frames[number - 1].duration
      return frame
    }
    return try MotionPlan(frames: frames + back, of: source, sound: nil, still: still)
  }

  /// The plan that shows some of the frames, the last of them cross-faded with those before the first: silent, the
  /// photo's place where its frame is shown first.
  ///
  /// - Parameters:
  ///   - part: the numbers of the frames that are shown.
  ///   - fade: how many of the last ones are cross-faded; as many precede the first.
  ///   - start: the number of the frame that is shown first; those before it follow upon the last one.
  ///   - timeScale: ticks a second of the source's video media.
  /// - Throws: ``MediaError`` when there are no such frames.
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
