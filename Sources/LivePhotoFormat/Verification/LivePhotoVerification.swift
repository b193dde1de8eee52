import EditModel

/// The verification of a photo and a movie as one Live Photo: every rule that they break.
public struct LivePhotoVerification: Hashable, Sendable {
  /// The answer in a word.
  public enum Verdict: String, Codable, Sendable {
    /// No rule of severity error is broken.
    case valid
    /// Photos refuses it.
    case invalid
    /// Nothing wrong was found, but not everything could be checked.
    case unverified
  }

  /// The rules that are broken, the worst first.
  public let findings: [VerificationFinding]

  /// The answer in a word.
  public var verdict: Verdict {
    if findings.contains(where: { $0.severity == .error }) { return .invalid }
    return findings.contains { $0.rule == .notChecked } ? .unverified : .valid
  }

  /// Applies all rules.
  ///
  /// - Parameters:
  ///   - photo: what its file holds; nil when there is none.
  ///   - movie: what its file holds; nil when there is none.
  ///   - pictures: what decoding them showed; a half that was not decoded is left out.
  ///   - further: findings from elsewhere.
  package init(
    photo: PhotoEvidence?, movie: MovieEvidence?, pictures: PictureCheck, further: [VerificationFinding] = []
  ) {
    var findings = further + PairRules.completeness(photo, movie)
    findings += (photo?.findings ?? []) + (movie?.findings ?? [])
    findings += IdentifierRules.findings(photo, movie)
    if let movie, let structure = movie.movie {
      findings += MediaRules.findings(structure)
      findings += VideoRules.findings(structure, timedOrientation: movie.timedOrientation)
      findings += StillTimeRules.findings(structure)
      findings += TimedMetadataRules.findings(structure)
      if let decoded = pictures.movie {
        // A table that cannot be true was named already.
        findings += PictureRules.findings(decoded, structure).filter { finding in
          finding.rule != .syncTable || !findings.contains { $0.rule == .syncTable }
        }
      }
    }
    findings += pictures.photo.map(PictureRules.findings) ?? []
    findings += PairRules.shape(photo, movie)
    let order: [VerificationRule.Severity] = [.error, .warning, .note]
    self.findings = order.flatMap { severity in findings.filter { $0.severity == severity } }
  }
}
