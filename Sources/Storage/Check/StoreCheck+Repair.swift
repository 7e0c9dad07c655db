package import Foundation
import GRDB
import Messages

extension StoreCheck {
  /// Derives a part of the store again, in steps that each leave room for other writes, beside whoever uses it.
  package func repair(_ part: CheckPart, at now: Date) throws(StoreFailure) {
    switch part {
    case .file: try write { db in try db.execute(sql: "REINDEX") }
    case .lists: try showAgain(at: now)
    case .counts: try countAgain()
    case .copies: try findFirstsAgain()
    case .facets: try fillFacetsAgain()
    case .search: try fillSearchAgain()
    case .savedLists: try judgeListsAgain(at: now)
    case .ids: try identifyAgain()
    case .notices:
      try write { db in
        try db.execute(
          sql: """
            DELETE FROM telling WHERE message_id NOT IN (SELECT id FROM message);
            UPDATE telling SET state = 3, notice_id = NULL WHERE state IN (1, 2)
              AND NOT EXISTS (SELECT 1 FROM shown_notice n WHERE n.id = telling.notice_id AND n.state IN (1, 2)
                AND n.channel = telling.channel);
            UPDATE telling SET notice_id = NULL WHERE state NOT IN (1, 2);
            """)
      }
    }
  }

  /// A copy of the database beside it, before it is repaired. Nil where the disk has no room for one, and in memory.
  package func copyBeforeRepair(at now: Date) throws(StoreFailure) -> String? {
    guard let path else { return nil }
    var disk = statvfs()
    var file = stat()
    let folder = (path as NSString).deletingLastPathComponent
    guard statvfs(folder.isEmpty ? "." : folder, &disk) == 0, stat(path, &file) == 0,
      UInt64(disk.f_bavail) * UInt64(disk.f_frsize) > UInt64(file.st_size) * 3
    else { return nil }
    let copy = "\(path).before-repair-\(now.milliseconds / 1000)"
    let mask = umask(0o077)
    defer { umask(mask) }
    try store.outsideTransactions { db in
      let statement = try db.prepared("VACUUM INTO ?")
      try statement.bind(1, copy)
      try statement.run()
    }
    return copy
  }

  /// Calls `body` with the ids of all messages, a slice to a transaction.
  private func eachSlice(
    _ body: (Database, [Int64]) throws -> Void
  ) throws(StoreFailure) {
    var last: Int64? = 0
    while let after = last {
      last = try write { db in
        let query = try db.prepared("SELECT id FROM message WHERE id > ? ORDER BY id LIMIT ?")
        query.bind(1, after)
        query.bind(2, Rejudging.most)
        var ids: [Int64] = []
        try query.forEach { ids.append(query.int(0)) }
        if !ids.isEmpty { try body(db, ids) }
        return ids.last
      }
    }
  }

  private func showAgain(at now: Date) throws(StoreFailure) {
    try eachSlice { db, ids in
      try StoreClock(db, columns, arrivals).show(
        ids, at: StoreClock(db, columns).now(), isNews: false)
      let follow = try db.prepared(
        """
        UPDATE status SET is_followed = NOT is_followed WHERE message_id = ?1 AND is_followed <>
          EXISTS (SELECT 1 FROM source s WHERE s.id = status.source_id AND s.place IS NOT NULL)
        """)
      for id in ids { try follow.run(id) }
    }
  }

  private func countAgain() throws(StoreFailure) {
    let sources = try read { db in
      var ids: [Int64] = []
      let query = try db.prepared("SELECT id FROM source")
      try query.forEach { ids.append(query.int(0)) }
      return ids
    }
    for source in sources { try write { db in try Tallies(db).derive(source) } }
    try write { db in
      try db.execute(
        sql: """
          DELETE FROM copy_tally;
          INSERT INTO copy_tally (source_id, first_source, total, unread, starred)
            SELECT source_id, first_source, count(*), sum(NOT is_read), sum(is_starred) FROM status
            WHERE first_id IS NOT NULL AND is_listed GROUP BY source_id, first_source;
          DELETE FROM hidden_tally;
          INSERT INTO hidden_tally (rule, count)
            SELECT hidden_by, count(*) FROM status WHERE hidden_by IS NOT NULL GROUP BY hidden_by;
          """)
    }
  }

  private func findFirstsAgain() throws(StoreFailure) {
    try write { db in
      try db.execute(
        sql: """
          UPDATE status SET first_id = NULL, first_source = NULL WHERE first_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM status f WHERE f.message_id = status.first_id AND f.first_id IS NULL
              AND f.source_id = status.first_source);
          INSERT OR IGNORE INTO copy_pending (first_id) SELECT DISTINCT first_id FROM status WHERE first_id IS NOT NULL;
          """)
    }
    while try store.time.findFirsts() {}
    try countAgain()
  }

  private func fillFacetsAgain() throws(StoreFailure) {
    // Searches do without them until they are there again.
    try write { db in try db.execute(sql: "UPDATE store SET facets_from = last_message + 1") }
    var isLeft = true
    while isLeft {
      isLeft = try write { db in
        try db.execute(
          sql:
            "DELETE FROM facet WHERE (facet, message_id) IN (SELECT facet, message_id FROM facet LIMIT 20000)"
        )
        return db.changesCount > 0
      }
    }
    while try store.search.fill() {}
  }

  private func fillSearchAgain() throws(StoreFailure) {
    // Searches do without it until it is there again.
    try write { db in try SearchIndex.empty(db) }
    while try store.search.fill() {}
  }

  private func judgeListsAgain(at now: Date) throws(StoreFailure) {
    try write { db in
      try db.execute(
        sql: """
          DELETE FROM list_member WHERE list_id NOT IN (SELECT id FROM saved_list)
            OR message_id NOT IN (SELECT message_id FROM status WHERE NOT is_read);
          UPDATE saved_list SET unread = (SELECT count(*) FROM list_member m WHERE m.list_id = saved_list.id),
            unseen = (SELECT count(*) FROM list_member m WHERE m.list_id = saved_list.id AND m.is_unseen);
          """)
      try SavedLists(db).judgeAll()
    }
    while try store.savedLists.judge(at: now) {}
  }

  /// An id that leads to nothing, or to another message than it says, goes: what its feed still lists comes again.
  private func identifyAgain() throws(StoreFailure) {
    try write { db in
      try db.execute(
        sql: """
          DELETE FROM identity WHERE message_id > 0 AND NOT EXISTS (
            SELECT 1 FROM status t JOIN detail d ON d.message_id = t.message_id
            WHERE t.message_id = identity.message_id AND t.source_id = identity.source_id AND d.remote_id = identity.remote_id);
          DELETE FROM article WHERE message_id NOT IN (SELECT id FROM message);
          """)
      // As if nobody had written it: what others send stands over it.
      for (table, column) in Self.writers {
        let change = table == "waiting" ? "DELETE FROM waiting" : "UPDATE \(table) SET \(column) = NULL"
        try db.execute(sql: "\(change) WHERE \(Self.namesNoAct(column))")
      }
    }
    try identifyEach()
    // Of two with one id, the second gets one of its own.
    try write { db in
      try db.execute(
        sql: """
          UPDATE detail SET remote_id = remote_id || '|' || message_id WHERE NOT EXISTS (
            SELECT 1 FROM status t JOIN identity i ON i.source_id = t.source_id AND i.remote_id = detail.remote_id
            WHERE t.message_id = detail.message_id AND i.message_id = detail.message_id)
          """)
    }
    try identifyEach()
  }

  /// Without the hash of the content a message counts as changed when it comes again.
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

/// The kept counts of the sources.
struct Tallies {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// A count below zero, or above the total, says that it is wrong: it never stops what a person does.
  func deriveWhereWrong() throws -> [SourceID] {
    let query = try db.prepared(
      "SELECT source_id FROM tally WHERE unread < 0 OR starred < 0 OR unread > total OR starred > total")
    var sources: [SourceID] = []
    try query.forEach { sources.append(SourceID(query.int(0))) }
    for source in sources { try derive(source.rawValue) }
    return sources
  }

  func derive(_ source: Int64) throws {
    try db.prepared(
      """
      INSERT OR REPLACE INTO tally (source_id, total, unread, starred) SELECT ?1,
        (SELECT count(*) FROM status WHERE source_id = ?1 AND is_listed),
        (SELECT count(*) FROM status WHERE source_id = ?1 AND is_listed AND NOT is_read),
        (SELECT count(*) FROM status WHERE source_id = ?1 AND is_listed AND is_starred)
      """
    ).run(source)
  }
}
