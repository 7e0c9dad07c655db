import GRDB

/// A table of counts that triggers maintain, and the query that derives its correct rows.
struct DerivedCounts: Sendable {
  private let table: String
  /// The columns that identify a row.
  private let keys: [String]
  private let counts: [String]
  /// Returns the SQL that derives the rows, restricted by a condition.
  private let query: @Sendable (_ condition: String) -> String
  /// The SQL condition for the rows that have the value `?1` in the first column of `keys`.
  private let ofFirstKey: String
  /// Returns a sentence that reports a wrong row, from the values of the row's keys.
  private let sentence: @Sendable ([String]) -> String

  static let all = [sources, duplicates, hidden]

  static let sources = DerivedCounts(
    table: "tally", keys: ["source_id"], counts: ["total", "unread", "starred"],
    query: { condition in
      """
      SELECT s.id, (SELECT count(*) FROM status t WHERE t.source_id = s.id AND t.is_listed),
        (SELECT count(*) FROM status t WHERE t.source_id = s.id AND t.is_listed AND NOT t.is_read),
        (SELECT count(*) FROM status t WHERE t.source_id = s.id AND t.is_listed AND t.is_starred)
      FROM source s WHERE \(condition)
      """
    }, ofFirstKey: "s.id = ?1", sentence: { "source \($0[0]): a count is wrong" })

  private static let duplicates = DerivedCounts(
    table: "duplicate_tally", keys: ["source_id", "original_source"], counts: ["total", "unread", "starred"],
    query: { condition in
      """
      SELECT source_id, original_source, count(*), sum(NOT is_read), sum(is_starred) FROM status
      WHERE original_id IS NOT NULL AND is_listed AND \(condition) GROUP BY source_id, original_source
      """
    }, ofFirstKey: "source_id = ?1",
    sentence: { "the number of duplicates that source \($0[0]) has of \($0[1]) is wrong" })

  private static let hidden = DerivedCounts(
    table: "hidden_tally", keys: ["rule"], counts: ["count"],
    query: { condition in
      """
      SELECT t.hidden_by, count(*) FROM status t
      WHERE \(OutOfInboxRange.Kind.hidden.condition) AND \(condition) GROUP BY t.hidden_by
      """
    }, ofFirstKey: "t.hidden_by = ?1", sentence: { "the number of messages that \($0[0]) hides is wrong" })

  private var columns: String { (keys + counts).joined(separator: ", ") }

  /// Returns a sentence for each row that differs from the row that the query derives, within one snapshot. A
  /// row whose counts are all 0 may be missing.
  func problems(_ db: Database) throws -> [String] {
    let names = keys.joined(separator: ", ")
    let isCounted = counts.map { "\($0) <> 0" }.joined(separator: " OR ")
    let differing = try db.prepared(
      """
      WITH stored (\(columns)) AS (SELECT \(columns) FROM \(table)), derived (\(columns)) AS (\(query("true")))
      SELECT \(names) FROM (SELECT * FROM derived EXCEPT SELECT * FROM stored) WHERE \(isCounted)
      UNION SELECT \(names) FROM (SELECT * FROM stored EXCEPT SELECT * FROM derived) WHERE \(isCounted)
      """)
    var problems: [String] = []
    try differing.forEach {
      problems.append(sentence(keys.indices.map { differing.text(Int32($0)) }))
    }
    return problems
  }

  /// Returns the values of the first key column in all rows that exist or should exist.
  func firstKeys(_ db: Database) throws -> [DatabaseValue] {
    try DatabaseValue.fetchAll(
      db,
      sql: """
        SELECT \(keys[0]) FROM \(table)
        UNION SELECT \(keys[0]) FROM (WITH derived (\(columns)) AS (\(query("true"))) SELECT * FROM derived)
        """)
  }

  /// Deletes the rows with this value of the first key column, and derives them again.
  func derive(_ key: DatabaseValue, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM \(table) WHERE \(keys[0]) = ?", arguments: [key])
    try db.execute(sql: "INSERT INTO \(table) (\(columns)) \(query(ofFirstKey))", arguments: [key])
  }
}
