/// Rules about timed metadata.
extension [VerificationFinding] {
  /// The photo's place in the movie. Without it the key photo cannot be changed and the hint of motion is missing.
  mutating func checkStillTime(of movie: Movie) {
    guard let time = movie.stillImageTime else {
      return add(
        .stillImageTime, .movie, "The movie does not mark the photo's place: it has no still-image-time.")
    }
    // A millisecond of tolerance for rounding between time scales.
    guard time < 0 || time > movie.seconds + 0.001, movie.duration > 0 else { return }
    func text(_ time: Double) -> String { "\((time * 1000).rounded() / 1000) s" }
    add(
      .stillTimeInMovie, .movie,
      "The photo's place at \(text(time)) lies outside the movie, which lasts \(text(movie.seconds)).")
  }

  /// Every metadata track says what it carries.
  mutating func checkKeys(of movie: Movie) {
    for track in movie.tracks where track.handler == "meta" && track.metadata?.keys.isEmpty ?? true {
      add(
        .metadataDescriptions, .movie,
        "The movie's metadata track \(track.header.trackID) does not say which keys it carries.")
    }
  }
}
