import Basics
import FileSystem

extension Library {
  /// Builds a new catalogue from the versions folders and from the file that stores favourites, hidden assets and
  /// albums. The catalogue is completed under another name and then renamed, so an interrupted rebuild starts from the
  /// beginning.
  ///
  /// Records of the old catalogue are reused if they can be read and match their digests.
  func rebuild(_ report: Report) throws(EditError) {
    let salvaged = salvagedRecords()
    let found = try FoundHistories(in: self)
    var records = salvaged
    let merged = try mergedHistories(salvaged.keys.map(\.name), found, report) { salvaged[ExactName($0)] }
    for record in merged.records { records[ExactName(record.stem)] = record }
    let generation = max(merged.generation, try collectionsGeneration())
    let collections = try readCollections(report)
    try makeCatalogue(records.values.sorted { $0.stem < $1.stem }, collections, above: generation)
    try publishCatalogue(report)
    let count = records.values.reduce(0) { $0 + $1.versions.count }
    report("rebuilt the catalogue (items: \(records.count), versions: \(count))")
    if let collections {
      let marks = Set(collections.favourites + collections.hidden).count
      report("restored marks and albums (marked items: \(marks), albums: \(collections.albums.count))")
    }
  }

  /// Returns the assets of a damaged catalogue whose records are intact.
  private func salvagedRecords() -> [ExactName: AssetRecord] {
    guard let old = try? Catalogue(catalogueFile, .reading, isStopped: isCancelled),
      (try? hasForeignJournal()) == false, (try? old.hasDigests()) == true
    else { return [:] }
    var records: [ExactName: AssetRecord] = [:]
    for stem in (try? old.stems()) ?? [] {
      if let record = (try? old.asset(stem)) ?? nil { records[ExactName(stem)] = record }
    }
    return records
  }

  private func readCollections(_ report: Report) throws(EditError) -> Collections? {
    try whileReading(path(LibraryPaths.collections)) {
      guard try home.exists(LibraryPaths.collections) else { return nil }
      if let found = try Collections.read(in: home) { return found }
      if let kept = try home.quarantine(LibraryPaths.collections) {
        report("marks and albums cannot be read; kept the damaged file as \(path(kept))")
      }
      return nil
    }
  }

  private func makeCatalogue(
    _ records: [AssetRecord], _ collections: Collections?, above generation: Int
  ) throws(EditError) {
    let place = LibraryPaths.newCatalogue
    let file = DatabaseFile(folder: home, place: place)
    do {
      // Removes the files that an interrupted repair left behind.
      try file.check()
      for left in [place, file.journal] { try home.remove(left) }
      let catalogue = try Catalogue(file, .creating, isStopped: isCancelled)
      try catalogue.record(records, moves: [], above: generation) { database in
        if let collections { try Catalogue.restore(collections, in: database) }
        return []
      }
    } catch {
      throw Catalogue.error(error, path(place))
    }
  }

  /// Replaces the old catalogue with the new one, and keeps the old catalogue under another name.
  private func publishCatalogue(_ report: Report) throws(EditError) {
    let place = LibraryPaths.catalogue
    try whileWriting(path(place)) {
      try home.sync(LibraryPaths.newCatalogue)
      try home.syncFolder(LibraryPaths.folder)
      // The catalogue is renamed before its journal. A catalogue without its journal might look complete although half
      // of its data is missing.
      for old in [place, place + "-journal", place + "-wal", place + "-shm"] {
        guard let kept = try home.quarantine(old) else { continue }
        report(
          old == place
            ? "kept the damaged catalogue as \(path(kept))" : "kept the damaged journal as \(path(kept))")
      }
      try home.move(LibraryPaths.newCatalogue, toFree: place)
      try home.syncFolder(LibraryPaths.folder)
    }
    catalogue = nil
    try open(.writing)
  }
}
