package import Basics

/// A frame of a movie's video track as it was taken.
package struct SourceFrame: Hashable, Sendable {
  /// When it is shown, in ticks of the track's media: its edit list is not applied.
  package var time: Int64
  /// How long it is shown, in ticks.
  package var duration: Int64
  /// When it is shown on the movie's timeline, in seconds: the edit list is applied.
  package var seconds: Double
  /// The sample with which decoding must begin to get it, counted from 0 in the order of decoding.
  package var syncSample: Int

  /// - Parameters:
  ///   - time: when it is shown, in ticks of the track's media.
  ///   - duration: how long it is shown, in ticks.
  ///   - seconds: when it is shown on the movie's timeline.
  ///   - syncSample: the sample with which decoding must begin, counted from 0.
  package init(time: Int64, duration: Int64, seconds: Double, syncSample: Int) {
    (self.time, self.duration, self.seconds, self.syncSample) = (time, duration, seconds, syncSample)
  }
}

/// A frame that a movie's edit list shows. One that is shown several times is several of these.
package struct ShownFrame: Hashable, Sendable {
  /// Its number among the movie's frames in the order of showing, from 0.
  package var number: Int
  /// When it is shown on the movie's timeline, in seconds.
  package var seconds: Double
  /// How long it is shown, in ticks of the track's media.
  package var duration: Int64

  /// - Parameters:
  ///   - number: its number among the movie's frames in the order of showing, from 0.
  ///   - seconds: when it is shown on the movie's timeline.
  ///   - duration: how long it is shown, in ticks of the track's media.
  package init(number: Int, seconds: Double, duration: Int64) {
    (self.number, self.seconds, self.duration) = (number, seconds, duration)
  }
}

/// The frames, the sound and the photo's place of a movie whose time is edited: an edit's ``Motion`` compiled for one
/// source.
///
/// Where no plan is given, every frame is shown at its own time, and nothing is timed anew.
package struct MotionPlan: Hashable, Sendable {
  /// A frame of the new movie.
  package struct Frame: Hashable, Sendable {
    /// A frame of the source, and its share of the new one.
    package struct Part: Hashable, Sendable {
      /// Its number in the order of showing, from 0.
      package var number: Int
      /// Its share; those of a frame add up to 1.
      package var share: Double
    }

    /// The frames that it is blended of, one as a rule; the first is the one whose metadata it takes over.
    package var parts: [Part]
    /// How long it is shown, in ticks of the source's video media.
    package var duration: Int64

    /// A frame that shows one frame of the source.
    ///
    /// - Parameters:
    ///   - number: the frame's number in the order of showing, from 0.
    ///   - duration: how long it is shown, in ticks of the source's video media.
    package init(_ number: Int, duration: Int64) {
      (parts, self.duration) = ([Part(number: number, share: 1)], duration)
    }

    /// A frame that is blended of several.
    ///
    /// - Parameters:
    ///   - blend: the frames' numbers, and their shares, which add up to 1.
    ///   - duration: how long it is shown, in ticks of the source's video media.
    package init(blend: [(number: Int, share: Double)], duration: Int64) {
      parts = blend.map { Part(number: $0.number, share: $0.share) }
      self.duration = duration
    }
  }

  /// The source's frames in the order of showing.
  package let source: [SourceFrame]
  /// The new movie's frames in the order of showing; the first one is shown at once.
  package let frames: [Frame]
  /// When each of them is shown, in ticks of the source's video media, from 0.
  package let times: [Int64]
  /// How long the new movie lasts, in ticks of the source's video media.
  package let duration: Int64
  /// The part of the source's sound that is heard from the new movie's start on, in seconds of the source's timeline;
  /// nil for silence.
  package let sound: Range<Double>?
  /// The photo's place on the new movie's timeline, in seconds; nil where it is not marked.
  package let still: Double?

  /// - Parameters:
  ///   - frames: the new movie's frames in the order of showing.
  ///   - source: the source's frames in the order of showing.
  ///   - sound: the part of the source's sound that is heard, in seconds of the source's timeline; nil for silence.
  ///   - still: the photo's place on the new movie's timeline, in seconds; nil where it is not marked.
  /// - Throws: ``MediaError`` when there are no frames, or one is no frame of the source or is shown for no time.
  package init(frames: [Frame], of source: [SourceFrame], sound: Range<Double>?, still: Double?)
    throws(MediaError)
  {
    guard !frames.isEmpty else { throw MediaError("the edit would show none of its frames") }
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

  /// The plan that shows frames as long as before, the first one at once.
  ///
  /// - Parameters:
  ///   - shown: the frames, each where the source shows it.
  ///   - source: the source's frames in the order of showing.
  ///   - sound: the part of the source's sound that is heard, in seconds of the source's timeline; nil for silence.
  ///   - still: the photo's place on the source's timeline, in seconds; nil where it is not marked.
  /// - Throws: ``MediaError`` when there are no frames, or they cannot be shown.
  package init(
    showing shown: [ShownFrame], of source: [SourceFrame], sound: Range<Double>?, still: Double?
  ) throws(MediaError) {
    var source = source
    // Of a frame that is shown several times the first one counts.
    for frame in shown.reversed() where source.indices.contains(frame.number) {
      source[frame.number].seconds = frame.seconds
    }
    let start = shown.first?.seconds ?? 0
    try self.init(
      frames: shown.map { Frame($0.number, duration: $0.duration) }, of: source, sound: sound,
      still: still.map { max(0, $0 - start) })
  }

  /// The plan that keeps a part of a movie: its frames are shown as long as before, the first one at once.
  ///
  /// - Parameters:
  ///   - trim: the part that is kept.
  ///   - shown: the frames that the movie shows, in the order of showing.
  ///   - source: the source's frames in the order of showing.
  ///   - timeScale: ticks a second of the source's video media.
  ///   - still: the photo's place on the source's timeline, in seconds; nil where it is not marked.
  /// - Throws: ``EditError`` when the movie shows no frame, or not the photo's moment, in that part, or nothing in the
  ///   midst of it; ``MediaError`` when its frames cannot be shown.
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
  /// Until when it is shown, in seconds of the movie's timeline.
  ///
  /// - Parameter timeScale: ticks a second of its duration.
  package func end(timeScale: Int) -> Double { seconds + Double(duration) / Double(timeScale) }
}

extension [ShownFrame] {
  /// The frame that is shown at a moment, and before the first one that; nil where there is none.
  ///
  /// - Parameter seconds: a moment of the movie's timeline.
  package func frame(at seconds: Double) -> ShownFrame? {
    last { $0.seconds <= seconds + Trim.tolerance } ?? first
  }

  /// Makes sure that each frame is shown until the next one.
  ///
  /// - Parameter timeScale: ticks a second of their durations.
  /// - Throws: ``EditError`` when something lies between them.
  package func checkIsUnbroken(timeScale: Int) throws(EditError) {
    for (frame, next) in zip(self, dropFirst()) {
      let end = frame.end(timeScale: timeScale)
      // Half a tick of rounding at each end.
      guard next.seconds - end > Trim.tolerance + 1 / Double(timeScale) else { continue }
      let (from, to) = ((end * 1000).rounded() / 1000, (next.seconds * 1000).rounded() / 1000)
      throw EditError(
        .invalidEdit, "has a gap from \(from) s to \(to) s within the part to be kept",
        remedy: "keep only a part before or after the gap, with liveedit trim")
    }
  }
}

extension Array {
  /// The first place of an ordered list from which on a condition holds.
  package func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
