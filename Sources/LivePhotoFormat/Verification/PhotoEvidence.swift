import Basics

/// The facts of a photo that the rules ask for.
package struct PhotoEvidence: Sendable {
  /// Its kind by its bytes; nil for a file that is no photo.
  let kind: PhotoKind?
  /// Its headers; nil for a file that is no photo, or a damaged one.
  package let metadata: PhotoMetadata?
  /// True if a movie is embedded in it.
  let isMotionPhoto: Bool
  /// The rules that it was found to break when it was read.
  let findings: [VerificationFinding]

  /// True if it is a photo whose structure is sound.
  package var isSound: Bool {
    metadata != nil && findings.allSatisfy { $0.rule != .photoReadable }
  }

  /// Reads a photo's structure; decodes nothing.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - fileExtension: the extension of its name, without the dot.
  /// - Throws: what `source` throws. A damaged file is a finding.
  package init(reading source: any ByteSource, fileExtension: String) throws {
    let photo = try Photo(source)
    kind = photo.kind
    var findings: [VerificationFinding] = []
    var metadata: PhotoMetadata?
    var isMotionPhoto = false
    do {
      if kind == nil {
        let problem =
          source.count == 0 ? "The photo is empty." : "The photo is \(PhotoKind.none) file."
        findings.append(.init(.photoReadable, .photo, problem))
      } else {
        let container = try photo.container
        findings += try container.findings()
        let isMotion = try photo.isMotionPhoto()
        (metadata, isMotionPhoto) = (try photo.metadata(), isMotion)
        try container.checkPicture()
      }
    } catch let error as MediaError {
      findings.append(
        error.isUnsupported
          ? VerificationFinding(.notChecked, .photo, "The photo was not checked: \(error.problem).")
          : VerificationFinding(.photoReadable, .photo, "The photo is damaged: \(error.problem)."))
    }
    if let named = PhotoKind(fileExtension: fileExtension), let kind, named != kind {
      findings.append(
        .init(
          .fileType, .photo,
          "The photo is a \(kind.name) file, but its name ends in .\(fileExtension)."))
    }
    self.metadata = metadata
    self.isMotionPhoto = isMotionPhoto
    self.findings = findings
  }
}
