/// Rules about the photo's place in the movie. Without it the key photo cannot be changed and the hint of
/// motion is missing.
extension [VerificationFinding] {
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
}
