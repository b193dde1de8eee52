/// Rules about the two halves together.
extension [VerificationFinding] {
  /// There is one of each.
  mutating func checkCompleteness(_ photo: PhotoEvidence?, _ movie: MovieEvidence?) {
    if photo == nil { add(.photoMissing, .pair, "The photo is missing: there is only a movie.") }
    if movie == nil {
      let reason =
        photo?.isMotionPhoto ?? false
        ? "this is a Motion Photo, whose movie is inside the photo" : "there is only a photo"
      add(.movieMissing, .pair, "The movie is missing: \(reason).")
    }
  }

  /// Photo and movie are shown upright both, or lying both.
  mutating func checkShape(_ photo: PhotoEvidence?, _ movie: MovieEvidence?) {
    guard let photo = photo?.metadata, let movie = movie?.movie, let track = try? movie.video,
      let orientation = track.header.matrix.orientation, photo.width != photo.height,
      track.header.width != track.header.height
    else { return }
    let photoLies = photo.width > photo.height
    let movieLies = (track.header.width > track.header.height) != orientation.swapsAxes
    guard photoLies != movieLies else { return }
    func word(_ lies: Bool) -> String { lies ? "landscape" : "portrait" }
    add(.displayedShape, .pair, "The photo is shown as \(word(photoLies)), the movie as \(word(movieLies)).")
  }
}
