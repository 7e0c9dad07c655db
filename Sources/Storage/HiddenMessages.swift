import GRDB

/// Messages that rules hide, and that the user brings back.
struct HiddenMessages {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// - Returns: those that were hidden.
  func show(_ ids: IDRanges) throws -> IDRanges {
    try change(
      ids, where: "hidden_by IS NOT NULL",
      "UPDATE status SET was_hidden_by = hidden_by, hidden_by = NULL, is_acted = 1 WHERE message_id = ?")
  }

  /// - Returns: those that `show` brought back.
  func hideAgain(_ ids: IDRanges) throws -> IDRanges {
    try change(
      ids, where: "was_hidden_by IS NOT NULL AND hidden_by IS NULL",
      "UPDATE status SET hidden_by = was_hidden_by, was_hidden_by = NULL WHERE message_id = ?")
  }

  private func change(_ ids: IDRanges, where condition: String, _ sql: String) throws -> IDRanges {
    let query = try db.prepared(
      "SELECT message_id FROM status WHERE message_id BETWEEN ? AND ? AND \(condition) ORDER BY message_id")
    let update = try db.prepared(sql)
    let lists = try ListChanges(db)
    var changed = IDRanges()
    for range in ids.ranges {
      query.bind(1, range.lowerBound)
      query.bind(2, range.upperBound)
      var found: [Int64] = []
      try query.forEach { found.append(query.int(0)) }
      for id in found {
        guard let old = try MessageHead.find(id, db) else { continue }
        try update.run(id)
        try lists.move(old, MessageHead.find(id, db))
        changed.append(id)
      }
    }
    try lists.finish()
    return changed
  }
}
