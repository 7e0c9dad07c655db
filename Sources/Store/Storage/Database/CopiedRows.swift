import GRDB

/// Inserts rows of a table of another database, as stored there, into the table of the same name. A row that the table
/// rejects is left out.
struct CopiedRows {
  /// The stored columns, without computed ones.
  private(set) var columns: [(name: String, isRowid: Bool)] = []
  /// The statements that insert a row, keyed by its number of values.
  private var statements: [Int: Prepared] = [:]

  /// The number of columns that migrations have added to each table: older rows have fewer values.
  private static let added = [
    "attempt": 1, "banner": 1, "detail": 2, "ending": 4, "feature_switch": 1, "hold": 1, "host_rest": 1,
    "identity": 1,
    "journal": 4, "mark_change": 2, "notice": 1, "outgoing": 1, "polling": 12, "resolved": 4, "saved_list": 1,
    "source": 1,
    "status": 7, "store": 3, "wire_key": 1,
  ]

  init(_ table: String, _ db: Database) throws {
    var columns: [(name: String, isRowid: Bool)] = []
    let query = try db.prepared("SELECT name, type = 'INTEGER' AND pk = 1 FROM pragma_table_info('\(table)')")
    try query.forEach { columns.append((query.text(0), query.bool(1))) }
    self.columns = columns
    let conflict = table == "store" ? "REPLACE" : "IGNORE"
    if columns.isEmpty { return }
    // Tables of an older version have fewer columns.
    for count in max(1, columns.count - (Self.added[table] ?? 0))...columns.count {
      let names = columns.prefix(count).map(\.name).joined(separator: ", ")
      let places = (1...count).map { "?\($0)" }.joined(separator: ", ")
      statements[count] = try db.prepared("INSERT OR \(conflict) INTO \(table) (\(names)) VALUES (\(places))")
    }
  }

  /// Whether rows of the table have, or had in an earlier version, as many values as this row.
  func canHave(_ row: DatabasePages.Row) -> Bool { statements[row.values.count] != nil }

  /// Inserts a row, unless it does not fit the table.
  ///
  /// - Returns: `false` if its values show that it is not a row of this table.
  func insert(_ row: DatabasePages.Row) throws -> Bool {
    guard let statement = statements[row.values.count] else { return false }
    for (index, (column, value)) in zip(columns, row.values).enumerated() {
      let place = Int32(index + 1)
      if value == .null, column.isRowid {
        statement.bind(place, row.rowid)
      } else {
        try statement.bind(place, value)
      }
    }
    do {
      try statement.run()
      return true
    } catch let error as DatabaseError {
      // This is not a row of the table, although it looks like one.
      guard [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(error.resultCode.primaryResultCode) else {
        throw error
      }
      return false
    }
  }
}
