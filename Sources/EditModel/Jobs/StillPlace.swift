/// The photo's time in the movie of a Motion Photo. It is stored in the photo, not in the movie.
package struct StillPlace: Codable, Hashable, Sendable {
  /// The time on the movie's timeline, in seconds; nil if the photo does not state a time.
  package var seconds: Double?

  /// - Parameter seconds: The time on the movie's timeline, in seconds; nil if the photo does not state a time.
  package init(seconds: Double?) { self.seconds = seconds }
}
