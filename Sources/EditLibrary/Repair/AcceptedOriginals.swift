package import Basics
import FileSystem

/// The result of accepting originals whose tags another program changed.
package struct AcceptedOriginals: Sendable {
  /// An original that was accepted.
  package struct Original: Hashable, Sendable {
    /// The original's path.
    package var path: String
    /// The SHA-256 that was recorded before, as 64 lower-case hexadecimal digits.
    package var oldSHA256: String
    /// The SHA-256 that is recorded now.
    package var newSHA256: String
  }

  /// The asset as it is recorded now.
  package var record: AssetRecord
  /// The originals that had changed; empty if all match the record.
  package var originals: [Original] = []
  /// The numbers of versions without files. When they are rendered again, their bytes will differ, because they will
  /// contain the new tags.
  package var unrendered: [Int] = []
  /// Notes about other programs' changes beside the originals, one sentence each.
  package var notes: [Message] = []
}

extension Library {
  /// Accepts originals whose tags another program changed, so that their history can be continued. The digests that
  /// were recorded from the original files prove that the picture of each photo and the frames and audio of each movie
  /// are unchanged.
  ///
  /// No file beside the originals is changed.
  ///
  /// - Parameters:
  ///   - name: The name of an original, a render or the adjustment data.
  ///   - isTrial: Whether to check the originals without recording anything. If this is false, the library must be open
  ///     for writing.
  /// - Throws: ``EditError`` if the asset has no record, or if an original's picture, frames or audio have changed or
  ///   cannot be compared. In that case nothing is recorded.
  package func accept(_ name: String, isTrial: Bool = false) throws(EditError) -> AcceptedOriginals {
    guard let known = try record(ofFile: name) else {
      throw EditError(
        .notFound, file: path(name), "has no recorded versions",
        remedy: "edit it as it is: there is nothing to accept")
    }
    if let error = unfinished[known.stem] { throw error }
    var accepted = AcceptedOriginals(record: known)
    for index in known.originals.indices {
      let old = known.originals[index]
      guard try !old.fingerprint.matches(old.name, in: originalsFolder, isOriginal: true, alwaysHashing: true)
      else {
        continue
      }
      let new = try provedUnchanged(old)
      accepted.record.originals[index].fingerprint = new
      accepted.originals.append(
        AcceptedOriginals.Original(
          path: originalPath(old.name), oldSHA256: old.fingerprint.sha256, newSHA256: new.sha256))
    }
    guard !accepted.originals.isEmpty else { return accepted }
    try checkTie(of: accepted.record)
    for index in accepted.record.versions.indices {
      let version = accepted.record.versions[index]
      guard version.base == 0, !version.isIdentity, version.ownEdit != nil else { continue }
      if !version.hasFiles { accepted.unrendered.append(version.number) }
      // No build renders the same bytes from the new original.
      accepted.record.versions[index].build = ""
    }
    let state = try state(of: accepted.record, isLeaving: true)
    if !isTrial { try commit([AssetCommit(before: state, after: state.record)]) }
    accepted.record = state.record
    accepted.notes = state.notes
    return accepted
  }

  /// Returns the fingerprint of an original whose encoded picture or movie matches the record.
  ///
  /// - Throws: ``EditError`` if the content does not match the record or cannot be compared.
  private func provedUnchanged(_ old: VersionFile) throws(EditError) -> Fingerprint {
    guard old.fingerprint.hasMedia else {
      throw EditError(
        .changedOriginal, file: originalPath(old.name),
        "has changed, and an earlier liveedit recorded no digest of its \(old.role.what) to prove that only metadata is "
          + "different",
        remedy:
          "put the recorded original back and run liveedit check --repair to record the digest before you change its "
          + "metadata; or run liveedit forget on this file to start a new history")
    }
    var new = try Fingerprint(of: old.name, in: originalsFolder, isOriginal: true)
    new.media = try Fingerprint.mediaDigest(of: old.role, old.name, in: originalsFolder)
    guard new.media == old.fingerprint.media else {
      throw EditError(
        .changedOriginal, file: originalPath(old.name),
        "differs in more than metadata: its \(old.role.what) does not match the record",
        remedy: "put the recorded original back, or run liveedit forget on this file to start a new history")
    }
    return new
  }

  /// Checks that the halves of a Live Photo still contain the same identifier.
  private func checkTie(of record: AssetRecord) throws(EditError) {
    guard record.originals.count == 2, let photo = record.originals.first else { return }
    let identifiers = try record.originals.map { file throws(EditError) in
      try HalfIdentifier.read(originalPath(file.name), kind: file.role == .photo ? .photo : .movie)
    }
    guard identifiers[0] == identifiers[1], identifiers[0] != nil else {
      throw EditError(
        .pairing, file: originalPath(photo.name), "no longer has the same identifier as its movie",
        remedy: "put the recorded original back, or restore its identifier")
    }
  }

  /// Adds the digests that are not recorded yet, if they can be computed.
  func addingMedia(_ originals: [VersionFile]) -> [VersionFile] {
    originals.map { original in
      var original = original
      if !original.fingerprint.hasMedia,
        let media = try? Fingerprint.mediaDigest(of: original.role, original.name, in: originalsFolder)
      {
        original.fingerprint.media = media
      }
      return original
    }
  }

  /// Whether an original was changed although its encoded picture or movie still matches the record.
  ///
  /// - Throws: ``EditError`` if the original cannot be read.
  func isOnlyTagged(_ original: VersionFile) throws(EditError) -> Bool {
    guard original.fingerprint.hasMedia else { return false }
    let media = try ifSound(originalPath(original.name)) {
      try Fingerprint.mediaDigest(of: original.role, original.name, in: originalsFolder)
    }
    return media == original.fingerprint.media
  }
}

extension FileRole {
  /// The word for the content of this half.
  fileprivate var what: Message { self == .photo ? "picture" : "video or audio" }
}
