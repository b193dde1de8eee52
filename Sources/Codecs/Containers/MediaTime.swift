import Basics
internal import CFFmpeg

/// Checked arithmetic for the times of packets and frames. A container may set these times to any 64-bit number of
/// ticks. Times that pass the checks are so close to the start of the movie that their sums, and their values in other
/// time scales, also fit into 64 bits.
enum MediaTime {
  /// The maximum accepted time in seconds, which is about three years.
  private static let longest = 1e8

  /// Returns the difference between two times.
  ///
  /// - Parameters:
  ///   - time: The later time, in ticks.
  ///   - start: The earlier time, in ticks.
  ///   - base: The duration of a tick in seconds.
  /// - Throws: ``MediaError`` if the difference is longer than any real movie.
  static func elapsed(_ time: Int64, since start: Int64, _ base: AVRational) throws -> Int64 {
    let (ticks, overflows) = time.subtractingReportingOverflow(start)
    guard !overflows, base.num > 0, base.den > 0, abs(Double(ticks) * av_q2d(base)) <= longest else {
      throw impossible
    }
    return ticks
  }

  /// Converts seconds to whole ticks.
  ///
  /// - Parameters:
  ///   - seconds: The time in seconds.
  ///   - scale: The number of ticks per second.
  /// - Throws: ``MediaError`` if the time is longer than any real movie or is not a number.
  static func ticks(_ seconds: Double, scale: Double) throws -> Int64 {
    guard abs(seconds) <= longest, let ticks = Int64(exactly: (seconds * scale).rounded()) else {
      throw impossible
    }
    return ticks
  }

  private static var impossible: MediaError { .damaged("a track contains an invalid timestamp") }
}
