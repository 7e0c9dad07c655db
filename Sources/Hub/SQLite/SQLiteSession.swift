package import Foundation
import GRDB

/// A connection to a file. Each statement is prepared once.
package struct SQLiteSession: HubSession {
  let db: Database

  package func carryOut(_ statement: String, _ values: [HubValue], _ given: HubGiven?) throws -> [SQLiteRow] {
    guard let given else { return try carryOut(db.cachedStatement(sql: statement), values) }
    let places = given.rows[0].indices.map { "?\(values.count + $0 + 1)" }
    // Within the process, a statement for each row costs no more than one for all.
    let prepared = try db.cachedStatement(
      sql: "WITH given (\(given.columns)) AS (SELECT \(places.joined(separator: ", "))) \(statement)")
    return try given.rows.flatMap { try carryOut(prepared, values + $0) }
  }

  private func carryOut(_ statement: Statement, _ values: [HubValue]) throws -> [SQLiteRow] {
    let arguments = StatementArguments(values.map(\.databaseValue))
    if statement.columnCount > 0 {
      return try GRDB.Row.fetchAll(statement, arguments: arguments).map { SQLiteRow(row: $0) }
    }
    try statement.execute(arguments: arguments)
    return []
  }

  package func newIDs(_ count: Int) throws -> [Int64] {
    guard count > 0 else { return [] }
    let last = try moveIDs(past: 0, by: Int64(count))
    return Array(last - Int64(count) + 1...last)
  }

  package func moveIDs(past last: Int64, by count: Int64) throws -> Int64 {
    try rows("UPDATE place SET last = max(last, ?1) + ?2 RETURNING last", .number(last), .number(count))
      .first?.number(0) ?? 0
  }

  package func time() -> Int64 { Date().stored }

  package func maySweep() -> Bool { true }

  package static func days(_ column: String) -> String { "\(column) * 86400000" }

  package static func size(_ column: String) -> String { "length(CAST(\(column) AS blob))" }

  /// Empty: a query never waits for locked rows, since SQLite has only one writer.
  package static let skippingLocked = ""
}

/// A row. Booleans are 0 and 1, times are milliseconds since 1970.
package struct SQLiteRow: HubRow {
  let row: Row

  package func number(_ column: Int) -> Int64? { row[column] }
  package func text(_ column: Int) -> String? { row[column] }
  package func data(_ column: Int) -> Data? { row[column] }
  package func flag(_ column: Int) -> Bool? { row[column] }
  package func time(_ column: Int) -> Int64? { row[column] }
}

extension HubValue {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .number(let number), .time(let number): number.databaseValue
    case .text(let text), .address(let text): text.databaseValue
    case .bytes(let bytes): bytes.databaseValue
    case .flag(let flag): flag.databaseValue
    }
  }
}
