package import Basics
import FileSystem
import LivePhotoFormat

/// The evidence that a file is still the recorded file: its size, times, inode and hash.
///
/// If a file's status matches the recorded status, the file is unchanged; otherwise the hash decides. If the file was
/// modified just before it was recorded, its status proves nothing, so only the hash counts.
package struct Fingerprint: Codable, Hashable, Sendable {
  /// The size in bytes.
  package var size: Int
  /// The time at which the content was last changed, in nanoseconds since 1970.
  var modified: Int64
  /// The time of the last change to the content or status, including renames, in nanoseconds since 1970. The value is
  /// ``unsettled`` if a later change may have left this time unchanged.
  var changed: Int64
  /// The file's inode number, as a bit pattern.
  var inode: Int64
  /// The SHA-256 as 64 lower-case hexadecimal digits.
  package var sha256: String
  /// The digest of an original's encoded picture or movie, see ``mediaDigest(of:_:in:)``; nil if none was recorded.
  var media: String?
}

extension Fingerprint {
  /// The value for a time that proves nothing, see ``FileSystem/FileStatus/isSettled``. No file has this time.
  static let unsettled: Int64 = -1

  /// Whether a matching status proves that the file is unchanged.
  var isSettled: Bool { changed != Self.unsettled }

  /// The properties that distinguish a file from another file that later took its name. They can be compared without
  /// reading the file's content.
  package struct Mark: Codable, Hashable, Sendable {
    /// The size in bytes.
    var size: Int
    /// The time at which the content was last changed, in nanoseconds since 1970.
    var modified: Int64
    /// The file's inode number, as a bit pattern.
    var inode: Int64
    /// The time at which the file was created, in nanoseconds since 1970; nil if the file system does not provide it,
    /// and in marks written by earlier builds.
    var born: Int64?

    /// Whether both marks can belong to the same file. Writing to a file does not change its inode number, and a copy
    /// that replaces a file has the same size and time. The inode number of a deleted file can be reused for a file
    /// created later; if the creation time is unknown, the sizes are compared.
    package func agrees(with other: Mark) -> Bool {
      if (size, modified) == (other.size, other.modified) { return true }
      guard inode == other.inode else { return false }
      guard let born, let otherBorn = other.born else { return size == other.size }
      return born == otherBorn
    }
  }

  /// Hashes a file.
  ///
  /// - Parameter isOriginal: Whether the file is an original, and can therefore be a symbolic link.
  init(of place: String, in folder: HeldFolder, isOriginal: Bool = false) throws(EditError) {
    self = try whileReading(folder.path(place)) {
      try Fingerprint(of: folder.source(place, followingLinks: isOriginal))
    }
  }

  /// Hashes an open file.
  init(of source: FileByteSource) throws {
    // The status was read when the file was opened, so a change during hashing appears as a different status.
    self.init(source.status, sha256: try Digest.sha256(of: source))
  }

  /// Whether the file at a path has the recorded content, judged by its status or else by its hash. If no hash was
  /// recorded, the size and the modification time are compared.
  func isFile(_ path: String) throws(EditError) -> Bool {
    try whileReading(path) {
      let source = try FileByteSource(path: path)
      guard source.count == size else { return false }
      if hasStatus(source.status) { return true }
      return try sha256.isEmpty ? source.status.modified == modified : Digest.sha256(of: source) == sha256
    }
  }

  /// Creates a fingerprint from a status that was read before the file was hashed.
  init(_ status: FileStatus, sha256: String) {
    self.init(
      size: status.size, modified: status.modified,
      changed: status.isSettled ? status.changed : Self.unsettled,
      inode: Int64(bitPattern: status.place.inode), sha256: sha256)
  }

  /// Hashes the part of an original that determines its pictures and audio, without descriptive metadata.
  ///
  /// - Returns: The number of the rules that select this part (``LivePhotoFormat/CodedMedia/form``), a colon, and the
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

  /// The prefix of digests that follow this build's rules.
  private static let mediaForm = "\(CodedMedia.form):"

  /// Whether the fingerprint contains a digest of the encoded picture or movie that this build can compare.
  var hasMedia: Bool { media?.hasPrefix(Self.mediaForm) ?? false }

  /// Whether a file's status matches the recorded status.
  private func hasStatus(_ status: FileStatus) -> Bool {
    isSettled
      && (size, modified, changed, inode)
        == (status.size, status.modified, status.changed, Int64(bitPattern: status.place.inode))
  }

  /// Whether a file has the recorded content.
  ///
  /// - Parameters:
  ///   - isOriginal: Whether the file is an original, and can therefore be a symbolic link.
  ///   - alwaysHashing: Whether to compare hashes even if the status matches.
  func matches(
    _ place: String, in folder: HeldFolder, isOriginal: Bool = false, alwaysHashing: Bool = false
  ) throws(EditError) -> Bool {
    try verified(place, in: folder, isOriginal: isOriginal, alwaysHashing: alwaysHashing) != nil
  }

  /// Returns the file's status at the time of the comparison, or nil if the file's content differs from the record.
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

  /// Whether a file has the content of any of several fingerprints. The file is hashed at most once.
  ///
  /// - Parameter isOriginal: Whether the file is an original, and can therefore be a symbolic link.
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

  /// Returns the fingerprint of the same content, with the file's status after a move.
  func refreshed(_ place: String, in folder: HeldFolder, isOriginal: Bool = false) -> Fingerprint {
    guard let status = try? folder.status(place, followingLinks: isOriginal), status.size == size else {
      return self
    }
    var print = Fingerprint(status, sha256: sha256)
    print.media = media
    // The content has not been compared.
    if !isSettled { print.changed = Self.unsettled }
    return print
  }

  /// Returns the fingerprint of the same content, with the status of a file that was only renamed. The fingerprint is
  /// unchanged if anything else happened to the file.
  func moved(to place: String, in folder: HeldFolder, isOriginal: Bool = false) -> Fingerprint {
    let print = refreshed(place, in: folder, isOriginal: isOriginal)
    return (print.modified, print.inode) == (modified, inode) ? print : self
  }
}

extension Library {
  /// Returns the current mark of an asset's first original, or nil if the asset has no original.
  package func originalMark(of record: AssetRecord) throws(EditError) -> Fingerprint.Mark? {
    guard let name = record.originals.first?.name else { return nil }
    return try whileReading(originalPath(name)) {
      try Fingerprint.Mark(of: name, in: originalsFolder)
    }
  }
}

extension Fingerprint.Mark {
  /// Reads the mark of an original, which can be a symbolic link.
  init(of place: String, in folder: HeldFolder) throws {
    let (status, born) = try folder.statusAndBirth(place, followingLinks: true)
    self.init(
      size: status.size, modified: status.modified, inode: Int64(bitPattern: status.place.inode), born: born)
  }
}
