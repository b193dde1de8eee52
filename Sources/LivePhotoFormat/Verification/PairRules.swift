import Basics

/// Rules for the photo and the movie together.
extension [VerificationFinding] {
  /// Checks that both the photo and the movie exist.
  mutating func checkCompleteness(_ photo: PhotoEvidence?, _ movie: MovieEvidence?) {
    if photo == nil { add(.photoMissing, .pair, "The photo is missing: only a movie exists.") }
    if movie == nil { add(.movieMissing, .pair, "The movie is missing: only a photo exists.") }
  }

  /// Checks that the photo has no identifier if Live is turned off, because the photo's movie is not next to the photo.
  mutating func checkIsAlone(_ photo: PhotoEvidence?) {
    add(.liveOff, .photo, "Live is off: this version has only a photo.")
    if photo?.metadata?.contentIdentifier != nil {
      add(.photoIdentifier, .photo, "Live is off, but the photo still contains a Live Photo identifier.")
    }
  }

  /// Checks that the photo and the movie are both displayed in portrait format, or both in landscape format.
  mutating func checkShape(_ photo: PhotoEvidence?, _ movie: MovieEvidence?) {
    guard let photo = photo?.metadata, let movie = movie?.movie, let track = try? movie.video,
      let orientation = track.header.matrix.orientation, photo.width != photo.height,
      track.header.width != track.header.height
    else { return }
    let photoLies = photo.width > photo.height
    let movieLies = (track.header.width > track.header.height) != orientation.swapsAxes
    guard photoLies != movieLies else { return }
    func word(_ lies: Bool) -> Message { lies ? "landscape" : "portrait" }
    add(
      .displayedShape, .pair,
      "The photo is displayed in \(word(photoLies)) orientation, but the movie in \(word(movieLies)).")
  }

  /// Checks the identifiers that pair the photo and the movie. Photos compares the two identifiers character by
  /// character.
  mutating func checkIdentifiers(_ photo: PhotoEvidence?, _ movie: MovieEvidence?) {
    let ofPhoto = photo?.metadata?.contentIdentifier
    if photo?.isSound ?? false, ofPhoto == nil {
      add(.photoIdentifier, .photo, "The photo has no Live Photo identifier in an Apple maker note.")
    }
    let ofMovie = movie?.movie.flatMap { identifier(of: $0) }
    for (subject, identifier) in [(VerificationFinding.Subject.photo, ofPhoto), (.movie, ofMovie)] {
      if let identifier, !Self.isUUID(identifier) {
        add(
          .identifierForm, subject,
          subject == .movie
            ? "The movie's identifier “\(identifier)” is not an uppercase UUID."
            : "The photo's identifier “\(identifier)” is not an uppercase UUID.")
      }
    }
    if let ofPhoto, let ofMovie, ofPhoto != ofMovie {
      add(.identifiersEqual, .pair, "The photo has the identifier \(ofPhoto), but the movie has \(ofMovie).")
    }
  }

  /// Returns the movie's identifier. Apple's frameworks read only a `meta` atom in `moov` that begins with its handler.
  /// Apple's frameworks ignore a `meta` atom that begins with a version and flags (ISO/IEC 14496-12 section 8.11.1) or
  /// is in `udta`.
  private mutating func identifier(of movie: Movie) -> String? {
    if let identifier = try? movie.identifierForPhotos { return identifier }
    guard let identifier = try? movie.keys.text(MetadataItems.contentIdentifier) else {
      add(.movieIdentifier, .movie, "The movie's metadata has no content identifier.")
      return nil
    }
    add(
      .metadataPlain, .movie,
      "The movie's content identifier is not stored as QuickTime metadata, so Apple's Photos app does not read it."
    )
    return identifier
  }

  /// Returns whether a string is an uppercase UUID: groups of 8, 4, 4, 4 and 12 uppercase hexadecimal digits (RFC 9562
  /// section 4).
  private static func isUUID(_ text: String) -> Bool {
    // A damaged maker note may contain a string that is half a megabyte long.
    guard text.utf8.count == 36 else { return false }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && parts.joined().utf8.allSatisfy { "0123456789ABCDEF".utf8.contains($0) }
  }
}
