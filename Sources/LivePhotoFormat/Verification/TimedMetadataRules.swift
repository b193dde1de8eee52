/// Rules about timed metadata tracks.
extension [VerificationFinding] {
  mutating func checkTimedMetadata(of movie: Movie) {
    for track in movie.tracks where track.handler == "meta" && track.metadata?.keys.isEmpty ?? true {
      add(
        .metadataDescriptions, .movie,
        "The movie's metadata track \(track.header.trackID) does not say which keys it carries.")
    }
  }
}
