import Basics
import EditModel

extension Movie {
  /// The plan of what the movie shows under an edit's time; nil where every frame is shown at its own time.
  ///
  /// - Throws: ``EditError`` when the movie has not got the part that is to be kept, or the photo was taken at another
  ///   moment; ``MediaError`` when there is not exactly one video track.
  package func plan(for motion: Motion) throws -> MotionPlan? {
    guard let trim = motion.trim else { return nil }
    let (frames, length) = (try frames, try shownSeconds)
    func refused(_ word: String, _ time: Double) -> EditError {
      EditError(
        .invalidEdit, "lasts \(Self.rounded(length)) s, and the part that is to be kept \(word) at \(time) s",
        remedy: "give times in the movie")
    }
    if trim.seconds.lowerBound >= length { throw refused("begins", trim.seconds.lowerBound) }
    if trim.seconds.upperBound > length + Trim.readingError { throw refused("ends", trim.seconds.upperBound) }
    let plan = try MotionPlan(
      keeping: trim, of: frames, timeScale: Int(video.timeScale), still: stillImageTime)
    return plan.frames.count == frames.count ? nil : plan
  }

  /// The length of the movie, in seconds: up to the end of its timeline or of its last frame.
  package var shownSeconds: Double {
    get throws {
      let end = try frames.last.map { $0.seconds + Double($0.duration) / Double(try video.timeScale) }
      return max(seconds, end ?? 0)
    }
  }

  /// True if something can be heard.
  package var hasSound: Bool { tracks.contains { $0.handler == "soun" && $0.samples.sampleCount > 0 } }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}
