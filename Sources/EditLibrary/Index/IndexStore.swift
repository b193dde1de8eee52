import Basics
import FileSystem

/// The database of an index, with a library's marks and albums at hand.
final class IndexStore {
  /// A row with what the library and the other rows say about its asset.
  struct Stored {
    var row: IndexRow
    /// True if an asset with another name has the same inode (hard links).
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
  /// True if rows can be written.
  let isWritable: Bool
  /// The file that keeps it; nil for one that lives as long as the value.
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

  /// Lets a database ask another one too, which was looked at before.
  private static func attach(_ file: DatabaseFile, as name: String, to database: Database) throws {
    let before = try file.check()
    try database.run("ATTACH DATABASE ? AS \(name)", [.blob(file.path())])
    try file.checkOpened(before)
  }

  /// Opens an index.
  ///
  /// - Parameters:
  ///   - file: where it is kept; nil for one that lives as long as the value. It is made when it is not there, and
  ///     made anew when it is damaged, of another version, or has a journal that liveedit did not write. Where that
  ///     cannot be done, one is taken that cannot be written to, or that lives as long as the value.
  ///   - catalogue: the library's database with marks and albums, if there is one.
  /// - Throws: ``EditError`` when something else than a database stands there.
  static func open(_ file: DatabaseFile?, catalogue: DatabaseFile?) throws(EditError) -> IndexStore {
    if let file {
      do {
        let status = try file.check()
        // A second name of another file is not written to.
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
          // A file that may not be written to opens all the same.
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

  /// Throws an index away with its journal: the journal first, which would be taken for that of the next one.
  private static func remove(_ file: DatabaseFile) throws {
    try file.folder.remove(file.journal)
    try file.folder.remove(file.place)
  }

  /// An empty index in place of this one, which turned out to be damaged.
  ///
  /// - Returns: nil for one that is not kept.
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

  /// The rows of an index that cannot be written to in one that lives as long as the value.
  func copiedForWriting() throws(EditError) -> IndexStore {
    let copy = try Self.temporary(catalogue: catalogue)
    guard let file else { return copy }
    do {
      try Self.attach(file, as: "old", to: copy.database)
      try copy.database.run("INSERT INTO item SELECT * FROM old.item; DETACH DATABASE old")
    } catch {
      // A damaged one is as good as none.
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

  /// Rows by their numbers, in that order.
  func rows(_ identifiers: [Int64]) throws(EditError) -> [Stored] {
    try Self.asking {
      // One lock for all of them.
      try database.run("BEGIN")
      defer { try? database.run("COMMIT") }
      let statement = try database.prepare(Self.selection + " WHERE item.id = ?")
      return try identifiers.flatMap { try statement.rows([.integer($0)]).compactMap(Self.stored) }
    }
  }

  /// Rows by their stem.
  func rows(stem: String) throws(EditError) -> [Stored] {
    try Self.asking {
      try database.rows(Self.selection + " WHERE item.stem = ? ORDER BY item.name", [.text(stem)])
        .compactMap(Self.stored)
    }
  }

  /// The number of assets of each burst, without those that are hidden.
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

  /// True if the folders were scanned whole when they had this status.
  func isScanned(_ folders: [FileStatus]) throws(EditError) -> Bool {
    try Self.asking { try database.rows("SELECT inode, modified, changed FROM scanned ORDER BY rowid") }
      == folders.map(Self.values)
  }

  /// The files of all versions in the catalogue.
  ///
  /// - Parameter name: only those of this name; nil for all.
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

  /// Calls a body with name, movie and stamp of each row.
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

  /// Writes rows and removes others, in one transaction.
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

  /// Writes rows where that can be done.
  func keep(_ rows: [IndexRow]) {
    if isWritable { try? write(rows) }
  }

  /// Photos and movies that carry one identifier under two names, where it is clear which belong together.
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

  /// Records that the folders were scanned whole when they had this status; none when that cannot be said.
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
