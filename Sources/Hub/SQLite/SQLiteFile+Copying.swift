import Basics
import GRDB

extension SQLiteFile {
  /// Reads all tables, in their state at one instant. Failures of `begin` and `add` are rethrown unchanged.
  ///
  /// - Parameters:
  ///   - begin: called first, with the hub's id and the last assigned id.
  ///   - add: called with some rows of a table at a time.
  func readAll(
    begin: (_ uid: String, _ lastID: Int64) throws -> Void, add: (HubTable, [[HubValue]]) throws -> Void
  ) throws {
    do {
      try pool.read { db in
        let hub = try SQLiteSession(db: db).rows("SELECT uid, last FROM hub, place").first
        try begin(hub?.text(0) ?? "", hub?.number(1) ?? 0)
        for table in HubTable.all { try Self.read(table, db, add) }
      }
    } catch let error as DatabaseError { throw Self.failure(error, path) }
  }

  private static func read(
    _ table: HubTable, _ db: Database, _ add: (HubTable, [[HubValue]]) throws -> Void
  ) throws {
    let cursor = try Row.fetchCursor(db, sql: "SELECT \(table.names) FROM \(table.name) ORDER BY 1, 2")
    var (rows, bytes): ([[HubValue]], Int) = ([], 0)
    while let row = try cursor.next() {
      let (values, size) = table.values(SQLiteRow(row: row))
      rows.append(values)
      bytes += size
      if rows.count == Limits.hubCopyRows || bytes > Limits.hubCopyBytes {
        try add(table, rows)
        (rows, bytes) = ([], 0)
      }
    }
    if !rows.isEmpty { try add(table, rows) }
  }
}
