public import Basics
import FileSystem

/// The versions of the assets in one folder: the catalogue and the files in `.liveedit`.
///
/// One writer at a time; readers need no lock. Opening for writing finishes or undoes what a dead process
/// left. A library without a catalogue is empty; the first commit makes one.
public final class Library {
  /// The assets' folder as the user wrote it; empty for the current one.
  public let folder: String
  /// The assets' folder, held open: everything in the library is found from here.
  let root: HeldFolder
  private var lock: LibraryLock?
  private(set) var catalogue: Catalogue?
  private var filesMade = 0
  /// What keeps the last change of an asset from its end, by the asset's stem.
  private(set) var unfinished: [String: EditError] = [:]
  let isCancelled: @Sendable () -> Bool

  /// Told what people should know while the library is opened: waiting, finished and undone commits.
  public typealias Report = (String) -> Void

  private init(
    _ folder: String, lock: LibraryLock?, root: HeldFolder, isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.folder = folder
    self.root = root
    self.lock = lock
    self.isCancelled = isCancelled
  }

  deinit {
    close()
  }

  private static func hold(_ folder: String) throws(EditError) -> HeldFolder {
    do {
      return try HeldFolder(path: folder)
    } catch {
      throw EditError(reading: folder.isEmpty ? "." : folder, error)
    }
  }

  /// A path with the assets' folder before it.
  func path(_ relative: String) -> String { root.path(relative) }

  /// Opens a library to change it.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - wait: how long to wait for another writer, in milliseconds.
  ///   - isCancelled: asked now and then; true stops long work.
  ///   - report: told what people should know.
  /// - Throws: ``EditError`` when another process keeps writing, or the folder cannot be written to.
  public static func forWriting(
    _ folder: String, wait: Int? = nil, isCancelled: @escaping @Sendable () -> Bool = { false },
    report: Report = { _ in }
  ) throws(EditError) -> Library {
    let library = try locked(folder, wait: wait, isCancelled, report: report)
    do throws(EditError) {
      try library.separateCatalogue()
      try library.setForeignJournalAside(report)
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
    _ folder: String, wait: Int? = nil, _ isCancelled: @escaping @Sendable () -> Bool, report: Report
  ) throws(EditError) -> Library {
    let root = try hold(folder)
    let lock = try LibraryLock(in: root, wait: wait ?? LibraryLock.longestWait, report: report)
    return Library(folder, lock: lock, root: root, isCancelled: isCancelled)
  }

  /// Opens a library to look at it. Nothing is made; only what a dead process left is finished or undone.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - isCancelled: asked now and then; true stops long work.
  ///   - report: told what people should know.
  public static func forReading(
    _ folder: String, isCancelled: @escaping @Sendable () -> Bool = { false }, report: Report = { _ in }
  ) throws(EditError) -> Library {
    let library = Library(folder, lock: nil, root: try hold(folder), isCancelled: isCancelled)
    guard try library.hasCatalogue() else {
      try library.checkNotLost()
      return library
    }
    guard try library.needsRecovery() else {
      try library.checkNotLost()
      return library
    }
    library.catalogue = nil
    var failure: EditError?
    do throws(EditError) {
      try forWriting(folder, isCancelled: isCancelled, report: report).close()
    } catch {
      failure = error
    }
    try library.open(.reading)
    if let failure {
      report("the last edit in \(folder.isEmpty ? "." : folder) is not finished yet: \(failure)")
    }
    try library.checkNotLost()
    for move in try library.catalogue?.pendingMoves() ?? [] {
      library.unfinished[move.stem] = CheckFinding.waiting(library.path(move.source))
    }
    return library
  }

  /// Opens the catalogue for reading, and tells whether a writer must finish or undo something first.
  private func needsRecovery() throws(EditError) -> Bool {
    if try hasForeignJournal() { return true }
    do throws(EditError) {
      try open(.reading)
      return try catalogue?.pendingMoves().isEmpty == false
    } catch {
      // An interrupted transaction must be undone by a writer first.
      if [.damagedLibrary, .unsupported, .cancelled].contains(error.code) { throw error }
      return true
    }
  }

  /// Finishes or undoes what a dead process left in a folder, if there is anything and nobody works there.
  ///
  /// - Returns: whether there was a library.
  static func recoverIfIdle(_ folder: String, report: Report) -> Bool {
    guard let root = try? hold(folder) else { return false }
    let library = Library(folder, lock: nil, root: root, isCancelled: { false })
    let hasLitter = (try? library.root.exists(LibraryPaths.work)) == true
    guard hasLitter || (try? library.hasCatalogue()) == true,
      hasLitter || (try? library.needsRecovery()) != false
    else { return false }
    library.catalogue = nil
    (try? forWriting(folder, wait: 0, report: report))?.close()
    return true
  }

  /// Whether the library can be changed.
  var isOpenForWriting: Bool { lock != nil }

  /// Whether files in the making may be removed at the end: not while a commit or a damaged catalogue needs them.
  var isTidy = true

  private var catalogueFile: DatabaseFile { DatabaseFile(folder: root, place: LibraryPaths.catalogue) }

  /// Opens the catalogue once more after a repair has made a new one.
  func reopen() throws(EditError) {
    catalogue = nil
    try open(.writing)
  }

  /// Says that the last change of an asset has come to an end.
  func forgetUnfinished(_ stem: String) { unfinished[stem] = nil }

  private func open(_ mode: Database.Mode) throws(EditError) {
    let opened = try Catalogue(catalogueFile, mode, isStopped: isCancelled)
    // Without tables it is as good as none.
    catalogue = opened.isEmptyFile ? nil : opened
  }

  /// Whether there is a catalogue.
  public func hasCatalogue() throws(EditError) -> Bool {
    do {
      return try catalogueFile.check() != nil
    } catch SystemError.notFound {
      return false
    } catch {
      throw EditError(reading: path(LibraryPaths.catalogue), error)
    }
  }

  private func hasForeignJournal() throws(EditError) -> Bool {
    do {
      return try catalogueFile.hasForeignJournal()
    } catch {
      throw EditError(reading: path(catalogueFile.journal), error)
    }
  }

  /// Makes the catalogue a file of its own, where it is a second name of another.
  func separateCatalogue() throws(EditError) {
    do {
      try catalogueFile.separate()
    } catch {
      throw EditError(writing: path(LibraryPaths.catalogue), error)
    }
  }

  /// Gives a journal that liveedit did not write another name, and makes the catalogue anew: nothing tells whether it is
  /// whole without that journal.
  private func setForeignJournalAside(_ report: Report) throws(EditError) {
    guard try hasForeignJournal() else { return }
    let file = catalogueFile
    do {
      guard let kept = try DatabaseFile.putAside(file.journal, in: root) else { return }
      report("\(path(file.journal)) was not written by liveedit; it is kept as \(path(kept))")
    } catch {
      throw EditError(writing: path(file.journal), error)
    }
    if try hasCatalogue() { try rebuild(report) }
  }

  /// Makes sure that there are no versions, marks and albums where the catalogue knows of none.
  private func checkNotLost() throws(EditError) {
    if try catalogue?.hasAssets() == true { return }
    let what: String
    if hasDescriptions() {
      what = "versions"
    } else if try catalogue?.hasNoCollections() != false, holdsCollections {
      what = "marks or albums"
    } else {
      return
    }
    throw EditError(
      .damagedLibrary, file: path(LibraryPaths.catalogue),
      "is \(try hasCatalogue() ? "empty" : "lost"), and there are \(what)",
      remedy: "run liveedit check --repair on the folder")
  }

  /// True if the folders of versions describe any.
  private func hasDescriptions() -> Bool {
    ((try? root.namesIfAny(in: LibraryPaths.versions)) ?? []).contains { stem in
      ((try? root.names(in: LibraryPaths.versions(of: stem))) ?? []).contains { name in
        LibraryPaths.number(ofFolder: name).map {
          VersionDescription(of: $0, of: stem, in: root) != nil
        } ?? false
      }
    }
  }

  /// True if the file beside the catalogue holds marks or albums, or cannot be read.
  private var holdsCollections: Bool {
    guard (try? root.exists(LibraryPaths.collections)) == true else { return false }
    return Collections(in: root)?.isEmpty != true
  }

  /// Puts marks and albums back into a catalogue that has lost them, before anything overwrites their file.
  private func restoreCollections(_ report: Report) throws(EditError) {
    guard let catalogue, try catalogue.hasNoCollections(), holdsCollections else { return }
    guard let found = Collections(in: root) else {
      throw EditError(
        .damagedLibrary, file: path(LibraryPaths.collections),
        "cannot be read, and the catalogue has no marks",
        remedy: "run liveedit check --repair on the folder")
    }
    try catalogue.record([], moves: []) { database in
      try Catalogue.restore(found, in: database)
      return []
    }
    report("restored marks and albums from \(path(LibraryPaths.collections))")
  }

  /// The catalogue, made when there is none.
  func catalogueForWriting() throws(EditError) -> Catalogue {
    if let catalogue { return catalogue }
    let made = try Catalogue(catalogueFile, .creating, isStopped: isCancelled)
    catalogue = made
    do {
      try root.syncFolder(LibraryPaths.folder)
      try root.syncFolder()
    } catch {
      throw EditError(writing: path(LibraryPaths.catalogue), error)
    }
    return made
  }

  /// What is recorded of an asset.
  public func record(of stem: String) throws(EditError) -> AssetRecord? {
    try catalogue?.asset(stem)
  }

  /// The stems of all assets in the catalogue, sorted.
  public func stems() throws(EditError) -> [String] { try catalogue?.stems() ?? [] }

  /// A path for a file in the making, which nothing has.
  ///
  /// The name holds the process: a helper whose parent died may still write to its own for a moment.
  public func workFile(_ kind: String) throws(EditError) -> String {
    let relative = try workName(kind)
    return path(relative)
  }

  func workName(_ kind: String) throws(EditError) -> String {
    do {
      try root.makeFolder(LibraryPaths.work)
      while true {
        filesMade += 1
        let place = LibraryPaths.work + "/" + LibraryPaths.workName(kind, filesMade)
        if try !root.exists(place) { return place }
      }
    } catch {
      throw EditError(writing: path(LibraryPaths.work), error)
    }
  }

  /// Where a file of a version is.
  public func path(of file: VersionFile, version: Int, in record: AssetRecord) -> String {
    path(Self.place(of: file, version: version, in: record))
  }

  static func place(of file: VersionFile, version: Int, in record: AssetRecord) -> String {
    version == 0 || version == record.shown
      ? file.name : LibraryPaths.version(version, of: record.stem) + "/" + file.name
  }

  /// Finishes a commit that was begun, removes what was never committed.
  private func recover(_ report: Report) throws(EditError) {
    let moves = try catalogue?.pendingMoves() ?? []
    if !moves.isEmpty {
      unfinished = try finish(moves)
      let done = Set(moves.map(\.stem)).subtracting(unfinished.keys).filter { !$0.isEmpty }.sorted()
      if !done.isEmpty { report("finished an interrupted edit of \(done.joined(separator: ", "))") }
      for (stem, error) in unfinished.sorted(by: { $0.key < $1.key }) {
        report("an interrupted edit of \(stem.isEmpty ? "the marks" : stem) cannot be finished: \(error)")
      }
    }
    let litter = try removeWork { _ in true }
    if litter > 0 {
      report("undid an interrupted edit in \(folder.isEmpty ? "." : folder): nothing of it had been recorded")
    }
  }

  /// Removes files in the making that no recorded move waits for; what liveedit did not make stays.
  ///
  /// - Returns: how many there were.
  @discardableResult
  func removeWork(_ isWanted: (String) -> Bool) throws(EditError) -> Int {
    let waiting = Set(try catalogue?.pendingMoves().map(\.source) ?? [])
    do {
      var count = 0
      for name in try root.namesIfAny(in: LibraryPaths.work) {
        let place = LibraryPaths.work + "/" + name
        guard LibraryPaths.isWorkName(name), isWanted(name), !waiting.contains(place),
          try root.status(place).kind == .regular
        else { continue }
        if try root.remove(place) { count += 1 }
      }
      return count
    } catch {
      throw EditError(writing: path(LibraryPaths.work), error)
    }
  }

  /// Does the moves of commits that are recorded, asset by asset, and records that they are done.
  ///
  /// - Returns: what keeps assets from being done, by their stems. Their moves wait; the others' are done.
  func finish(_ moves: [FileMove]) throws(EditError) -> [String: EditError] {
    guard let catalogue else { return [:] }
    var failures: [String: EditError] = [:]
    var records: [AssetRecord] = []
    var done: [String] = []
    var mover = FileMover(root)
    for (stem, moves) in Dictionary(grouping: moves, by: \.stem).sorted(by: { $0.key < $1.key }) {
      let record = stem.isEmpty ? nil : try catalogue.asset(stem)
      do throws(EditError) {
        try mover.carryOut(moves, of: record)
        done.append(stem)
        if let record { records.append(refreshed(record, Set(moves.compactMap(\.target)))) }
      } catch {
        failures[stem] = error
      }
    }
    try mover.sync()
    try catalogue.finish(records, moves: done)
    return failures
  }

  /// A record with the present status of the files that were moved.
  private func refreshed(_ record: AssetRecord, _ moved: Set<String>) -> AssetRecord {
    var record = record
    for index in record.versions.indices where record.versions[index].hasFiles {
      for file in record.versions[index].files.indices {
        let one = record.versions[index].files[file]
        let place = Self.place(of: one, version: record.versions[index].number, in: record)
        guard moved.contains(place) else { continue }
        record.versions[index].files[file].fingerprint = one.fingerprint.refreshed(place, in: root)
      }
    }
    return record
  }

  /// Gives back the lock and tidies nothing up, as the end of the process would.
  func abandon() {
    isTidy = false
    close()
  }

  /// Gives back the lock; removes the library's folder when nothing was ever recorded in it.
  public func close() {
    defer { lock = nil }
    guard lock != nil, isTidy else {
      catalogue = nil
      return
    }
    isTidy = false
    _ = try? removeWork { $0.contains("-\(ChildProcess.ownIdentifier)-") }
    catalogue = nil
    try? root.removeFolder(LibraryPaths.work)
    guard (try? root.exists(LibraryPaths.catalogue)) == false else { return }
    try? root.removeFolder(LibraryPaths.versions)
    guard let names = try? root.names(in: LibraryPaths.folder), names == ["lock"] else { return }
    _ = try? root.remove(LibraryPaths.lock)
    try? root.removeFolder(LibraryPaths.folder)
  }
}
