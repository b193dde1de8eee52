package import Basics
package import FileSystem

/// The versions of the assets in one folder: the catalogue and the files in `.liveedit`.
///
/// Only one process can write at a time; readers need no lock. Opening a library for writing finishes or undoes the
/// work of a dead process. A library without a catalogue is empty; the first commit creates the catalogue. This class
/// opens, queries and closes the library. Extensions add the other functions: recovery and moves in this source folder,
/// commits in `Commit`, the state of an asset in `State`, checks and repairs in `Repair`, favourites, hidden assets and
/// albums in `Marks`.
package final class Library {
  /// The assets' folder as the user wrote it; empty for the current folder.
  package let folder: String
  /// Where renders are stored.
  package let layout: LibraryLayout
  /// The open folder of the originals. The library does not write through this property.
  let originalsFolder: HeldFolder
  /// The open library home, which contains the renders, the adjustment data and `.liveedit`. Everything that the
  /// library writes is inside this folder. If renders are beside their originals, the library home is the originals'
  /// folder.
  let home: HeldFolder
  /// Whether renders are stored beside their originals.
  let isBesideOriginals: Bool
  /// The lock, if the library is open for writing.
  private var lock: LibraryLock?
  /// The catalogue, or nil if it does not exist or has no tables.
  var catalogue: Catalogue?
  /// The number of names that were assigned to files in the work folder.
  var filesMade = 0
  /// The errors that prevent changes from being finished, by the assets' stems.
  var unfinished: [String: EditError] = [:]
  /// Whether files in the work folder may be removed at the end. The files are kept while a commit or a damaged
  /// catalogue needs them.
  var isTidy = true
  /// The library of another folder that this process also has open.
  private(set) var beside: Library?
  /// The stems in the catalogue, loaded when an asset is first searched for in another spelling.
  var knownStems: ListedNames?
  /// A function that is called periodically during long operations; returning true cancels the operation.
  let isCancelled: @Sendable () -> Bool

  /// A function that receives messages for the user, about waiting and about finished and undone commits.
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

  /// Whether the library can be changed.
  package var isOpenForWriting: Bool { lock != nil }

  /// The catalogue's database.
  var catalogueFile: DatabaseFile { DatabaseFile(folder: home, place: LibraryPaths.catalogue) }

  /// Returns the full path of a path relative to the library home.
  package func path(_ relative: String) -> String { home.path(relative) }

  /// Checks that versions can be created, judging by permissions.
  package func checkWritable() throws(EditError) {
    guard home.isThere else { return try AssetFolders.checkCanMake(homePath) }
    for place in ["", LibraryPaths.folder, LibraryPaths.versions] {
      try whileWriting(FilePath.shown(home.path)) {
        if try place.isEmpty || home.exists(place) { try home.checkWritable(place) }
      }
    }
  }

  /// The path of the library home.
  package var homePath: String { home.path }

  /// Whether a folder is the originals' folder or the library home.
  package func isOwn(_ folder: FileStatus.Place) -> Bool {
    [originalsFolder, home].contains { (try? $0.status.place) == folder }
  }

  /// Returns the path of an original.
  package func originalPath(_ name: String) -> String { originalsFolder.path(name) }

  /// Opens a library for writing.
  ///
  /// - Parameters:
  ///   - folder: The assets' folder; empty for the current folder.
  ///   - layout: Where renders are stored.
  ///   - wait: The maximum time to wait for another writer, in milliseconds.
  ///   - beside: The library of another folder that this process already has open, from which assets may be moved.
  ///   - isCancelled: A function that is called periodically during long operations; returning true cancels the
  ///     operation.
  ///   - report: A function that receives messages for the user.
  /// - Throws: ``EditError`` if another process continues to write, or the folder is not writable.
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
      // A damaged catalogue must not be treated as missing.
      library.isTidy = false
      throw error
    }
    return library
  }

  /// Locks a library without opening its catalogue.
  static func locked(
    _ folder: String, _ layout: LibraryLayout, wait: Int? = nil,
    _ isCancelled: @escaping @Sendable () -> Bool, report: Report
  ) throws(EditError) -> Library {
    let folders = try AssetFolders(making: folder, layout, report: report)
    let lock = try LibraryLock(in: folders.home, wait: wait ?? LibraryLock.longestWait, report: report)
    return Library(folder, layout, folders, lock: lock, isCancelled: isCancelled)
  }

  /// Opens a library for reading. Nothing is created, but the unfinished work of a dead process is finished or undone.
  ///
  /// - Parameters:
  ///   - folder: The assets' folder; empty for the current folder.
  ///   - layout: Where renders are stored.
  ///   - isBeforeWriting: Whether the caller wants to predict the result of a change. If a history may not be started
  ///     in the folder, opening is refused in the same way as the change.
  ///   - isCancelled: A function that is called periodically during long operations; returning true cancels the
  ///     operation.
  ///   - report: A function that receives messages for the user.
  package static func forReading(
    _ folder: String, layout: LibraryLayout = .besideOriginals, beforeWriting isBeforeWriting: Bool = false,
    isCancelled: @escaping @Sendable () -> Bool = { false }, report: Report = { _ in }
  ) throws(EditError) -> Library {
    let folders = try AssetFolders(folder, layout, beforeMaking: isBeforeWriting)
    let library = Library(folder, layout, folders, lock: nil, isCancelled: isCancelled)
    guard try library.hasCatalogue(), try library.needsRecovery() else {
      do throws(EditError) { try library.checkNotLost() } catch {
        // The very first commit may have been made in the meantime.
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

  /// Finishes or undoes the unfinished work of a dead process, and opens the catalogue again. If a running process is
  /// working in the library, this function waits for that process's commit, which does not take long.
  ///
  /// - Returns: The error that prevented finishing the work, or nil if it is finished.
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
    // A catalogue without tables is treated as missing.
    catalogue = opened.isEmptyFile ? nil : opened
  }

  /// Returns the path of the folder that contains the renders of a folder's assets, and creates it if it is missing.
  ///
  /// - Parameters:
  ///   - folder: The assets' folder; empty for the current folder.
  ///   - layout: Where renders are stored.
  ///   - report: A function that receives messages for the user.
  package static func home(
    of folder: String, layout: LibraryLayout, report: Report
  ) throws(EditError) -> String {
    try AssetFolders(making: folder, layout, report: report).home.path
  }

  /// Whether the catalogue exists.
  package func hasCatalogue() throws(EditError) -> Bool {
    do {
      return try catalogueFile.check() != nil
    } catch SystemError.notFound {
      return false
    } catch {
      throw EditError(reading: path(LibraryPaths.catalogue), error)
    }
  }

  /// Returns the catalogue, and creates it if it does not exist.
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

  /// Makes the end of a transaction durable. SQLite does not sync the removal of its journal. If the journal reappeared
  /// after a power failure, the transaction would be undone. This must not happen after files have been moved or
  /// success has been reported.
  func syncCatalogue() throws(EditError) {
    try whileWriting(path(LibraryPaths.catalogue)) { try home.syncFolder(LibraryPaths.folder) }
  }

  /// Returns the record of an asset, or nil if the catalogue does not contain it.
  package func record(of stem: String) throws(EditError) -> AssetRecord? {
    try catalogue?.asset(stem)
  }

  /// Returns the record of the asset to which a file belongs, judging by the file's name. Only the catalogue is
  /// queried, so the lookup time does not depend on the folder's size.
  ///
  /// - Parameter name: The name of an original, a render or the adjustment data.
  /// - Returns: The record, or nil if the catalogue contains no such asset under this name.
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

  /// Returns the record of the asset that has a file as its original. The record is found by the file's stem or whole
  /// name.
  func record(ofOriginal name: String) throws(EditError) -> AssetRecord? {
    // Few assets have their whole name as their stem, so one query is enough for all other assets.
    for stem in [RenderNames.Parts(name).stem, name] {
      if let record = try record(of: stem), record.originals.contains(where: { $0.name.hasBytes(of: name) }) {
        return record
      }
    }
    return nil
  }

  /// Returns the record of an asset. The record can be stored under the asset's own stem; under the stem of its movie,
  /// if the movie has another name and was edited before its photo was added; or under another spelling of the name,
  /// see ``inOtherSpelling(_:)``.
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

  /// Returns the record of the asset to which a file belongs, even if the asset's halves have different names. In that
  /// case the folder is searched, see ``AssetLocator``.
  ///
  /// - Parameter name: The name of an original, a render or the adjustment data.
  /// - Returns: The record, or nil if the catalogue contains no such asset.
  package func record(ofFile name: String) throws(EditError) -> AssetRecord? {
    if let known = try record(named: name) { return known }
    var locator = AssetLocator(layout: layout, recovers: false)
    do throws(EditError) {
      return try record(of: locator.locate(FilePath.joined(folder, name)))
    } catch {
      // A file that belongs to no asset has no record.
      guard [.notFound, .pairing, .invalidFile].contains(error.code) else { throw error }
      return nil
    }
  }

  /// Returns the originals of the asset to which a file belongs, see ``record(named:)``.
  package func originals(named name: String) throws(EditError) -> OriginalFiles? {
    guard let record = try record(named: name) else { return nil }
    func original(_ role: FileRole) -> String? { record.originals.first { $0.role == role }?.name }
    return OriginalFiles(
      folder: folder, place: try whileReading(FilePath.shown(folder)) { try originalsFolder.status.place },
      photo: original(.photo), movie: original(.movie),
      wholeName: record.originals.first { $0.name.hasBytes(of: record.stem) }?.name)
  }

  /// Returns the stems of all assets in the catalogue, sorted.
  package func stems() throws(EditError) -> [String] { try catalogue?.stems() ?? [] }

  /// Returns the paths of the first originals of all assets that have a version from a batch.
  package func originals(ofBatch batch: String) throws(EditError) -> [String] {
    var paths: [String] = []
    for stem in try catalogue?.stems(ofBatch: batch) ?? [] {
      if let first = try record(of: stem)?.originals.first { paths.append(originalPath(first.name)) }
    }
    return paths
  }

  /// Returns the path of a version's file, or of an original.
  package func path(of file: VersionFile, version: Int, in record: AssetRecord) -> String {
    let (folder, place) = location(of: file, version: version, in: record)
    return folder.path(place)
  }

  /// Returns the folder of a version's file or of an original, and the file's path in that folder.
  func location(
    of file: VersionFile, version: Int, in record: AssetRecord
  ) -> (folder: HeldFolder, place: String) {
    if version == 0 || record.version(version)?.isBesideOriginals == true {
      return (originalsFolder, file.name)
    }
    return (home, Self.place(of: file, version: version, in: record))
  }

  /// Returns the path of a version's file in the library home.
  ///
  /// - Parameter version: The version's number, which must not be that of the original.
  static func place(of file: VersionFile, version: Int, in record: AssetRecord) -> String {
    version == record.placed
      ? file.name : LibraryPaths.version(version, of: record.stem) + "/" + file.name
  }

  /// Releases the lock, and removes the library's folder if nothing was ever recorded in it.
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

  /// The maximum number of attempts to read a library while other processes commit to it, and the pause between
  /// attempts in milliseconds.
  private static let readings = 200
  private static let pause: UInt32 = 20

  /// Reads the catalogue and the files of a library in a consistent state. If another process commits in the meantime,
  /// the result or error is discarded and `body` is called again.
  ///
  /// - Parameters:
  ///   - folder: The assets' folder; empty for the current folder.
  ///   - layout: Where renders are stored.
  ///   - isBeforeWriting: Whether the caller wants to predict the result of a change, see
  ///     ``forReading(_:layout:beforeWriting:isCancelled:report:)``.
  ///   - report: A function that receives messages for the user.
  ///   - body: A function that reads the library and must not change anything.
  /// - Throws: ``EditError``, or the error that `body` throws.
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
