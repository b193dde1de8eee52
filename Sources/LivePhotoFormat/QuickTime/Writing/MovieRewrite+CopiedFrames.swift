import Basics
import EditModel

/// Cuts a movie without encoding its frames anew: coded frames are copied from the one on with which decoding can begin,
/// and the edit list hides those that are not to be seen.
extension MovieRewrite {
  /// Tells of frames that are in the file and not shown.
  mutating func noteHiddenFrames(_ hidden: (before: Int, after: Int)) {
    guard hidden != (0, 0) else { return }
    if hidden.before > 0 {
      notes.append(
        .plural(
          hidden.before,
          "\(hidden.before) frame before the cut stays in the file, hidden: decoding needs it.",
          "\(hidden.before) frames before the cut stay in the file, hidden: decoding needs them."))
    }
    if hidden.after > 0 {
      notes.append(
        .plural(
          hidden.after, "\(hidden.after) frame behind the cut stays in the file, hidden: decoding needs it.",
          "\(hidden.after) frames behind the cut stay in the file, hidden: decoding needs them."))
    }
  }
}

extension MovieRewrite.OutputTrack {
  /// Keeps some frames of a video track as they are coded.
  ///
  /// - Parameters:
  ///   - plan: shows frames that follow upon each other, each for its own time.
  ///   - length: how long they are shown, in ticks of the movie, to the nearest.
  /// - Returns: how many frames are in the file and not shown, before the first that is, and behind the last; and the kinds of groups
  ///   of samples that tell of a second picture in each frame and cannot be kept.
  /// - Throws: ``MediaError`` when the plan shows others.
  mutating func copyFrames(
    along plan: MotionPlan, of movie: Movie, length: UInt64
  ) throws -> (hidden: (before: Int, after: Int), lostGroups: [String]) {
    let numbers = plan.frames.map(\.parts[0].number)
    guard let first = numbers.first, numbers == Array(first..<first + numbers.count),
      // The edit list ends with the last one, and may end within it.
      zip(plan.frames, numbers).allSatisfy({ frame, number in
        let own = plan.source[number].duration
        return frame.parts.count == 1
          && (frame.duration == own || (number == first + numbers.count - 1 && frame.duration < own))
      })
    else {
      throw MediaError(
        "its frames cannot be shown at other times as they are", remedy: "leave out --lossless",
        isUnsupported: true)
    }
    let kept = plan.source[first..<first + numbers.count]
    let shown = kept[first].time...kept[kept.endIndex - 1].time
    let samples = source.samples
    let (times, starts) = (samples.compositionTimes, samples.durations.starts)
    // A frame is decoded after those that it refers to, and so after all that are needed for it.
    let opening = kept.map(\.syncSample).min() ?? 0
    guard let closing = times.indices.last(where: { shown.contains(Int64(times[$0])) }), opening <= closing
    else {
      throw MediaError("its sample tables contradict each other")
    }
    let range = opening..<closing + 1
    // Edit lists know no times before the first decoding time.
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
    // An edit that is rounded up would show the frame behind it.
    let ticks = Double(movie.timeScale) / Double(source.timeScale)
    let lasting = hidden.after > 0 ? UInt64((Double(plan.duration) * ticks).rounded(.down)) : length
    guard Double(lasting) > Double(plan.times[numbers.count - 1]) * ticks else {
      throw MediaError(
        "its time scale is too coarse to hide what follows the cut", remedy: "leave out --lossless",
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
