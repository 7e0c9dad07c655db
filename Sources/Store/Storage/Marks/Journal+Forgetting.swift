import GRDB
import Messages

// The journal of a machine that synchronises contains the acts of all machines, and the reports of services.
extension Journal {
  /// Finds acts that are no longer needed: no mark, waiting write, undo or source refers to them, they were sent, and
  /// they are too old to be undone. Writes nothing.
  ///
  /// An act that nothing refers to stays so, since anything that refers to an act does so from its own
  /// transaction on.
  ///
  /// - Returns: the ids of the acts in descending order: first the positive ones of this machine's user, from
  ///   the newest to the oldest, then the negative ones, from the oldest to the newest.
  func unneeded() throws -> [Int64] {
    let named =
      Mark.Field.allCases.compactMap(\.row.by).map { "SELECT \($0) FROM status WHERE \($0) IS NOT NULL" }
      + SourceCells.actColumns.map { "SELECT \($0) FROM wire_source WHERE \($0) IS NOT NULL" }
      + ["SELECT act FROM early_cell", "SELECT act FROM source_written"]
      // Undos restored marks to these acts, or could do so.
      + ["old_by", "new_by"].map { "SELECT \($0) FROM mark_change WHERE \($0) IS NOT NULL" }
    // The oldest row of others stays, so that no id is used twice: see `nextIDOfOthers`.
    let query = try db.prepared(
      """
      SELECT id FROM journal j WHERE stamp IS NOT NULL
        AND (id BETWEEN (SELECT min(id) FROM journal) + 1 AND -1 OR id BETWEEN 1 AND ?)
        AND NOT EXISTS (SELECT 1 FROM own_act o WHERE j.device = \(Writers.here) AND o.seq = j.seq AND NOT o.is_sent)
      EXCEPT \(named.joined(separator: " EXCEPT ")) ORDER BY id DESC
      """)
    query.bind(1, try nextID() - 1 - Self.length)
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    return ids
  }

  /// Deletes acts that `unneeded` has returned.
  func forget(_ ids: some Sequence<Int64>) throws {
    let delete = try db.prepared("DELETE FROM journal WHERE id = ?")
    for id in ids { try delete.run(id) }
  }
}
