import Basics
internal import CSQLite
import FileSystem
import Glibc

/// An SQLite error.
struct DatabaseError: Error, Hashable, CustomStringConvertible {
  /// SQLite's primary result code.
  let code: Int32
  /// SQLite's message for the error.
  let message: String
  /// The `errno` of the system call that failed, or 0 if none failed.
  var system: Int32 = 0

  var description: String { message }

  /// The error for a file that cannot be read.
  static let unreadable = DatabaseError(
    code: SQLITE_IOERR, message: String(cString: sqlite3_errstr(SQLITE_IOERR)))

  /// Whether the error means that the file is not an intact database.
  var isCorruption: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_TOOBIG].contains(code) }

  /// Returns the error as a message that names the database.
  func sentence(_ path: String) -> EditError {
    if isCorruption {
      return EditError(
        .damagedLibrary, file: path, "is damaged (\(self))",
        remedy: "run liveedit check --repair on the folder")
    }
    switch code {
    case SQLITE_INTERRUPT:
      return EditError(.cancelled, file: path, "was not checked completely: stopped on request")
    case SQLITE_FULL:
      return EditError(
        .fileSystem, file: path, "the disk is full", remedy: "free some space on the disk and try again")
    case SQLITE_READONLY:
      return EditError(.fileSystem, file: path, "is not writable", remedy: "change its permissions")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return EditError(.inTheWay, file: path, "is locked by another program", remedy: "try again later")
    case SQLITE_CANTOPEN where SystemError(system).isRefusal,
      SQLITE_IOERR where SystemError(system).isRefusal:
      // SQLite's message does not contain the reason.
      return EditError(writing: path, SystemError(system))
    case SQLITE_IOERR:
      return EditError(
        .fileSystem, file: path, "cannot be used (\(self))",
        remedy: "try again; if the error persists, copy the folder to another disk")
    default: return EditError(.fileSystem, file: path, "cannot be used (\(self))")
    }
  }
}

/// An open SQLite database. The database is closed when this value and its last statement are released.
final class Database {
  /// The modes in which a database can be opened.
  enum Mode {
    case reading
    case writing
    /// Opens the database for writing, and creates it if it does not exist.
    case creating
  }

  private let handle: OpaquePointer
  private let stop: Stop
  /// The database's file, or nil for a temporary database.
  private let file: DatabaseFile?

  /// A function that SQLite calls periodically to find out whether to stop.
  private final class Stop {
    let isAsked: @Sendable () -> Bool
    init(_ isAsked: @escaping @Sendable () -> Bool) { self.isAsked = isAsked }
  }

  /// Opens a database in an open folder.
  ///
  /// Transactions use a rollback journal with synchronous FULL. If another process has locked the database, SQLite
  /// waits for up to 5 seconds. The file's content is not trusted: symbolic links are not followed, and the tables
  /// cannot call functions.
  ///
  /// The corresponding C function is `sqlite3_open_v2`.
  ///
  /// - Parameter isStopped: A function that is called periodically during long operations; returning true stops the
  ///   operation.
  /// - Throws: ``DatabaseError``, or ``Basics/EditError`` if the file is not of the expected kind.
  convenience init(
    _ file: DatabaseFile, _ mode: Mode, isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws {
    // SQLite would mistake the error for a lock held by another process, and would wait.
    guard FileLock.locksParts(of: LibraryPaths.lock, in: file.folder) else {
      throw LibraryLock.unsupported(FilePath.shown(file.folder.path))
    }
    var before = try file.check()
    if mode == .creating, before == nil {
      // Creates the file here with the permissions that the folder's group needs, because SQLite would not give the
      // group access.
      do { try file.folder.create(file.place, bytes: []) } catch SystemError.exists {}
      before = try file.check()
    }
    try self.init(file, path: file.path(), mode, isStopped)
    try file.checkOpened(before)
    // SQLite file format, “File format version numbers”: 2 means write-ahead logging, so part of the data is in a
    // separate file.
    if let versions = bytes(at: 18, count: 2), versions.contains(2) {
      throw DatabaseError(
        code: SQLITE_CORRUPT, message: "it is in write-ahead-log mode, which liveedit does not use")
    }
    try run("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    if mode != .reading { try run("PRAGMA synchronous = FULL") }
  }

  /// Creates an unnamed temporary database that is deleted when the value is released. A small database stays in
  /// memory.
  static func temporary() throws(DatabaseError) -> Database {
    let database = try Database(nil, path: [], .creating, { false })
    try database.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    return database
  }

  private init(
    _ file: DatabaseFile?, path: [UInt8], _ mode: Mode, _ isStopped: @escaping @Sendable () -> Bool
  ) throws(DatabaseError) {
    self.file = file
    let flags =
      switch mode {
      case .reading: SQLITE_OPEN_READONLY
      case .writing: SQLITE_OPEN_READWRITE
      case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var opened: OpaquePointer?
    let name = path.map { CChar(bitPattern: $0) } + [0]
    errno = 0
    let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, nil)
    guard let opened else { throw DatabaseError(code: code & 0xFF, message: "out of memory") }
    handle = opened
    stop = Stop(isStopped)
    guard code == SQLITE_OK else { throw failure() }
    sqlite3_busy_timeout(handle, 5000)
    sqlite3_progress_handler(
      handle, 10_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Stop>.fromOpaque(context).takeUnretainedValue().isAsked() ? 1 : 0
      }, Unmanaged.passUnretained(stop).toOpaque())
    // Limits the size of values in a database of unknown origin, and prevents anything in the database from being
    // executed.
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestValue)
    guard liveedit_forbid_triggers_and_views(handle) == SQLITE_OK else { throw failure() }
  }

  /// The maximum length of a value or row in bytes, which leaves room beyond 16 MB of adjustment data.
  private static let longestValue: Int32 = 1 << 25

  /// SQLite's transaction counter (SQLite file format, “File change counter”) as four bytes from the file, or nil if
  /// the file is too short. The bytes are read through SQLite, because opening and closing the file separately would
  /// drop SQLite's locks.
  ///
  /// The corresponding C function is `sqlite3_file_control` with `SQLITE_FCNTL_FILE_POINTER`.
  var changeCounter: [UInt8]? { bytes(at: 24, count: 4) }

  private func bytes(at offset: Int64, count: Int) -> [UInt8]? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, let read = file.pointee.pMethods?.pointee.xRead else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return read(file, &bytes, Int32(count), offset) == SQLITE_OK ? bytes : nil
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Runs statements that have no parameters and no results.
  func run(_ sql: String) throws(DatabaseError) {
    errno = 0
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  /// Runs one statement that has parameters and no results.
  func run(_ sql: String, _ values: [DatabaseValue]) throws(DatabaseError) {
    try prepare(sql).run(values)
  }

  /// Runs one statement and returns its rows.
  func rows(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) -> [[DatabaseValue]] {
    try prepare(sql).rows(values)
  }

  /// Compiles a statement that will be run more than once.
  func prepare(_ sql: String) throws(DatabaseError) -> Statement { try Statement(sql, in: self) }

  /// The number of rows that this connection has changed.
  ///
  /// The corresponding C function is `sqlite3_total_changes`.
  var changes: Int { Int(sqlite3_total_changes(handle)) }

  /// Whether the database is read-only.
  ///
  /// The corresponding C function is `sqlite3_db_readonly`.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

  /// Runs `body` in one transaction, which is rolled back if `body` throws.
  ///
  /// - Parameter locksAtOnce: Whether all attached databases are locked for writing immediately. Otherwise each
  ///   database is locked when it is first written to.
  func transaction(locksAtOnce: Bool = true, _ body: () throws -> Void) throws {
    try run(locksAtOnce ? "BEGIN IMMEDIATE" : "BEGIN")
    let before = changeCounter
    var isWritten = false
    do {
      try body()
      isWritten = true
      try run("COMMIT")
    } catch {
      if sqlite3_get_autocommit(handle) == 0 {
        try? run("ROLLBACK")
      } else if isWritten, locksAtOnce, hasChanged(since: before) {
        return
      }
      throw error
    }
  }

  /// Whether a transaction was committed although SQLite reported a failure. SQLite also reports a failure if a step
  /// after the commit fails, for example releasing a lock. No other process can commit to a catalogue in the meantime,
  /// because every writer holds ``LibraryLock``.
  ///
  /// - Parameter before: The ``changeCounter`` at the beginning of the transaction.
  private func hasChanged(since before: [UInt8]?) -> Bool {
    // Reading makes SQLite roll back the changes that a failed commit has left half written.
    guard (try? rows("SELECT 1 FROM sqlite_schema LIMIT 1")) != nil, let now = changeCounter else {
      return false
    }
    return now != before
  }

  /// Returns the error of a call that has just failed. The caller must have set `errno` to 0 before that call. Both
  /// sources of the cause are unreliable: SQLite does not set its own error number if a commit fails, and `errno` may
  /// be from a later call.
  private func failure() -> DatabaseError {
    let last = errno
    var error = DatabaseError(
      code: sqlite3_errcode(handle) & 0xFF, message: String(cString: sqlite3_errmsg(handle)),
      system: sqlite3_system_errno(handle))
    // SQLite reports a file as corrupt if the disk cannot return the file's bytes (SQLITE_IOERR_CORRUPTFS).
    if error.code == SQLITE_CORRUPT, [EIO, ENXIO, ERANGE].contains(last) { return .unreadable }
    guard [SQLITE_CANTOPEN, SQLITE_IOERR].contains(error.code) else { return error }
    // If a journal could not be created, SQLite reports only that the journal does not exist.
    let refusal = [last, error.system].first { SystemError($0).isRefusal } ?? file?.refusal?.code
    if let refusal { error.system = refusal }
    return error
  }

  /// Runs SQLite's own check of the file, `PRAGMA integrity_check`. Parts that could not be read are listed too.
  ///
  /// The corresponding C function is `sqlite3_file_control` with `SQLITE_FCNTL_LAST_ERRNO`.
  ///
  /// - Returns: At most 20 problems; an empty list if the database is intact.
  /// - Throws: ``DatabaseError``, also if the file cannot be read at the moment, which does not count as a problem in
  ///   the file.
  func integrityProblems() throws(DatabaseError) -> [String] {
    let problems = try rows("PRAGMA integrity_check(20)").compactMap { $0[0].text }.filter { $0 != "ok" }
    var failure: Int32 = 0
    _ = sqlite3_file_control(handle, nil, SQLITE_FCNTL_LAST_ERRNO, &failure)
    if !problems.isEmpty, failure != 0 { throw .unreadable }
    return problems
  }

  /// A compiled statement. The statement keeps its database open, and is finalised when the value is released.
  final class Statement {
    private let database: Database
    private let handle: OpaquePointer

    fileprivate init(_ sql: String, in database: Database) throws(DatabaseError) {
      var prepared: OpaquePointer?
      errno = 0
      let code = sqlite3_prepare_v2(database.handle, sql, -1, &prepared, nil)
      guard code == SQLITE_OK, let prepared else { throw database.failure() }
      self.database = database
      handle = prepared
    }

    deinit {
      sqlite3_finalize(handle)
    }

    /// Runs the statement with parameters and ignores any results.
    func run(_ values: [DatabaseValue]) throws(DatabaseError) {
      try each(values) { _ in }
    }

    /// Runs the statement and returns its rows.
    func rows(_ values: [DatabaseValue] = []) throws(DatabaseError) -> [[DatabaseValue]] {
      var rows: [[DatabaseValue]] = []
      try each(values) { rows.append($0.row) }
      return rows
    }

    /// Runs the statement and calls `body` for each row.
    func each(_ values: [DatabaseValue] = [], _ body: (Statement) -> Void) throws(DatabaseError) {
      defer {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
      }
      for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
      while try step() { body(self) }
    }

    /// Returns an integer from the current row, or 0 if the column has another type.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    private func bind(_ value: DatabaseValue, at index: Int32) throws(DatabaseError) {
      // SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      let code =
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .real(let number): sqlite3_bind_double(handle, index, number)
        case .text(let text): sqlite3_bind_text(handle, index, text, -1, copied)
        case .blob(let bytes):
          bytes.isEmpty
            ? sqlite3_bind_zeroblob(handle, index, 0)
            : sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), copied)
        }
      guard code == SQLITE_OK else { throw database.failure() }
    }

    /// Advances to the next row, and returns false at the end.
    private func step() throws(DatabaseError) -> Bool {
      errno = 0
      switch sqlite3_step(handle) {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      default: throw database.failure()
      }
    }

    var row: [DatabaseValue] {
      (0..<sqlite3_column_count(handle)).map { column in
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
          return sqlite3_column_text(handle, column).map { .text(String(cString: $0)) } ?? .null
        case SQLITE_BLOB:
          let count = Int(sqlite3_column_bytes(handle, column))
          guard let bytes = sqlite3_column_blob(handle, column) else { return .blob([]) }
          return .blob(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        default: return .null
        }
      }
    }
  }
}

/// A value in a database row, or a parameter of a statement.
enum DatabaseValue: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
  init(_ number: Double?) { self = number.map { .real($0) } ?? .null }
  init(_ number: Int) { self = .integer(Int64(number)) }
  init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }

  var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  var int: Int? { integer.flatMap { Int(exactly: $0) } }
  var real: Double? { if case .real(let number) = self { number } else { integer.map { Double($0) } } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var bytes: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
}
