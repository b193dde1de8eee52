/// Rules about the photo's place in the movie. Without it the key photo cannot be changed and the hint of
/// motion is missing.
enum StillTimeRules {
  static func findings(_ movie: Movie) -> [VerificationFinding] {
    guard let time = movie.stillImageTime else {
      return [
        .init(
          .stillImageTime, .movie, "The movie does not mark the photo's place: it has no still-image-time.")
      ]
    }
    let end = movie.seconds
    // A millisecond of tolerance for rounding between time scales.
    guard time < 0 || time > end + 0.001, movie.duration > 0 else { return [] }
    return [
      .init(
        .stillTimeInMovie, .movie,
        "The photo's place at \(seconds(time)) lies outside the movie, which lasts \(seconds(end)).")
    ]
  }

  private static func seconds(_ time: Double) -> String { "\((time * 1000).rounded() / 1000) s" }
}
