import Basics
import FileSystem

/// A database in an open folder, checked before and after SQLite opens it by its path.
///
/// SQLite follows symbolic links, and trusts any journal that it finds beside a database. In a folder to which others
/// can write, links and journals are untrusted input.
struct DatabaseFile {
  /// The open folder that contains the database.
  let folder: HeldFolder
  /// The database's path in the folder.
  let place: String

  /// The path of the journal that an interrupted transaction leaves behind.
  var journal: String { place + "-journal" }

  /// Returns the path that is passed to SQLite, with all symbolic links resolved.
  func path() throws -> [UInt8] {
    let real = try folder.realPath
    return (real.last == UInt8(ascii: "/") ? real : real + [UInt8(ascii: "/")]) + Array(place.utf8)
  }

  /// Checks that the database and the files that SQLite keeps beside it are regular files, if they exist.
  ///
  /// - Returns: The database's status, or nil if the database does not exist.
  /// - Throws: ``EditError`` naming the file that is not a regular file.
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

  /// Checks that SQLite has opened the same database that was checked before.
  ///
  /// - Parameter before: The database's status at that check, or nil if it did not exist.
  func checkOpened(_ before: FileStatus?) throws {
    guard let now = try check(), before == nil || before?.place == now.place, FileStatus.isOpen(now.place)
    else {
      throw EditError(
        .inTheWay, file: folder.path(place), "was replaced while it was being opened",
        remedy: "find out which program writes to that folder, then try again")
    }
  }

  /// The error that currently prevents liveedit from creating another file beside the database; nil if a file can be
  /// created, or if the cause cannot be determined.
  ///
  /// If SQLite cannot create a journal, it reports only that the journal does not exist.
  var refusal: SystemError? {
    // Writes one page, as SQLite does for a journal. An unnamed file (O_TMPFILE) would need less space.
    let place = place + Self.copyEnding
    do {
      try folder.create(place, bytes: [UInt8](repeating: 0, count: 4096))
      try folder.remove(place)
    } catch let error as SystemError where error.isRefusal {
      return error
    } catch {}
    return nil
  }

  /// Replaces the database and its journal with separate copies if either file has more than one hard link. SQLite
  /// writes in place, so its changes would otherwise appear under the file's other names, for example in a backup made
  /// with hard links.
  func separate() throws {
    for place in [place, journal] {
      let copy = place + Self.copyEnding
      guard let status = try status(place), status.links > 1 else { continue }
      // Removes a copy that an interrupted process left behind.
      try folder.remove(copy)
      try copyFile(folder.source(place), at: folder.path(place), to: copy, in: folder)
      try folder.replace(place, with: copy)
    }
  }

  /// Stores a durable copy of the database, which replaces any copy with the same ending.
  ///
  /// SQLite itself makes the copy (`VACUUM INTO`), because opening and closing the file separately would drop SQLite's
  /// locks.
  ///
  /// - Parameters:
  ///   - database: The open database.
  ///   - ending: The ending that is appended to the database's name.
  func keepCopy(of database: Database, as ending: String) throws {
    let copy = place + Self.copyEnding
    // Removes a copy that an interrupted process left behind.
    try folder.remove(copy)
    let path = try path() + Array(Self.copyEnding.utf8)
    try database.run("VACUUM INTO CAST(? AS TEXT)", [.blob(path)])
    try folder.sync(copy)
    try folder.replace(place + ending, with: copy)
    try folder.syncFolder(FileMover.parent(place))
  }

  /// The file name ending of a copy that is still being written, and of the file that is used to test for free space.
  static let copyEnding = ".copy"

  /// Whether a journal exists that liveedit did not create. Such a journal could make SQLite delete a file that it
  /// names (SQLite file format, section 5, “Super-Journal”).
  func hasForeignJournal() throws -> Bool {
    guard let status = try status(journal), status.size > 0 else { return false }
    // The journal ends with the super-journal's name, its length, a checksum, and the same eight bytes with which a
    // journal begins.
    let source: FileByteSource
    do { source = try folder.source(journal) } catch SystemError.notFound {
      // The journal's transaction has ended in the meantime.
      return false
    }
    guard source.count >= 16 else { return false }
    let end = try source.read(at: source.count - 16, count: 16)
    return Array(end[8...]) == Self.magic && end[..<4].contains { $0 != 0 }
  }

  /// Whether the journal has more than one hard link.
  func hasLinkedJournal() throws -> Bool { try (status(journal)?.links ?? 1) > 1 }

  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
}
