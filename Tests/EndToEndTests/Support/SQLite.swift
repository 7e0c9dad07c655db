import CSQLite

/// Changes a database as another program would.
func sqlite(_ path: String, _ statements: String) throws {
  var database: OpaquePointer?
  defer { sqlite3_close(database) }
  guard sqlite3_open(path, &database) == SQLITE_OK,
    sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK
  else { throw HouseholdFailure("\(path): \(String(cString: sqlite3_errmsg(database)))") }
}

/// A database that another process has open.
final class SQLiteHolder {
  private var database: OpaquePointer?
  private let path: String

  init(_ path: String) throws {
    self.path = path
    guard sqlite3_open(path, &database) == SQLITE_OK else {
      throw HouseholdFailure("\(path) can't be opened")
    }
  }

  deinit { sqlite3_close(database) }

  func run(_ statements: String) throws {
    guard sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK else {
      throw HouseholdFailure("\(path): \(String(cString: sqlite3_errmsg(database)))")
    }
  }
}
