package import Foundation
import GRDB
package import Messages

/// Unlists and deletes sources.
extension StoreSources {
  /// Unlists a source, as if the settings no longer contained it; its messages stay stored.
  package func remove(_ source: SourceID) throws(StoreFailure) {
    try write { db in try takeOff(source, db) }
  }

  /// Unlists a local source that the settings do not contain, as one step of the journal.
  package func remove(_ source: SourceID, as act: SettingsAct, at now: Date) throws(StoreFailure) {
    try write(.system) { db in
      try takeOff(source, db)
      _ = try Journal(db).append(JournaledEdit(act, .local(source.rawValue)), at: now.milliseconds)
    }
  }

  private func takeOff(_ source: SourceID, _ db: Database) throws {
    if try SourceRow.find(source, db, columns).place != nil { try unlist(source, db) }
    try SavedLists(db).judgeAll()
  }

  /// Lists a removed local source again.
  ///
  /// - Returns: the reason why it was not listed, or `nil` if it was.
  func restore(_ source: SourceID) throws(StoreFailure) -> String? {
    try write(.system) { db in
      let row = try SourceRow.all(db, columns).first { $0.source.id == source }
      guard let row, row.place == nil, row.source.kind == .local else {
        return "it is already listed again, or was deleted"
      }
      try list(local: source, db)
      try relist(source, db)
      try SavedLists(db).judgeAll()
      return nil
    }
  }

  /// Removes a local source again.
  func unlist(local source: SourceID) throws(StoreFailure) -> String? {
    try write(.system) { db in
      let row = try SourceRow.all(db, columns).first { $0.source.id == source }
      guard let row, row.place != nil, row.source.kind == .local else { return "it is not listed any more" }
      try unlist(source, db)
      try SavedLists(db).judgeAll()
      return nil
    }
  }

  /// Deletes a source, its messages and the acts on them. This cannot be undone. The source is first removed from all
  /// lists, then its messages are deleted, some in each transaction. A killed process leaves a source that can be
  /// deleted again.
  package func forget(_ source: SourceID) throws(StoreFailure) {
    try write { db in
      let row = try SourceRow.find(source, db, columns)
      try db.prepared("UPDATE source SET position = NULL WHERE id = ?").run(source.rawValue)
      if row.source.kind.row.keepsDocument {
        try StoredDocument.delete(try PollPosition.find(source, db).address(of: row.source), db)
      }
    }
    let count = try read { db in
      try db.integer("SELECT count(*) FROM status WHERE source_id = ? AND is_listed", source.rawValue)
    }
    var last: Int64? = 0
    while let after = last { last = try maintain { db in try unlistSome(of: source, after: after, db) } }
    while try maintain(.process, { db in try forgetSome(of: source, db) }) {}
    try write { db in
      try db.prepared("DELETE FROM duplicate_tally WHERE source_id = ?1 OR original_source = ?1").run(
        source.rawValue)
      try db.prepared(
        "DELETE FROM feature_switch_name WHERE switch_id IN (SELECT id FROM feature_switch WHERE source_id = ?)"
      )
      .run(source.rawValue)
      try db.prepared("UPDATE wire_source SET source_id = NULL WHERE source_id = ?").run(source.rawValue)
      for table in [
        "identity", "feature_switch", "feature_call", "outgoing", "sending", "upstream_open", "wire_key",
      ] {
        try db.prepared("DELETE FROM \(table) WHERE source_id = ?").run(source.rawValue)
      }
      try db.prepared("DELETE FROM source WHERE id = ?").run(source.rawValue)
      try SavedLists(db).judgeAll()
    }
    try store.search.shrink(after: Int(count ?? 0))
  }

  /// Removes the next messages of a source from all lists that show several sources.
  ///
  /// - Returns: the last checked message, or `nil` at the end.
  private func unlistSome(of source: SourceID, after: Int64, _ db: Database) throws -> Int64? {
    let last = try db.integer(
      "SELECT max(message_id) FROM (SELECT message_id FROM status WHERE message_id > ? ORDER BY message_id LIMIT ?)",
      after, Self.unlistedAtOnce)
    guard let last else { return nil }
    try db.prepared(
      "UPDATE status SET is_followed = 0 WHERE message_id > ?2 AND message_id <= ?3 AND source_id = ?1 AND is_followed"
    ).run(source.rawValue, after, last)
    return last
  }

  private static let unlistedAtOnce: Int64 = 5000

  /// Deletes some messages of a source.
  ///
  /// - Returns: whether there were any.
  private func forgetSome(of source: SourceID, _ db: Database) throws -> Bool {
    var ids: [Int64] = []
    for condition in ["is_listed", "NOT is_listed"] {
      let query = try db.prepared(
        "SELECT message_id FROM status WHERE source_id = ? AND \(condition) LIMIT ?")
      query.bind(1, source.rawValue)
      query.bind(2, Rejudging.most - ids.count)
      try query.forEach { ids.append(query.int(0)) }
    }
    let index = try SearchIndex(db)
    let identity = try db.prepared(
      "DELETE FROM identity WHERE source_id = ?1 AND remote_id = (SELECT remote_id FROM detail WHERE message_id = ?2)"
    )
    let table = EntryTable(db, of: source)
    for id in ids {
      try index.remove(id)
      try identity.run(source.rawValue, id)
      try table.forgetFacts(of: id)
      try MessageRows.delete(id, db)
    }
    if ids.isEmpty { return try table.forgetSome(atMost: Rejudging.most) }
    return true
  }
}
