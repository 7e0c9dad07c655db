package import Foundation
import GRDB
import Messages

extension StoreCheck {
  /// Repairs a part of the store by deriving it again. If other processes use the store, the work is done in
  /// steps, with pauses in which they can write.
  package func repair(_ part: CheckPart, at now: Date) throws(StoreFailure) {
    switch part {
    case .schema: try makeAgain()
    case .file: try indexAgain()
    case .lists: try showAgain(at: now)
    case .counts: try countAgain()
    case .copies: try findFirstsAgain()
    case .facets: try fillFacetsAgain()
    case .search: try fillSearchAgain()
    case .savedLists: try judgeListsAgain(at: now)
    case .ids: try identifyAgain()
    case .entries: try makeKeysAgain()
    case .notices: try endNoticesAgain()
    }
  }

  // MARK: - Steps

  private func repeating(_ step: () throws(StoreFailure) -> Bool) throws(StoreFailure) {
    while try step() {}
  }

  /// Runs a transaction. Unless the process is alone, it first pauses for other writers.
  private func change<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    try isAlone ? write(.process, body) : maintain(.process, body)
  }

  /// Calls `body` with all elements, one slice in each transaction.
  private func slices<Element>(
    _ all: [Element], of count: Int = Rejudging.most,
    _ body: (Database, ArraySlice<Element>) throws -> Void
  ) throws(StoreFailure) {
    var rest = all[...]
    if rest.isEmpty { return }
    try repeating { () throws(StoreFailure) in
      try change { db in try body(db, rest.prefix(count)) }
      rest = rest.dropFirst(count)
      return !rest.isEmpty
    }
  }

  /// Calls `body` with the ids of all messages, one slice in each transaction.
  private func eachSlice(_ body: (Database, [Int64]) throws -> Void) throws(StoreFailure) {
    var last: Int64 = 0
    try repeating { () throws(StoreFailure) in
      try change { db in
        let query = try db.prepared("SELECT id FROM message WHERE id > ? ORDER BY id LIMIT ?")
        query.bind(1, last)
        query.bind(2, Rejudging.most)
        var ids: [Int64] = []
        try query.forEach { ids.append(query.int(0)) }
        if !ids.isEmpty { try body(db, ids) }
        last = ids.last ?? last
        return !ids.isEmpty
      }
    }
  }

  /// Changes or deletes the rows that match a condition, several in each transaction. They are found without
  /// the write lock, and each is tested again before the change.
  ///
  /// - Parameters:
  ///   - keys: the columns that identify a row.
  ///   - condition: the SQL condition, in which the table has its own name.
  ///   - assignment: the SQL of the new values, or `nil` to delete the rows.
  private func change(
    _ table: String, by keys: [String], where condition: String, to assignment: String? = nil
  ) throws(StoreFailure) {
    let rows = try read { db in
      var rows: [[DatabasePages.Value]] = []
      let query = try db.prepared("SELECT \(keys.joined(separator: ", ")) FROM \(table) WHERE \(condition)")
      try query.forEach { rows.append(keys.indices.map { query.value(Int32($0)) }) }
      return rows
    }
    let change = assignment.map { "UPDATE \(table) SET \($0)" } ?? "DELETE FROM \(table)"
    let row = keys.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
    try slices(rows) { db, rows in
      let statement = try db.prepared("\(change) WHERE \(row) AND (\(condition))")
      for values in rows {
        for (index, value) in values.enumerated() { try statement.bind(Int32(index + 1), value) }
        try statement.run()
      }
    }
  }

  private func numbers(_ sql: String) throws(StoreFailure) -> [Int64] {
    try read { db in
      var numbers: [Int64] = []
      let query = try db.prepared(sql)
      try query.forEach { numbers.append(query.int(0)) }
      return numbers
    }
  }

  // MARK: - Parts

  /// Copies the database page by page before it is repaired, so that the copy contains each page unchanged, even
  /// damaged ones.
  ///
  /// - Returns: the path of the copy, or `nil` in memory and if the disk has no room for one.
  package func copyBeforeRepair(at now: Date) throws(StoreFailure) -> String? {
    guard let path else { return nil }
    var disk = statvfs()
    var file = stat()
    let folder = (path as NSString).deletingLastPathComponent
    guard statvfs(folder.isEmpty ? "." : folder, &disk) == 0, stat(path, &file) == 0,
      UInt64(disk.f_bavail) * UInt64(disk.f_frsize) > UInt64(file.st_size) * 3
    else { return nil }
    let copy = StoredPages.pathOfCopy(of: path, at: now)
    do {
      try StoreBackups.makeEmpty(copy, for: copy)
      try store.connections.copyPages(into: copy)
    } catch {
      StoreBackups.remove(copy)
      throw StoreFailure(error, path: copy)
    }
    return copy
  }

  /// Drops the triggers, views and indexes that reddot never created or that differ from reddot's, and
  /// creates reddot's own again. Tables stay, since they may contain data.
  private func makeAgain() throws(StoreFailure) {
    let repairs = try read { db in try SchemaComparison(db).repairs }
    try slices(repairs, of: 1) { db, repairs in
      for sql in repairs.joined() { try db.execute(sql: sql) }
    }
  }

  /// Rebuilds all indexes.
  private func indexAgain() throws(StoreFailure) {
    let names = try read { db in
      var names: [String] = []
      let query = try db.prepared("SELECT name FROM sqlite_master WHERE type = 'index'")
      try query.forEach { names.append(query.text(0)) }
      return names
    }
    try slices(names, of: 1) { db, names in
      for name in names { try db.execute(sql: "REINDEX \"\(name)\"") }
    }
  }

  /// Recomputes which messages are shown, and which belong to a source of the settings.
  private func showAgain(at now: Date) throws(StoreFailure) {
    try eachSlice { db, ids in
      try StoreClock(db, columns, arrivals).show(
        ids, at: StoreClock(db, columns).now(), isNews: false)
      let follow = try db.prepared(
        """
        UPDATE status SET is_followed = NOT is_followed WHERE message_id = ?1 AND is_followed <>
          EXISTS (SELECT 1 FROM source s WHERE s.id = status.source_id AND s.position IS NOT NULL)
        """)
      for id in ids { try follow.run(id) }
    }
  }

  /// Recomputes all stored counts of messages.
  private func countAgain() throws(StoreFailure) {
    for counts in DerivedCounts.all {
      try slices(read { db in try counts.firstKeys(db) }, of: 1) { db, keys in
        for key in keys { try counts.derive(key, db) }
      }
    }
  }

  /// Recomputes which messages are duplicates of which original.
  private func findFirstsAgain() throws(StoreFailure) {
    try change(
      "status", by: ["message_id"],
      where: """
        original_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM status f
          WHERE f.message_id = status.original_id AND f.original_id IS NULL AND f.source_id = status.original_source)
        """, to: "original_id = NULL, original_source = NULL")
    try slices(numbers("SELECT DISTINCT original_id FROM status WHERE original_id IS NOT NULL")) {
      db, firsts in
      let insert = try db.prepared("INSERT OR IGNORE INTO duplicate_pending (original_id) VALUES (?)")
      for first in firsts { try insert.run(first) }
    }
    try repeating { () throws(StoreFailure) in try store.time.findFirsts() }
    try countAgain()
  }

  private func fillFacetsAgain() throws(StoreFailure) {
    // Searches work without them until they exist again.
    try change { db in try db.execute(sql: "UPDATE store SET facets_from = last_message + 1") }
    try repeating { () throws(StoreFailure) in
      try change { db in
        try db.execute(
          sql:
            "DELETE FROM facet WHERE (facet, message_id) IN (SELECT facet, message_id FROM facet LIMIT 10000)"
        )
        return db.changesCount > 0
      }
    }
    try repeating { () throws(StoreFailure) in try store.search.fill() }
  }

  private func fillSearchAgain() throws(StoreFailure) {
    // Searches work without it until it exists again.
    try change { db in try SearchIndex.empty(db) }
    try repeating { () throws(StoreFailure) in try store.search.fill() }
  }

  /// Recomputes the messages of the saved lists and their counts.
  private func judgeListsAgain(at now: Date) throws(StoreFailure) {
    try change(
      "list_member", by: ["message_id", "list_id"],
      where: """
        NOT EXISTS (SELECT 1 FROM saved_list l WHERE l.id = list_member.list_id)
          OR NOT EXISTS (SELECT 1 FROM status t WHERE t.message_id = list_member.message_id AND NOT t.is_read)
        """)
    try slices(numbers("SELECT id FROM saved_list"), of: 1) { db, lists in
      let count = try db.prepared(
        """
        UPDATE saved_list SET unread = (SELECT count(*) FROM list_member m WHERE m.list_id = saved_list.id),
          unseen = (SELECT count(*) FROM list_member m WHERE m.list_id = saved_list.id AND m.is_unseen) WHERE id = ?
        """)
      for list in lists { try count.run(list) }
    }
    try change { db in try SavedLists(db).judgeAll() }
    try repeating { () throws(StoreFailure) in try store.savedLists.judge(at: now) }
  }

  /// Deletes notifications whose message no longer exists, and ends notifications of messages whose shown
  /// notification no longer exists.
  private func endNoticesAgain() throws(StoreFailure) {
    let keys = ["message_id", "channel"]
    try change(
      "notification", by: keys,
      where: "NOT EXISTS (SELECT 1 FROM message m WHERE m.id = notification.message_id)")
    try change(
      "notification_again", by: ["message_id"],
      where: "NOT EXISTS (SELECT 1 FROM message m WHERE m.id = notification_again.message_id)")
    try change(
      "notification", by: keys,
      where: """
        state IN (1, 2) AND NOT EXISTS (SELECT 1 FROM notification_shown n
          WHERE n.id = notification.shown_id AND n.state IN (1, 2) AND n.channel = notification.channel)
        """, to: "state = 3, shown_id = NULL")
    try change(
      "notification", by: keys, where: "state NOT IN (1, 2) AND shown_id IS NOT NULL", to: "shown_id = NULL")
  }

  /// Removes and adds the lookup keys of feed entries that `EntryComparison` finds wrong or missing.
  private func makeKeysAgain() throws(StoreFailure) {
    let wrong = try read { db in try EntryComparison(db) }
    try slices(wrong.gone) { db, messages in
      let delete = try db.prepared(
        """
        DELETE FROM entry_facts WHERE message_id = ?1 AND NOT EXISTS (SELECT 1 FROM status WHERE message_id = ?1)
        """)
      for message in messages { try delete.run(message) }
    }
    try slices(wrong.lacking) { db, messages in
      var keys: [(key: Int64, message: Int64)] = []
      for (message, source) in messages {
        let facts = try EntryTable(db, of: source).facts(of: message)
        keys += (facts?.keys(in: source) ?? []).map { ($0, message) }
      }
      try EntryKeys(db).add(keys)
    }
    try slices(wrong.strange) { db, keys in
      let delete = try db.prepared(
        """
        DELETE FROM entry_key WHERE key = ?1 AND message_id = ?2
          AND NOT EXISTS (SELECT 1 FROM status WHERE message_id = ?2)
          AND NOT EXISTS (SELECT 1 FROM entry_facts WHERE message_id = ?2)
        """)
      for (key, message) in keys { try delete.run(key, message) }
    }
  }

  /// Repairs the ids under which messages are stored, and the data that refers to messages. An id whose
  /// message does not exist, or has another id, is removed. If a feed still lists that message, it arrives
  /// again.
  private func identifyAgain() throws(StoreFailure) {
    try change(
      "identity", by: ["source_id", "remote_id"],
      where: """
        message_id > 0 AND NOT EXISTS (SELECT 1 FROM status t JOIN detail d ON d.message_id = t.message_id
          WHERE t.message_id = identity.message_id AND t.source_id = identity.source_id
            AND d.remote_id = identity.remote_id)
        """)
    try change(
      "article", by: ["message_id"],
      where: "NOT EXISTS (SELECT 1 FROM message m WHERE m.id = article.message_id)")
    try change(
      "detail", by: ["message_id"], where: Self.detailDiffers,
      to: Self.detailColumns.map { "\($0.0) = \($0.1)" }.joined(separator: ", "))
    // A value without an act yields to values from other machines.
    for (table, column) in Self.writers {
      let keys =
        switch table {
        case "status": ["message_id"]
        case "early_cell": ["wire_source", "key", "event_hash", "field"]
        case "source_written": ["source", "machine"]
        default: ["id"]
        }
      try change(
        table, by: keys, where: Self.namesNoAct(column),
        to: column == "act" ? nil : "\(column) = NULL")
    }
    try identifyEach()
    // If two messages have the same id, the second one gets a new id.
    try change(
      "detail", by: ["message_id"],
      where: """
        NOT EXISTS (SELECT 1 FROM status t
          JOIN identity i ON i.source_id = t.source_id AND i.remote_id = detail.remote_id
          WHERE t.message_id = detail.message_id AND i.message_id = detail.message_id)
        """, to: "remote_id = remote_id || '|' || message_id")
    try identifyEach()
  }

  /// Stores the id of each message for which it is missing. The hash of the content is then unknown, so that
  /// the message counts as changed when it arrives again.
  private func identifyEach() throws(StoreFailure) {
    try eachSlice { db, ids in
      let insert = try db.prepared(
        """
        INSERT INTO identity (source_id, remote_id, message_id, hash)
        SELECT t.source_id, d.remote_id, t.message_id, 0 FROM status t JOIN detail d ON d.message_id = t.message_id
        WHERE t.message_id = ? ON CONFLICT DO UPDATE SET message_id = excluded.message_id WHERE identity.message_id <= 0
        """)
      for id in ids { try insert.run(id) }
    }
  }
}

/// The stored counts of each source's messages: the table `tally`.
struct Tallies {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Recomputes wrong counts, and returns their sources. A count is wrong if it is below zero or above the total. A
  /// wrong count never makes an action fail.
  func deriveWhereWrong() throws -> [SourceID] {
    let query = try db.prepared(
      "SELECT source_id FROM tally WHERE unread < 0 OR starred < 0 OR unread > total OR starred > total")
    var sources: [SourceID] = []
    try query.forEach { sources.append(SourceID(query.int(0))) }
    for source in sources { try DerivedCounts.sources.derive(source.rawValue.databaseValue, db) }
    return sources
  }
}
