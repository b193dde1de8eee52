/// Rules about timed metadata tracks.
enum TimedMetadataRules {
  static func findings(_ movie: Movie) -> [VerificationFinding] {
    movie.tracks.filter { $0.handler == "meta" && $0.metadata?.keys.isEmpty ?? true }.map { track in
      VerificationFinding(
        .metadataDescriptions, .movie,
        "The movie's metadata track \(track.header.trackID) does not say which keys it carries.")
    }
  }
}
