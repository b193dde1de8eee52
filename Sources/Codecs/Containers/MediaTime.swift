import Basics
internal import CFFmpeg

/// Times of packets and frames as containers say them, in ticks: any number of 64 bits. What comes through here lies
/// so near to the movie's start that sums of it, and its ticks of other scales, are numbers of 64 bits too.
enum MediaTime {
  /// Three years, in seconds.
  private static let longest = 1e8

  /// How much later than another time a time is.
  ///
  /// - Parameters:
  ///   - time: in ticks.
  ///   - start: in ticks.
  ///   - base: seconds a tick.
  /// - Throws: ``MediaError`` when that is longer than any movie lasts.
  static func elapsed(_ time: Int64, since start: Int64, _ base: AVRational) throws -> Int64 {
    let (ticks, overflows) = time.subtractingReportingOverflow(start)
    guard !overflows, base.num > 0, base.den > 0, abs(Double(ticks) * av_q2d(base)) <= longest else {
      throw impossible
    }
    return ticks
  }

  /// A time in whole ticks.
  ///
  /// - Parameters:
  ///   - seconds: the time.
  ///   - scale: ticks a second.
  /// - Throws: ``MediaError`` when it is longer than any movie lasts, or no number.
  static func ticks(_ seconds: Double, scale: Double) throws -> Int64 {
    guard abs(seconds) <= longest, let ticks = Int64(exactly: (seconds * scale).rounded()) else {
      throw impossible
    }
    return ticks
  }

  private static var impossible: MediaError { .damaged("a track contains an impossible time") }
}
