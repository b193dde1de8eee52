import Basics
import EditModel

/// Cuts a movie without re-encoding its frames. Coded frames are copied from the point at which decoding can begin, and
/// the edit list hides all frames outside the selected range.
extension MovieRewrite {
  /// Adds notes about hidden frames that remain in the file.
  mutating func noteHiddenFrames(_ hidden: (before: Int, after: Int)) {
    guard hidden != (0, 0) else { return }
    if hidden.before > 0 {
      notes.append(
        .plural(
          hidden.before,
          "\(hidden.before) hidden frame before the cut remains in the file, because decoding needs it.",
          "\(hidden.before) hidden frames before the cut remain in the file, because decoding needs them."))
    }
    if hidden.after > 0 {
      notes.append(
        .plural(
          hidden.after,
          "\(hidden.after) hidden frame after the cut remains in the file, because decoding needs it.",
          "\(hidden.after) hidden frames after the cut remain in the file, because decoding needs them."))
    }
  }
}

extension MovieRewrite.OutputTrack {
  /// Keeps a range of a video track's frames without re-encoding.
  ///
  /// - Parameters:
  ///   - plan: A plan that displays consecutive frames, each for its own duration.
  ///   - length: The displayed duration of the frames, in ticks of the movie's time scale, rounded to the nearest tick.
  /// - Returns: The numbers of hidden frames in the file before the first displayed frame and after the last displayed
  ///   frame, and the kinds of lost sample groups. The lost groups described a second picture in each frame.
  /// - Throws: ``MediaError`` if the plan displays the frames in any other way.
  mutating func copyFrames(
    along plan: MotionPlan, of movie: Movie, length: UInt64
  ) throws -> (hidden: (before: Int, after: Int), lostGroups: [String]) {
    let numbers = plan.frames.map(\.parts[0].number)
    guard let first = numbers.first, numbers == Array(first..<first + numbers.count),
      // The edit list ends with the last frame, but may cut that frame's duration short.
      zip(plan.frames, numbers).allSatisfy({ frame, number in
        let own = plan.source[number].duration
        return frame.parts.count == 1
          && (frame.duration == own || (number == first + numbers.count - 1 && frame.duration < own))
      })
    else {
      throw MediaError(
        "the frames cannot be retimed without re-encoding", remedy: "omit --lossless",
        isUnsupported: true)
    }
    let kept = plan.source[first..<first + numbers.count]
    let shown = kept[first].time...kept[kept.endIndex - 1].time
    let samples = source.samples
    let (times, starts) = (samples.compositionTimes, samples.durations.starts)
    // A frame can be decoded only after its reference frames, so all required frames come earlier in decoding order.
    let opening = kept.map(\.syncSample).min() ?? 0
    guard let closing = times.indices.last(where: { shown.contains(Int64(times[$0])) }), opening <= closing
    else {
      throw MediaError("the sample tables contradict each other")
    }
    let range = opening..<closing + 1
    // Edit lists cannot represent times before the first decoding time.
    let shift = max(0, starts[opening] - Int(shown.lowerBound))
    let origin = starts[opening] - shift
    let syncs = samples.syncSamples.map(Set.init)
    var tables = VideoTables()
    for sample in range {
      tables.append(
        size: samples.size(of: sample), presentationTime: times[sample] - origin,
        isSync: syncs?.contains(sample + 1) ?? true)
    }
    let leadIn = shown.lowerBound - Int64(origin)
    let hidden = (
      before: range.count { times[$0] < Int(shown.lowerBound) },
      after: range.count { times[$0] > Int(shown.upperBound) }
    )
    // If the edit's duration were rounded up, the next frame would also be displayed.
    let ticks = Double(movie.timeScale) / Double(source.timeScale)
    let lasting = hidden.after > 0 ? UInt64((Double(plan.duration) * ticks).rounded(.down)) : length
    guard Double(lasting) > Double(plan.times[numbers.count - 1]) * ticks else {
      throw MediaError(
        "the time scale is too coarse to hide the frames after the cut", remedy: "omit --lossless",
        isUnsupported: true)
    }
    let layout = TrackLayout(
      chunks: try samples.chunks(of: range), durations: samples.durations.of(range),
      timeScale: source.timeScale, delay: -Double(leadIn) / Double(source.timeScale))
    try lay(layout, edits: Track.Edit.showing(lasting, from: leadIn))
    let groups = try source.atom.first("mdia", "minf", "stbl").map { try LayerGroups($0, of: range) }
    try atom.update("mdia", "minf", "stbl") { stbl in
      try tables.write(
        into: &stbl, decodeTimes: starts[range].map { $0 - starts[opening] },
        duration: layout.durations.ticks, isQuickTime: movie.isQuickTime)
      try stbl.changeChildren { $0 += groups?.atoms ?? [] }
    }
    return (hidden, groups?.lost ?? [])
  }
}
