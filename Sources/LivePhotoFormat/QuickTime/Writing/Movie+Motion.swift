import Basics
import EditModel

extension Movie {
  /// The plan of what the movie shows under an edit's time; nil where every frame is shown at its own time.
  ///
  /// - Throws: ``EditError`` when the movie has not got the part that is to be kept, or the photo's moment is not in it;
  ///   ``MediaError`` when there is not exactly one video track.
  package func plan(for motion: Motion) throws -> MotionPlan? {
    guard let trim = motion.trim else { return nil }
    var still = try keyFrame(of: motion)?.seconds ?? shownStillTime
    // Cameras also write 0 where they do not know: such a place does not keep a movie from losing its beginning, and goes along to the
    // first frame that is kept.
    if motion.keyPhotoSeconds == nil, stillImageTrack == nil, saidPlace?.seconds == 0 {
      still = try shownFrames.first { trim.keeps(frameAt: $0.seconds) }?.seconds ?? still
    }
    let length = try shownSeconds
    func refused(_ word: String, _ time: Double) -> EditError {
      EditError(
        .invalidEdit, "lasts \(Self.rounded(length)) s, and the part that is to be kept \(word) at \(time) s",
        remedy: "give times in the movie")
    }
    if trim.seconds.lowerBound >= length { throw refused("begins", trim.seconds.lowerBound) }
    if trim.seconds.upperBound > length + Trim.readingError { throw refused("ends", trim.seconds.upperBound) }
    let end = min(trim.seconds.upperBound, try shownEnd)
    let shown = try shownFrames
    let plan = try MotionPlan(
      keeping: Trim(from: trim.seconds.lowerBound, to: end), of: shown, from: frames,
      timeScale: Int(video.timeScale), still: still)
    return plan.frames.count == shown.count ? nil : plan
  }

  /// Where the photo lies in what the movie shows, in seconds; one after the end at the last frame. nil where nothing says it.
  package var shownStillTime: Double? {
    get throws { try stillImageTime.map { try clamped($0) } }
  }

  /// A time of the movie; for one after its end that of the last frame.
  ///
  /// - Parameter seconds: a time on the movie's timeline.
  package func clamped(_ seconds: Double) throws -> Double {
    guard let last = try shownFrames.last, try seconds >= last.end(timeScale: Int(video.timeScale)) else {
      return seconds
    }
    return last.seconds
  }

  /// The frame that an edit makes the photo of; nil where the photo stays the one that was taken.
  ///
  /// - Throws: ``EditError`` when the movie shows no frame then, or does not mark where its photo was taken; ``MediaError``
  ///   when there is not exactly one video track.
  package func keyFrame(of motion: Motion) throws -> ShownFrame? {
    guard let seconds = motion.keyPhotoSeconds else { return nil }
    let length = try shownSeconds
    guard let frame = try shownFrames.frame(at: seconds), seconds <= length + Trim.readingError else {
      throw EditError(
        .invalidEdit, "lasts \(Self.rounded(length)) s, and the key photo is to be taken at \(seconds) s",
        remedy: "give a time in the movie")
    }
    guard stillImageTime != nil || saidPlace != nil else {
      throw EditError(
        .invalidEdit, "does not mark the moment at which its photo was taken", remedy: "run liveedit repair")
    }
    return frame
  }

  /// The frames of the video track that its edit list shows, in the order of showing.
  ///
  /// - Throws: ``MediaError`` when there is not exactly one video track, or it is shown in a way that is not handled.
  package var shownFrames: [ShownFrame] {
    get throws { try Self.shown(frames, along: video.segments(movieTimeScale: timeScale)) }
  }

  /// The length of the movie, in seconds: up to the end of its timeline or of its last frame.
  package var shownSeconds: Double {
    get throws {
      let end = try shownFrames.last?.end(timeScale: Int(video.timeScale))
      return max(seconds, min(end ?? 0, try shownEnd))
    }
  }

  /// Until when the video track shows something, in seconds: without an edit list, for ever.
  private var shownEnd: Double {
    get throws { try video.segments(movieTimeScale: timeScale).last?.end ?? .greatestFiniteMagnitude }
  }

  /// True if something can be heard.
  package var hasSound: Bool { tracks.contains { $0.handler == "soun" && $0.samples.sampleCount > 0 } }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}
