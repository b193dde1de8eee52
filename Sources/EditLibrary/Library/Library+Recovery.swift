import Basics
import FileSystem

/// Recovers work that dead processes left unfinished, and data that the catalogue has lost.
extension Library {
  /// Opens the catalogue for reading, and returns whether a writer must finish or undo something first.
  func needsRecovery() throws(EditError) -> Bool {
    if try hasForeignJournal() { return true }
    do throws(EditError) {
      try open(.reading)
      return try catalogue?.hasUnfinished() ?? false
    } catch {
      // A writer must first undo an interrupted transaction.
      if [.damagedLibrary, .unsupported, .cancelled].contains(error.code) { throw error }
      return true
    }
  }

  /// Finishes or undoes any unfinished work of a dead process in a folder, unless another process is using the library.
  ///
  /// - Returns: Whether the folder has a library.
  static func recoverIfIdle(_ folder: String, _ layout: LibraryLayout, report: Report) -> Bool {
    guard let folders = try? AssetFolders(folder, layout) else { return false }
    let library = Library(folder, layout, folders, lock: nil, isCancelled: { false })
    let hasLitter = (try? library.home.exists(LibraryPaths.work)) == true
    guard hasLitter || (try? library.hasCatalogue()) == true,
      hasLitter || (try? library.needsRecovery()) != false
    else { return false }
    library.catalogue = nil
    (try? forWriting(folder, layout: layout, wait: 0, report: report))?.close()
    return true
  }

  func hasForeignJournal() throws(EditError) -> Bool {
    try whileReading(path(catalogueFile.journal)) { try catalogueFile.hasForeignJournal() }
  }

  /// Renames a journal that liveedit did not write, and rebuilds the catalogue, because without that journal the
  /// catalogue may be incomplete.
  func quarantineForeignJournal(_ report: Report) throws(EditError) {
    guard try hasForeignJournal() else { return }
    let journal = catalogueFile.journal
    guard let kept = try quarantine(journal) else { return }
    report("\(path(journal)) was not written by liveedit; kept it as \(path(kept))")
    if try hasCatalogue() { try rebuild(report) }
  }

  /// Checks that the folder contains no versions, favourites, hidden assets or albums that are missing from the
  /// catalogue.
  func checkNotLost() throws(EditError) {
    if try catalogue?.hasAssets() == true { return }
    let what: Message
    if try whileReading(path(LibraryPaths.versions), { try Self.holdsVersions(home) }) {
      what = "versions"
    } else if try catalogue?.hasNoCollections() != false, try holdsCollections() {
      what = "marks or albums"
    } else {
      return
    }
    throw EditError(
      .damagedLibrary, file: path(LibraryPaths.catalogue),
      try hasCatalogue()
        ? "is empty, although the folder has \(what)" : "is missing, although the folder has \(what)",
      remedy: "run liveedit check --repair on the folder")
  }

  /// Returns the description of a version, or nil if no description exists that this build supports.
  ///
  /// - Throws: ``EditError`` if the description exists but cannot be read.
  func description(of number: Int, of stem: String) throws(EditError) -> VersionDescription? {
    try content(of: LibraryPaths.description(number, of: stem)) {
      try VersionDescription.read(of: number, of: stem, in: home)
    }
  }

  /// Returns the description at a path, for any version, or nil if no description exists that this build supports.
  ///
  /// - Throws: ``EditError`` if the description exists but cannot be read.
  func description(at place: String) throws(EditError) -> VersionDescription? {
    try content(of: place) { try VersionDescription.read(place, in: home) }
  }

  /// Whether a newer liveedit wrote the description of a version, in a format that this build does not support.
  func isNewer(_ number: Int, of stem: String) throws(EditError) -> Bool {
    let place = LibraryPaths.description(number, of: stem)
    return try content(of: place) { try VersionDescription.isNewer(place, in: home) } ?? false
  }

  /// Returns the favourites, hidden assets and albums from the file beside the catalogue, or nil if no file exists that
  /// this build supports.
  ///
  /// - Throws: ``EditError`` if the file exists but cannot be read.
  func keptCollections() throws(EditError) -> Collections? {
    try content(of: LibraryPaths.collections) { try Collections.read(in: home) }
  }

  /// Reads a file of the library. If the file cannot be read now, its content may still be intact.
  private func content<Content>(
    of place: String, _ read: () throws -> Content?
  ) throws(EditError) -> Content? {
    do {
      return try read()
    } catch SystemError.notFound {
      return nil
    } catch let error as SystemError {
      throw EditError(reading: path(place), error)
    } catch {
      return nil
    }
  }

  /// Whether the file beside the catalogue contains favourites, hidden assets or albums, or cannot be read.
  private func holdsCollections() throws(EditError) -> Bool {
    let place = LibraryPaths.collections
    guard try whileReading(path(place), { try home.exists(place) }) else { return false }
    return (try? Self.holdsCollections(home)) != false
  }

  /// Restores favourites, hidden assets and albums to a catalogue that has lost them, before the file that stores them
  /// is overwritten.
  func restoreCollections(_ report: Report) throws(EditError) {
    guard let catalogue, try catalogue.hasNoCollections(), try holdsCollections() else { return }
    guard let found = try keptCollections() else {
      throw EditError(
        .damagedLibrary, file: path(LibraryPaths.collections),
        "cannot be read, and the catalogue contains no marks",
        remedy: "run liveedit check --repair on the folder")
    }
    try catalogue.record([], moves: []) { database in
      try Catalogue.restore(found, in: database)
      return []
    }
    // The file has the generation of a newer catalogue.
    try replaceCollections(catalogue)
    report("restored marks and albums from \(path(LibraryPaths.collections))")
  }

  /// Finishes a commit that was started, and removes files that were never committed.
  func recover(_ report: Report) throws(EditError) {
    var moves = try catalogue?.pendingMoves() ?? []
    if !moves.isEmpty {
      for stem in Set(moves.map(\.stem)) where !stem.isEmpty {
        guard try hasLaterVersions(stem) else { continue }
        unfinished[stem] = CheckFinding.stale(path(LibraryPaths.catalogue))
        moves.removeAll { $0.stem == stem }
      }
      unfinished.merge(try finish(moves)) { $1 }
      let done = Set(moves.map(\.stem)).subtracting(unfinished.keys).filter { !$0.isEmpty }.sorted()
      if !done.isEmpty { report("finished an interrupted edit of \(done.joined(separator: ", "))") }
      for (stem, error) in unfinished.sorted(by: { $0.key < $1.key }) {
        report(
          stem.isEmpty
            ? "cannot finish an interrupted change to the marks: \(error)"
            : "cannot finish an interrupted edit of \(stem): \(error)")
      }
    }
    try recoverTransfers(report)
    let litter = try removeWork { _ in true }
    if litter > 0 {
      report("undid an interrupted edit in \(FilePath.shown(folder)), which had not been recorded yet")
    }
  }
}
