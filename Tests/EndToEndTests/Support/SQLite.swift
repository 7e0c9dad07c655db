import CSQLite

/// A connection to a database like that of another program. Its transaction ends with it.
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

  /// Returns the rows of a query as strings. NULL becomes an empty string.
  func rows(_ query: String) throws -> [[String]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK else { throw failure }
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        })
    }
    return rows
  }

  private var failure: HouseholdFailure {
    HouseholdFailure("\(path): \(String(cString: sqlite3_errmsg(database)))")
  }
}

/// Changes a database as another program would.
func sqlite(_ path: String, _ statements: String) throws { try SQLite(path).run(statements) }
