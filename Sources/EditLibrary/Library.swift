public import EditModel
import FileSystem

/// The versions of the assets in one folder: the catalogue and the files in `.liveedit`.
///
/// One writer at a time; readers need no lock. Opening for writing finishes or undoes what a dead process
/// left. A library without a catalogue is empty; the first commit makes one.
public final class Library {
  /// The assets' folder as the user wrote it; empty for the current one.
  public let folder: String
  private var lock: LibraryLock?
  private(set) var catalogue: Catalogue?
  private var filesMade = 0

  /// Told what people should know while the library is opened: waiting, finished and undone commits.
  public typealias Report = (String) -> Void

  private init(folder: String, lock: LibraryLock?) {
    self.folder = folder
    self.lock = lock
  }

  deinit {
    close()
  }

  /// A path with the assets' folder before it.
  func path(_ relative: String) -> String { FolderListing.path(folder, relative) }

  /// Opens a library to change it.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - wait: how long to wait for another writer, in milliseconds.
  ///   - report: told what people should know.
  /// - Throws: ``EditError`` when another process keeps writing, or the folder cannot be written to.
  public static func forWriting(
    _ folder: String, wait: Int? = nil, report: Report = { _ in }
  ) throws(EditError) -> Library {
    let lock = try LibraryLock(in: folder, wait: wait ?? LibraryLock.longestWait, report: report)
    let library = Library(folder: folder, lock: lock)
    do throws(EditError) {
      if try library.hasCatalogue() {
        library.catalogue = try Catalogue(path: library.path(LibraryPaths.catalogue), .writing)
      } else {
        try library.checkNotLost()
      }
      try library.recover(report)
    } catch {
      // A damaged catalogue must not be taken for none.
      library.isTidy = false
      throw error
    }
    return library
  }

  /// Takes the lock of a library whose catalogue is damaged or lost, and opens none.
  static func forRebuilding(_ folder: String, report: Report) throws(EditError) -> Library {
    Library(
      folder: folder,
      lock: try LibraryLock(in: folder, wait: LibraryLock.longestWait, report: report))
  }

  /// Opens a library to look at it. Nothing is made; only what a dead process left is finished or undone.
  public static func forReading(_ folder: String, report: Report = { _ in }) throws(EditError) -> Library {
    let library = Library(folder: folder, lock: nil)
    guard try library.hasCatalogue() else {
      try library.checkNotLost()
      return library
    }
    var needsRecovery = false
    do throws(EditError) {
      let catalogue = try Catalogue(path: library.path(LibraryPaths.catalogue), .reading)
      needsRecovery = try !catalogue.pendingMoves().isEmpty
      library.catalogue = catalogue
    } catch {
      // An interrupted transaction must be undone by a writer first.
      if error.code == .damagedLibrary || error.code == .unsupported { throw error }
      needsRecovery = true
    }
    if needsRecovery {
      library.catalogue = nil
      do throws(EditError) {
        try forWriting(folder, report: report).close()
      } catch {
        report("the last edit in \(folder.isEmpty ? "." : folder) is not finished yet: \(error)")
      }
      library.catalogue = try Catalogue(path: library.path(LibraryPaths.catalogue), .reading)
    }
    return library
  }

  /// Finishes or undoes what a dead process left in a folder, if there is anything and nobody works there.
  ///
  /// - Returns: whether there was a library.
  static func recoverIfIdle(_ folder: String, report: Report) -> Bool {
    let library = Library(folder: folder, lock: nil)
    let hasLitter = (try? Folder.names(in: library.path(LibraryPaths.work))) != nil
    guard hasLitter || library.hasPendingMoves() else { return false }
    (try? forWriting(folder, wait: 0, report: report))?.close()
    return true
  }

  private func hasPendingMoves() -> Bool {
    guard (try? hasCatalogue()) == true else { return false }
    guard let catalogue = try? Catalogue(path: path(LibraryPaths.catalogue), .reading) else { return true }
    return (try? catalogue.pendingMoves().isEmpty) != true
  }

  /// Whether files in the making may be removed at the end: not while a commit or a damaged catalogue needs them.
  var isTidy = true

  /// Whether there is a catalogue.
  public func hasCatalogue() throws(EditError) -> Bool {
    let path = path(LibraryPaths.catalogue)
    do {
      guard try FileStatus(path: path, followingLinks: false).kind == .regular else {
        throw CommitPlan.inTheWay(path)
      }
      return true
    } catch SystemError.notFound {
      return false
    } catch {
      throw EditError(reading: path, error)
    }
  }

  /// Makes sure that there are no versions, marks and albums either where there is no catalogue.
  private func checkNotLost() throws(EditError) {
    let versions = (try? Folder.names(in: path(LibraryPaths.versions))) ?? []
    let hasCollections = (try? FileStatus.exists(path(LibraryPaths.collections))) == true
    guard !versions.isEmpty || hasCollections else { return }
    throw EditError(
      .damagedLibrary, file: path(LibraryPaths.catalogue),
      "is lost, and there are \(versions.isEmpty ? "marks or albums" : "versions")",
      remedy: "run liveedit check --repair on the folder")
  }

  /// The catalogue, made when there is none.
  func catalogueForWriting() throws(EditError) -> Catalogue {
    if let catalogue { return catalogue }
    let made = try Catalogue(path: path(LibraryPaths.catalogue), .creating)
    catalogue = made
    do {
      try Folder.sync(path(LibraryPaths.folder))
      try Folder.sync(folder.isEmpty ? "." : folder)
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
      _ = try Folder.create(path(LibraryPaths.work))
    } catch {
      throw EditError(writing: path(LibraryPaths.work), error)
    }
    filesMade += 1
    return "\(LibraryPaths.work)/\(kind)-\(ChildProcess.ownIdentifier)-\(filesMade)"
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
    if let catalogue {
      let moves = try catalogue.pendingMoves()
      if !moves.isEmpty {
        try finish(moves)
        let stems = Set(moves.map(\.stem)).sorted().joined(separator: ", ")
        report("finished an interrupted edit of \(stems)")
      }
    }
    let litter = (try? Folder.names(in: path(LibraryPaths.work))) ?? []
    for name in litter { _ = try? File.remove(path(LibraryPaths.work + "/" + name)) }
    if !litter.isEmpty {
      report("undid an interrupted edit in \(folder.isEmpty ? "." : folder): nothing of it had been recorded")
    }
  }

  /// Does the moves of a commit that is recorded, and records that they are done.
  func finish(_ moves: [FileMove]) throws(EditError) {
    guard let catalogue else { return }
    try FileMove.carryOut(moves, in: folder)
    var records: [AssetRecord] = []
    for stem in Set(moves.map(\.stem)).sorted() {
      guard var record = try catalogue.asset(stem) else { continue }
      let moved = Set(moves.compactMap(\.target))
      for index in record.versions.indices where record.versions[index].hasFiles {
        for file in record.versions[index].files.indices {
          let one = record.versions[index].files[file]
          let place = Self.place(of: one, version: record.versions[index].number, in: record)
          guard moved.contains(place) else { continue }
          record.versions[index].files[file].fingerprint = one.fingerprint.refreshed(path(place))
        }
      }
      records.append(record)
    }
    try catalogue.finish(records)
  }

  /// Gives back the lock and tidies nothing up, as the end of the process would.
  func abandon() {
    isTidy = false
    close()
  }

  /// Gives back the lock; removes the library's folder when nothing was ever recorded in it.
  public func close() {
    catalogue = nil
    defer { lock = nil }
    guard lock != nil, isTidy else { return }
    isTidy = false
    for name in (try? Folder.names(in: path(LibraryPaths.work))) ?? []
    where name.contains("-\(ChildProcess.ownIdentifier)-") {
      _ = try? File.remove(path(LibraryPaths.work + "/" + name))
    }
    try? Folder.remove(path(LibraryPaths.work))
    guard (try? FileStatus.exists(path(LibraryPaths.catalogue))) == false else { return }
    try? Folder.remove(path(LibraryPaths.versions))
    guard let names = try? Folder.names(in: path(LibraryPaths.folder)), names == ["lock"] else { return }
    _ = try? File.remove(path(LibraryPaths.lock))
    try? Folder.remove(path(LibraryPaths.folder))
  }
}
