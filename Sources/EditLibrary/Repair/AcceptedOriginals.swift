package import Basics
import FileSystem

/// Originals into which another program wrote tags, and which were taken in.
package struct AcceptedOriginals: Sendable {
  /// An original that was taken in.
  package struct Original: Hashable, Sendable {
    /// Its path.
    package var path: String
    /// The SHA-256 that was recorded before, as 64 lower-case hexadecimal digits.
    package var oldSHA256: String
    /// The SHA-256 that is recorded now.
    package var newSHA256: String
  }

  /// The asset as it is recorded now.
  package var record: AssetRecord
  /// The originals that had changed; none when all are as they were recorded.
  package var originals: [Original] = []
  /// The numbers of versions without files: they will be rendered with other bytes than the first time, which carry the
  /// new tags.
  package var unrendered: [Int] = []
  /// Notes about what other programs did beside the originals, one sentence each.
  package var notes: [Message] = []
}

extension Library {
  /// Takes in originals into which another program wrote tags, so that the history goes on. That their pictures, and
  /// what is seen and heard of their movies, are unchanged is proved by the digests that were recorded while they were
  /// as liveedit first saw them.
  ///
  /// No file beside the originals changes.
  ///
  /// - Parameters:
  ///   - name: of an original, a render or the adjustment data.
  ///   - isTrial: whether nothing is recorded; otherwise the library must be open for writing.
  /// - Throws: ``EditError`` when nothing is recorded of the asset, when nothing proves an original to be unchanged, or
  ///   when it is changed; nothing is recorded then.
  package func accept(_ name: String, isTrial: Bool = false) throws(EditError) -> AcceptedOriginals {
    guard let known = try record(ofFile: name) else {
      throw EditError(
        .notFound, file: path(name), "has no versions that are recorded",
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
      // No build renders the same bytes of the new original.
      accepted.record.versions[index].build = ""
    }
    let state = try state(of: accepted.record, isLeaving: true)
    if !isTrial { try commit([AssetCommit(before: state, after: state.record)]) }
    accepted.record = state.record
    accepted.notes = state.notes
    return accepted
  }

  /// The fingerprint of an original whose coded picture or movie is as it was recorded.
  ///
  /// - Throws: ``EditError`` when it is not, or when that is not known.
  private func provedUnchanged(_ old: VersionFile) throws(EditError) -> Fingerprint {
    guard old.fingerprint.hasMedia else {
      throw EditError(
        .changedOriginal, file: originalPath(old.name),
        "was changed, and an earlier liveedit recorded no digest of its \(old.role.what) that could prove it to be "
          + "the same",
        remedy:
          "put the original back and run liveedit check --repair, which records the digest, before its tags are "
          + "changed; or run liveedit forget on it to begin anew")
    }
    var new = try Fingerprint(of: old.name, in: originalsFolder, isOriginal: true)
    new.media = try Fingerprint.mediaDigest(of: old.role, old.name, in: originalsFolder)
    guard new.media == old.fingerprint.media else {
      throw EditError(
        .changedOriginal, file: originalPath(old.name),
        "is not only tagged: its \(old.role.what) differs from the one that was recorded",
        remedy: "put the original back, or run liveedit forget on it to begin anew")
    }
    return new
  }

  /// Makes sure that the halves of a Live Photo still carry one identifier.
  private func checkTie(of record: AssetRecord) throws(EditError) {
    guard record.originals.count == 2, let photo = record.originals.first else { return }
    let identifiers = try record.originals.map { file throws(EditError) in
      try HalfIdentifier.read(originalPath(file.name), kind: file.role == .photo ? .photo : .movie)
    }
    guard identifiers[0] == identifiers[1], identifiers[0] != nil else {
      throw EditError(
        .pairing, file: originalPath(photo.name), "and its movie do not carry the same identifier any more",
        remedy: "put the original back, or write the identifier into it again")
    }
  }

  /// Adds the digests that are not recorded yet, as far as they can be computed.
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

  /// True if an original was changed, and its coded picture or movie is as it was recorded.
  ///
  /// - Throws: ``EditError`` when the system does not let it be read.
  func isOnlyTagged(_ original: VersionFile) throws(EditError) -> Bool {
    guard original.fingerprint.hasMedia else { return false }
    let media = try ifSound(originalPath(original.name)) {
      try Fingerprint.mediaDigest(of: original.role, original.name, in: originalsFolder)
    }
    return media == original.fingerprint.media
  }
}

extension FileRole {
  /// The word for what it shows.
  fileprivate var what: Message { self == .photo ? "picture" : "video or sound" }
}
