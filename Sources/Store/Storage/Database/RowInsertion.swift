import GRDB

/// Inserts rows of one table, many per statement, since beginning and ending a statement costs about as much as a row.
///
/// It is for use within a transaction that is rolled back completely after an error.
final class RowInsertion {
  /// The conflict clause of the statement (INSERT OR …). With several rows, SQLite may have to undo half a statement,
  /// and prepares for it: the search index then writes its collected entries to the file. With `fail` this is not
  /// needed.
  enum Conflict: String {
    case fail = "FAIL"
    /// An existing row stays unchanged.
    case ignore = "IGNORE"
  }

  private let db: Database
  private let beginning: String
  private let row: String
  private let columns: Int
  /// The statements that were needed so far, keyed by their numbers of rows.
  private var statements: [Int: Prepared] = [:]

  /// The maximum number of rows in one statement. More rows are no faster, and take longer to compile.
  static let atOnce = 16

  init(_ db: Database, into table: String, _ columns: [String], or conflict: Conflict = .fail) {
    self.db = db
    self.columns = columns.count
    beginning = "INSERT OR \(conflict.rawValue) INTO \(table) (\(columns.joined(separator: ", "))) VALUES "
    row = "(\(columns.map { _ in "?" }.joined(separator: ", ")))"
  }

  /// Inserts rows, several in each statement.
  ///
  /// - Parameter bind: binds the values of one row, the first at the given position.
  /// - Returns: the number of rows that did not exist before.
  @discardableResult
  func insert<Rows: RandomAccessCollection>(
    _ rows: Rows, _ bind: (Rows.Element, Prepared, Int32) throws -> Void
  ) throws -> Int {
    var rest = rows[...]
    var inserted = 0
    for count in [Self.atOnce, 1] where rest.count >= count {
      let statement = try statement(count)
      while rest.count >= count {
        var position: Int32 = 1
        for row in rest.prefix(count) {
          try bind(row, statement, position)
          position += Int32(columns)
        }
        rest = rest.dropFirst(count)
        try statement.run()
        inserted += db.changesCount
      }
    }
    return inserted
  }

  private func statement(_ rows: Int) throws -> Prepared {
    if let known = statements[rows] { return known }
    let new = try db.prepared(beginning + Array(repeating: row, count: rows).joined(separator: ", "))
    statements[rows] = new
    return new
  }
}
