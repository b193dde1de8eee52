import EditModel

extension LivePhotoVerification {
  /// Makes sure that a photo alone can be shown.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - pictures: what decoding it showed; nil where it was not decoded.
  /// - Throws: ``MediaError`` with the first rule that it breaks; what `source` throws.
  public static func checkShowing(photo source: some ByteSource, _ pictures: PictureCheck.Photo?) throws {
    let evidence = try PhotoEvidence(reading: source, fileExtension: "")
    try LivePhotoVerification(photo: evidence, movie: nil, pictures: PictureCheck(photo: pictures))
      .checkShowing()
  }

  /// Makes sure that a movie alone can be shown.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - pictures: what decoding it showed; nil where it was not decoded.
  /// - Throws: ``MediaError`` with the first rule that it breaks; what `source` throws.
  public static func checkShowing(movie source: any ByteSource, _ pictures: PictureCheck.Movie?) throws {
    try LivePhotoVerification(
      photo: nil, movie: try MovieEvidence(reading: source), pictures: PictureCheck(movie: pictures)
    )
    .checkShowing()
  }

  private func checkShowing() throws {
    if let broken = findings.first(where: { $0.severity == .error && $0.rule.concernsShowing }) {
      throw MediaError(broken.clause, remedy: "copy it again from the phone")
    }
  }
}

extension VerificationFinding {
  /// The message as a clause behind a colon.
  public var clause: String {
    let text = message.hasSuffix(".") ? String(message.dropLast()) : message
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
