package import Basics
package import FileSystem

/// The versions of the assets in one folder: the catalogue and the files in `.liveedit`.
///
/// One writer at a time; readers need no lock. Opening for writing finishes or undoes the work that a dead process
/// left. A library without a catalogue is empty; the first commit makes one. Here it is opened, asked and closed; its
/// other abilities are extensions beside their subjects: recovery and moves in this folder, commits in `Commit`, the
/// state of an asset in `State`, checks and repairs in `Repair`, marks and albums in `Marks`.
package final class Library {
  /// The assets' folder as the user wrote it; empty for the current one.
  package let folder: String
  /// The place of the renders.
  package let layout: LibraryLayout
  /// The folder of the originals, held open. Nothing is written in it by this name.
  let originalsFolder: HeldFolder
  /// The folder of the renders, the adjustment data and `.liveedit`, held open: everything that the library writes is
  /// found from here. Beside the originals it is their own folder.
  let home: HeldFolder
  /// True if renders stand beside their originals.
  let isBesideOriginals: Bool
  /// The lock of a library that is open for writing.
  private var lock: LibraryLock?
  /// The catalogue; nil where there is none, or none with tables.
  var catalogue: Catalogue?
  /// The number of names that were given to files in the making.
  var filesMade = 0
  /// The errors that keep changes from their end, by the assets' stems.
  var unfinished: [String: EditError] = [:]
  /// True if files in the making may be removed at the end: not while a commit or a damaged catalogue needs them.
  var isTidy = true
  /// The library of another folder that this process holds as well.
  private(set) var beside: Library?
  /// The stems of the catalogue, once an asset was sought in another spelling.
  var knownStems: ListedNames?
  /// Asked now and then; true stops long work.
  let isCancelled: @Sendable () -> Bool

  /// A function that is told what people should know: waiting, finished and undone commits.
  package typealias Report = (Message) -> Void

  init(
    _ folder: String, _ layout: LibraryLayout, _ folders: AssetFolders, lock: LibraryLock?,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.folder = folder
    self.layout = layout
    originalsFolder = folders.originals
    home = folders.home
    isBesideOriginals = folders.areOne
    self.lock = lock
    self.isCancelled = isCancelled
  }

  deinit {
    close()
  }

  static func hold(_ folder: String) throws(EditError) -> HeldFolder {
    try whileReading(FilePath.shown(folder)) { try HeldFolder(path: folder) }
  }

  /// True if the library can be changed.
  package var isOpenForWriting: Bool { lock != nil }

  /// The database of the catalogue.
  var catalogueFile: DatabaseFile { DatabaseFile(folder: home, place: LibraryPaths.catalogue) }

  /// A path with the home before it.
  package func path(_ relative: String) -> String { home.path(relative) }

  /// Makes sure that versions can be made, as far as permissions tell.
  package func checkWritable() throws(EditError) {
    guard home.isThere else { return try AssetFolders.checkCanMake(homePath) }
    for place in ["", LibraryPaths.folder, LibraryPaths.versions] {
      try whileWriting(FilePath.shown(home.path)) {
        if try place.isEmpty || home.exists(place) { try home.checkWritable(place) }
      }
    }
  }

  /// The path of the home.
  package var homePath: String { home.path }

  /// True if a folder is that of the originals or the home.
  package func isOwn(_ folder: FileStatus.Place) -> Bool {
    [originalsFolder, home].contains { (try? $0.status.place) == folder }
  }

  /// The path of an original.
  package func originalPath(_ name: String) -> String { originalsFolder.path(name) }

  /// Opens a library to change it.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - layout: the place of the renders.
  ///   - wait: how long to wait for another writer, in milliseconds.
  ///   - beside: the library of another folder that this process holds already, where assets may come from.
  ///   - isCancelled: asked now and then; true stops long work.
  ///   - report: told what people should know.
  /// - Throws: ``EditError`` when another process keeps writing, or the folder cannot be written to.
  package static func forWriting(
    _ folder: String, layout: LibraryLayout = .besideOriginals, wait: Int? = nil, beside: Library? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }, report: Report = { _ in }
  ) throws(EditError) -> Library {
    let library = try locked(folder, layout, wait: wait, isCancelled, report: report)
    library.beside = beside
    do throws(EditError) {
      try whileWriting(library.path(LibraryPaths.catalogue)) { try library.catalogueFile.separate() }
      try library.quarantineForeignJournal(report)
      if try library.hasCatalogue() { try library.open(.writing) }
      try library.checkNotLost()
      try library.recover(report)
      try library.restoreCollections(report)
    } catch {
      // A damaged catalogue must not be taken for none.
      library.isTidy = false
      throw error
    }
    return library
  }

  /// Takes the lock of a library, and opens no catalogue.
  static func locked(
    _ folder: String, _ layout: LibraryLayout, wait: Int? = nil,
    _ isCancelled: @escaping @Sendable () -> Bool, report: Report
  ) throws(EditError) -> Library {
    let folders = try AssetFolders(making: folder, layout, report: report)
    let lock = try LibraryLock(in: folders.home, wait: wait ?? LibraryLock.longestWait, report: report)
    return Library(folder, layout, folders, lock: lock, isCancelled: isCancelled)
  }

  /// Opens a library to look at it. Nothing is made; only what a dead process left is finished or undone.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - layout: the place of the renders.
  ///   - isBeforeWriting: whether it is asked what a change would do: where no history may begin, it is refused as the change is.
  ///   - isCancelled: asked now and then; true stops long work.
  ///   - report: told what people should know.
  package static func forReading(
    _ folder: String, layout: LibraryLayout = .besideOriginals, beforeWriting isBeforeWriting: Bool = false,
    isCancelled: @escaping @Sendable () -> Bool = { false }, report: Report = { _ in }
  ) throws(EditError) -> Library {
    let folders = try AssetFolders(folder, layout, beforeMaking: isBeforeWriting)
    let library = Library(folder, layout, folders, lock: nil, isCancelled: isCancelled)
    guard try library.hasCatalogue(), try library.needsRecovery() else {
      do throws(EditError) { try library.checkNotLost() } catch {
        // The first commit of all may have come in between.
        if try library.hasCatalogue() { try library.open(.reading) }
        try library.checkNotLost()
      }
      return library
    }
    if let failure = try library.recover(folder, report) {
      report("the last edit in \(FilePath.shown(folder)) is not finished yet: \(failure)")
    }
    try library.checkNotLost()
    for move in try library.catalogue?.pendingMoves() ?? [] {
      library.unfinished[move.stem] = CheckFinding.waiting(library.path(move.source))
    }
    for transfer in try library.catalogue?.transfers() ?? [] {
      let stem = transfer.arrives ? transfer.newStem : transfer.stem
      library.unfinished[stem] = CheckFinding.waiting(library.path(stem))
    }
    return library
  }

  /// Finishes or undoes what a dead process left, and opens the catalogue again. A living one that is at work there does not leave a commit half
  /// done for long: its end is waited for.
  ///
  /// - Returns: why it could not be finished.
  private func recover(_ folder: String, _ report: Report) throws(EditError) -> EditError? {
    var waited = 0
    while true {
      catalogue = nil
      do throws(EditError) {
        try Self.forWriting(folder, layout: layout, wait: 0, isCancelled: isCancelled, report: report).close()
        try open(.reading)
        return nil
      } catch {
        let isBusy = error.code == .inTheWay && error.file == FilePath.shown(home.path)
        guard isBusy, waited < LibraryLock.longestWait, !isCancelled() else {
          try open(.reading)
          return error
        }
        HostSystem.sleep(milliseconds: 20)
        waited += 20
        if try !needsRecovery() { return nil }
      }
    }
  }

  func open(_ mode: Database.Mode) throws(EditError) {
    let opened = try Catalogue(catalogueFile, mode, isStopped: isCancelled)
    // Without tables it is as good as none.
    catalogue = opened.isEmptyFile ? nil : opened
  }

  /// The path of the folder that holds the renders of a folder's assets, made where it is missing.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - layout: the place of the renders.
  ///   - report: told what people should know.
  package static func home(
    of folder: String, layout: LibraryLayout, report: Report
  ) throws(EditError) -> String {
    try AssetFolders(making: folder, layout, report: report).home.path
  }

  /// True if there is a catalogue.
  package func hasCatalogue() throws(EditError) -> Bool {
    do {
      return try catalogueFile.check() != nil
    } catch SystemError.notFound {
      return false
    } catch {
      throw EditError(reading: path(LibraryPaths.catalogue), error)
    }
  }

  /// The catalogue, made when there is none.
  func catalogueForWriting() throws(EditError) -> Catalogue {
    if let catalogue { return catalogue }
    let made = try Catalogue(catalogueFile, .creating, isStopped: isCancelled)
    catalogue = made
    try whileWriting(path(LibraryPaths.catalogue)) {
      try home.syncFolder(LibraryPaths.folder)
      try home.syncFolder()
    }
    return made
  }

  /// Makes the end of a transaction durable: SQLite leaves the removal of its journal to the system. Should the journal come back
  /// after a power failure, the transaction would be undone: not once files have moved, or somebody has been told.
  func syncCatalogue() throws(EditError) {
    try whileWriting(path(LibraryPaths.catalogue)) { try home.syncFolder(LibraryPaths.folder) }
  }

  /// The record of an asset; nil when the catalogue has none.
  package func record(of stem: String) throws(EditError) -> AssetRecord? {
    try catalogue?.asset(stem)
  }

  /// The record of the asset that a file belongs to, by its name alone: nothing but the catalogue is asked,
  /// so that it takes the same time in a folder of any size.
  ///
  /// - Parameter name: of an original, a render or the adjustment data.
  /// - Returns: nil when the catalogue knows no such asset under its name.
  package func record(named name: String) throws(EditError) -> AssetRecord? {
    let stem = RenderNames.Parts(name).stem
    let isAdjustments = RenderNames.Parts(name).fileExtension.lowercased() == "aae"
    if !isAdjustments, let original = RenderNames.originalStem(ofRender: stem),
      let record = try record(of: original)
    {
      return record
    }
    return isAdjustments ? try record(of: stem) : try record(ofOriginal: name)
  }

  /// The record of the asset that has a file as its original, under the file's stem or its whole name.
  func record(ofOriginal name: String) throws(EditError) -> AssetRecord? {
    // Few assets have their whole name as their stem: one question does for the others.
    for stem in [RenderNames.Parts(name).stem, name] {
      if let record = try record(of: stem), record.originals.contains(where: { $0.name.hasBytes(of: name) }) {
        return record
      }
    }
    return nil
  }

  /// The record of an asset: under its own stem, or under that of its movie where this has another name and was edited
  /// before its photo came; or under another spelling of its name, see ``inOtherSpelling(_:)``.
  func record(of asset: OriginalFiles) throws(EditError) -> AssetRecord? {
    let known = try record(of: asset.stem)
    if let other = try inOtherSpelling(asset, known) { return try respelled(other, as: asset) }
    if let known {
      let isOwn = known.originals.contains { file in asset.halves.contains { $0.name.hasBytes(of: file.name) }
      }
      return isOwn || asset.namesake == nil ? known : nil
    }
    guard asset.photo != nil, let movie = asset.movie,
      let alone = try record(of: RenderNames.Parts(movie).stem)
    else { return nil }
    return alone.originals.contains { $0.name.hasBytes(of: movie) } ? alone : nil
  }

  /// The record of the asset that a file belongs to, also where its halves have different names: then its folder is looked
  /// through, see ``AssetLocator``.
  ///
  /// - Parameter name: of an original, a render or the adjustment data.
  /// - Returns: nil when the catalogue knows no such asset.
  package func record(ofFile name: String) throws(EditError) -> AssetRecord? {
    if let known = try record(named: name) { return known }
    var locator = AssetLocator(layout: layout, recovers: false)
    do throws(EditError) {
      return try record(of: locator.locate(FilePath.joined(folder, name)))
    } catch {
      // What means no asset belongs to none.
      guard [.notFound, .pairing, .invalidFile].contains(error.code) else { throw error }
      return nil
    }
  }

  /// The originals of the asset that a file belongs to, see ``record(named:)``.
  package func originals(named name: String) throws(EditError) -> OriginalFiles? {
    guard let record = try record(named: name) else { return nil }
    func original(_ role: FileRole) -> String? { record.originals.first { $0.role == role }?.name }
    return OriginalFiles(
      folder: folder, place: try whileReading(FilePath.shown(folder)) { try originalsFolder.status.place },
      photo: original(.photo), movie: original(.movie),
      wholeName: record.originals.first { $0.name.hasBytes(of: record.stem) }?.name)
  }

  /// The stems of all assets in the catalogue, sorted.
  package func stems() throws(EditError) -> [String] { try catalogue?.stems() ?? [] }

  /// The paths of the originals, each asset's first one, of the assets that have a version of a batch.
  package func originals(ofBatch batch: String) throws(EditError) -> [String] {
    var paths: [String] = []
    for stem in try catalogue?.stems(ofBatch: batch) ?? [] {
      if let first = try record(of: stem)?.originals.first { paths.append(originalPath(first.name)) }
    }
    return paths
  }

  /// The path of a version's file, or of an original.
  package func path(of file: VersionFile, version: Int, in record: AssetRecord) -> String {
    let (folder, place) = location(of: file, version: version, in: record)
    return folder.path(place)
  }

  /// The folder and the place of a version's file, or of an original.
  func location(
    of file: VersionFile, version: Int, in record: AssetRecord
  ) -> (folder: HeldFolder, place: String) {
    if version == 0 || record.version(version)?.isBesideOriginals == true {
      return (originalsFolder, file.name)
    }
    return (home, Self.place(of: file, version: version, in: record))
  }

  /// The place of a version's file in the home.
  ///
  /// - Parameter version: its number; not that of the original.
  static func place(of file: VersionFile, version: Int, in record: AssetRecord) -> String {
    version == record.placed
      ? file.name : LibraryPaths.version(version, of: record.stem) + "/" + file.name
  }

  /// Gives back the lock; removes the library's folder when nothing was ever recorded in it.
  package func close() {
    defer { lock = nil }
    guard lock != nil, isTidy else {
      catalogue = nil
      return
    }
    isTidy = false
    _ = try? removeWork { $0.contains("-\(ChildProcess.ownIdentifier)-") }
    catalogue = nil
    try? home.removeFolder(LibraryPaths.work)
    guard (try? home.exists(LibraryPaths.catalogue)) == false else { return }
    try? home.removeFolder(LibraryPaths.versions)
    guard let names = try? home.names(in: LibraryPaths.folder), names == ["lock"] else { return }
    _ = try? home.remove(LibraryPaths.lock)
    try? home.removeFolder(LibraryPaths.folder)
  }

  /// Rounds in which somebody may commit in the midst of a reading, and milliseconds between them.
  private static let readings = 200
  private static let pause: UInt32 = 20

  /// Looks at a library, at the catalogue and the files together, as they were at one moment: when somebody commits
  /// in the meantime, what was read or thrown is forgotten, and `body` is called again.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - layout: the place of the renders.
  ///   - isBeforeWriting: whether it is asked what a change would do, see ``forReading(_:layout:beforeWriting:isCancelled:report:)``.
  ///   - report: told what people should know.
  ///   - body: looks; must change nothing.
  /// - Throws: ``EditError``, or what `body` throws.
  package static func reading<Value>(
    _ folder: String, layout: LibraryLayout = .besideOriginals, beforeWriting isBeforeWriting: Bool = false,
    report: Report = { _ in },
    _ body: (Library) throws(EditError) -> Value
  ) throws(EditError) -> Value {
    var rounds = 0
    while true {
      let before = CatalogueStamp(folder, layout)
      let result = Result { () throws(EditError) in
        try body(
          try forReading(folder, layout: layout, beforeWriting: isBeforeWriting, report: report))
      }
      rounds += 1
      if rounds == readings || CatalogueStamp(folder, layout) == before { return try result.get() }
      HostSystem.sleep(milliseconds: pause)
    }
  }
}
