import Basics
import GRDB
import GRDBSQLite
import Messages

/// A statement of one connection, prepared once and cached by it, bound and read by position.
///
/// It calls SQLite directly: text keeps its NUL bytes, at which GRDB's C strings would end, and a bulk insert needs no
/// boxed values. Use a statement for one purpose at a time, since the same SQL is the same statement.
struct Prepared {
  private let statement: Statement
  private let handle: OpaquePointer

  init(_ db: Database, _ sql: String) throws {
    statement = try db.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  /// Creates a statement that is not cached, for example over a temporary table.
  init(_ statement: Statement) {
    self.statement = statement
    handle = statement.sqliteStatement
  }

  // MARK: - Binding, from 1

  func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

  func bind(_ index: Int32, _ value: Int) { sqlite3_bind_int64(handle, index, Int64(value)) }

  func bind(_ index: Int32, _ value: Bool) { sqlite3_bind_int64(handle, index, value ? 1 : 0) }

  func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }

  func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

  func bind(_ index: Int32, _ value: Int64?) {
    if let value { bind(index, value) } else { bindNull(index) }
  }

  func bind(_ index: Int32, _ value: String) throws {
    var value = value
    let code = value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        // A null address would bind NULL instead of an empty string.
        text.baseAddress.map { sqlite3_bind_text(handle, index, $0, Int32(clamping: text.count), transient) }
          ?? sqlite3_bind_text(handle, index, "", 0, transient)
      }
    }
    if code != SQLITE_OK { throw error(code) }
  }

  func bind(_ index: Int32, _ value: String?) throws {
    if let value { try bind(index, value) } else { bindNull(index) }
  }

  /// - Parameter utf8: valid UTF-8.
  func bind(_ index: Int32, utf8: [UInt8]?) throws {
    guard let utf8 else { return bindNull(index) }
    let code = utf8.withUnsafeBufferPointer { bytes in
      return bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(handle, index, $0.baseAddress, Int32(clamping: $0.count), transient)
      }
    }
    if code != SQLITE_OK { throw error(code) }
  }

  func bind(_ index: Int32, blob: [UInt8]) throws {
    let code = blob.withUnsafeBytes {
      sqlite3_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count), transient)
    }
    if code != SQLITE_OK { throw error(code) }
  }

  // MARK: - Running

  /// Advances to the next row, and returns whether there is one. Call `reset` after stopping before the last
  /// row.
  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE {
      sqlite3_reset(handle)
      return false
    }
    let failure = error(code)
    sqlite3_reset(handle)
    throw failure
  }

  func reset() { sqlite3_reset(handle) }

  /// Runs a statement that returns no rows.
  func run() throws {
    while try step() {}
  }

  /// Binds integers from position 1 on, then runs.
  func run(_ values: Int64...) throws {
    for (index, value) in values.enumerated() { bind(Int32(index + 1), value) }
    try run()
  }

  /// Visits every row; the statement is reset on every way out.
  func forEach(_ body: () throws -> Void) throws {
    defer { reset() }
    while try step() { try body() }
  }

  /// Returns the result of `body` for the first row, or `nil` if there is no row.
  func first<Value>(_ body: () throws -> Value) throws -> Value? {
    defer { reset() }
    return try step() ? try body() : nil
  }

  // MARK: - Reading, from 0

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func bool(_ column: Int32) -> Bool { sqlite3_column_int64(handle, column) != 0 }

  func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }

  func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  func isBlob(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_BLOB }

  func blob(_ column: Int32) -> [UInt8] {
    let count = Int(sqlite3_column_bytes(handle, column))
    guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Returns the value of a column, with the type that it has in the database.
  func value(_ column: Int32) -> DatabasePages.Value {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(int(column))
    case SQLITE_FLOAT: .real(double(column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(blob(column))
    default: .null
    }
  }

  private func error(_ code: Int32) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code),
      message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
  }
}

/// The argument that makes SQLite copy a value that is bound (SQLITE_TRANSIENT).
private var transient: sqlite3_destructor_type {
  unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)
}

extension Database {
  /// Sets the size of the page cache. With a small cache, a write to most pages of the file would read each
  /// of them repeatedly.
  func setCache(forLargeWrites isLarge: Bool) throws {
    let kibibytes = isLarge ? Limits.largeCacheKibibytes : Limits.cacheKibibytes
    try execute(sql: "PRAGMA cache_size = -\(kibibytes); PRAGMA shrink_memory")
  }

  func prepared(_ sql: String) throws -> Prepared { try Prepared(self, sql) }

  /// Runs a transaction whose statements are compiled once per connection. GRDB compiles its own each time, which costs
  /// more than a small transaction.
  ///
  /// - Parameter beginning: `BEGIN` or `BEGIN IMMEDIATE`.
  func inTransaction<Value>(_ beginning: String, _ body: (Database) throws -> Value) throws -> Value {
    try prepared(beginning).run()
    do {
      let value = try body(self)
      try prepared("COMMIT").run()
      return value
    } catch {
      // SQLite itself ends the transaction after some errors, for example a full disk.
      if isInsideTransaction { try prepared("ROLLBACK").run() }
      throw error
    }
  }

  /// Returns the first column of the first row of a query whose parameters are integers, or `nil` if there is
  /// no row or the value is NULL.
  func integer(_ sql: String, _ values: Int64...) throws -> Int64? {
    let query = try prepared(sql)
    for (index, value) in values.enumerated() { query.bind(Int32(index + 1), value) }
    return try query.first { query.optionalInt(0) } ?? nil
  }
}
