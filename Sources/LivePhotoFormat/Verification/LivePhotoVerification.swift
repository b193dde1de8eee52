import Basics
import EditModel

/// The result of verifying a photo and a movie as one Live Photo: all the rules that they break.
package struct LivePhotoVerification: Hashable, Sendable {
  /// The overall result of the verification.
  package enum Verdict: String, Codable, Sendable {
    /// No rule with the severity `error` is broken.
    case valid
    /// Photos rejects the Live Photo.
    case invalid
    /// No errors were found, but not everything could be checked.
    case unverified
  }

  /// The broken rules, the most severe first.
  package let findings: [VerificationFinding]

  /// Whether the movie is embedded in the photo's file, so that no identifiers are needed to pair them.
  package let isMotionPhoto: Bool

  /// The overall result of the verification.
  package var verdict: Verdict {
    if findings.contains(where: { $0.severity == .error }) { return .invalid }
    return findings.contains { $0.rule == .notChecked } ? .unverified : .valid
  }

  /// Applies all rules.
  ///
  /// - Parameters:
  ///   - photo: The content of the photo's file, or nil if there is no photo.
  ///   - movie: The content of the movie's file, or nil if there is no movie.
  ///   - pictures: The results of decoding. A photo or movie that was not decoded has no result.
  ///   - further: Findings from other checks.
  ///   - isLiveOff: Whether an edit has turned Live off, so that the version is a photo without a movie and rules about
  ///     pairs do not apply.
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
        // Samsung's cameras end the movie a few milliseconds before the photo. If the difference is less than a frame,
        // the photo belongs to the last frame.
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

  /// Checks without decoding that a photo can be displayed on its own.
  ///
  /// - Throws: ``MediaError`` with the first rule that the photo breaks, or any error that `source` throws.
  package static func checkShowing(photo source: any ByteSource) throws {
    let evidence = try PhotoEvidence(reading: source, fileExtension: "")
    try LivePhotoVerification(photo: evidence).checkShowing()
  }

  /// Checks without decoding that a movie can be displayed on its own.
  ///
  /// - Throws: ``MediaError`` with the first rule that the movie breaks, or any error that `source` throws.
  package static func checkShowing(movie source: any ByteSource) throws {
    try LivePhotoVerification(movie: MovieEvidence(reading: source)).checkShowing()
  }

  private func checkShowing() throws {
    if let broken = findings.first(where: { $0.severity == .error && $0.rule.concernsShowing }) {
      throw MediaError("\(clause: broken.message)", remedy: "copy the file from the phone again")
    }
  }
}
