import Basics

/// The facts about a photo that are needed to apply the rules.
package struct PhotoEvidence: Sendable {
  /// The photo's metadata, or nil if the file is damaged or not a photo.
  package private(set) var metadata: PhotoMetadata?
  /// The movie embedded in a Motion Photo, or nil for other photos.
  package private(set) var embedded: MovieEvidence?
  /// The photo's position in the embedded movie in seconds, or nil if the file does not state the position.
  private(set) var stillTime: Double?
  /// The broken rules that were found while reading the photo.
  private(set) var findings: [VerificationFinding] = []

  /// Whether the file is a photo with a valid structure.
  package var isSound: Bool {
    metadata != nil && findings.allSatisfy { $0.rule != .photoReadable }
  }

  /// Reads a photo's structure without decoding pixels.
  ///
  /// - Parameter fileExtension: The extension of the file name, without the dot.
  /// - Throws: Any error that `source` throws. A damaged file does not cause an error, but is reported as a finding.
  package init(reading source: any ByteSource, fileExtension: String) throws {
    try self.init(Photo(source), fileExtension: fileExtension)
  }

  /// Reads the structure of an open photo.
  ///
  /// - Parameter fileExtension: The extension of the file name, without the dot.
  /// - Throws: Any error that the photo's source throws. A damaged file does not cause an error, but is reported as a
  ///   finding.
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
          ? "The photo is empty." : "The photo is not a JPEG, HEIC or PNG file.")
    }
    let container = try photo.container
    findings += try container.findings()
    metadata = try photo.metadata()
    if try container.announcesMovie() { try readMovie(photo) }
    try container.checkPicture()
    for movie in try photo.unknownMovies() {
      findings.add(
        .unknownMovie, .photo,
        "The photo's file contains a movie of \(movie.size) bytes at byte \(movie.offset) in an unknown layout. Edits remove this movie."
      )
    }
  }

  /// Finds the movie of a Motion Photo in the same way as other programs do.
  private mutating func readMovie(_ photo: Photo) throws {
    let parts: MotionPhoto.Parts
    do { parts = try MotionPhoto.Parts(photo) } catch let error as MediaError where !error.isUnsupported {
      return findings.add(
        .embeddedMovie, .photo, "The photo is marked as a Motion Photo but contains no movie.")
    }
    embedded = try MovieEvidence(reading: parts.movieSource)
    stillTime = parts.stillTime
    for length in parts.announcedLengths where length != parts.length && !parts.isOfSamsungsBlock(length) {
      findings.add(
        .embeddedMoviePlace, .photo,
        "According to the photo's XMP, the movie begins \(length) bytes before the end of the file, but it begins \(parts.length) bytes before the end."
      )
    }
  }
}
