import GRDB

/// Inserts rows of one table, many by one statement: to begin and end a statement costs about as much as a row.
///
/// For the middle of a transaction that is rolled back as a whole after an error.
final class RowInsertion {
  /// With several rows SQLite could have to undo half a statement. It prepares for that beforehand, and the search index
  /// writes what it has collected to the file for it; with `fail` it need not.
  enum Conflict: String {
    case fail = "FAIL"
    /// A row that is there already stays as it is.
    case ignore = "IGNORE"
  }

  private let db: Database
  private let beginning: String
  private let row: String
  private let columns: Int
  /// The statements that were needed so far, by their numbers of rows.
  private var statements: [Int: Prepared] = [:]

  /// Rows of one statement: more gain nothing, and are longer to compile.
  static let atOnce = 16

  init(_ db: Database, into table: String, _ columns: [String], or conflict: Conflict = .fail) {
    self.db = db
    self.columns = columns.count
    beginning = "INSERT OR \(conflict.rawValue) INTO \(table) (\(columns.joined(separator: ", "))) VALUES "
    row = "(\(columns.map { _ in "?" }.joined(separator: ", ")))"
  }

  /// - Parameter bind: binds the values of one row, the first at the given position.
  /// - Returns: how many rows were not there before.
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
