import Basics
import EditModel

extension LivePhotoVerification {
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
      throw MediaError(broken.clause, remedy: "copy it again from the phone")
    }
  }
}

extension VerificationFinding {
  /// The message as a clause behind a colon.
  package var clause: String {
    let text = message.hasSuffix(".") ? String(message.dropLast()) : message
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
