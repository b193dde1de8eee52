import Basics
internal import CSQLite
import FileSystem
import Glibc

/// An error of SQLite.
struct DatabaseError: Error, Hashable, CustomStringConvertible {
  /// The primary result code.
  let code: Int32
  /// SQLite's words for it.
  let message: String
  /// The errno of the system call that failed, where one did; 0 otherwise.
  var system: Int32 = 0

  var description: String { message }

  /// The file cannot be read.
  static let unreadable = DatabaseError(
    code: SQLITE_IOERR, message: String(cString: sqlite3_errstr(SQLITE_IOERR)))

  /// True if the file is no sound database.
  var isCorruption: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_TOOBIG].contains(code) }

  /// The error as a sentence about the database.
  func sentence(_ path: String) -> EditError {
    if isCorruption {
      return EditError(
        .damagedLibrary, file: path, "is damaged (\(self))",
        remedy: "run liveedit check --repair on the folder")
    }
    switch code {
    case SQLITE_INTERRUPT:
      return EditError(.cancelled, file: path, "was not looked at to its end: stopped on request")
    case SQLITE_FULL:
      return EditError(
        .fileSystem, file: path, "the disk is full", remedy: "free some space there and try again")
    case SQLITE_READONLY:
      return EditError(.fileSystem, file: path, "may not be written to", remedy: "change its permissions")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return EditError(.inTheWay, file: path, "is locked by another program", remedy: "try again later")
    case SQLITE_CANTOPEN where SystemError(system).isRefusal,
      SQLITE_IOERR where SystemError(system).isRefusal:
      // SQLite's words leave out why.
      return EditError(writing: path, SystemError(system))
    case SQLITE_IOERR:
      return EditError(
        .fileSystem, file: path, "cannot be used (\(self))",
        remedy: "try again; if that does not help, copy the folder to another disk")
    default: return EditError(.fileSystem, file: path, "cannot be used (\(self))")
    }
  }
}

/// An open SQLite database; closed when the value and its last statement are gone.
final class Database {
  /// The ways to open a database.
  enum Mode {
    case reading
    case writing
    /// Writing, and made when it is not there.
    case creating
  }

  private let handle: OpaquePointer
  private let stop: Stop
  /// Where it is; nil for one without a name.
  private let file: DatabaseFile?

  /// A function that SQLite calls now and then to learn if it should stop.
  private final class Stop {
    let isAsked: @Sendable () -> Bool
    init(_ isAsked: @escaping @Sendable () -> Bool) { self.isAsked = isAsked }
  }

  /// Opens a database in a held folder.
  ///
  /// Transactions go through a rollback journal with synchronous FULL. A lock that another process holds is
  /// waited for 5 seconds. Of what the file itself says as little as possible is believed: no link is followed, and no
  /// function is called by its tables.
  ///
  /// The corresponding C function is `sqlite3_open_v2`.
  ///
  /// - Parameter isStopped: asked now and then during long work; true ends it.
  /// - Throws: ``DatabaseError``, or ``Basics/EditError`` when the file is something else than it should be.
  convenience init(
    _ file: DatabaseFile, _ mode: Mode, isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws {
    // SQLite would take it for a lock of somebody else, and wait.
    guard FileLock.locksParts(of: LibraryPaths.lock, in: file.folder) else {
      throw LibraryLock.unsupported(FilePath.shown(file.folder.path))
    }
    var before = try file.check()
    if mode == .creating, before == nil {
      // With the permissions that a folder's members share; SQLite would leave the group out.
      do { try file.folder.create(file.place, bytes: []) } catch SystemError.exists {}
      before = try file.check()
    }
    try self.init(file, path: file.path(), mode, isStopped)
    try file.checkOpened(before)
    // File format, “File format version numbers”: 2 is a write-ahead log, of which others have the other half.
    if let versions = bytes(at: 18, count: 2), versions.contains(2) {
      throw DatabaseError(code: SQLITE_CORRUPT, message: "it is in a mode that liveedit does not use")
    }
    try run("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    if mode != .reading { try run("PRAGMA synchronous = FULL") }
  }

  /// Makes a database without a name, which goes away with the value; it is in memory as far as it is small.
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
    // Values of a planted database are bounded, and nothing in it runs.
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestValue)
    guard liveedit_forbid_triggers_and_views(handle) == SQLITE_OK else { throw failure() }
  }

  /// Bytes of the longest value or row: adjustment data of 16 MB, and room beside it.
  private static let longestValue: Int32 = 1 << 25

  /// SQLite's count of transactions (SQLite file format, “File change counter”), as four bytes of the file; nil when the
  /// file is shorter. It is read through SQLite: a file that is opened and closed beside it loses SQLite's locks.
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

  /// Runs statements without parameters and results.
  func run(_ sql: String) throws(DatabaseError) {
    errno = 0
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  /// Runs one statement with parameters and without results.
  func run(_ sql: String, _ values: [DatabaseValue]) throws(DatabaseError) {
    try prepare(sql).run(values)
  }

  /// The rows of one statement.
  func rows(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) -> [[DatabaseValue]] {
    try prepare(sql).rows(values)
  }

  /// Compiles a statement that is to be run more than once.
  func prepare(_ sql: String) throws(DatabaseError) -> Statement { try Statement(sql, in: self) }

  /// The number of rows that this connection has changed.
  ///
  /// The corresponding C function is `sqlite3_total_changes`.
  var changes: Int { Int(sqlite3_total_changes(handle)) }

  /// True if it cannot be written to.
  ///
  /// The corresponding C function is `sqlite3_db_readonly`.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

  /// Runs a body in one transaction; undone when the body throws.
  ///
  /// - Parameter locksAtOnce: whether all databases that are attached are locked for writing at once; otherwise each
  ///   is as it is written to.
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

  /// True if a transaction took place whose commit failed: SQLite says so too where what comes after it cannot be done, as giving
  /// back a lock. Nobody else commits to a catalogue meanwhile, since whoever writes holds ``LibraryLock``.
  ///
  /// - Parameter before: ``changeCounter`` as the transaction found it.
  private func hasChanged(since before: [UInt8]?) -> Bool {
    // Reading brings back what a commit that did not take place has left half written.
    guard (try? rows("SELECT 1 FROM sqlite_schema LIMIT 1")) != nil, let now = changeCounter else {
      return false
    }
    return now != before
  }

  /// The error of a call that has just failed, before which errno was 0. Of two numbers of why, SQLite's own is not set where a
  /// commit fails, and errno may be that of a later call.
  private func failure() -> DatabaseError {
    let last = errno
    var error = DatabaseError(
      code: sqlite3_errcode(handle) & 0xFF, message: String(cString: sqlite3_errmsg(handle)),
      system: sqlite3_system_errno(handle))
    // SQLite calls a file corrupt that a disk does not give (SQLITE_IOERR_CORRUPTFS).
    if error.code == SQLITE_CORRUPT, [EIO, ENXIO, ERANGE].contains(last) { return .unreadable }
    guard [SQLITE_CANTOPEN, SQLITE_IOERR].contains(error.code) else { return error }
    // Of a journal that could not be made SQLite says only that there is none.
    let refusal = [last, error.system].first { SystemError($0).isRefusal } ?? file?.refusal?.code
    if let refusal { error.system = refusal }
    return error
  }

  /// SQLite's own check of the file, by `PRAGMA integrity_check`.
  ///
  /// The corresponding C function is `sqlite3_file_control` with `SQLITE_FCNTL_LAST_ERRNO`: what could not be read is listed too.
  ///
  /// - Returns: at most 20 problems; none when it is sound.
  /// - Throws: ``DatabaseError`` also when the file cannot be read just now, which is no problem of its own.
  func integrityProblems() throws(DatabaseError) -> [String] {
    let problems = try rows("PRAGMA integrity_check(20)").compactMap { $0[0].text }.filter { $0 != "ok" }
    var failure: Int32 = 0
    _ = sqlite3_file_control(handle, nil, SQLITE_FCNTL_LAST_ERRNO, &failure)
    if !problems.isEmpty, failure != 0 { throw .unreadable }
    return problems
  }

  /// A compiled statement; finalised when the value goes away. It keeps its database open.
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

    /// Runs it with parameters and without results.
    func run(_ values: [DatabaseValue]) throws(DatabaseError) {
      try each(values) { _ in }
    }

    /// Its rows.
    func rows(_ values: [DatabaseValue] = []) throws(DatabaseError) -> [[DatabaseValue]] {
      var rows: [[DatabaseValue]] = []
      try each(values) { rows.append($0.row) }
      return rows
    }

    /// Runs it and calls a body at each row.
    func each(_ values: [DatabaseValue] = [], _ body: (Statement) -> Void) throws(DatabaseError) {
      defer {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
      }
      for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
      while try step() { body(self) }
    }

    /// A whole number of the present row; 0 for anything else.
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

    /// Goes to the next row; false at the end.
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

/// A value in a database.
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
