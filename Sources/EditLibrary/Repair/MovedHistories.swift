import Basics
import FileSystem

/// Assets that were renamed after a catalogue was written: the catalogue still holds them under the old name.
extension Library {
  /// Moves histories to the new names of their assets. Two records are of one asset if the originals have the same content
  /// and exist under the new name only, and at least one version is the same.
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
      report("\(old.stem) was renamed to \(new.stem): moved its history there")
    }
  }

  private static func sums(_ record: AssetRecord) -> [String] {
    record.originals.map(\.fingerprint.sha256).sorted()
  }

  /// True if files of an asset's versions lie where they were recorded.
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
