import Basics
package import Foundation
package import PostgreSQL

extension PostgreSQLConnection: HubSession {
  package func carryOut(
    _ statement: String, _ values: [HubValue], _ given: HubGiven?
  ) throws -> [PostgreSQLRow] {
    let statement = statement.replacingBytes("?", with: "$")
    let parameters = values.map(\.parameter)
    guard let given else { return try ask(statement, parameters) }
    let columns = given.rows[0].indices.map { column in given.rows.map { $0[column] } }
    let places = columns.indices.map { "$\(values.count + $0 + 1)" }.joined(separator: ", ")
    let names = columns.indices.map { "c\($0)" }
    let casts = zip(names, given.rows[0]).map { name, value in
      if case .address = value { "CAST(\(name) AS inet)" } else { name }
    }
    return try ask(
      """
      WITH given (\(given.columns)) AS (SELECT \(casts.joined(separator: ", "))
        FROM unnest(\(places)) AS g (\(names.joined(separator: ", ")))) \(statement)
      """, parameters + columns.map { .list($0[0].kind, $0.map(\.parameter)) })
  }

  package func newIDs(_ count: Int) throws -> [Int64] {
    guard count > 0 else { return [] }
    let rows = try rows("SELECT nextval('place') FROM generate_series(1, ?1)", .integer(count))
    return rows.compactMap { $0.number(0) }.sorted()
  }

  package func moveIDs(past last: Int64, by count: Int64) throws -> Int64 {
    try rows(
      """
      SELECT setval('place', greatest(CASE WHEN is_called THEN last_value ELSE 0 END, ?1) + ?2) FROM place
      """, .number(last), .number(count)
    ).first?.number(0) ?? 0
  }

  package func time() throws -> Int64 { try rows("SELECT clock_timestamp()").first?.time(0) ?? 0 }

  package func maySweep() throws -> Bool {
    try rows("SELECT pg_try_advisory_xact_lock(1919174756)").first?.flag(0) ?? false
  }

  package static func days(_ column: String) -> String { "make_interval(days => \(column))" }

  package static func size(_ column: String) -> String { "octet_length(\(column))" }

  package static var skippingLocked: String { "FOR UPDATE OF i SKIP LOCKED" }
}

extension PostgreSQLRow: HubRow {
  package func data(_ column: Int) -> Data? { bytes(column).map { Data($0) } }
}

extension HubValue {
  fileprivate var parameter: PostgreSQLParameter {
    switch self {
    case .number(let number): .number(number)
    case .text(let text): .text(text)
    case .bytes(let bytes): .bytes(bytes.map { [UInt8]($0) })
    case .flag(let flag): .flag(flag)
    case .time(let time): .time(time)
    // A link-local address ends with a percent sign and its interface, which the type doesn't support.
    case .address(let text): .text(text.map { String($0.prefix { $0 != "%" }) })
    }
  }

  fileprivate var kind: PostgreSQLParameter.Kind {
    switch self {
    case .number: .bigint
    case .text, .address: .text
    case .bytes: .bytea
    case .flag: .bool
    case .time: .timestamptz
    }
  }
}

// MARK: Transactions

extension PostgreSQLConnection {
  /// The statement that takes the lock "rddb", under which ids are assigned.
  static let lock = "SELECT pg_advisory_xact_lock(1919174754)"
  /// The channel of PostgreSQL's notifications of new ids.
  static let channel = "reddot_hub"

  /// The beginning of the single transaction that assigns ids at a time, in any hub of the database (page "Hub", "The
  /// order"). Its settings must apply in whichever session it runs: behind a pooler, settings of a session may be those
  /// of another one. The lock is a separate statement: statements after it see everything that was committed under the
  /// lock before.
  static let givingIDs = """
    SET LOCAL synchronous_commit = on; SET LOCAL statement_timeout = '5s'; SET LOCAL lock_timeout = '3s';
    SET LOCAL idle_in_transaction_session_timeout = '5s'; \(lock)
    """

  /// Begins a transaction and runs `body` in it. The transaction is rolled back if `body` fails; otherwise
  /// the caller must commit it.
  ///
  /// - Parameter first: the statements at its beginning.
  func begin<Value>(
    _ first: String, _ body: (PostgreSQLConnection) throws -> Value
  ) throws -> Value {
    do {
      try run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; \(first)")
      return try body(self)
    } catch {
      // If the connection is lost, the server has already rolled back.
      if (error as? PostgreSQLFailure)?.keepsConnection != false { try run("ROLLBACK") }
      throw error
    }
  }

  /// Commits a transaction that assigns ids. If no response arrives, its outcome is unknown. The commit has
  /// no timeout: if it ended the wait for a standby, the transaction would be committed on no standby.
  func commit(notifies: Bool) throws(PostgreSQLFailure) {
    try run("SET LOCAL statement_timeout = 0; \(notifies ? "NOTIFY \(Self.channel); " : "")COMMIT")
  }

  /// Runs one transaction that assigns no ids.
  func transaction<Value>(
    _ first: String = "", _ body: (PostgreSQLConnection) throws -> Value
  ) throws -> Value {
    let value = try begin(first, body)
    try run("COMMIT")
    return value
  }
}
