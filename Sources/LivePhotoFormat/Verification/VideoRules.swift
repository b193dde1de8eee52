/// Rules about the video track and how it is laid down.
extension [VerificationFinding] {
  mutating func checkVideo(of movie: Movie, timedOrientation: Int?) {
    let tracks = movie.tracks.filter { $0.handler == "vide" }
    guard tracks.count == 1, let track = tracks.first else {
      let count = tracks.isEmpty ? "no video track" : "\(tracks.count) video tracks"
      return add(.oneVideoTrack, .movie, "The movie has \(count); a Live Photo has one.")
    }
    if track.format != "avc1", track.format != "hvc1" {
      add(
        .videoFormat, .movie, "The movie's video is stored as “\(track.format)”; players expect avc1 or hvc1."
      )
    }
    guard let orientation = track.header.matrix.orientation else {
      return add(.matrixTurn, .movie, "The movie's matrix scales, shears or turns by an odd angle.")
    }
    let corner = track.header.displayedCorner
    // A pixel and a half of tolerance: odd sizes are halved in some writers.
    if abs(corner.x) >= 1.5 || abs(corner.y) >= 1.5 {
      func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
      }
      let place = "(\(number(corner.x)), \(number(corner.y)))"
      add(
        .matrixOrigin, .movie, "The movie's matrix lays the picture down at \(place) instead of the origin.")
    }
    if let timedOrientation, timedOrientation != orientation.rawValue {
      add(
        .videoOrientation, .movie,
        "The movie's timed video-orientation is \(timedOrientation), its matrix says \(orientation.rawValue)."
      )
    }
    checkApertures(of: track)
  }

  /// Rules about the parts of a video track's picture that are shown.
  private mutating func checkApertures(of track: Track) {
    guard let description = try? track.visualDescription,
      let apertures = try? track.atom.first("tapt")?.children ?? []
    else {
      return add(.notChecked, .movie, "The movie's sample description is of a kind that was not checked.")
    }
    let (width, height) = (Double(description.width), Double(description.height))
    if let clap = description.first("clap"), !Self.fits(clap, width: width, height: height) {
      add(.cleanAperture, .movie, "The movie's clean aperture does not lie within its picture.")
    }
    // The apertures count square pixels, the stored size does not.
    let aspect = description.pixelAspect
    let isTooLarge = apertures.contains { aperture in
      guard let size = try? TrackAperture.size(aperture) else { return true }
      return size.width > width * Swift.max(1, aspect) + 1
        || size.height > height * Swift.max(1, 1 / aspect) + 1
    }
    if isTooLarge { add(.trackApertures, .movie, "The movie's track apertures are larger than its picture.") }
  }

  private static func fits(_ atom: Atom, width: Double, height: Double) -> Bool {
    guard let clap = try? CleanAperture(atom) else { return false }
    let fractions = [clap.width, clap.height, clap.horizontalOffset, clap.verticalOffset]
    guard fractions.allSatisfy({ $0.denominator != 0 }), clap.width.value > 0, clap.height.value > 0 else {
      return false
    }
    return clap.width.value / 2 + abs(clap.horizontalOffset.value) <= width / 2 + 0.5
      && clap.height.value / 2 + abs(clap.verticalOffset.value) <= height / 2 + 0.5
  }
}
