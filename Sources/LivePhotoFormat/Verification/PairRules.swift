/// Rules about the two halves together.
enum PairRules {
  /// There is one of each.
  static func completeness(_ photo: PhotoEvidence?, _ movie: MovieEvidence?) -> [VerificationFinding] {
    var findings: [VerificationFinding] = []
    if photo == nil {
      findings.append(.init(.photoMissing, .pair, "The photo is missing: there is only a movie."))
    }
    if movie == nil {
      let isMotionPhoto = photo?.isMotionPhoto ?? false
      findings.append(
        .init(
          .movieMissing, .pair,
          isMotionPhoto
            ? "The movie is missing: this is a Motion Photo, whose movie is inside the photo."
            : "The movie is missing: there is only a photo."))
    }
    return findings
  }

  /// Photo and movie are shown upright both, or lying both.
  static func shape(_ photo: PhotoEvidence?, _ movie: MovieEvidence?) -> [VerificationFinding] {
    guard let photo = photo?.metadata, let movie = movie?.movie, let track = try? movie.video,
      let orientation = track.header.matrix.orientation, photo.width != photo.height,
      track.header.width != track.header.height
    else { return [] }
    let photoLies = photo.width > photo.height
    let movieLies = (track.header.width > track.header.height) != orientation.swapsAxes
    guard photoLies != movieLies else { return [] }
    func word(_ lies: Bool) -> String { lies ? "landscape" : "portrait" }
    return [
      .init(
        .displayedShape, .pair, "The photo is shown as \(word(photoLies)), the movie as \(word(movieLies)).")
    ]
  }
}
