import Basics
import EditModel

extension Track {
  /// A part of a track's media that its edit list shows (QuickTime File Format, “Edit List Atoms”; ISO/IEC 14496-12, section
  /// 8.6.6).
  struct Segment: Hashable, Sendable {
    /// When it is shown, in seconds of the movie's timeline.
    let start: Double
    /// Until when it is shown at most: the media may end before.
    let end: Double
    /// How long that is, in ticks of the movie; nil for the rest of the media.
    let duration: UInt64?
    /// The time of the media with which it begins, in ticks.
    let mediaTime: Int64
    /// Its speed in 16.16 fixed point; none where one sample is shown all along.
    let fixedRate: Int32
    /// Ticks a second of the media.
    let timeScale: Double

    /// Its speed: 1 for the media's own, 0 where one sample is shown all along.
    var rate: Double { Double(fixedRate) / 65_536 }

    /// When a time of the media is shown, in seconds, were all of the media shown along with this part. Not where that stands
    /// still.
    func seconds(of ticks: Int64) -> Double {
      start + (Double(ticks) - Double(mediaTime)) / timeScale / rate
    }
  }

  /// The parts of the media that the edit list shows, in the order of showing: all of it where there is no list.
  ///
  /// - Parameter movieTimeScale: ticks a second of the movie.
  /// - Throws: ``MediaError`` when one is shown backwards.
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
        throw MediaError("its edit list shows a part of a track backwards", isUnsupported: true)
      }
      // A length of zero stands for whatever follows; where another part follows, for nothing.
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
  /// The number of the sample that is shown at a moment, from 0; -1 before the first one.
  ///
  /// - Parameters:
  ///   - seconds: a moment of the movie's timeline.
  ///   - starts: when the samples begin, in ticks of the media.
  func sample(at seconds: Double, of starts: [Int]) -> Int {
    let segment = self[Swift.max(partitioningIndex { $0.start > seconds } - 1, 0)]
    guard segment.fixedRate > 0 else {
      return starts.partitioningIndex { $0 > segment.mediaTime } - 1
    }
    return starts.partitioningIndex { segment.seconds(of: Int64($0)) > seconds } - 1
  }
}

extension Movie {
  /// How many frames an edit list may show again. No real one shows any.
  private static let mostRepeated = 1 << 16

  /// The frames that an edit list shows, in the order of showing.
  ///
  /// The movie begins with the first frame that begins in it; each part that follows upon another one begins with the frame that is
  /// shown then. A frame lasts until the next one, and at most as long as its part, unless that is the last.
  ///
  /// - Parameters:
  ///   - frames: the frames of a video track in the order of showing.
  ///   - segments: the parts of the track that its edit list shows.
  /// - Throws: ``MediaError`` when they are impossibly many.
  static func shown(_ frames: [SourceFrame], along segments: [Track.Segment]) throws -> [ShownFrame] {
    var shown: [ShownFrame] = []
    for (index, segment) in segments.enumerated() {
      let isFirst = index == 0
      let isLast = index == segments.count - 1
      let numbers = frames.numbers(in: segment, isFirst: isFirst)
      guard shown.count + numbers.count <= frames.count + mostRepeated else {
        throw MediaError(
          "its edit list shows more than \(mostRepeated) of its frames again", isUnsupported: true)
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
  /// The numbers of the frames that a part of the media shows.
  ///
  /// - Parameter isFirst: whether no other part precedes it.
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
  /// The ticks of the media between two moments of the timeline, each rounded to the nearest.
  fileprivate func ticks(from start: Double, to end: Double) -> Int64 {
    // No frame can be shown for so long, which its plan tells.
    func ticks(_ seconds: Double) -> Int64 { Int64(min(max(seconds * timeScale, -1e15), 1e15).rounded()) }
    return ticks(end) - ticks(start)
  }
}
