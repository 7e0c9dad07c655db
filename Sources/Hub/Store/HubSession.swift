package import Foundation

/// A parameter of a statement; `nil` means NULL.
package enum HubValue: Hashable, Sendable {
  case number(Int64?)
  case text(String?)
  case bytes(Data?)
  case flag(Bool)
  /// Milliseconds since 1970.
  case time(Int64?)
  /// A network address.
  case address(String?)

  static func integer(_ number: Int?) -> Self { .number(number.map { Int64($0) }) }
}

/// Rows that a statement uses as the table `given`. Depending on the database, the statement is executed once
/// for all rows, or once for each.
package struct HubGiven: Sendable {
  /// The names, separated by commas.
  package let columns: String
  package let rows: [[HubValue]]
}

/// A row that a statement returned, in which NULL is `nil`.
package protocol HubRow: SendableMetatype {
  func number(_ column: Int) -> Int64?
  func text(_ column: Int) -> String?
  func data(_ column: Int) -> Data?
  func flag(_ column: Int) -> Bool?
  /// Returns a time in milliseconds since 1970.
  func time(_ column: Int) -> Int64?
}

extension HubRow {
  func integer(_ column: Int) -> Int? { number(column).map { Int($0) } }
  func date(_ column: Int) -> Date? { time(column).map { Date(stored: $0) } }
  func hash(_ column: Int) -> [UInt8] { data(column).map { [UInt8]($0) } ?? [] }
}

/// A connection to a store. All stores use the same statements; this contains the differences between their databases.
package protocol HubSession: SendableMetatype {
  associatedtype Row: HubRow

  /// Executes one statement.
  ///
  /// - Parameters:
  ///   - values: the values for `?1`, `?2`, and so on, each of which the statement uses.
  ///   - given: rows that it uses as a table, at least one.
  func carryOut(_ statement: String, _ values: [HubValue], _ given: HubGiven?) throws -> [Row]

  /// Returns the next ids, in a transaction during which no other one assigns ids.
  func newIDs(_ count: Int) throws -> [Int64]

  /// Skips ids: the last one becomes the greater of `last` and the last assigned one, plus `count`.
  ///
  /// - Returns: the last id.
  func moveIDs(past last: Int64, by count: Int64) throws -> Int64

  /// Returns the store's own time, in milliseconds since 1970.
  func time() throws -> Int64

  /// Whether no other process is sweeping. If so, no other one can begin to sweep before the end of the
  /// transaction.
  func maySweep() throws -> Bool

  /// Returns an SQL expression for the number of days in a column, as a span to add to a time.
  static func days(_ column: String) -> String

  /// Returns an SQL expression for the number of bytes in a column of strings.
  static func size(_ column: String) -> String

  /// The SQL at the end of a query for rows of the table `i` that will be changed. It leaves out rows that
  /// another transaction has locked, for which the query would have to wait.
  static var skippingLocked: String { get }
}

extension HubSession {
  @discardableResult
  func rows(_ statement: String, _ values: HubValue...) throws -> [Row] {
    try carryOut(statement, values, nil)
  }

  /// Executes a statement; does nothing if there are no rows.
  ///
  /// - Parameter columns: the names of the values of `rows`, separated by commas.
  @discardableResult
  func rows(
    _ statement: String, _ values: HubValue..., given columns: String, _ rows: [[HubValue]]
  ) throws -> [Row] {
    rows.isEmpty ? [] : try carryOut(statement, values, HubGiven(columns: columns, rows: rows))
  }

  /// Inserts rows.
  ///
  /// - Parameter conflict: the end of the statement, for rows that already exist.
  func insert(
    into table: String, _ columns: String, _ rows: [[HubValue]], _ conflict: String = ""
  ) throws {
    try self.rows(
      "INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM given WHERE true \(conflict)",
      given: columns, rows)
  }

  func feedID(_ name: FeedName) throws -> Int64? {
    try rows("SELECT id FROM feed WHERE name = ?1", .text(name.text)).first?.number(0)
  }

  func audit(_ acts: [HubAuditRow]) throws {
    try insert(
      into: "audit", "at, token, address, feed, key, item, act",
      acts.map {
        [
          .time($0.at), .integer($0.token), .address($0.address), .number($0.feed), .text($0.key),
          .number($0.item), .text($0.act),
        ]
      })
  }
}
