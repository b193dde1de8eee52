package import Basics
package import EditModel
package import FileSystem
package import LivePhotoFormat

extension ForeignFormat {
  /// Looks at a file, whose name tells raw formats apart.
  package init?(_ source: FileByteSource, name: String) throws {
    try self.init(source, rawFormat: UnlistedEntries.rawFormat(of: name))
  }
}

/// Reads what ties a photo to its movie. The one place where this room looks into the containers.
package enum HalfIdentifier {
  /// The content identifier of a file.
  ///
  /// - Parameters:
  ///   - path: the file's path; links are followed.
  ///   - kind: which half it is by its name.
  /// - Returns: nil when the file is sound and carries none.
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

  /// True if a photo's movie lies in its own file, so that the photo is no half of a Live Photo.
  ///
  /// - Parameter path: the photo's path; links are followed.
  static func isWhole(_ path: String) throws(EditError) -> Bool {
    try whileReading(path) { try Photo(FileByteSource(path: path)).isMotionPhoto() }
  }

  /// Makes sure that a file is of the kind that its name says, as far as its first bytes tell.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - name: its name or path.
  ///   - kind: which half it is by its name.
  /// - Throws: ``MediaError`` for a photo that is named like a movie, a movie that is named like a photo, and a format that
  ///   is not edited.
  package static func check(_ source: FileByteSource, _ name: String, is kind: HalfKind) throws {
    if let format = try ForeignFormat(source, name: name) { throw format.error }
    switch (kind, try Photo(source).kind) {
    case (.movie, let photo?):
      throw MediaError(
        "is a \(photo.name) photo, and its name is that of a movie",
        remedy: "give it a name that ends in .\(photo.extensions[0].uppercased())")
    case (.photo, nil) where try isMovie(source):
      throw MediaError(
        "is a QuickTime or MP4 movie, and its name is that of a photo",
        remedy: "give it a name that ends in .MOV or .MP4")
    default: break
    }
  }

  /// True if a file that is no photo begins with an atom that movies begin with.
  package static func isMovie(_ source: any ByteSource) throws -> Bool {
    let head = try source.read(at: 0, count: min(8, source.count))
    return ["ftyp", "moov", "mdat", "wide", "skip", "free", "pnot"].contains {
      head.dropFirst(4).elementsEqual($0.utf8)
    }
  }

  /// The content identifier of a file that may still be being copied, and how much of the file has arrived.
  ///
  /// - Throws: ``EditError`` when its structure is damaged or cut off.
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
      if !isSound { throw MediaError("it is not whole") }
      return try kind == .photo ? FileArrival(ofPhoto: source) : FileArrival(ofMovie: source)
    }
    return (identifier, arrival)
  }

  /// The half that a file is by its content, for names whose extension does not tell.
  ///
  /// - Parameter path: the file's path; links are followed.
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

  /// The identifier that two halves share; nil when they have none.
  ///
  /// - Throws: ``EditError`` when they carry different ones.
  package static func shared(by files: [FileRole: String]) throws(EditError) -> String? {
    let photo = try files[.photo].map { path throws(EditError) in try read(path, kind: .photo) }
    let movie = try files[.movie].map { path throws(EditError) in try read(path, kind: .movie) }
    if let photo, let movie, photo != movie {
      throw EditError(
        .pairing, file: files[.photo], "and its movie do not carry the same identifier",
        remedy: "revert to a version whose halves belong together")
    }
    return photo ?? movie ?? nil
  }

  /// Makes sure that the renderer gave the halves the identifier that they must have.
  ///
  /// - Throws: ``EditError`` when a half is missing or carries another identifier.
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
