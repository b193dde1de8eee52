import Basics
import FileSystem

extension Library {
  /// Makes a new catalogue of what the versions' folders and the file of marks and albums say. It is made whole under
  /// another name and takes its own with one rename, so that whoever is stopped in between begins again.
  func rebuild(_ report: Report) throws(EditError) {
    var records: [AssetRecord] = []
    try whileReading(path(LibraryPaths.versions)) {
      for stem in try home.namesIfAny(in: LibraryPaths.versions).sorted() {
        if isCancelled() { throw EditError(.cancelled, file: folder, "was not repaired: stopped on request") }
        if let record = try rebuiltRecord(stem, report) { records.append(record) }
      }
    }
    let collections = try readCollections(report)
    try makeCatalogue(records, collections)
    try publishCatalogue(report)
    let count = records.reduce(0) { $0 + $1.versions.count }
    report("rebuilt the catalogue: \(records.count) assets, \(count) versions")
    if let collections {
      let marks = Set(collections.favourites + collections.hidden).count
      report("restored marks of \(marks) assets and \(collections.albums.count) albums")
    }
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

  private func makeCatalogue(_ records: [AssetRecord], _ collections: Collections?) throws(EditError) {
    let place = LibraryPaths.newCatalogue
    let file = DatabaseFile(folder: home, place: place)
    do {
      // What an earlier repair was stopped over.
      try file.check()
      for left in [place, file.journal] { try home.remove(left) }
      let catalogue = try Catalogue(file, .creating, isStopped: isCancelled)
      try catalogue.record(records, moves: []) { database in
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

  /// An asset as its versions' folders describe it.
  private func rebuiltRecord(_ stem: String, _ report: Report) throws -> AssetRecord? {
    guard try home.status(LibraryPaths.versions(of: stem)).kind == .folder else {
      report("left \(path(LibraryPaths.versions(of: stem))) out: it is no folder")
      return nil
    }
    var found: [VersionDescription] = []
    for number in try home.names(in: LibraryPaths.versions(of: stem)).compactMap(LibraryPaths.number).sorted()
    {
      if let description = try VersionDescription.read(of: number, of: stem, in: home) {
        found.append(description)
      }
    }
    guard let last = found.last else { return nil }
    var record = AssetRecord(
      stem: stem, originals: last.originals, versions: found.map { $0.version(hasFiles: false) }, current: 0)
    guard record.isSound else {
      report("left \(path(LibraryPaths.versions(of: stem))) out: what describes its versions makes no sense")
      return nil
    }
    // Which version stands beside the originals?
    for version in record.versions where !version.isIdentity {
      let trial = AssetRecord(
        stem: stem, originals: record.originals, versions: record.versions, current: version.number)
      if try isWhole(version, of: trial) { record.current = version.number }
    }
    if let last = record.versions.last, last.isIdentity, last.base == record.current {
      record.current = last.number
    }
    let present = [0] + record.versions.map(\.number)
    for index in record.versions.indices {
      let version = record.versions[index]
      // What is missing is passed over.
      record.versions[index].previous = present.last { $0 <= version.previous } ?? 0
      if !version.isIdentity { record.versions[index].hasFiles = try isWhole(version, of: record) }
      if !version.isIdentity, !record.versions[index].hasFiles, !record.canRender(version) {
        record.versions[index].isLost = true
        Self.tell(version, record.versions[index], of: stem, report)
      }
    }
    return record
  }
}
