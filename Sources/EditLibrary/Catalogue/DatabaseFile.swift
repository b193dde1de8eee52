import Basics
import FileSystem

/// A database in a held folder, looked at before SQLite opens it by its path and afterwards.
///
/// SQLite follows names, and believes the journal that it finds beside a database; in a folder where others write, both
/// are input.
struct DatabaseFile {
  /// The folder.
  let folder: HeldFolder
  /// The database in it.
  let place: String

  /// The journal that an interrupted transaction leaves behind.
  var journal: String { place + "-journal" }

  /// The path for SQLite: it has no links.
  func path() throws -> [UInt8] {
    let real = try folder.realPath
    return (real.last == UInt8(ascii: "/") ? real : real + [UInt8(ascii: "/")]) + Array(place.utf8)
  }

  /// Makes sure that the database and the files that SQLite keeps beside it are plain files, as far as they are there.
  ///
  /// - Returns: the database's status; nil when there is none.
  /// - Throws: ``EditError`` that names what is something else.
  @discardableResult
  func check() throws -> FileStatus? {
    for companion in [journal, place + "-wal", place + "-shm"] { _ = try status(companion) }
    return try status(place)
  }

  private func status(_ place: String) throws -> FileStatus? {
    let status = try folder.statusIfAny(place)
    if let status, status.kind != .regular { throw EditError.inTheWay(folder.path(place)) }
    return status
  }

  /// Makes sure that what SQLite has opened is the database that was looked at.
  ///
  /// - Parameter before: its status then; nil when there was none.
  func checkOpened(_ before: FileStatus?) throws {
    guard let now = try check(), before == nil || before?.place == now.place, FileStatus.isOpen(now.place)
    else {
      throw EditError(
        .inTheWay, file: folder.path(place), "was replaced while it was being opened",
        remedy: "find out who writes in that folder, and try again")
    }
  }

  /// The error that stands against one more file beside the database now; nil where none does, or nobody can tell.
  ///
  /// SQLite looks for a journal that it could not make, and then says that there is none.
  var refusal: SystemError? {
    // A page, as a journal has. Without a name (O_TMPFILE) it would ask for less room.
    let place = place + Self.copyEnding
    do {
      try folder.create(place, bytes: [UInt8](repeating: 0, count: 4096))
      try folder.remove(place)
    } catch let error as SystemError where error.isRefusal {
      return error
    } catch {}
    return nil
  }

  /// Makes the database and its journal files of their own where they are second names of other files: SQLite writes in
  /// place, and what it wrote would be in a backup made by links, or in whatever else the name stands for.
  func separate() throws {
    for place in [place, journal] {
      let copy = place + Self.copyEnding
      guard let status = try status(place), status.links > 1 else { continue }
      // Of one who was stopped over it.
      try folder.remove(copy)
      try copyFile(folder.source(place), at: folder.path(place), to: copy, in: folder)
      try folder.replace(place, with: copy)
    }
  }

  /// Keeps a copy of the database as it is, durably. A copy with that ending is replaced.
  ///
  /// SQLite itself makes it (`VACUUM INTO`): whoever opens and closes the file beside it loses SQLite's locks.
  ///
  /// - Parameters:
  ///   - database: the open database.
  ///   - ending: the ending of the copy's name, after the database's.
  func keepCopy(of database: Database, as ending: String) throws {
    let copy = place + Self.copyEnding
    // Of one who was stopped over it.
    try folder.remove(copy)
    let path = try path() + Array(Self.copyEnding.utf8)
    try database.run("VACUUM INTO CAST(? AS TEXT)", [.blob(path)])
    try folder.sync(copy)
    try folder.replace(place + ending, with: copy)
    try folder.syncFolder(FileMover.parent(place))
  }

  /// The ending of a copy's name while it is being made, and of a file that shows if there is room.
  static let copyEnding = ".copy"

  /// True if there is a journal that is not one of ours: it would have SQLite remove a file that it names (SQLite file
  /// format, section 5, “Super-Journal”).
  func hasForeignJournal() throws -> Bool {
    guard let status = try status(journal), status.size > 0 else { return false }
    // The end: the name, its length, a checksum, and the eight bytes that begin a journal as well.
    let source: FileByteSource
    do { source = try folder.source(journal) } catch SystemError.notFound {
      // The transaction that it was of has ended meanwhile.
      return false
    }
    guard source.count >= 16 else { return false }
    let end = try source.read(at: source.count - 16, count: 16)
    return Array(end[8...]) == Self.magic && end[..<4].contains { $0 != 0 }
  }

  /// True if the journal is a second name of another file.
  func hasLinkedJournal() throws -> Bool { try (status(journal)?.links ?? 1) > 1 }

  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
}
