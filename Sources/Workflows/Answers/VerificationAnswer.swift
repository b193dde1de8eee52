import LivePhotoFormat

/// The verification result for a Live Photo, as `verify --json` prints it.
package struct VerificationAnswer: Encodable {
  var verdict: LivePhotoVerification.Verdict
  var findings: [VerificationFinding]

  /// - Parameter verification: The verification result.
  package init(_ verification: LivePhotoVerification) {
    (verdict, findings) = (verification.verdict, verification.findings)
  }
}
