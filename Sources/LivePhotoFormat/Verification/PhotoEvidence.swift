import Basics

/// The facts of a photo that the rules ask for.
package struct PhotoEvidence: Sendable {
  /// Its headers; nil for a file that is no photo, or a damaged one.
  package private(set) var metadata: PhotoMetadata?
  /// True if a movie is embedded in it.
  private(set) var isMotionPhoto = false
  /// The rules that it was found to break when it was read.
  private(set) var findings: [VerificationFinding] = []

  /// True if it is a photo whose structure is sound.
  package var isSound: Bool {
    metadata != nil && findings.allSatisfy { $0.rule != .photoReadable }
  }

  /// Reads a photo's structure; decodes nothing.
  ///
  /// - Parameter fileExtension: the extension of its name, without the dot.
  /// - Throws: what `source` throws. A damaged file is a finding.
  package init(reading source: any ByteSource, fileExtension: String) throws {
    let photo = try Photo(source)
    do {
      try read(photo)
    } catch let error as MediaError {
      findings.add(error, .photoReadable, .photo, "damaged")
    }
    if let named = PhotoKind(fileExtension: fileExtension), let kind = photo.kind, named != kind {
      findings.add(
        .fileType, .photo, "The photo is a \(kind.name) file, but its name ends in .\(fileExtension).")
    }
  }

  private mutating func read(_ photo: Photo) throws {
    guard photo.kind != nil else {
      let state = photo.source.count == 0 ? "empty" : "\(PhotoKind.none) file"
      return findings.add(.photoReadable, .photo, "The photo is \(state).")
    }
    let container = try photo.container
    findings += try container.findings()
    let isMotion = try container.isMotionPhoto()
    (metadata, isMotionPhoto) = (try container.metadata(), isMotion)
    try container.checkPicture()
  }
}
