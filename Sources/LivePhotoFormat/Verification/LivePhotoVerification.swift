import Basics
import EditModel

/// The result of verifying a photo and a movie as a Live Photo: a list of all broken rules.
package struct LivePhotoVerification: Hashable, Sendable {
  /// The overall result of the verification.
  package enum Verdict: String, Codable, Sendable {
    /// No rule with the severity `error` is broken.
    case valid
    /// Photos would reject the Live Photo.
    case invalid
    /// No errors were found, but some checks could not be run.
    case unverified
  }

  /// The broken rules, ordered from the most severe to the least severe.
  package let findings: [VerificationFinding]

  /// Whether the movie is embedded in the photo's file. If so, no identifiers are needed to pair the photo and the
  /// movie.
  package let isMotionPhoto: Bool

  /// The overall result of the verification.
  package var verdict: Verdict {
    if findings.contains(where: { $0.severity == .error }) { return .invalid }
    return findings.contains { $0.rule == .notChecked } ? .unverified : .valid
  }

  /// Applies all rules.
  ///
  /// - Parameters:
  ///   - photo: The facts about the photo, or nil if the photo is missing.
  ///   - movie: The facts about the movie, or nil if the movie is missing.
  ///   - pictures: The results of decoding. A photo or movie that was not decoded has no result.
  ///   - further: Findings from other checks.
  ///   - isLiveOff: Whether an edit has turned Live off. If so, the version is a photo without a movie, and rules about
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
        // Samsung's cameras end the movie a few milliseconds before the photo is taken. If the difference is less than
        // a frame, the photo belongs to the last frame.
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

  /// Checks that a photo can be displayed on its own, without decoding the photo.
  ///
  /// - Throws: ``MediaError`` that describes the first rule broken by the photo, or any error that `source` throws.
  package static func checkShowing(photo source: any ByteSource) throws {
    let evidence = try PhotoEvidence(reading: source, fileExtension: "")
    try LivePhotoVerification(photo: evidence).checkShowing()
  }

  /// Checks that a movie can be displayed on its own, without decoding the movie.
  ///
  /// - Throws: ``MediaError`` that describes the first rule broken by the movie, or any error that `source` throws.
  package static func checkShowing(movie source: any ByteSource) throws {
    try LivePhotoVerification(movie: MovieEvidence(reading: source)).checkShowing()
  }

  private func checkShowing() throws {
    if let broken = findings.first(where: { $0.severity == .error && $0.rule.concernsShowing }) {
      throw MediaError("\(clause: broken.message)", remedy: "copy the file from the phone again")
    }
  }
}
