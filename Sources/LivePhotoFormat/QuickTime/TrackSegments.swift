import Basics
import EditModel

extension Track {
  /// A part of a track's media that the edit list displays (QuickTime File Format, “Edit List Atoms”; ISO/IEC 14496-12,
  /// section 8.6.6).
  struct Segment: Hashable, Sendable {
    /// The start of the segment, in seconds on the movie's timeline.
    let start: Double
    /// The latest possible end of the segment, in seconds on the movie's timeline. The media may end earlier.
    let end: Double
    /// The duration of the segment in ticks of the movie's time scale, or nil if the segment contains all remaining
    /// media.
    let duration: UInt64?
    /// The media time at which the segment begins, in ticks.
    let mediaTime: Int64
    /// The playback rate in 16.16 fixed point, or 0 if the segment displays a single sample throughout.
    let fixedRate: Int32
    /// The media's time scale, in ticks per second.
    let timeScale: Double

    /// The playback rate: 1 for normal speed, or 0 if the segment displays a single sample throughout.
    var rate: Double { Double(fixedRate) / 65_536 }

    /// Converts a media time to a time on the movie's timeline, in seconds, as if the segment contained the entire
    /// media. Must not be used for a segment with a rate of 0.
    func seconds(of ticks: Int64) -> Double {
      start + (Double(ticks) - Double(mediaTime)) / timeScale / rate
    }
  }

  /// Returns the segments of the media that the edit list displays, in display order. If the track has no edit list,
  /// returns a single segment that contains the entire media.
  ///
  /// - Parameter movieTimeScale: The movie's time scale, in ticks per second.
  /// - Throws: ``MediaError`` if a segment plays backwards.
  func segments(movieTimeScale: UInt32) throws -> [Segment] {
    let last = edits.lastIndex { $0.mediaTime >= 0 }
    let normal: Int32 = 1 << 16
    var segments: [Segment] = []
    var elapsed = 0.0
    for (index, edit) in edits.enumerated() {
      let start = elapsed / Double(movieTimeScale)
      elapsed += Double(edit.duration)
      guard edit.mediaTime >= 0 else { continue }
      guard edit.rate >= 0 else {
        throw MediaError("the edit list plays part of a track backwards", isUnsupported: true)
      }
      // In the last entry, a duration of zero means all remaining media. In any earlier entry, a duration of zero means
      // that nothing is displayed.
      let isOpen = edit.duration == 0
      guard !isOpen || index == last else { continue }
      segments.append(
        Segment(
          start: start, end: isOpen ? .greatestFiniteMagnitude : elapsed / Double(movieTimeScale),
          duration: isOpen ? nil : edit.duration, mediaTime: edit.mediaTime,
          fixedRate: isOpen && edit.rate == 0 ? normal : edit.rate, timeScale: Double(timeScale)))
    }
    guard segments.isEmpty else { return segments }
    return [
      Segment(
        start: elapsed / Double(movieTimeScale), end: .greatestFiniteMagnitude, duration: nil, mediaTime: 0,
        fixedRate: normal, timeScale: Double(timeScale))
    ]
  }
}

extension [Track.Segment] {
  /// Returns the 0-based number of the sample that is displayed at a given time, or -1 if the time is before the first
  /// sample.
  ///
  /// - Parameters:
  ///   - seconds: A time on the movie's timeline.
  ///   - starts: The start times of the samples, in ticks of the media's time scale.
  func sample(at seconds: Double, of starts: [Int]) -> Int {
    let segment = self[Swift.max(partitioningIndex { $0.start > seconds } - 1, 0)]
    guard segment.fixedRate > 0 else {
      return starts.partitioningIndex { $0 > segment.mediaTime } - 1
    }
    return starts.partitioningIndex { segment.seconds(of: Int64($0)) > seconds } - 1
  }
}

extension Movie {
  /// The maximum number of frames that an edit list may repeat. Real edit lists do not repeat any frames.
  private static let mostRepeated = 1 << 16

  /// Returns the frames that an edit list displays, in display order.
  ///
  /// The first segment begins with the first frame that starts during the segment. Each later segment begins with the
  /// frame that is current at the segment's start. A frame lasts until the next frame, but not beyond the end of its
  /// segment unless that segment is the last segment.
  ///
  /// - Parameters:
  ///   - frames: The frames of a video track, in display order.
  ///   - segments: The segments of the track that the edit list displays.
  /// - Throws: ``MediaError`` if the edit list repeats too many frames.
  static func shown(_ frames: [SourceFrame], along segments: [Track.Segment]) throws -> [ShownFrame] {
    var shown: [ShownFrame] = []
    for (index, segment) in segments.enumerated() {
      let isFirst = index == 0
      let isLast = index == segments.count - 1
      let numbers = frames.numbers(in: segment, isFirst: isFirst)
      guard shown.count + numbers.count <= frames.count + mostRepeated else {
        throw MediaError(
          "the edit list repeats more than \(mostRepeated) frames", isUnsupported: true)
      }
      for number in numbers {
        let frame = frames[number]
        let isStill = segment.fixedRate == 0
        let own = isStill ? segment.start : segment.seconds(of: frame.time)
        let start = isFirst ? own : max(own, segment.start)
        let isClosing = isStill || (number == numbers.upperBound - 1 && !isLast)
        let end = isClosing ? segment.end : segment.seconds(of: frame.time + frame.duration)
        if let before = shown.last, before.number == number, !isFirst, number == numbers.lowerBound,
          start - before.end(timeScale: Int(segment.timeScale)) <= Trim.tolerance
        {
          shown[shown.count - 1].duration = segment.ticks(from: before.seconds, to: end)
        } else if !isClosing, start == own, segment.rate == 1 {
          shown.append(ShownFrame(number: number, seconds: start, duration: frame.duration))
        } else {
          let duration = segment.ticks(from: start, to: end)
          if duration > 0 { shown.append(ShownFrame(number: number, seconds: start, duration: duration)) }
        }
      }
    }
    return shown
  }
}

extension [SourceFrame] {
  /// Returns the numbers of the frames that a segment displays.
  ///
  /// - Parameter isFirst: Whether the segment is the first segment of the track.
  fileprivate func numbers(in segment: Track.Segment, isFirst: Bool) -> Range<Int> {
    let open = partitioningIndex { $0.time > segment.mediaTime } - 1
    if segment.fixedRate == 0 { return isEmpty ? 0..<0 : Swift.max(open, 0)..<Swift.max(open, 0) + 1 }
    let first = partitioningIndex { segment.seconds(of: $0.time) >= segment.start - Trim.tolerance }
    let end = partitioningIndex { segment.seconds(of: $0.time) >= segment.end - Trim.tolerance }
    let isCut =
      !isFirst && open >= 0 && open < first && self[open].time + self[open].duration > segment.mediaTime
      && !(indices.contains(first) && segment.seconds(of: self[first].time) <= segment.start + Trim.tolerance)
    let start = isCut ? open : first
    return start..<Swift.max(start, end)
  }
}

extension Track.Segment {
  /// Returns the number of media ticks between two times on the timeline. Each time is rounded to the nearest tick.
  fileprivate func ticks(from start: Double, to end: Double) -> Int64 {
    // The clamping cannot change any valid duration, because the motion plan rejects times that are this long.
    func ticks(_ seconds: Double) -> Int64 { Int64(min(max(seconds * timeScale, -1e15), 1e15).rounded()) }
    return ticks(end) - ticks(start)
  }
}
