package import Basics
package import FileSystem

/// An index of the metadata of one folder's assets: read once and kept.
///
/// Where the folder has a library that can be written to, the index is kept in `.liveedit/index.sqlite`: a cache
/// that may be removed at any time. Where it has none, the user's cache keeps it, if one is given. Elsewhere it lives as
/// long as the value. Nothing else is ever written.
///
/// Not to be used from two threads at a time.
package final class AssetIndex {
  /// The amount of work at the opening of an index.
  package enum Refresh: Hashable, Sendable {
    /// Nothing: what is not known is read when it is asked for by its name.
    case never
    /// All names and the status of all files, if names came or went since the last time.
    case ifFolderChanged
    /// All names and the status of all files.
    case always
  }

  /// The folder as the user wrote it; empty for the current one.
  package let folder: String
  private let layout: LibraryLayout
  private let folders: AssetFolders
  private(set) var store: IndexStore
  /// The error that keeps marks and albums from being known; nil where there is none.
  private let failure: EditError?
  private let report: Library.Report
  private var hasReported = false
  /// True if the files were looked at just now.
  private var isFresh = false
  /// The last query with its answer, and the numbers of today for those, where the index had to be made anew since: it
  /// has others.
  private var answered: (query: AssetQuery, identifiers: [Int64])?
  private var renumbered: [Int64: Int64]?
  /// The folder's names, as soon as they are needed.
  private var locator: AssetLocator
  private var listing: AssetListing?

  /// Opens the index of a folder and brings it up to date.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - layout: the place of the renders.
  ///   - refresh: how much is looked at.
  ///   - cache: keeps the indexes of folders without a library; nil to keep none.
  ///   - report: told what people should know about the library.
  /// - Throws: ``EditError`` when the folder cannot be read, or its assets have the other layout.
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

  /// Asks the index, and makes it anew when it turns out to be damaged: it is only a cache.
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
        // The index is but a cache.
        let store = try IndexStore.open(nil, catalogue: catalogue)
        report("\(error)")
        return (store, nil)
      }
    } catch {
      // Photos can be listed beside a library that is damaged, of a newer liveedit, not for this user, or out of reach.
      return (try IndexStore.open(nil, catalogue: nil), error)
    }
  }

  /// Tells once that marks and albums are not known.
  private func reportFailure() {
    guard let failure, !hasReported else { return }
    hasReported = true
    report("\(failure)")
  }

  /// The file in the user's cache for the index of a folder without a library.
  private static func file(of library: Library, in cache: UserCache) throws -> DatabaseFile {
    let places = try [library.originalsFolder.realPath, library.home.realPath]
    let name = try NameBasedUUID.name(of: places.map { TerminalText.repaired($0) }) + ".sqlite"
    let folder = try cache.open()
    if try folder.exists(name) { cache.use(name) } else { cache.prune() }
    return DatabaseFile(folder: folder, place: name)
  }

  /// Gives up the trust in the last scan: from now on the status of an asset's files is checked before the asset is
  /// returned.
  package func expectChanges() { isFresh = false }

  /// The numbers of the assets that are wanted, in order.
  ///
  /// - Parameter query: which ones.
  /// - Throws: ``EditError`` when it asks for marks or albums, and the library cannot be asked.
  package func identifiers(_ query: AssetQuery) throws(EditError) -> [Int64] {
    if let failure, query.asksForMarks { throw failure }
    reportFailure()
    let identifiers = try asking { store throws(EditError) in try store.identifiers(query) }
    (answered, renumbered) = ((query, identifiers), nil)
    return identifiers
  }

  /// Assets by their numbers, in the order of the numbers; those that are gone are left out. Files that changed
  /// since they were read are read again.
  ///
  /// - Parameter identifiers: not more than are needed at once.
  package func assets(_ identifiers: some Sequence<Int64>) throws(EditError) -> [IndexedAsset] {
    var assets: [IndexedAsset] = []
    for stored in try rows(Array(identifiers)) {
      if let asset = try current(stored) { assets.append(asset) }
    }
    return assets
  }

  /// Rows by the numbers that the last query found.
  private func rows(_ identifiers: [Int64]) throws(EditError) -> [IndexStore.Stored] {
    let asked = store
    let wanted = renumbered.map { numbers in identifiers.compactMap { numbers[$0] } } ?? identifiers
    let rows = try asking { store throws(EditError) in try store.rows(wanted) }
    guard store !== asked, let answered else { return rows }
    // The order of the answer is the query's, whatever the numbers are.
    let found = try store.identifiers(answered.query)
    let numbers = Dictionary(zip(answered.identifiers, found), uniquingKeysWith: { first, _ in first })
    renumbered = numbers
    return try store.rows(identifiers.compactMap { numbers[$0] })
  }

  /// A row as it is now; nil when its files are gone.
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

  /// The renders and the adjustment data of originals as they are now.
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

  /// The asset that a file belongs to: an original, a render or adjustment data.
  ///
  /// Where the index knows it, the rest of the folder is not looked at.
  ///
  /// - Parameter name: the file's name in the folder.
  /// - Returns: nil when there is no such asset.
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

  /// The asset of a stem, see ``IndexedAsset/stem``; nil where the index knows none.
  package func asset(ofStem stem: String) throws(EditError) -> IndexedAsset? {
    for stored in try asking({ store throws(EditError) in try store.rows(stem: stem) }) {
      if let asset = try verified(stored) { return asset }
    }
    return nil
  }

  /// The number of assets of each burst, without those that are hidden.
  package func counts(ofBursts bursts: [String]) throws(EditError) -> [Int] {
    try asking { store throws(EditError) in try store.counts(ofBursts: bursts) }
  }

  /// True if a file is one of an asset's by its name.
  private func belongs(_ name: String, to row: IndexRow) -> Bool {
    let parts = RenderNames.Parts(name)
    if parts.fileExtension.lowercased() == "aae" { return true }
    let originals = row.group.originals
    return originals.contains(name)
      || originals.contains { RenderNames.isRender(name, of: $0, ofAsset: row.group.stem) }
      || row.current.names.contains(name)
  }

  /// A row as it is now, with whatever has come to stand beside the originals.
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

  /// An asset that the index does not know: the folder's names are looked at.
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
    // An index that cannot be written to does not take it.
    return asset(
      IndexStore.Stored(
        row: row, sharesInode: false, isFavourite: false, isHidden: false, representsBurst: false))
  }
}
