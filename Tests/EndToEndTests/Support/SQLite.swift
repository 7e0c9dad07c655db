import CSQLite

/// Changes a database as another program would.
func sqlite(_ path: String, _ statements: String) throws {
  var database: OpaquePointer?
  defer { sqlite3_close(database) }
  guard sqlite3_open(path, &database) == SQLITE_OK,
    sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK
  else { throw HouseholdFailure("\(path): \(String(cString: sqlite3_errmsg(database)))") }
}
