import CSQLite

/// A connection to a database, as another program has one. What it began ends with it.
final class SQLite {
  private let path: String
  private var database: OpaquePointer?

  init(_ path: String) throws {
    self.path = path
    guard sqlite3_open(path, &database) == SQLITE_OK else { throw failure }
    // reddot may just be writing.
    sqlite3_busy_timeout(database, 60_000)
  }

  deinit { sqlite3_close(database) }

  func run(_ statements: String) throws {
    guard sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  private var failure: HouseholdFailure {
    HouseholdFailure("\(path): \(String(cString: sqlite3_errmsg(database)))")
  }
}

/// Changes a database as another program would.
func sqlite(_ path: String, _ statements: String) throws { try SQLite(path).run(statements) }
