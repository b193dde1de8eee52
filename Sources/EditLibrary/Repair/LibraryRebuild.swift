import Basics
import FileSystem

extension Library {
  /// Makes a new catalogue of what the versions' folders and the file of marks and albums say. It is made whole under
  /// another name and takes its own with one rename, so that whoever is stopped in between begins again.
  ///
  /// Of the old catalogue goes in what can be read and has its digest.
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
    report("rebuilt the catalogue: \(records.count) assets, \(count) versions")
    if let collections {
      let marks = Set(collections.favourites + collections.hidden).count
      report("restored marks of \(marks) assets and \(collections.albums.count) albums")
    }
  }

  /// The assets of a damaged catalogue that are as they were recorded.
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
        report("marks and albums cannot be read; kept what there is as \(path(kept))")
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
      // What an earlier repair was stopped over.
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

  /// Puts the new catalogue in the place of the old one, which is kept.
  private func publishCatalogue(_ report: Report) throws(EditError) {
    let place = LibraryPaths.catalogue
    try whileWriting(path(place)) {
      try home.sync(LibraryPaths.newCatalogue)
      try home.syncFolder(LibraryPaths.folder)
      // The catalogue goes before its journal: without one there is no telling what the other half would be.
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
