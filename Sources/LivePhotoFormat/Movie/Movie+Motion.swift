import Basics
import EditModel

extension Movie {
  /// The plan of what the movie shows under an edit's time; nil where every frame is shown at its own time.
  ///
  /// - Throws: ``EditError`` when the movie has not got the part that is to be kept, or the photo's moment is not in it;
  ///   ``MediaError`` when there is not exactly one video track.
  package func plan(for motion: Motion) throws -> MotionPlan? {
    let still = try keyFrame(of: motion)?.seconds ?? stillImageTime
    guard let trim = motion.trim else { return nil }
    let length = try shownSeconds
    func refused(_ word: String, _ time: Double) -> EditError {
      EditError(
        .invalidEdit, "lasts \(Self.rounded(length)) s, and the part that is to be kept \(word) at \(time) s",
        remedy: "give times in the movie")
    }
    if trim.seconds.lowerBound >= length { throw refused("begins", trim.seconds.lowerBound) }
    if trim.seconds.upperBound > length + Trim.readingError { throw refused("ends", trim.seconds.upperBound) }
    let end = min(trim.seconds.upperBound, try shownPart.upperBound)
    let plan = try MotionPlan(
      keeping: Trim(from: trim.seconds.lowerBound, to: end), of: frames, timeScale: Int(video.timeScale),
      still: still)
    return try plan.frames.count == shownFrames.count ? nil : plan
  }

  /// The frame that an edit makes the photo of; nil where the photo stays the one that was taken.
  ///
  /// - Throws: ``EditError`` when the movie shows no frame then, or does not mark where its photo was taken; ``MediaError``
  ///   when there is not exactly one video track.
  package func keyFrame(of motion: Motion) throws -> SourceFrame? {
    guard let seconds = motion.keyPhotoSeconds else { return nil }
    let length = try shownSeconds
    let frame = try shownFrames.last { $0.seconds <= seconds + Trim.tolerance } ?? shownFrames.first
    guard let frame, seconds <= length + Trim.readingError else {
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
  package var shownFrames: [SourceFrame] {
    get throws {
      let part = try shownPart
      return try frames.filter {
        $0.seconds >= part.lowerBound - Trim.tolerance && $0.seconds < part.upperBound - Trim.tolerance
      }
    }
  }

  /// The length of the movie, in seconds: up to the end of its timeline or of its last frame.
  package var shownSeconds: Double {
    get throws {
      let end = try shownFrames.last.map { $0.seconds + Double($0.duration) / Double(try video.timeScale) }
      return max(seconds, min(end ?? 0, try shownPart.upperBound))
    }
  }

  /// The part of the timeline in which the video track shows something, in seconds: all of it without an edit list.
  private var shownPart: Range<Double> {
    get throws {
      var start = 0.0
      for edit in try video.edits {
        let length = Double(edit.duration) / Double(timeScale)
        // A length of zero stands for whatever follows.
        if edit.mediaTime >= 0 { return start..<(length > 0 ? start + length : .greatestFiniteMagnitude) }
        start += length
      }
      return 0..<Double.greatestFiniteMagnitude
    }
  }

  /// True if something can be heard.
  package var hasSound: Bool { tracks.contains { $0.handler == "soun" && $0.samples.sampleCount > 0 } }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}
