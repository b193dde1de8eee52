import Basics

/// The facts of a photo that the rules ask for.
package struct PhotoEvidence: Sendable {
  /// Its headers; nil for a file that is no photo, or a damaged one.
  package private(set) var metadata: PhotoMetadata?
  /// The movie in a Motion Photo's file; nil for other photos.
  package private(set) var embedded: MovieEvidence?
  /// The photo's place in that movie in seconds; nil where the file does not say.
  private(set) var stillTime: Double?
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
    try self.init(Photo(source), fileExtension: fileExtension)
  }

  /// Reads the structure of a photo that is open.
  ///
  /// - Parameter fileExtension: the extension of its name, without the dot.
  /// - Throws: what its source throws. A damaged file is a finding.
  package init(_ photo: Photo, fileExtension: String) throws {
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
      return findings.add(
        .photoReadable, .photo,
        photo.source.count == 0
          ? "The photo is empty." : "The photo is neither a JPEG nor a HEIC nor a PNG file.")
    }
    let container = try photo.container
    findings += try container.findings()
    metadata = try photo.metadata()
    if try container.announcesMovie() { try readMovie(photo) }
    try container.checkPicture()
    for movie in try photo.unknownMovies() {
      findings.add(
        .unknownMovie, .photo,
        "The photo's file holds a movie of \(movie.size) bytes at byte \(movie.offset), in a layout that is not known: edits remove it."
      )
    }
  }

  /// Looks for the movie of a Motion Photo as readers do.
  private mutating func readMovie(_ photo: Photo) throws {
    let parts: MotionPhoto.Parts
    do { parts = try MotionPhoto.Parts(photo) } catch let error as MediaError where !error.isUnsupported {
      return findings.add(
        .embeddedMovie, .photo, "The photo says that it is a Motion Photo, and holds no movie.")
    }
    embedded = try MovieEvidence(reading: parts.movieSource)
    stillTime = parts.stillTime
    for length in parts.announcedLengths where length != parts.length && !parts.isOfSamsungsBlock(length) {
      findings.add(
        .embeddedMoviePlace, .photo,
        "The photo's XMP says that the movie begins \(length) bytes before the file's end; it begins \(parts.length) before."
      )
    }
  }
}
