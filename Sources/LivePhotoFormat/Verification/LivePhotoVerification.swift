import Basics
import EditModel

/// The verification of a photo and a movie as one Live Photo: every rule that they break.
package struct LivePhotoVerification: Hashable, Sendable {
  /// The answer in a word.
  package enum Verdict: String, Codable, Sendable {
    /// No rule of severity error is broken.
    case valid
    /// Photos refuses it.
    case invalid
    /// Nothing wrong was found, but not everything could be checked.
    case unverified
  }

  /// The rules that are broken, the worst first.
  package let findings: [VerificationFinding]

  /// True if the movie lies in the photo's file, so that no identifiers tie the two.
  package let isMotionPhoto: Bool

  /// The answer in a word.
  package var verdict: Verdict {
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
  ///   - isLiveOff: true if an edit left the photo alone, so that rules about pairs do not apply.
  package init(
    photo: PhotoEvidence? = nil, movie: MovieEvidence? = nil, pictures: PictureCheck = PictureCheck(),
    further: [VerificationFinding] = [], isLiveOff: Bool = false
  ) {
    var findings = further
    let embedded = movie == nil ? photo?.embedded : nil
    let movie = movie ?? embedded
    isMotionPhoto = embedded != nil
    if isLiveOff {
      findings.checkIsAlone(photo)
    } else if !isMotionPhoto {
      findings.checkCompleteness(photo, movie)
      findings.checkIdentifiers(photo, movie)
    }
    findings += (photo?.findings ?? []) + (movie?.findings ?? [])
    if let movie, let structure = movie.movie {
      findings.checkMedia(of: structure)
      findings.checkVideo(of: structure, timedOrientation: movie.timedOrientation)
      if isMotionPhoto {
        // Samsung's cameras stop the movie some milliseconds before the photo: within a frame it is the last one.
        if let time = photo?.stillTime { findings.check(stillTime: time, of: structure, tolerance: 0.1) }
      } else {
        findings.checkStillTime(of: structure)
        findings.checkKeys(of: structure)
      }
      if let decoded = pictures.movie {
        findings.check(decoded, of: structure)
        for track in decoded.sound { findings.check(track) }
      }
    }
    if let decoded = pictures.photo { findings.check(decoded) }
    findings.checkShape(photo, movie)
    let order: [VerificationRule.Severity] = [.error, .warning, .note]
    self.findings = order.flatMap { severity in findings.filter { $0.severity == severity } }
  }

  /// Checks without decoding that a photo alone can be shown.
  ///
  /// - Throws: ``MediaError`` with the first rule that it breaks; what `source` throws.
  package static func checkShowing(photo source: any ByteSource) throws {
    let evidence = try PhotoEvidence(reading: source, fileExtension: "")
    try LivePhotoVerification(photo: evidence).checkShowing()
  }

  /// Checks without decoding that a movie alone can be shown.
  ///
  /// - Throws: ``MediaError`` with the first rule that it breaks; what `source` throws.
  package static func checkShowing(movie source: any ByteSource) throws {
    try LivePhotoVerification(movie: MovieEvidence(reading: source)).checkShowing()
  }

  private func checkShowing() throws {
    if let broken = findings.first(where: { $0.severity == .error && $0.rule.concernsShowing }) {
      throw MediaError("\(clause: broken.message)", remedy: "copy it again from the phone")
    }
  }
}
