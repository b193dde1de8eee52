package import Basics
package import EditModel
package import FileSystem
package import LivePhotoFormat

extension ForeignFormat {
  /// Reads a file. The file's name is used to distinguish raw formats.
  package init?(_ source: FileByteSource, name: String) throws {
    try self.init(source, rawFormat: UnlistedEntries.rawFormat(of: name))
  }
}

/// Reads the identifiers that pair a photo with its movie. Within this module, only this type reads the containers.
package enum HalfIdentifier {
  /// Returns the content identifier of a file.
  ///
  /// - Parameters:
  ///   - path: The file's path; symbolic links are followed.
  ///   - kind: The kind of half that the file's name indicates.
  /// - Returns: The identifier, or nil if the file is valid but has no identifier.
  package static func read(_ path: String, kind: HalfKind) throws(EditError) -> String? {
    try whileReading(path) {
      let source = try FileByteSource(path: path)
      guard source.count > 0 else {
        throw EditError(.invalidFile, file: path, "is empty", remedy: "copy it again from the phone")
      }
      try check(source, path, is: kind)
      return try kind == .photo
        ? Photo(source).contentIdentifier() : MovieSummary(source).contentIdentifier
    }
  }

  /// Whether a photo contains its movie, so that the photo is not a half of a Live Photo.
  ///
  /// - Parameter path: The photo's path; symbolic links are followed.
  static func isWhole(_ path: String) throws(EditError) -> Bool {
    try whileReading(path) { try Photo(FileByteSource(path: path)).isMotionPhoto() }
  }

  /// Checks that a file's first bytes match the kind that its name indicates.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - name: The file's name or path.
  ///   - kind: The kind of half that the file's name indicates.
  /// - Throws: ``MediaError`` if a photo has a movie's name, a movie has a photo's name, or the format cannot be
  ///   edited.
  package static func check(_ source: FileByteSource, _ name: String, is kind: HalfKind) throws {
    if let format = try ForeignFormat(source, name: name) { throw format.error }
    switch (kind, try Photo(source).kind) {
    case (.movie, let photo?):
      throw MediaError(
        "is a \(photo.name) photo with the name of a movie",
        remedy: "rename it to end in .\(photo.extensions[0].uppercased())")
    case (.photo, nil) where try isMovie(source):
      throw MediaError(
        "is a QuickTime or MP4 movie with the name of a photo",
        remedy: "rename it to end in .MOV or .MP4")
    default: break
    }
  }

  /// Whether a file that is not a photo begins with an atom that can start a movie.
  package static func isMovie(_ source: any ByteSource) throws -> Bool {
    let head = try source.read(at: 0, count: min(8, source.count))
    return ["ftyp", "moov", "mdat", "wide", "skip", "free", "pnot"].contains {
      head.dropFirst(4).elementsEqual($0.utf8)
    }
  }

  /// Returns the content identifier of a file that may still be being copied, and how much of the file has arrived.
  ///
  /// - Throws: ``EditError`` if the file's structure is damaged or cut off.
  static func arriving(
    _ path: String, kind: HalfKind
  ) throws(EditError) -> (identifier: String?, arrival: FileArrival) {
    let identifier = try read(path, kind: kind)
    let arrival = try whileReading(path) {
      let source = try FileByteSource(path: path)
      let isSound =
        try kind == .photo
        ? PhotoEvidence(reading: source, fileExtension: "").isSound
        : MovieEvidence(reading: source).videoTrack != nil
      if !isSound { throw MediaError("it is incomplete") }
      return try kind == .photo ? FileArrival(ofPhoto: source) : FileArrival(ofMovie: source)
    }
    return (identifier, arrival)
  }

  /// Returns the kind of half that a file contains, judging by its content. This function is for names whose extension
  /// does not reveal the kind.
  ///
  /// - Parameter path: The file's path; symbolic links are followed.
  static func kind(ofContent path: String) throws(EditError) -> HalfKind {
    for kind in [HalfKind.movie, .photo] {
      do {
        _ = try read(path, kind: kind)
        return kind
      } catch {
        if error.code != .invalidFile { throw error }
      }
    }
    throw EditError(
      .invalidFile, file: path, "is neither a photo nor a movie",
      remedy: "name a JPEG, HEIC or QuickTime file")
  }

  /// Returns the identifier that two halves share, or nil if neither half has an identifier.
  ///
  /// - Throws: ``EditError`` if the halves contain different identifiers.
  package static func shared(by files: [FileRole: String]) throws(EditError) -> String? {
    let photo = try files[.photo].map { path throws(EditError) in try read(path, kind: .photo) }
    let movie = try files[.movie].map { path throws(EditError) in try read(path, kind: .movie) }
    if let photo, let movie, photo != movie {
      throw EditError(
        .pairing, file: files[.photo], "does not have the same identifier as its movie",
        remedy: "revert to a version whose photo and movie belong together")
    }
    return photo ?? movie ?? nil
  }

  /// Checks that the renderer wrote the required identifier to both halves.
  ///
  /// - Throws: ``EditError`` if either half is missing or contains another identifier.
  package static func check(_ files: [FileRole: String], carry identifier: String?) throws(EditError) {
    for (role, path) in files where try read(path, kind: role == .photo ? .photo : .movie) != identifier {
      throw EditError(
        .renderer,
        role == .photo
          ? "the photo was rendered with the wrong identifier"
          : "the movie was rendered with the wrong identifier",
        remedy: "report this as a bug")
    }
  }
}
