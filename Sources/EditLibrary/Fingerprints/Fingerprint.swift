package import Basics
import FileSystem
import LivePhotoFormat

/// The proof that a file is still the one that was recorded: its size, times, inode and hash.
///
/// Equal status means unchanged; otherwise the hash decides. The status of a file that had changed just before it was recorded
/// proves nothing, and the hash alone decides.
package struct Fingerprint: Codable, Hashable, Sendable {
  /// Bytes.
  package var size: Int
  /// The time of the last change of its content, in nanoseconds since 1970.
  var modified: Int64
  /// The time of the last change of its content or status (renames count), in nanoseconds since 1970; ``unsettled`` if a
  /// later change may have left it the same.
  var changed: Int64
  /// The file's number in its file system, as a bit pattern.
  var inode: Int64
  /// SHA-256 as 64 lower-case hexadecimal digits.
  package var sha256: String
  /// The digest of an original's coded picture or movie, see ``mediaDigest(of:_:in:)``; nil where none was recorded.
  var media: String?
}

extension Fingerprint {
  /// The time that stands for one that proves nothing, see ``FileSystem/FileStatus/isSettled``. No file has it.
  static let unsettled: Int64 = -1

  /// True if an equal status means that the file is unchanged.
  var isSettled: Bool { changed != Self.unsettled }

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
    self = try whileReading(folder.path(place)) {
      try Fingerprint(of: folder.source(place, followingLinks: isOriginal))
    }
  }

  /// Hashes an open file.
  init(of source: FileByteSource) throws {
    // The status is the one of the opening: a change during the hashing then shows as another status.
    self.init(source.status, sha256: try Digest.sha256(of: source))
  }

  /// True if the file at a path has the recorded content: by its status, or else by its hash; without a hash by its size and the
  /// time of its content.
  func isFile(_ path: String) throws(EditError) -> Bool {
    try whileReading(path) {
      let source = try FileByteSource(path: path)
      guard source.count == size else { return false }
      if hasStatus(source.status) { return true }
      return try sha256.isEmpty ? source.status.modified == modified : Digest.sha256(of: source) == sha256
    }
  }

  /// The fingerprint of a file with a status that was asked for before the file was hashed.
  init(_ status: FileStatus, sha256: String) {
    self.init(
      size: status.size, modified: status.modified,
      changed: status.isSettled ? status.changed : Self.unsettled,
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
    isSettled
      && (size, modified, changed, inode)
        == (status.size, status.modified, status.changed, Int64(bitPattern: status.place.inode))
  }

  /// True if a file has the recorded content.
  ///
  /// - Parameters:
  ///   - isOriginal: true for an original, which may be a link.
  ///   - alwaysHashing: whether an equal status is not enough.
  func matches(
    _ place: String, in folder: HeldFolder, isOriginal: Bool = false, alwaysHashing: Bool = false
  ) throws(EditError) -> Bool {
    try verified(place, in: folder, isOriginal: isOriginal, alwaysHashing: alwaysHashing) != nil
  }

  /// The same with the status of the file when it was compared; nil for a file with another content.
  func verified(
    _ place: String, in folder: HeldFolder, isOriginal: Bool = false, alwaysHashing: Bool = false
  ) throws(EditError) -> Fingerprint? {
    try whileReading(folder.path(place)) {
      let status = try folder.status(place, followingLinks: isOriginal)
      guard status.kind == .regular, status.size == size else { return nil }
      if !alwaysHashing, hasStatus(status) { return self }
      let source = try folder.source(place, followingLinks: isOriginal)
      guard try Digest.sha256(of: source) == sha256 else { return nil }
      var print = Fingerprint(source.status, sha256: sha256)
      print.media = media
      return print
    }
  }

  /// True if a file has the content of one of some fingerprints. It is hashed once at most.
  ///
  /// - Parameter isOriginal: true for an original, which may be a link.
  static func isOne(
    of prints: [Fingerprint], _ place: String, in folder: HeldFolder, isOriginal: Bool = false
  ) throws(EditError) -> Bool {
    if prints.isEmpty { return false }
    return try whileReading(folder.path(place)) {
      let status = try folder.status(place, followingLinks: isOriginal)
      let possible = status.kind == .regular ? prints.filter { $0.size == status.size } : []
      if possible.isEmpty { return false }
      if possible.contains(where: { $0.hasStatus(status) }) { return true }
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
    // Nothing has been compared.
    if !isSettled { print.changed = Self.unsettled }
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
