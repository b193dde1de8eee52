import Basics
import EditModel
import FileSystem
import FoundationEssentials

/// A library's catalogue, which reads and writes database rows as values.
final class Catalogue {
  let database: Database
  private let path: String
  /// Whether the database has tables for favourites, hidden assets and albums.
  let hasCollections: Bool
  /// Whether versions record the batches that created them.
  private let hasBatches: Bool
  /// Whether the database has tables for digests of encoded media and for transfers.
  let hasMedia: Bool
  /// Whether the database counts changes and stores digests of assets.
  private let hasGenerations: Bool

  /// Opens the catalogue of a library.
  ///
  /// - Parameter isStopped: A function that is called periodically during long operations; returning true stops the
  ///   operation.
  /// - Throws: ``EditError`` if the catalogue is damaged, was not made by liveedit, or was written by a newer liveedit.
  init(
    _ file: DatabaseFile, _ mode: Database.Mode, isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws(EditError) {
    path = file.folder.path(file.place)
    do {
      database = try Database(file, mode, isStopped: isStopped)
      var found = try Schema.version(of: database)
      guard found <= Schema.version else {
        throw EditError(
          .unsupported, file: path, "was written by a newer liveedit (schema \(found))",
          remedy: "use the newer liveedit")
      }
      guard found >= 0 else { throw DatabaseError(code: 11, message: "invalid schema version \(found)") }
      do { try Schema.check(database, against: Schema.tables(ofVersion: found)) } catch {
        // Another process may have created the tables in the meantime.
        let now = try Schema.version(of: database)
        guard now != found, 0...Schema.version ~= now else { throw error }
        found = now
        try Schema.check(database, against: Schema.tables(ofVersion: found))
      }
      hasCollections = mode != .reading || found >= Schema.collections
      hasBatches = mode != .reading || found >= Schema.batches
      hasMedia = mode != .reading || found >= Schema.media
      hasGenerations = mode != .reading || found >= Schema.generations
      isEmptyFile = mode == .reading && found == 0
      if mode != .reading {
        if 1..<Schema.version ~= found { try file.keepCopy(of: database, as: ".schema-\(found)") }
        try Schema.migrate(database)
      }
    } catch {
      throw Self.error(error, path)
    }
  }

  /// Whether the database has no tables, because nothing was ever recorded or everything was lost.
  let isEmptyFile: Bool

  /// Converts a database error to an error message about the catalogue.
  static func error(_ error: any Error, _ path: String) -> EditError {
    (error as? DatabaseError)?.sentence(path) ?? EditError(writing: path, error)
  }

  func asking<Result>(_ body: () throws -> Result) throws(EditError) -> Result {
    do {
      return try body()
    } catch {
      throw Self.error(error, path)
    }
  }

  /// Returns the record of an asset, or nil if the asset has no record.
  func asset(_ stem: String) throws(EditError) -> AssetRecord? {
    try asking {
      guard
        let row = try database.rows(
          "SELECT id, current, \(hasGenerations ? "digest" : "NULL") FROM asset WHERE stem = ?", [.text(stem)]
        ).first,
        let id = row[0].int
      else { return nil }
      let record = try record(id: id, stem: stem, current: row[1].int ?? 0)
      guard try row[2].text.map({ try $0 == record.digest }) ?? true else { throw damage(of: stem) }
      return record
    }
  }

  /// Returns the number of changes recorded so far, or 0 if an earlier build wrote the catalogue.
  func generation() throws(EditError) -> Int {
    guard hasGenerations else { return 0 }
    return try asking { try database.rows("SELECT generation FROM library LIMIT 1").first?[0].int ?? 0 }
  }

  /// Whether every asset has a digest, so that the integrity of each record can be checked.
  func hasDigests() throws(EditError) -> Bool {
    guard hasGenerations else { return false }
    return try asking { try database.rows("SELECT 1 FROM asset WHERE digest IS NULL LIMIT 1").isEmpty }
  }

  /// Returns the stems of all assets, sorted.
  func stems() throws(EditError) -> [String] {
    try asking { try database.rows("SELECT stem FROM asset ORDER BY stem").compactMap { $0[0].text } }
  }

  /// Returns the stems of the assets that have a version from a batch, sorted.
  func stems(ofBatch batch: String) throws(EditError) -> [String] {
    guard hasBatches else { return [] }
    return try asking {
      try database.rows(
        """
        SELECT DISTINCT stem FROM asset JOIN version ON version.asset = asset.id WHERE batch = ? ORDER BY stem
        """, [.text(batch)]
      ).compactMap { $0[0].text }
    }
  }

  /// Whether the catalogue contains any asset.
  func hasAssets() throws(EditError) -> Bool {
    try asking { try !database.rows("SELECT 1 FROM asset LIMIT 1").isEmpty }
  }

  /// Returns all assets that have versions, are favourites or hidden, or are in albums, by stem.
  func snapshot() throws(EditError) -> [String: CatalogueSnapshot.Asset] {
    try asking {
      let rows = try database.rows(
        """
        SELECT asset.stem, asset.current, max(version.number)
        FROM asset LEFT JOIN version ON version.asset = asset.id GROUP BY asset.id
        """)
      var assets: [String: CatalogueSnapshot.Asset] = [:]
      for row in rows {
        guard let stem = row[0].text else { throw damage }
        assets[stem] = CatalogueSnapshot.Asset(current: row[1].int ?? 0, last: row[2].int ?? 0)
      }
      guard hasCollections else { return assets }
      let marks = try database.rows("SELECT stem, favourite, hidden FROM mark")
      for row in marks {
        guard let stem = row[0].text else { throw damage }
        assets[stem, default: CatalogueSnapshot.Asset()].marks = [row[1].int, row[2].int]
      }
      for row in try database.rows("SELECT stem, album FROM album_asset ORDER BY stem, album") {
        guard let stem = row[0].text, let album = row[1].int else { throw damage }
        assets[stem, default: CatalogueSnapshot.Asset()].albums.append(album)
      }
      return assets
    }
  }

  /// Returns the problems that SQLite's own check finds and the assets whose records are corrupt. The list is empty if
  /// the database is intact.
  func integrityProblems() throws(EditError) -> [String] {
    let problems = try asking {
      let problems = try database.integrityProblems()
      let broken = try database.rows("PRAGMA foreign_key_check").count
      return problems + (broken > 0 ? ["\(broken) rows with broken references"] : [])
    }
    guard problems.isEmpty else { return problems }
    var changed: [String] = []
    for stem in try stems() {
      do throws(EditError) { _ = try asset(stem) } catch {
        guard error.code == .damagedLibrary else { throw error }
        changed.append(damage(of: stem).message)
      }
    }
    return changed
  }

  private func record(id: Int, stem: String, current: Int) throws -> AssetRecord {
    var files: [Int: [VersionFile]] = [:]
    let rows = try database.rows(
      "SELECT version, role, name, size, modified, changed, inode, sha256 FROM file WHERE asset = ? LIMIT \(5 * AssetRecord.mostVersions)",
      [DatabaseValue(id)])
    for row in rows {
      guard let number = row[0].int, let role = row[1].text.flatMap(FileRole.init), let name = row[2].text,
        let size = row[3].int, let modified = row[4].integer, let changed = row[5].integer,
        let inode = row[6].integer, let sha256 = row[7].text
      else { throw damage }
      files[number, default: []].append(
        VersionFile(
          role: role, name: name,
          fingerprint: Fingerprint(
            size: size, modified: modified, changed: changed, inode: inode, sha256: sha256)))
    }
    for number in files.keys { files[number]?.sort { $0.role.order < $1.role.order } }
    if hasMedia {
      for row in try database.rows(
        "SELECT role, digest FROM media WHERE asset = ? LIMIT 3", [DatabaseValue(id)])
      {
        guard let index = files[0]?.firstIndex(where: { $0.role.rawValue == row[0].text }) else { continue }
        files[0]?[index].fingerprint.media = row[1].text
      }
    }
    let versions = try database.rows(
      """
      SELECT number, previous, base, origin, format, format_version, data, editor, time, build, has_files, aside,
        \(hasBatches ? "batch" : "NULL")
      FROM version WHERE asset = ? ORDER BY number LIMIT \(AssetRecord.mostVersions + 1)
      """, [DatabaseValue(id)]
    ).map { row in
      guard let number = row[0].int, let previous = row[1].int, let base = row[2].int,
        let origin = row[3].text.flatMap(Version.Origin.init), let editor = row[7].text,
        let time = row[8].int, let build = row[9].text
      else { throw damage }
      var adjustment: AdjustmentData?
      if let format = row[4].text, let version = row[5].text {
        adjustment = AdjustmentData(
          formatIdentifier: format, formatVersion: version, data: Data(row[6].bytes ?? []))
      }
      return Version(
        number: number, previous: previous, base: base, origin: origin, adjustment: adjustment,
        editor: editor, time: time, build: build, files: files[number] ?? [], hasFiles: row[10].int == 1,
        isAside: row[11].int == 1, isLost: row[10].int == Version.lostFiles, batch: row[12].text)
    }
    let record = AssetRecord(stem: stem, originals: files[0] ?? [], versions: versions, current: current)
    guard record.isSound else { throw damage }
    return record
  }

  private var damage: DatabaseError { DatabaseError(code: 11, message: "a row has invalid values") }

  private func damage(of stem: String) -> DatabaseError {
    DatabaseError(code: 11, message: "the record of \(stem) is corrupt")
  }

  /// Records assets, their file moves and the rows that `also` writes, in one transaction. The generation increases by
  /// one.
  ///
  /// - Parameters:
  ///   - known: A generation found elsewhere. The new generation is greater than this generation.
  ///   - also: A function that writes more rows and returns the file moves that these rows need.
  func record(
    _ assets: [AssetRecord], moves: [FileMove], above known: Int = 0,
    also: (Database) throws -> [FileMove] = { _ in [] }
  ) throws(EditError) {
    try asking {
      try database.transaction {
        let before = database.changes
        for asset in assets { try write(asset) }
        for move in try moves + also(database) {
          try database.run(
            "INSERT INTO move (asset, source, target) VALUES (ifnull((SELECT id FROM asset WHERE stem = ?), 0), ?, ?)",
            [.text(move.stem), .text(move.source), DatabaseValue(move.target)])
        }
        if database.changes != before || known > 0 {
          try database.run("UPDATE library SET generation = max(generation, ?) + 1", [DatabaseValue(known)])
        }
      }
    }
  }

  /// Records that all file moves of some assets are done, and records the files' new status. Assets without versions
  /// are deleted from the catalogue.
  ///
  /// - Parameters:
  ///   - assets: The assets as they are now.
  ///   - stems: The stems of the assets whose moves are done. The empty string represents the moves that belong to no
  ///     asset.
  func finish(_ assets: [AssetRecord], moves stems: some Sequence<String>) throws(EditError) {
    try asking {
      try database.transaction {
        for asset in assets { try write(asset) }
        // Makes a single pass over all pending moves, because the moves of a hundred thousand assets may finish
        // together.
        let done = Set(stems.map { Array($0.utf8) })
        let waiting = try database.rows(
          "SELECT move.id, ifnull(asset.stem, '') FROM move LEFT JOIN asset ON asset.id = move.asset")
        let removal = try database.prepare("DELETE FROM move WHERE id = ?")
        for row in waiting where done.contains(Array((row[1].text ?? "").utf8)) { try removal.run([row[0]]) }
        for asset in assets where asset.versions.isEmpty {
          try database.run("DELETE FROM asset WHERE stem = ?", [.text(asset.stem)])
        }
      }
    }
  }

  /// Returns the recorded moves that are not done yet, in order.
  func pendingMoves() throws(EditError) -> [FileMove] {
    try asking {
      try database.rows(
        "SELECT stem, source, target FROM move LEFT JOIN asset ON asset.id = move.asset ORDER BY move.id"
      ).map { row in
        guard let source = row[1].text else { throw damage }
        return FileMove(stem: row[0].text ?? "", source: source, target: row[2].text)
      }
    }
  }

  private func write(_ asset: AssetRecord) throws {
    try database.run(
      """
      INSERT INTO asset (stem, current, digest) VALUES (?, ?, ?)
      ON CONFLICT (stem) DO UPDATE SET current = excluded.current, digest = excluded.digest
      """,
      [.text(asset.stem), DatabaseValue(asset.current), .text(asset.digest)])
    guard let id = try database.rows("SELECT id FROM asset WHERE stem = ?", [.text(asset.stem)]).first?[0]
    else { throw damage }
    try database.run("DELETE FROM version WHERE asset = ?", [id])
    try database.run("DELETE FROM file WHERE asset = ?", [id])
    try database.run("DELETE FROM media WHERE asset = ?", [id])
    for file in asset.originals {
      try write(file, of: 0, asset: id)
      guard let media = file.fingerprint.media else { continue }
      try database.run(
        "INSERT INTO media VALUES (?, ?, ?)", [id, .text(file.role.rawValue), .text(media)])
    }
    for version in asset.versions {
      try database.run(
        "INSERT INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          id, DatabaseValue(version.number), DatabaseValue(version.previous), DatabaseValue(version.base),
          .text(version.origin.rawValue), DatabaseValue(version.adjustment?.formatIdentifier),
          DatabaseValue(version.adjustment?.formatVersion),
          version.adjustment.map { .blob(Array($0.data)) } ?? .null,
          .text(version.editor), DatabaseValue(version.time), .text(version.build),
          DatabaseValue(version.filesCode),
          DatabaseValue(version.isAside), DatabaseValue(version.batch),
        ])
      for file in version.files { try write(file, of: version.number, asset: id) }
    }
  }

  private func write(_ file: VersionFile, of number: Int, asset: DatabaseValue) throws(DatabaseError) {
    let print = file.fingerprint
    try database.run(
      "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        asset, DatabaseValue(number), .text(file.role.rawValue), .text(file.name), DatabaseValue(print.size),
        .integer(print.modified), .integer(print.changed), .integer(print.inode), .text(print.sha256),
      ])
  }
}
