import LivePhotoFormat

/// The verdict on a Live Photo as `verify --json` prints it.
package struct VerificationAnswer: Encodable {
  var verdict: LivePhotoVerification.Verdict
  var findings: [VerificationFinding]

  /// - Parameter verification: the verdict.
  package init(_ verification: LivePhotoVerification) {
    (verdict, findings) = (verification.verdict, verification.findings)
  }
}
