import Basics
import FileSystem

/// The database of an index, with access to a library's favourites, hidden assets and albums.
final class IndexStore {
  /// A row, with information about its asset from the library and the other rows.
  struct Stored {
    var row: IndexRow
    /// Whether an asset with another name has the same inode (hard links).
    var sharesInode: Bool
    var isFavourite: Bool
    var isHidden: Bool
    var representsBurst: Bool

    var id: IndexedAsset.ID {
      let name = row.inode == nil || sharesInode ? row.name : nil
      return IndexedAsset.ID(inode: row.inode, name: name)
    }
  }

  let database: Database
  /// Whether rows can be written.
  let isWritable: Bool
  /// The file that stores the index, or nil for a temporary index.
  private let file: DatabaseFile?
  private let catalogue: DatabaseFile?

  private init(
    _ database: Database, file: DatabaseFile?, isWritable: Bool, catalogue: DatabaseFile?
  ) throws {
    self.database = database
    self.file = file
    self.isWritable = isWritable
    self.catalogue = catalogue
    try database.run("PRAGMA temp_store = MEMORY")
    if let catalogue {
      try Self.attach(catalogue, as: "library", to: database)
    } else {
      try database.run(IndexSchema.noCollections)
    }
  }

  /// Attaches a second database, which has been checked before.
  private static func attach(_ file: DatabaseFile, as name: String, to database: Database) throws {
    let before = try file.check()
    try database.run("ATTACH DATABASE ? AS \(name)", [.blob(file.path())])
    try file.checkOpened(before)
  }

  /// Opens an index.
  ///
  /// - Parameters:
  ///   - file: The index's file, or nil for a temporary index. A missing file is created. A file is replaced if it is
  ///     damaged, has another schema version, or has a journal that liveedit did not write. If the file cannot be
  ///     replaced, the index is opened read-only or is temporary.
  ///   - catalogue: The library's database with favourites, hidden assets and albums, if it exists.
  /// - Throws: ``EditError`` if the file is not a database.
  static func open(_ file: DatabaseFile?, catalogue: DatabaseFile?) throws(EditError) -> IndexStore {
    if let file {
      do {
        let status = try file.check()
        // liveedit does not write to a file that is a hard link to another file.
        let isShared = status.map { $0.links > 1 } ?? false
        if try isShared || file.hasForeignJournal() || file.hasLinkedJournal() { try remove(file) }
      } catch {
        throw Catalogue.error(error, file.folder.path(file.place))
      }
      for _ in 0..<2 {
        do {
          let database = try Database(file, .creating)
          try database.run("PRAGMA synchronous = NORMAL")
          let version = try Schema.version(of: database)
          if version == 0 { try IndexSchema.create(in: database) }
          try IndexSchema.check(database)
          // SQLite also opens a file without write permission.
          if database.isReadOnly { break }
          return try IndexStore(database, file: file, isWritable: true, catalogue: catalogue)
        } catch let error as DatabaseError where error.isCorruption {
          try? remove(file)
        } catch { break }
      }
      if let database = try? Database(file, .reading), (try? IndexSchema.check(database)) != nil,
        let store = try? IndexStore(database, file: file, isWritable: false, catalogue: catalogue)
      {
        return store
      }
    }
    return try temporary(catalogue: catalogue)
  }

  /// Deletes an index and its journal. The journal is deleted first, because SQLite would apply it to the next index.
  private static func remove(_ file: DatabaseFile) throws {
    try file.folder.remove(file.journal)
    try file.folder.remove(file.place)
  }

  /// Returns an empty index that replaces this damaged index.
  ///
  /// - Returns: The new index, or nil if this index is temporary.
  func renewed() throws(EditError) -> IndexStore? {
    guard let file else { return nil }
    try? Self.remove(file)
    return try Self.open(file, catalogue: catalogue)
  }

  private static func temporary(catalogue: DatabaseFile?) throws(EditError) -> IndexStore {
    try asking {
      let database = try Database.temporary()
      try IndexSchema.create(in: database)
      return try IndexStore(database, file: nil, isWritable: true, catalogue: catalogue)
    }
  }

  /// Returns a temporary, writable copy of a read-only index.
  func copiedForWriting() throws(EditError) -> IndexStore {
    let copy = try Self.temporary(catalogue: catalogue)
    guard let file else { return copy }
    do {
      try Self.attach(file, as: "old", to: copy.database)
      try copy.database.run("INSERT INTO item SELECT * FROM old.item; DETACH DATABASE old")
    } catch {
      // A damaged index is treated as empty.
      return try Self.temporary(catalogue: catalogue)
    }
    return copy
  }

  static func asking<Result>(_ body: () throws -> Result) throws(EditError) -> Result {
    do {
      return try body()
    } catch {
      throw Catalogue.error(error, LibraryPaths.index)
    }
  }

  // MARK: Asking

  func identifiers(_ query: AssetQuery) throws(EditError) -> [Int64] {
    let sql = query.sql
    return try Self.asking {
      var identifiers: [Int64] = []
      try database.prepare(sql.text).each(sql.values) { identifiers.append($0.integer(0)) }
      return identifiers
    }
  }

  private static let selection = """
    SELECT \(IndexRow.columns.map { "item." + $0 }.joined(separator: ", ")),
      EXISTS (SELECT 1 FROM item AS other WHERE other.inode = item.inode AND other.id <> item.id),
      ifnull(mark.favourite, 0), ifnull(mark.hidden, 0), \(AssetQuery.representsBurst)
    FROM item LEFT JOIN mark ON mark.stem = item.stem
    """

  /// Returns rows by their numbers, in the order of the numbers.
  func rows(_ identifiers: [Int64]) throws(EditError) -> [Stored] {
    try Self.asking {
      // Acquires a single lock for all queries.
      try database.run("BEGIN")
      defer { try? database.run("COMMIT") }
      let statement = try database.prepare(Self.selection + " WHERE item.id = ?")
      return try identifiers.flatMap { try statement.rows([.integer($0)]).compactMap(Self.stored) }
    }
  }

  /// Returns the rows with the given stem.
  func rows(stem: String) throws(EditError) -> [Stored] {
    try Self.asking {
      try database.rows(Self.selection + " WHERE item.stem = ? ORDER BY item.name", [.text(stem)])
        .compactMap(Self.stored)
    }
  }

  /// Returns the number of assets in each burst, without hidden assets.
  func counts(ofBursts bursts: [String]) throws(EditError) -> [Int] {
    try Self.asking {
      let statement = try database.prepare(
        "SELECT count(*) FROM item LEFT JOIN mark ON mark.stem = item.stem"
          + " WHERE item.burst = ? AND ifnull(mark.hidden, 0) = 0")
      return try bursts.map { try statement.rows([.text($0)]).first?.first?.int ?? 0 }
    }
  }

  private static func stored(_ values: [DatabaseValue]) -> Stored? {
    let more = Array(values.dropFirst(IndexRow.columns.count))
    guard let row = IndexRow(values), more.count == 4 else { return nil }
    return Stored(
      row: row, sharesInode: more[0].int == 1, isFavourite: more[1].int == 1, isHidden: more[2].int == 1,
      representsBurst: more[3].int == 1)
  }

  // MARK: Scanning

  /// Whether the folders were scanned completely when they had this status.
  func isScanned(_ folders: [FileStatus]) throws(EditError) -> Bool {
    try Self.asking { try database.rows("SELECT inode, modified, changed FROM scanned ORDER BY rowid") }
      == folders.map(Self.values)
  }

  /// Returns the files of all versions in the catalogue.
  ///
  /// - Parameter name: The name of the files to return, or nil for all files.
  func recordedFiles(named name: String? = nil) throws(EditError) -> Set<RecordedFile> {
    guard catalogue != nil else { return [] }
    return try Self.asking {
      var files: Set<RecordedFile> = []
      let sql = "SELECT name, size FROM library.file WHERE version > 0 AND (?1 IS NULL OR name = ?1)"
      for row in try database.rows(sql, [DatabaseValue(name)]) {
        if let name = row[0].text, let size = row[1].int {
          files.insert(RecordedFile(name: name, size: size))
        }
      }
      return files
    }
  }

  private static func values(_ folder: FileStatus) -> [DatabaseValue] {
    [
      .integer(Int64(bitPattern: folder.place.inode)), .integer(folder.modified), .integer(folder.changed),
    ]
  }

  /// Calls `body` with the names and the stamp of each row.
  func eachStamp(_ body: (_ name: String, _ photo: String?, _ movie: String?, _ stamp: Int64) -> Void)
    throws(EditError)
  {
    try Self.asking {
      try database.prepare("SELECT name, photo, movie, stamp FROM item").each { statement in
        let row = statement.row
        if let name = row[0].text, let stamp = row[3].integer { body(name, row[1].text, row[2].text, stamp) }
      }
    }
  }

  private static let insertion: String = {
    let updates = IndexRow.columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    let marks = IndexRow.columns.map { _ in "?" }.joined(separator: ", ")
    return """
      INSERT INTO item (\(IndexRow.columns.joined(separator: ", "))) VALUES (\(marks))
      ON CONFLICT (name) DO UPDATE SET \(updates)
      """
  }()

  /// Writes rows and removes other rows, in one transaction.
  func write(_ rows: [IndexRow], removing names: [String] = []) throws(EditError) {
    guard !rows.isEmpty || !names.isEmpty else { return }
    try Self.asking {
      try database.transaction(locksAtOnce: false) {
        let insertion = try database.prepare(Self.insertion)
        for row in rows { try insertion.run(row.values) }
        let removal = try database.prepare("DELETE FROM item WHERE name = ?")
        for name in names { try removal.run([.text(name)]) }
      }
    }
  }

  /// Writes rows if the index is writable.
  func keep(_ rows: [IndexRow]) {
    if isWritable { try? write(rows) }
  }

  /// Returns photos and movies that contain the same identifier under different names, if the pairs are unambiguous.
  func separateHalves() throws(EditError) -> [(photo: IndexRow, movie: IndexRow)] {
    try Self.asking {
      let columns = IndexRow.columns.joined(separator: ", ")
      func alone(_ half: String, _ other: String) -> String {
        """
        SELECT \(columns) FROM item WHERE \(other) IS NULL AND identifier IN (
          SELECT identifier FROM item WHERE identifier IS NOT NULL GROUP BY identifier
          HAVING count(*) = 2 AND count(photo) = 1 AND count(movie) = 1)
        """
      }
      let photos = try database.rows(alone("photo", "movie")).compactMap(IndexRow.init)
      guard !photos.isEmpty else { return [] }
      let movies = Dictionary(
        try database.rows(alone("movie", "photo")).compactMap(IndexRow.init).map { ($0.identifier, $0) },
        uniquingKeysWith: { first, _ in first })
      return photos.compactMap { photo in movies[photo.identifier].map { (photo, $0) } }
    }
  }

  /// Records that the folders were scanned completely when they had this status. An empty list records that the scan
  /// was incomplete.
  func setScanned(_ folders: [FileStatus]) throws(EditError) {
    try Self.asking {
      try database.transaction(locksAtOnce: false) {
        try database.run("DELETE FROM scanned")
        for folder in folders {
          try database.run("INSERT INTO scanned VALUES (?, ?, ?)", Self.values(folder))
        }
      }
    }
  }
}
