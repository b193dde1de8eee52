/// The photo's place in the movie of a Motion Photo, of which the photo's file tells and not the movie's.
package struct StillPlace: Codable, Hashable, Sendable {
  /// The time on the movie's timeline, in seconds; nil where the file does not say.
  package var seconds: Double?

  /// - Parameter seconds: the time on the movie's timeline; nil where the file does not say.
  package init(seconds: Double?) { self.seconds = seconds }
}
