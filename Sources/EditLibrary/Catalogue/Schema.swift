import Synchronization

/// The tables of a catalogue, and the migrations from older schemas.
enum Schema {
  /// The schema version that this build reads and writes, stored in `user_version`.
  static let version = migrations.count

  /// The migrations. The entry at each index migrates from that schema version to the next version.
  private static let migrations = [
    """
    CREATE TABLE asset (
      id INTEGER PRIMARY KEY,
      stem TEXT NOT NULL UNIQUE,
      current INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE version (
      asset INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
      number INTEGER NOT NULL CHECK (number > 0),
      previous INTEGER NOT NULL,
      base INTEGER NOT NULL,
      origin TEXT NOT NULL,
      format TEXT,
      format_version TEXT,
      data BLOB,
      editor TEXT NOT NULL,
      time INTEGER NOT NULL,
      build TEXT NOT NULL,
      has_files INTEGER NOT NULL,
      aside INTEGER NOT NULL,
      PRIMARY KEY (asset, number)
    ) STRICT, WITHOUT ROWID;
    -- Version 0 is the original.
    CREATE TABLE file (
      asset INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      role TEXT NOT NULL,
      name TEXT NOT NULL,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      PRIMARY KEY (asset, version, role)
    ) STRICT, WITHOUT ROWID;
    -- What a commit still has to do, in order; a move without target removes its source.
    CREATE TABLE move (
      id INTEGER PRIMARY KEY,
      asset INTEGER NOT NULL,
      source TEXT NOT NULL,
      target TEXT
    ) STRICT;
    """,
    """
    -- Marks and albums name assets by their stems: they outlive the versions, and the files.
    CREATE TABLE mark (
      stem TEXT PRIMARY KEY,
      favourite INTEGER NOT NULL,
      hidden INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE album (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE album_asset (
      album INTEGER NOT NULL REFERENCES album (id) ON DELETE CASCADE,
      stem TEXT NOT NULL,
      position INTEGER NOT NULL,
      PRIMARY KEY (album, stem)
    ) STRICT, WITHOUT ROWID;
    """,
    "ALTER TABLE version ADD COLUMN batch TEXT",
    """
    -- The digests of the originals' coded pictures and movies, without their metadata.
    CREATE TABLE media (
      asset INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
      role TEXT NOT NULL,
      digest TEXT NOT NULL,
      PRIMARY KEY (asset, role)
    ) STRICT, WITHOUT ROWID;
    -- Assets on their way to another stem or folder, on both sides. The originals' new names decide about all others.
    CREATE TABLE transfer (
      id TEXT NOT NULL,
      arrives INTEGER NOT NULL,
      other TEXT NOT NULL,
      stem TEXT NOT NULL,
      photo TEXT,
      movie TEXT,
      PRIMARY KEY (id, arrives)
    ) STRICT, WITHOUT ROWID;
    """,
    "-- Versions of the origin “adopted”, which earlier builds do not know.",
    "-- Files of the role “sidecar”, likewise.",
    """
    -- The number of changes so far: a copy of an earlier moment has a smaller one than the versions' descriptions.
    CREATE TABLE library (generation INTEGER NOT NULL) STRICT;
    INSERT INTO library VALUES (0);
    -- The digest of all that is recorded of an asset; null in what earlier builds wrote.
    ALTER TABLE asset ADD COLUMN digest TEXT;
    """,
  ]

  /// The schema version that added favourites, hidden assets and albums.
  static let collections = 2
  /// The schema version that added batch identifiers.
  static let batches = 3
  /// The schema version that added digests of encoded media, and transfers.
  static let media = 4
  /// The schema version that added the generation, and digests of the asset records.
  static let generations = 7

  /// Returns the schema version of an open database.
  static func version(of database: Database) throws(DatabaseError) -> Int {
    try database.rows("PRAGMA user_version").first?.first?.int ?? 0
  }

  /// Checks that a database has the tables of its version and nothing else. A view, a trigger or a modified table could
  /// have hidden effects.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - tables: The statements that create the tables in an empty database.
  /// - Throws: ``DatabaseError`` naming the entry that does not belong in the database.
  static func check(_ database: Database, against tables: [String]) throws {
    let (found, expected) = (try entries(of: database), try entries(madeBy: tables))
    guard found != expected else { return }
    let strange = found.subtracting(expected).union(expected.subtracting(found)).compactMap { $0[1].text }
    throw DatabaseError(
      code: 11, message: "“\(strange.min() ?? "")” differs from liveedit's schema")
  }

  /// A cache of schema entries, keyed by the statements that create them.
  private static let made = Mutex<[[String]: Set<[DatabaseValue]>]>([:])

  private static func entries(madeBy tables: [String]) throws -> Set<[DatabaseValue]> {
    if let known = made.withLock({ $0[tables] }) { return known }
    let model = try Database.temporary()
    for statements in tables { try model.run(statements) }
    let entries = try entries(of: model)
    made.withLock { $0[tables] = entries }
    return entries
  }

  private static func entries(of database: Database) throws -> Set<[DatabaseValue]> {
    // Ignores the tables that ANALYZE creates.
    let rows = try database.rows(
      """
      SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4'))
      """)
    return Set(rows)
  }

  /// Returns the statements that create the tables of a schema version in an empty database.
  static func tables(ofVersion version: Int) -> [String] { Array(migrations.prefix(version)) }

  /// Migrates a database to the current version by applying either all steps or none.
  static func migrate(_ database: Database) throws {
    let found = try version(of: database)
    guard found < version else { return }
    try database.transaction {
      for migration in migrations[max(0, found)...] { try database.run(migration) }
      try database.run("PRAGMA user_version = \(version)")
    }
  }
}
