import Basics
import EditModel

extension Movie {
  /// Returns a plan of the displayed frames after an edit of the movie's timing, or nil if the timing of the frames
  /// does not change.
  ///
  /// - Throws: ``EditError`` if the movie does not contain the part to keep, or if the photo's time is outside that
  ///   part. ``MediaError`` if the movie does not have exactly one video track.
  package func plan(for motion: Motion) throws -> MotionPlan? {
    guard let trim = motion.trim else { return nil }
    var still = try keyFrame(of: motion)?.seconds ?? shownStillTime
    // Cameras also write 0 if the photo's position is unknown. A position of 0 therefore does not prevent the user from
    // trimming the beginning of the movie. If the beginning is trimmed, the position moves to the first kept frame.
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

  /// The photo's position in the displayed movie in seconds, or nil if unknown. If the position is after the end of the
  /// movie, the value is the position of the last frame.
  package var shownStillTime: Double? {
    get throws { try stillImageTime.map { try clamped($0) } }
  }

  /// Limits a time to the displayed movie. For a time after the end, returns the time of the last frame.
  ///
  /// - Parameter seconds: A time on the movie's timeline.
  package func clamped(_ seconds: Double) throws -> Double {
    guard let last = try shownFrames.last, try seconds >= last.end(timeScale: Int(video.timeScale)) else {
      return seconds
    }
    return last.seconds
  }

  /// Returns the frame that an edit uses as the key photo, or nil if the edit keeps the original photo.
  ///
  /// - Throws: ``EditError`` if the movie does not display a frame at the selected time, or does not state the photo's
  ///   position. ``MediaError`` if the movie does not have exactly one video track.
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

  /// The frames that the video track's edit list displays, in display order.
  ///
  /// - Throws: ``MediaError`` if the movie does not have exactly one video track, or if the track's edit list is
  ///   unsupported.
  package var shownFrames: [ShownFrame] {
    get throws { try Self.shown(frames, along: video.segments(movieTimeScale: timeScale)) }
  }

  /// The length of the movie in seconds, up to the end of its timeline or the end of its last frame.
  package var shownSeconds: Double {
    get throws {
      let end = try shownFrames.last?.end(timeScale: Int(video.timeScale))
      return max(seconds, min(end ?? 0, try shownEnd))
    }
  }

  /// The time in seconds at which the edit list of the video track ends. If the track has no edit list, the time is
  /// unlimited.
  private var shownEnd: Double {
    get throws { try video.segments(movieTimeScale: timeScale).last?.end ?? .greatestFiniteMagnitude }
  }

  /// Whether the movie contains audio.
  package var hasSound: Bool { tracks.contains { $0.handler == "soun" && $0.samples.sampleCount > 0 } }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}
