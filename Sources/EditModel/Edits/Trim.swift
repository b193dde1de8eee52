public import Basics

/// A part of a movie's time: from a moment up to another, which does not belong to it. Kept in millionths of a second.
///
/// It begins with the first frame that is shown from its start on, and that frame is shown at its own distance from the
/// start. Sound is kept wherever a piece of it is heard in the part.
public struct Trim: Hashable, Sendable {
  /// The start, in millionths of a second.
  public let start: Int
  /// The end, in millionths of a second.
  public let end: Int

  /// - Parameters:
  ///   - start: the start, in seconds, rounded to millionths.
  ///   - end: the end, in seconds.
  /// - Throws: ``Basics/EditError`` when the part is empty, or begins before the movie.
  public init(from start: Double, to end: Double) throws(EditError) {
    guard let first = Self.millionths(start), let last = Self.millionths(end), first < last else {
      throw EditError(
        .invalidEdit, "a movie cannot be trimmed to the range from \(start) s to \(end) s",
        remedy: "specify two times in seconds, the earlier one first")
    }
    (self.start, self.end) = (first, last)
  }

  /// A time in millionths of a second; nil when it is negative, no number, or beyond any movie.
  static func millionths(_ seconds: Double) -> Int? {
    let millionths = (seconds * 1_000_000).rounded()
    return 0...Double(Motion.longest) ~= millionths ? Int(millionths) : nil
  }

  /// The part in seconds.
  public var seconds: Range<Double> { Double(start) / 1_000_000..<Double(end) / 1_000_000 }

  /// A hair's breadth, in seconds, for frame times that were rounded.
  package static let tolerance = 0.0005
  /// The most by which a time that people read off and type differs from the true one, in seconds.
  package static let readingError = 0.001

  /// True if a frame that begins at a time is kept.
  package func keeps(frameAt time: Double) -> Bool {
    time >= seconds.lowerBound - Self.tolerance && time < seconds.upperBound - Self.tolerance
  }

  /// True if something that begins at a time and lasts some seconds is heard in the part.
  package func keeps(soundAt time: Double, lasting length: Double) -> Bool {
    // More than what sums of seconds are wrong by.
    let least = 1e-9
    return time + length > seconds.lowerBound + least && time < seconds.upperBound - least
  }
}
