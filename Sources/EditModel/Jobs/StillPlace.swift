/// The photo's time in the movie of a Motion Photo. It is stored in the photo, not in the movie.
package struct StillPlace: Codable, Hashable, Sendable {
  /// The time on the movie's timeline, in seconds; nil if the photo does not contain it.
  package var seconds: Double?

  /// - Parameter seconds: The time on the movie's timeline; nil if the photo does not contain it.
  package init(seconds: Double?) { self.seconds = seconds }
}
