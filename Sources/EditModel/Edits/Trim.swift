public import Basics

/// A range of a movie's timeline, excluding the end time. The start and end times are stored in millionths of a second.
///
/// The trimmed movie begins with the first frame that starts within the range. This frame keeps its offset from the
/// start of the range. An audio sample is kept if any part of the sample is audible within the range.
public struct Trim: Hashable, Sendable {
  /// The start, in millionths of a second.
  public let start: Int
  /// The end, in millionths of a second.
  public let end: Int

  /// - Parameters:
  ///   - start: The start, in seconds, rounded to millionths.
  ///   - end: The end, in seconds, rounded to millionths.
  /// - Throws: ``Basics/EditError`` if the range is empty or begins before the movie.
  public init(from start: Double, to end: Double) throws(EditError) {
    guard let first = Self.millionths(start), let last = Self.millionths(end), first < last else {
      throw EditError(
        .invalidEdit, "a movie cannot be trimmed to the range from \(start) s to \(end) s",
        remedy: "specify two times in seconds, the earlier time first")
    }
    (self.start, self.end) = (first, last)
  }

  /// Returns a time in millionths of a second; nil if the time is negative, not a number, or longer than any movie.
  static func millionths(_ seconds: Double) -> Int? {
    let millionths = (seconds * 1_000_000).rounded()
    return 0...Double(Motion.longest) ~= millionths ? Int(millionths) : nil
  }

  /// The range in seconds.
  public var seconds: Range<Double> { Double(start) / 1_000_000..<Double(end) / 1_000_000 }

  /// The tolerance, in seconds, for frame times that were rounded.
  package static let tolerance = 0.0005
  /// The maximum difference, in seconds, between a true time and the displayed time that a user types.
  package static let readingError = 0.001

  /// Returns whether a frame that begins at a given time is kept.
  package func keeps(frameAt time: Double) -> Bool {
    time >= seconds.lowerBound - Self.tolerance && time < seconds.upperBound - Self.tolerance
  }

  /// Returns whether audio with a given start time and duration, in seconds, is audible within the range.
  package func keeps(soundAt time: Double, lasting length: Double) -> Bool {
    // A duration longer than the rounding error of a sum of times in seconds.
    let least = 1e-9
    return time + length > seconds.lowerBound + least && time < seconds.upperBound - least
  }
}
