public import Basics

/// What the rules ask of a photo.
public struct PhotoEvidence: Sendable {
  /// What its bytes are.
  public let kind: PhotoKind
  /// What its header says; nil for a file that is no photo, or a damaged one.
  public let summary: PhotoSummary?
  /// What reading it showed.
  let findings: [VerificationFinding]

  /// Whether it is a photo whose structure is sound.
  public var isSound: Bool {
    summary != nil && findings.allSatisfy { $0.rule != .photoReadable }
  }

  /// Reads a photo's structure; decodes nothing.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - fileExtension: the extension of its name, without the dot.
  /// - Throws: what `source` throws. A damaged file is a finding.
  public init(reading source: some ByteSource, fileExtension: String) throws {
    kind = try PhotoKind.detect(source)
    var findings: [VerificationFinding] = []
    var summary: PhotoSummary?
    do {
      switch kind {
      case .jpeg:
        let header = try JPEGHeader(reading: source)
        summary = try PhotoSummary(header: header, source: source)
        _ = try JPEGEnd.offset(source, from: header.scanStart)
      case .heif:
        let file = try HEIFFile(reading: source)
        findings += try HEIFRules.findings(file, source)
        summary = try PhotoSummary(heif: file, source: source)
        _ = try HEIFPicture(file, source: source)
      case .other:
        let problem =
          source.count == 0 ? "The photo is empty." : "The photo is neither a JPEG nor a HEIC file."
        findings.append(VerificationFinding(.photoReadable, .photo, problem))
      }
    } catch let error as MediaError {
      findings.append(
        error.isUnsupported
          ? VerificationFinding(.notChecked, .photo, "The photo was not checked: \(error.problem).")
          : VerificationFinding(.photoReadable, .photo, "The photo is damaged: \(error.problem)."))
    }
    if let named = PhotoKind(fileExtension: fileExtension), kind != .other, named != kind {
      findings.append(
        VerificationFinding(
          .fileType, .photo,
          "The photo is a \(kind == .jpeg ? "JPEG" : "HEIC") file, but its name ends in .\(fileExtension)."))
    }
    self.summary = summary
    self.findings = findings
  }
}

extension PhotoKind {
  /// What a file of this extension should be; nil for an extension that does not say.
  init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "jpg", "jpeg", "jpe": self = .jpeg
    case "heic", "heif", "hif": self = .heif
    default: return nil
    }
  }
}
