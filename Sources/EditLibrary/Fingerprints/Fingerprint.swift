package import Basics
import FileSystem
import LivePhotoFormat

/// The proof that a file is still the one that was recorded: its size, times, inode and hash.
///
/// Equal status means unchanged; otherwise the hash decides.
package struct Fingerprint: Codable, Hashable, Sendable {
  /// Bytes.
  package var size: Int
  /// The time of the last change of its content, in nanoseconds since 1970.
  var modified: Int64
  /// The time of the last change of its content or status (renames count), in nanoseconds since 1970.
  var changed: Int64
  /// The file's number in its file system, as a bit pattern.
  var inode: Int64
  /// SHA-256 as 64 lower-case hexadecimal digits.
  package var sha256: String
  /// The digest of an original's coded picture or movie, see ``mediaDigest(of:_:in:)``; nil where none was recorded.
  var media: String?
}

extension Fingerprint {
  /// A mark that tells a file from another one that got its name, as far as that is known without reading it.
  package struct Mark: Codable, Hashable, Sendable {
    /// Bytes.
    var size: Int
    /// The time of the last change of its content, in nanoseconds since 1970.
    var modified: Int64
    /// The file's number in its file system, as a bit pattern.
    var inode: Int64
    /// When the file was made, in nanoseconds since 1970; nil where the file system does not tell, and in what earlier builds
    /// wrote.
    var born: Int64?

    /// True if both can be marks of one file: what was written to again has its number, and a copy that took its place has
    /// its size and time. The number of a file that was deleted goes to another one, which was made later: where that is
    /// not known, its size tells.
    package func agrees(with other: Mark) -> Bool {
      if (size, modified) == (other.size, other.modified) { return true }
      guard inode == other.inode else { return false }
      guard let born, let otherBorn = other.born else { return size == other.size }
      return born == otherBorn
    }
  }

  /// Hashes a file.
  ///
  /// - Parameter isOriginal: true for an original, which may be a link.
  init(of place: String, in folder: HeldFolder, isOriginal: Bool = false) throws(EditError) {
    // The status is the one of the opening: a change during the hashing then shows as another status.
    let (status, sha256) = try whileReading(folder.path(place)) {
      let source = try folder.source(place, followingLinks: isOriginal)
      return (source.status, try Digest.sha256(of: source))
    }
    self.init(status, sha256: sha256)
  }

  /// Takes the fingerprint of a file by its path.
  ///
  /// - Parameter hashing: false to leave the hash out.
  init(ofFile path: String, hashing: Bool) throws(EditError) {
    let source = try whileReading(path) { try FileByteSource(path: path) }
    self.init(source.status, sha256: hashing ? try whileReading(path) { try Digest.sha256(of: source) } : "")
  }

  /// True if the file at a path has the recorded content: by its status, or else by its hash.
  func isFile(_ path: String) throws(EditError) -> Bool {
    try whileReading(path) {
      let source = try FileByteSource(path: path)
      guard source.count == size else { return false }
      return try Fingerprint(source.status, sha256: sha256) == self || Digest.sha256(of: source) == sha256
    }
  }

  init(_ status: FileStatus, sha256: String) {
    self.init(
      size: status.size, modified: status.modified, changed: status.changed,
      inode: Int64(bitPattern: status.place.inode), sha256: sha256)
  }

  /// Hashes what decides how an original looks and sounds, without what only describes it.
  ///
  /// - Returns: the number of the rules by which that is chosen (``LivePhotoFormat/CodedMedia/form``), a colon, and
  ///   SHA-256 as 64 lower-case hexadecimal digits.
  static func mediaDigest(
    of role: FileRole, _ place: String, in folder: HeldFolder
  ) throws(EditError) -> String {
    try whileReading(folder.path(place)) {
      let source = try folder.source(place, followingLinks: true)
      let media =
        role == .photo ? try Photo(source).codedMedia() : try Movie(source).codedMedia(of: source)
      return mediaForm + (try Digest.sha256(of: media.parts, in: source))
    }
  }

  /// The beginning of digests by this build's rules.
  private static let mediaForm = "\(CodedMedia.form):"

  /// True if a digest of the coded picture or movie was recorded that this build can compare with.
  var hasMedia: Bool { media?.hasPrefix(Self.mediaForm) ?? false }

  /// True if the status of a file is as it was recorded.
  private func hasStatus(_ status: FileStatus) -> Bool {
    var now = Fingerprint(status, sha256: sha256)
    now.media = media
    return now == self
  }

  /// True if a file has the recorded content.
  ///
  /// - Parameters:
  ///   - isOriginal: true for an original, which may be a link.
  ///   - alwaysHashing: whether an equal status is not enough.
  func matches(
    _ place: String, in folder: HeldFolder, isOriginal: Bool = false, alwaysHashing: Bool = false
  ) throws(EditError) -> Bool {
    try Self.isOne(of: [self], place, in: folder, isOriginal: isOriginal, alwaysHashing: alwaysHashing)
  }

  /// True if a file has the content of one of some fingerprints. It is hashed once at most.
  ///
  /// - Parameters:
  ///   - isOriginal: true for an original, which may be a link.
  ///   - alwaysHashing: whether an equal status is not enough.
  static func isOne(
    of prints: [Fingerprint], _ place: String, in folder: HeldFolder, isOriginal: Bool = false,
    alwaysHashing: Bool = false
  ) throws(EditError) -> Bool {
    if prints.isEmpty { return false }
    return try whileReading(folder.path(place)) {
      let status = try folder.status(place, followingLinks: isOriginal)
      let possible = status.kind == .regular ? prints.filter { $0.size == status.size } : []
      if possible.isEmpty { return false }
      if !alwaysHashing, possible.contains(where: { $0.hasStatus(status) }) { return true }
      let sha256 = try Digest.sha256(of: folder.source(place, followingLinks: isOriginal))
      return possible.contains { $0.sha256 == sha256 }
    }
  }

  /// The same content with the file's status as it is now, after a move.
  func refreshed(_ place: String, in folder: HeldFolder, isOriginal: Bool = false) -> Fingerprint {
    guard let status = try? folder.status(place, followingLinks: isOriginal), status.size == size else {
      return self
    }
    var print = Fingerprint(status, sha256: sha256)
    print.media = media
    return print
  }

  /// The same content with the status of a file that was only given another name; unchanged where more than that has
  /// happened to it.
  func moved(to place: String, in folder: HeldFolder, isOriginal: Bool = false) -> Fingerprint {
    let print = refreshed(place, in: folder, isOriginal: isOriginal)
    return (print.modified, print.inode) == (modified, inode) ? print : self
  }
}

extension Library {
  /// The mark of an asset's first original as it is now; nil where it has none.
  package func originalMark(of record: AssetRecord) throws(EditError) -> Fingerprint.Mark? {
    guard let name = record.originals.first?.name else { return nil }
    return try whileReading(originalPath(name)) {
      try Fingerprint.Mark(of: name, in: originalsFolder)
    }
  }
}

extension Fingerprint.Mark {
  /// Takes the mark of an original, which may be a link.
  init(of place: String, in folder: HeldFolder) throws {
    let (status, born) = try folder.statusAndBirth(place, followingLinks: true)
    self.init(
      size: status.size, modified: status.modified, inode: Int64(bitPattern: status.place.inode), born: born)
  }
}
