/// Rules about the identifier that ties the halves. Photos compares it letter for letter.
enum IdentifierRules {
  static func findings(_ photo: PhotoEvidence?, _ movie: MovieEvidence?) -> [VerificationFinding] {
    var findings: [VerificationFinding] = []
    let ofPhoto = photo?.metadata?.contentIdentifier
    if photo?.isSound ?? false, ofPhoto == nil {
      findings.append(
        .init(.photoIdentifier, .photo, "The photo carries no identifier in Apple's maker note."))
    }
    let (metadataFindings, ofMovie) = self.ofMovie(movie)
    findings += metadataFindings
    for (subject, identifier) in [(VerificationFinding.Subject.photo, ofPhoto), (.movie, ofMovie)] {
      if let identifier, !isUUID(identifier) {
        findings.append(
          .init(
            .identifierForm, subject,
            "The \(subject.rawValue)'s identifier “\(identifier)” is no upper-case UUID."))
      }
    }
    if let ofPhoto, let ofMovie, ofPhoto != ofMovie {
      findings.append(
        .init(.identifiersEqual, .pair, "The photo carries the identifier \(ofPhoto), the movie \(ofMovie)."))
    }
    return findings
  }

  /// Apple's frameworks read only a `meta` atom that stands in `moov` and begins with its handler; one with
  /// version and flags (ISO/IEC 14496-12 section 8.11.1) or one in `udta` is passed over.
  private static func ofMovie(_ evidence: MovieEvidence?) -> (findings: [VerificationFinding], String?) {
    guard let movie = evidence?.movie else { return ([], nil) }
    let meta = try? movie.moov.first("meta")
    let items = meta.flatMap { try? MetadataItems($0) }
    if let identifier = items?.text(MetadataItems.contentIdentifier) { return ([], identifier) }
    if meta != nil, items == nil {
      return (
        [
          .init(
            .metadataPlain, .movie,
            "The movie's metadata is not a plain QuickTime container, so Photos passes it over.")
        ], nil
      )
    }
    return (
      [.init(.movieIdentifier, .movie, "The movie carries no content identifier in its metadata.")],
      nil
    )
  }

  /// Eight, four, four, four and twelve upper-case hexadecimal digits (RFC 9562 section 4).
  private static func isUUID(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.map(\.count) == [8, 4, 4, 4, 12]
      && parts.joined().allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0)
      }
  }
}
