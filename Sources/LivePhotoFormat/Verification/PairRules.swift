import Basics

/// Rules about the two halves together.
extension [VerificationFinding] {
  /// There is one of each.
  mutating func checkCompleteness(_ photo: PhotoEvidence?, _ movie: MovieEvidence?) {
    if photo == nil { add(.photoMissing, .pair, "The photo is missing: there is only a movie.") }
    if movie == nil { add(.movieMissing, .pair, "The movie is missing: there is only a photo.") }
  }

  /// A photo that an edit left alone carries no identifier, for its movie is not beside it.
  mutating func checkIsAlone(_ photo: PhotoEvidence?) {
    add(.liveOff, .photo, "Live is off: this version is a photo alone.")
    if photo?.metadata?.contentIdentifier != nil {
      add(.photoIdentifier, .photo, "The photo carries the identifier of a Live Photo, and Live is off.")
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
    func word(_ lies: Bool) -> Message { lies ? "landscape" : "portrait" }
    add(.displayedShape, .pair, "The photo is shown as \(word(photoLies)), the movie as \(word(movieLies)).")
  }

  /// Rules about the identifier that ties the halves. Photos compares it letter for letter.
  mutating func checkIdentifiers(_ photo: PhotoEvidence?, _ movie: MovieEvidence?) {
    let ofPhoto = photo?.metadata?.contentIdentifier
    if photo?.isSound ?? false, ofPhoto == nil {
      add(.photoIdentifier, .photo, "The photo carries no identifier in Apple's maker note.")
    }
    let ofMovie = movie?.movie.flatMap { identifier(of: $0) }
    for (subject, identifier) in [(VerificationFinding.Subject.photo, ofPhoto), (.movie, ofMovie)] {
      if let identifier, !Self.isUUID(identifier) {
        add(
          .identifierForm, subject,
          subject == .movie
            ? "The movie's identifier “\(identifier)” is no upper-case UUID."
            : "The photo's identifier “\(identifier)” is no upper-case UUID.")
      }
    }
    if let ofPhoto, let ofMovie, ofPhoto != ofMovie {
      add(.identifiersEqual, .pair, "The photo carries the identifier \(ofPhoto), the movie \(ofMovie).")
    }
  }

  /// Apple's frameworks read only a `meta` atom that stands in `moov` and begins with its handler; one with
  /// version and flags (ISO/IEC 14496-12 section 8.11.1) or one in `udta` is passed over.
  private mutating func identifier(of movie: Movie) -> String? {
    if let identifier = try? movie.identifierForPhotos { return identifier }
    guard let identifier = try? movie.keys.text(MetadataItems.contentIdentifier) else {
      add(.movieIdentifier, .movie, "The movie carries no content identifier in its metadata.")
      return nil
    }
    add(
      .metadataPlain, .movie,
      "The movie's content identifier is not stored as QuickTime metadata, so Photos doesn't read it.")
    return identifier
  }

  /// Eight, four, four, four and twelve upper-case hexadecimal digits (RFC 9562 section 4).
  private static func isUUID(_ text: String) -> Bool {
    // A damaged maker note can say half a megabyte.
    guard text.utf8.count == 36 else { return false }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && parts.joined().utf8.allSatisfy { "0123456789ABCDEF".utf8.contains($0) }
  }
}
