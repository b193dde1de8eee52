import Basics
import FileSystem

/// Handles assets that were renamed after a catalogue was written, so that the catalogue still contains them under
/// their old names.
extension Library {
  /// Moves histories to the new names of their assets. Two records belong to one asset if the originals have the same
  /// content and exist only under the new name, and at least one version is the same.
  func leaveOldNames(_ report: Report) throws(EditError) {
    guard let catalogue, isBesideOriginals else { return }
    var lost: [AssetRecord] = []
    var listed: ListedNames?
    var byOriginals: [[String]: [String]] = [:]
    for stem in try stems() where unfinished[stem] == nil {
      guard let record = try record(of: stem) else { continue }
      if try hasLostOriginals(record, &listed) {
        lost.append(record)
      } else {
        byOriginals[Self.sums(record), default: []].append(stem)
      }
    }
    for old in lost {
      let candidates = byOriginals[Self.sums(old)] ?? []
      guard candidates.count == 1, var new = try record(of: candidates[0]) else { continue }
      let names = new.originalNames
      var theirs = old.renamed(photo: names.photo, movie: names.movie)
      theirs.versions = HistoryMerge.unknown(theirs.versions, to: new)
      theirs.stem = new.stem
      for index in theirs.versions.indices { theirs.versions[index].hasFiles = false }
      guard theirs.versions.count < old.versions.count, try !hasFiles(old) else { continue }
      if !theirs.versions.isEmpty {
        let current = new.current
        new = HistoryMerge(new, theirs, prefersTheirs: false).record
        new.current = current
      }
      let collections = try catalogue.collections()
      try catalogue.record([new], moves: []) { database in
        try Catalogue.mark(new.stem, as: old.stem, in: collections, database)
        try Catalogue.forget(old.stem, in: database)
        try Catalogue.unmark(old.stem, in: database)
        return []
      }
      try whileWriting(path(LibraryPaths.versions(of: old.stem))) {
        for version in old.versions {
          try home.remove(LibraryPaths.description(version.number, of: old.stem))
          try? home.removeFolder(LibraryPaths.version(version.number, of: old.stem))
        }
        try? home.removeFolder(LibraryPaths.versions(of: old.stem))
      }
      report("moved the history of \(old.stem), which was renamed to \(new.stem)")
    }
  }

  private static func sums(_ record: AssetRecord) -> [String] {
    record.originals.map(\.fingerprint.sha256).sorted()
  }

  /// Whether files of an asset's versions exist at the recorded paths.
  private func hasFiles(_ record: AssetRecord) throws(EditError) -> Bool {
    for version in record.versions {
      for file in version.files {
        let place = Self.place(of: file, version: version.number, in: record)
        if try whileReading(path(place), { try home.exists(place) }) { return true }
      }
    }
    return false
  }
}
