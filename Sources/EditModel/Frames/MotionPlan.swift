package import Basics

/// A frame of a source movie's video track.
package struct SourceFrame: Hashable, Sendable {
  /// The display time of the frame in ticks of the track's media, without applying the edit list.
  package var time: Int64
  /// The duration of the frame in ticks.
  package var duration: Int64
  /// The display time of the frame on the movie's timeline in seconds, with the edit list applied.
  package var seconds: Double
  /// The sample at which decoding must begin to obtain the frame. Samples are counted from 0 in decoding order.
  package var syncSample: Int

  /// - Parameters:
  ///   - time: The display time of the frame, in ticks of the track's media.
  ///   - duration: The duration of the frame, in ticks.
  ///   - seconds: The display time of the frame on the movie's timeline, in seconds.
  ///   - syncSample: The sample at which decoding must begin, counted from 0.
  package init(time: Int64, duration: Int64, seconds: Double, syncSample: Int) {
    (self.time, self.duration, self.seconds, self.syncSample) = (time, duration, seconds, syncSample)
  }
}

/// A frame as displayed by a movie's edit list. If the edit list displays a frame several times, each display is a
/// separate value.
package struct ShownFrame: Hashable, Sendable {
  /// The number of the frame in display order, from 0.
  package var number: Int
  /// The display time of the frame on the movie's timeline, in seconds.
  package var seconds: Double
  /// The duration of the display, in ticks of the track's media.
  package var duration: Int64

  /// - Parameters:
  ///   - number: The number of the frame in display order, from 0.
  ///   - seconds: The display time on the movie's timeline, in seconds.
  ///   - duration: The duration of the display, in ticks of the track's media.
  package init(number: Int, seconds: Double, duration: Int64) {
    (self.number, self.seconds, self.duration) = (number, seconds, duration)
  }
}

/// The frames, the audio and the photo's time in a movie with edited timing. A plan is an edit's ``Motion`` compiled
/// for a particular source movie.
///
/// If a movie has no plan, every frame keeps its original time.
package struct MotionPlan: Hashable, Sendable {
  /// A frame of the new movie.
  package struct Frame: Hashable, Sendable {
    /// A source frame, and the frame's weight in the new frame.
    package struct Part: Hashable, Sendable {
      /// The number of the source frame in display order, from 0.
      package var number: Int
      /// The weight of the source frame. The weights of all source frames of a new frame add up to 1.
      package var share: Double
    }

    /// The source frames that are blended; usually there is only one. The new frame uses the metadata of the first
    /// source frame.
    package var parts: [Part]
    /// The duration of the frame, in ticks of the source's video track.
    package var duration: Int64

    /// Creates a frame that shows one source frame.
    ///
    /// - Parameters:
    ///   - number: The number of the source frame in display order, from 0.
    ///   - duration: The duration of the frame, in ticks of the source's video track.
    package init(_ number: Int, duration: Int64) {
      (parts, self.duration) = ([Part(number: number, share: 1)], duration)
    }

    /// Creates a frame that blends several source frames.
    ///
    /// - Parameters:
    ///   - blend: The numbers of the source frames, and their weights. The weights add up to 1.
    ///   - duration: The duration of the frame, in ticks of the source's video track.
    package init(blend: [(number: Int, share: Double)], duration: Int64) {
      parts = blend.map { Part(number: $0.number, share: $0.share) }
      self.duration = duration
    }
  }

  /// The source's frames in display order.
  package let source: [SourceFrame]
  /// The new movie's frames in display order. The first frame is displayed at time 0.
  package let frames: [Frame]
  /// The display times of the new frames, in ticks of the source's video track, from 0.
  package let times: [Int64]
  /// The duration of the new movie, in ticks of the source's video track.
  package let duration: Int64
  /// The part of the source's audio that plays from the start of the new movie, in seconds on the source's timeline;
  /// nil for silence.
  package let sound: Range<Double>?
  /// The photo's time on the new movie's timeline, in seconds; nil if the photo's time is not marked.
  package let still: Double?

  /// - Parameters:
  ///   - frames: The new movie's frames in display order.
  ///   - source: The source's frames in display order.
  ///   - sound: The part of the source's audio to play, in seconds on the source's timeline; nil for silence.
  ///   - still: The photo's time on the new movie's timeline, in seconds; nil if the photo's time is not marked.
  /// - Throws: ``MediaError`` if there are no frames, if a frame does not exist in the source, or if a frame has no
  ///   duration.
  package init(frames: [Frame], of source: [SourceFrame], sound: Range<Double>?, still: Double?)
    throws(MediaError)
  {
    guard !frames.isEmpty else { throw MediaError("the edit would not leave a single frame of the movie") }
    var times: [Int64] = []
    var time: Int64 = 0
    for frame in frames {
      guard !frame.parts.isEmpty, frame.parts.allSatisfy({ source.indices.contains($0.number) }),
        1..<1 << 40 ~= frame.duration
      else { throw MediaError("the edit uses a frame that cannot be shown") }
      times.append(time)
      time += frame.duration
      guard time < 1 << 48 else { throw MediaError("the edited movie would be too long") }
    }
    (self.source, self.frames, self.times, duration) = (source, frames, times, time)
    (self.sound, self.still) = (sound, still)
  }

  /// Creates a plan that shows frames with their original durations. The first frame is displayed at time 0.
  ///
  /// - Parameters:
  ///   - shown: The frames, with their display times in the source.
  ///   - source: The source's frames in display order.
  ///   - sound: The part of the source's audio to play, in seconds on the source's timeline; nil for silence.
  ///   - still: The photo's time on the source's timeline, in seconds; nil if the photo's time is not marked.
  /// - Throws: ``MediaError`` if there are no frames, or if the frames cannot be displayed.
  package init(
    showing shown: [ShownFrame], of source: [SourceFrame], sound: Range<Double>?, still: Double?
  ) throws(MediaError) {
    var source = source
    // If a frame is displayed several times, its first display counts.
    for frame in shown.reversed() where source.indices.contains(frame.number) {
      source[frame.number].seconds = frame.seconds
    }
    let start = shown.first?.seconds ?? 0
    try self.init(
      frames: shown.map { Frame($0.number, duration: $0.duration) }, of: source, sound: sound,
      still: still.map { max(0, $0 - start) })
  }

  /// Creates a plan that keeps a part of a movie, with the frames' original durations. The first frame is displayed at
  /// time 0.
  ///
  /// - Parameters:
  ///   - trim: The part to keep.
  ///   - shown: The frames that the movie displays, in display order.
  ///   - source: The source's frames in display order.
  ///   - timeScale: The time scale of the source's video track, in ticks per second.
  ///   - still: The photo's time on the source's timeline, in seconds; nil if the photo's time is not marked.
  /// - Throws: ``EditError`` if the part contains no frame, does not include the photo's time, or has a gap in its
  ///   middle; ``MediaError`` if the frames of the part cannot be displayed.
  package init(
    keeping trim: Trim, of shown: [ShownFrame], from source: [SourceFrame], timeScale: Int, still: Double?
  ) throws {
    let kept = shown.filter { trim.keeps(frameAt: $0.seconds) }
    guard let first = kept.first, let last = kept.last else {
      throw EditError(
        .invalidEdit, "has no frame from \(trim.seconds.lowerBound) s to \(trim.seconds.upperBound) s",
        remedy: "keep a longer part; liveedit inspect shows the movie's duration")
    }
    let start = first.seconds
    let end = last.end(timeScale: timeScale)
    guard still.map({ start - Trim.tolerance..<end ~= $0 }) ?? true else {
      let moment = (((still ?? 0) * 1000).rounded() / 1000).description
      throw EditError(
        .invalidEdit, "has its key photo at \(moment) s, which the trim would remove",
        remedy:
          "keep that moment, or choose another key photo in the same command with trim --key-photo")
    }
    try kept.checkIsUnbroken(timeScale: timeScale)
    try self.init(showing: kept, of: source, sound: start..<max(start, end), still: still)
  }
}

extension ShownFrame {
  /// Returns the time at which the display of the frame ends, in seconds on the movie's timeline.
  ///
  /// - Parameter timeScale: The time scale of the duration, in ticks per second.
  package func end(timeScale: Int) -> Double { seconds + Double(duration) / Double(timeScale) }
}

extension [ShownFrame] {
  /// Returns the frame displayed at a given time. Before the first frame, returns the first frame; if there are no
  /// frames, returns nil.
  ///
  /// - Parameter seconds: The time on the movie's timeline.
  package func frame(at seconds: Double) -> ShownFrame? {
    last { $0.seconds <= seconds + Trim.tolerance } ?? first
  }

  /// Checks that each frame is displayed until the next frame begins.
  ///
  /// - Parameter timeScale: The time scale of the durations, in ticks per second.
  /// - Throws: ``EditError`` if there is a gap between two frames.
  package func checkIsUnbroken(timeScale: Int) throws(EditError) {
    for (frame, next) in zip(self, dropFirst()) {
      let end = frame.end(timeScale: timeScale)
      // Allows for a rounding error of half a tick at each end.
      guard next.seconds - end > Trim.tolerance + 1 / Double(timeScale) else { continue }
      let (from, to) = ((end * 1000).rounded() / 1000, (next.seconds * 1000).rounded() / 1000)
      throw EditError(
        .invalidEdit, "has a gap from \(from) s to \(to) s within the part to be kept",
        remedy: "keep only a part before or after the gap, with liveedit trim")
    }
  }
}

extension Array {
  /// Returns the index of the first element for which a condition is true. The condition must also be true for all
  /// later elements.
  package func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
