import Basics
import EditModel

extension Movie {
  /// Returns the plan of the frames that the movie displays after an edit of its timing, or nil if every frame is
  /// displayed at its own time.
  ///
  /// - Throws: ``EditError`` if the movie does not contain the part to keep, or if the photo's time is outside that
  ///   part. ``MediaError`` if the movie does not have exactly one video track.
  package func plan(for motion: Motion) throws -> MotionPlan? {
    guard let trim = motion.trim else { return nil }
    var still = try keyFrame(of: motion)?.seconds ?? shownStillTime
    // Cameras also write 0 if they do not know the photo's position. Such a position does not prevent the beginning of
    // the movie from being trimmed. It moves to the first frame that is kept.
    if motion.keyPhotoSeconds == nil, stillImageTrack == nil, saidPlace?.seconds == 0 {
      still = try shownFrames.first { trim.keeps(frameAt: $0.seconds) }?.seconds ?? still
    }
    let length = try shownSeconds
    func refused(_ problem: Message) -> EditError {
      EditError(.invalidEdit, problem, remedy: "choose times within the movie")
    }
    func text(_ seconds: Double) -> String { "\(Self.rounded(seconds))" }
    if trim.seconds.lowerBound >= length {
      throw refused(
        "lasts \(decimal: text(length)) s, but the part to keep begins at \(decimal: text(trim.seconds.lowerBound)) s"
      )
    }
    if trim.seconds.upperBound > length + Trim.readingError {
      throw refused(
        "lasts \(decimal: text(length)) s, but the part to keep ends at \(decimal: text(trim.seconds.upperBound)) s"
      )
    }
    let end = min(trim.seconds.upperBound, try shownEnd)
    let shown = try shownFrames
    let plan = try MotionPlan(
      keeping: Trim(from: trim.seconds.lowerBound, to: end), of: shown, from: frames,
      timeScale: Int(video.timeScale), still: still)
    return plan.frames.count == shown.count ? nil : plan
  }

  /// The photo's position in the displayed movie in seconds, or nil if unknown. A position after the end becomes that
  /// of the last frame.
  package var shownStillTime: Double? {
    get throws { try stillImageTime.map { try clamped($0) } }
  }

  /// Returns a time in the movie. For a time after the end, returns the time of the last frame.
  ///
  /// - Parameter seconds: A time on the movie's timeline.
  package func clamped(_ seconds: Double) throws -> Double {
    guard let last = try shownFrames.last, try seconds >= last.end(timeScale: Int(video.timeScale)) else {
      return seconds
    }
    return last.seconds
  }

  /// Returns the frame that an edit uses as the key photo, or nil if the edit keeps the photo that the camera took.
  ///
  /// - Throws: ``EditError`` if the movie displays no frame at that time, or does not mark when its photo was taken.
  ///   ``MediaError`` if the movie does not have exactly one video track.
  package func keyFrame(of motion: Motion) throws -> ShownFrame? {
    guard let seconds = motion.keyPhotoSeconds else { return nil }
    let length = try shownSeconds
    guard let frame = try shownFrames.frame(at: seconds), seconds <= length + Trim.readingError else {
      throw EditError(
        .invalidEdit, "lasts \(Self.rounded(length)) s, but the new key photo would be at \(seconds) s",
        remedy: "choose a time within the movie")
    }
    guard stillImageTime != nil || saidPlace != nil else {
      throw EditError(
        .invalidEdit, "does not record when its photo was taken", remedy: "run liveedit repair")
    }
    return frame
  }

  /// The frames of the video track that its edit list displays, in display order.
  ///
  /// - Throws: ``MediaError`` if the movie does not have exactly one video track, or if its edit list is unsupported.
  package var shownFrames: [ShownFrame] {
    get throws { try Self.shown(frames, along: video.segments(movieTimeScale: timeScale)) }
  }

  /// The length of the movie in seconds, up to the end of its timeline or of its last frame.
  package var shownSeconds: Double {
    get throws {
      let end = try shownFrames.last?.end(timeScale: Int(video.timeScale))
      return max(seconds, min(end ?? 0, try shownEnd))
    }
  }

  /// The time at which the edit list of the video track ends, in seconds. Without an edit list, the time is unlimited.
  private var shownEnd: Double {
    get throws { try video.segments(movieTimeScale: timeScale).last?.end ?? .greatestFiniteMagnitude }
  }

  /// Whether the movie contains audio.
  package var hasSound: Bool { tracks.contains { $0.handler == "soun" && $0.samples.sampleCount > 0 } }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}
