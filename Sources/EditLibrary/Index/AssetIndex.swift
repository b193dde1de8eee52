package import Basics
package import FileSystem

/// An index of the metadata of one folder's assets, so that each file is read only once.
///
/// If the folder has a writable library, the index is stored in `.liveedit/index.sqlite`, a cache that can be deleted
/// at any time. If the folder has no library, the index is stored in the user's cache, provided that a cache is
/// specified. In all other cases the index is temporary, and is deleted when the value is released. Nothing else is
/// ever written.
///
/// The index must not be used from two threads at the same time.
package final class AssetIndex {
  /// How much is checked when an index is opened.
  package enum Refresh: Hashable, Sendable {
    /// Checks nothing. Metadata that is missing from the index is read when an asset is requested by name.
    case never
    /// Checks all names and the status of all files if names were added or removed since the last scan.
    case ifFolderChanged
    /// Always checks all names and the status of all files.
    case always
  }

  /// The folder as the user wrote it; empty for the current folder.
  package let folder: String
  private let layout: LibraryLayout
  private let folders: AssetFolders
  private(set) var store: IndexStore
  /// The error that prevents reading favourites, hidden assets and albums, or nil if they can be read.
  private let failure: EditError?
  private let report: Library.Report
  private var hasReported = false
  /// Whether the files have just been checked.
  private var isFresh = false
  /// The last query with its result. If the index was rebuilt since the query, the new row numbers for that result are
  /// also stored, because a rebuilt index has different numbers.
  private var answered: (query: AssetQuery, identifiers: [Int64])?
  private var renumbered: [Int64: Int64]?
  /// The folder's names, read when they are first needed.
  private var locator: AssetLocator
  private var listing: AssetListing?

  /// Opens the index of a folder and updates it.
  ///
  /// - Parameters:
  ///   - folder: The assets' folder; empty for the current folder.
  ///   - layout: Where renders are stored.
  ///   - refresh: How much is checked.
  ///   - cache: The cache for the indexes of folders without a library, or nil to store none.
  ///   - report: A function that receives messages about the library for the user.
  /// - Throws: ``EditError`` if the folder cannot be read, or if its assets use the other layout.
  package init(
    folder: String, layout: LibraryLayout = .besideOriginals, refresh: Refresh = .ifFolderChanged,
    cache: UserCache? = nil, report: @escaping Library.Report = { _ in }
  ) throws(EditError) {
    self.folder = folder
    self.layout = layout
    locator = AssetLocator(layout: layout, recovers: false)
    try FolderListing.checkReadable(folder)
    folders = try AssetFolders(folder, layout)
    self.report = report
    (store, failure) = try Self.open(folder, layout, cache, report)
    guard refresh != .never else { return }
    try asking { store throws(EditError) in
      if refresh == .ifFolderChanged, try store.isScanned(FolderScan.status(of: folders)) { return }
      try scan()
    }
  }

  private func scan() throws(EditError) {
    if !store.isWritable { store = try store.copiedForWriting() }
    try FolderScan(folders: folders, store: store).run()
    isFresh = true
  }

  /// Queries the index, and rebuilds it if it turns out to be damaged, since it is only a cache.
  private func asking<Result>(
    _ body: (IndexStore) throws(EditError) -> Result
  ) throws(EditError) -> Result {
    do throws(EditError) {
      return try body(store)
    } catch {
      guard error.code == .damagedLibrary, let renewed = try store.renewed() else { throw error }
      store = renewed
      try scan()
      return try body(store)
    }
  }

  private static func open(
    _ folder: String, _ layout: LibraryLayout, _ cache: UserCache?, _ report: Library.Report
  ) throws(EditError) -> (IndexStore, failure: EditError?) {
    do throws(EditError) {
      let library = try Library.forReading(folder, layout: layout, report: report)
      var kept: DatabaseFile?
      var catalogue: DatabaseFile?
      if library.catalogue != nil {
        kept = DatabaseFile(folder: library.home, place: LibraryPaths.index)
      } else if let cache {
        kept = try? file(of: library, in: cache)
      }
      if library.hasCollections {
        catalogue = DatabaseFile(folder: library.home, place: LibraryPaths.catalogue)
      }
      do throws(EditError) {
        return (try IndexStore.open(kept, catalogue: catalogue), nil)
      } catch {
        // The index is only a cache.
        let store = try IndexStore.open(nil, catalogue: catalogue)
        report("\(error)")
        return (store, nil)
      }
    } catch {
      // Photos can be listed even if the library is damaged, not readable for this user, unreachable, or written by a
      // newer liveedit.
      return (try IndexStore.open(nil, catalogue: nil), error)
    }
  }

  /// Reports once that favourites, hidden assets and albums cannot be read.
  private func reportFailure() {
    guard let failure, !hasReported else { return }
    hasReported = true
    report("\(failure)")
  }

  /// Returns the file in the user's cache that stores the index of a folder without a library.
  private static func file(of library: Library, in cache: UserCache) throws -> DatabaseFile {
    let places = try [library.originalsFolder.realPath, library.home.realPath]
    let name = try NameBasedUUID.name(of: places.map { TerminalText.repaired($0) }) + ".sqlite"
    let folder = try cache.open()
    if try folder.exists(name) { cache.use(name) } else { cache.prune() }
    return DatabaseFile(folder: folder, place: name)
  }

  /// Stops relying on the last scan: from now on, the status of an asset's files is checked before the asset is
  /// returned.
  package func expectChanges() { isFresh = false }

  /// Returns the row numbers of the assets that match a query, in order.
  ///
  /// - Parameter query: The query.
  /// - Throws: ``EditError`` if the query uses favourites, hidden assets or albums and the library cannot be read.
  package func identifiers(_ query: AssetQuery) throws(EditError) -> [Int64] {
    if let failure, query.asksForMarks { throw failure }
    reportFailure()
    let identifiers = try asking { store throws(EditError) in try store.identifiers(query) }
    (answered, renumbered) = ((query, identifiers), nil)
    return identifiers
  }

  /// Returns assets by their row numbers, in the order of the numbers. Deleted assets are left out, and files that
  /// changed since they were read are read again.
  ///
  /// - Parameter identifiers: The row numbers; no more than are needed at once.
  package func assets(_ identifiers: some Sequence<Int64>) throws(EditError) -> [IndexedAsset] {
    var assets: [IndexedAsset] = []
    for stored in try rows(Array(identifiers)) {
      if let asset = try current(stored) { assets.append(asset) }
    }
    return assets
  }

  /// Returns rows by the numbers that the last query returned.
  private func rows(_ identifiers: [Int64]) throws(EditError) -> [IndexStore.Stored] {
    let asked = store
    let wanted = renumbered.map { numbers in identifiers.compactMap { numbers[$0] } } ?? identifiers
    let rows = try asking { store throws(EditError) in try store.rows(wanted) }
    guard store !== asked, let answered else { return rows }
    // The order is determined by the query and does not depend on the numbers.
    let found = try store.identifiers(answered.query)
    let numbers = Dictionary(zip(answered.identifiers, found), uniquingKeysWith: { first, _ in first })
    renumbered = numbers
    return try store.rows(identifiers.compactMap { numbers[$0] })
  }

  /// Returns the current content of a row, or nil if its files are gone.
  private func current(_ stored: IndexStore.Stored) throws(EditError) -> IndexedAsset? {
    guard !isFresh, stored.row.group.stamp(in: folders) != stored.row.stamp else {
      return asset(stored)
    }
    var group = stored.row.group
    group.current = try currentFiles(of: group)
    group.sidecars = try folders.originals.sidecars(of: group.originals)
    guard let row = AssetReader(folders: folders).rows(of: group).first, row.name == stored.row.name else {
      return nil
    }
    var stored = stored
    stored.row = row
    store.keep([row])
    return asset(stored)
  }

  /// Returns the current renders and adjustment data of originals.
  private func currentFiles(of group: FileGroup) throws(EditError) -> CurrentFiles {
    let (originals, stem) = (group.originals, group.stem)
    let beside = try EditedFiles(
      originals: originals, ofAsset: stem, recorded: [], in: folders.originals)
    if folders.areOne { return CurrentFiles(beside) }
    var recorded: Set<RecordedFile> = []
    for (_, name) in beside.names { recorded.formUnion(try store.recordedFiles(named: name)) }
    let home = try EditedFiles(
      originals: originals, ofAsset: stem, recorded: [], in: folders.home, originalsIn: folders.originals)
    return CurrentFiles(beside, or: home, recorded: recorded, in: folders)
  }

  private func asset(_ stored: IndexStore.Stored) -> IndexedAsset {
    let current = stored.row.current
    let shown = current.areInHome ? folders.home : folders.originals
    return IndexedAsset(
      id: stored.id, folder: folder, layout: layout, photo: stored.row.photo, movie: stored.row.movie,
      metadata: stored.row.metadata, isFavourite: stored.isFavourite, isHidden: stored.isHidden,
      representsBurst: stored.representsBurst, revision: stored.row.stamp, wholeName: stored.row.wholeName,
      currentPaths: current.names.map(shown.path))
  }

  /// Returns the asset to which a file belongs: an original, a render or adjustment data.
  ///
  /// If the index contains the asset, the rest of the folder is not read.
  ///
  /// - Parameter name: The file's name in the folder.
  /// - Returns: The asset, or nil if it does not exist.
  package func asset(named name: String) throws(EditError) -> IndexedAsset? {
    guard FileName.isPlain(name), name.utf8.count <= FileName.longest else { return nil }
    let isThere = try whileReading(folders.originals.path(name)) {
      try folders.originals.exists(name) || folders.home.exists(name)
    }
    guard isThere else { return nil }
    reportFailure()
    for stem in LibraryPaths.stems(ofName: name) + [name] {
      let found = try asking { store throws(EditError) in try store.rows(stem: stem) }
      for stored in found where belongs(name, to: stored.row) {
        if let asset = try verified(stored) { return asset }
      }
    }
    return try read(named: name)
  }

  /// Returns the asset with the given stem, see ``IndexedAsset/stem``, or nil if the index does not contain the asset.
  package func asset(ofStem stem: String) throws(EditError) -> IndexedAsset? {
    for stored in try asking({ store throws(EditError) in try store.rows(stem: stem) }) {
      if let asset = try verified(stored) { return asset }
    }
    return nil
  }

  /// Returns the number of assets in each burst, without hidden assets.
  package func counts(ofBursts bursts: [String]) throws(EditError) -> [Int] {
    try asking { store throws(EditError) in try store.counts(ofBursts: bursts) }
  }

  /// Whether a file belongs to an asset, judging by the file's name.
  private func belongs(_ name: String, to row: IndexRow) -> Bool {
    let parts = RenderNames.Parts(name)
    if parts.fileExtension.lowercased() == "aae" { return true }
    let originals = row.group.originals
    return originals.contains(name)
      || originals.contains { RenderNames.isRender(name, of: $0, ofAsset: row.group.stem) }
      || row.current.names.contains(name)
  }

  /// Returns the current content of a row, including files that have been added beside the originals.
  private func verified(_ stored: IndexStore.Stored) throws(EditError) -> IndexedAsset? {
    guard !isFresh else { return asset(stored) }
    var stored = stored
    let group = stored.row.group
    let sidecar = try folders.originals.sidecars(of: group.originals).first
    if try currentFiles(of: group) != stored.row.current || sidecar != stored.row.sidecar {
      stored.row.stamp = IndexRow.unknownStamp
    }
    return try current(stored)
  }

  /// Reads an asset that is missing from the index, using the names in the folder.
  private func read(named name: String) throws(EditError) -> IndexedAsset? {
    var group: FileGroup?
    if let files = try? locator.locate(FilePath.joined(folder, name)) {
      var found = FileGroup(
        photo: files.photo, movie: files.movie, current: CurrentFiles(EditedFiles()),
        sidecars: try folders.originals.sidecars(of: files.halves.map(\.name)), wholeName: files.wholeName)
      found.current = try currentFiles(of: found)
      group = found
    } else {
      let listing =
        if let known = self.listing { known } else {
          try AssetListing(folders) { [store] () throws(EditError) in try store.recordedFiles() }
        }
      self.listing = listing
      let name = listing.originals.spelling(of: name)
      for stem in LibraryPaths.stems(ofName: name) where group == nil {
        let groups = FileGroup.groups(stem: stem, in: listing)
        group = groups.first { $0.originals.contains(name) || $0.current.names.contains(name) }
      }
    }
    guard let group else { return nil }
    let rows = AssetReader(folders: folders).rows(of: group)
    guard let row = rows.first(where: { $0.photo == name || $0.movie == name }) ?? rows.first else {
      return nil
    }
    store.keep(rows)
    if let stored = try store.rows(stem: row.group.stem).first(where: { $0.row == row }) {
      return asset(stored)
    }
    // A read-only index cannot store the asset.
    return asset(
      IndexStore.Stored(
        row: row, sharesInode: false, isFavourite: false, isHidden: false, representsBurst: false))
  }
}
