import Basics
package import Foundation
import GRDB

extension SQLiteHub {
  package func newest(of feed: FeedName, limit: Int, now: Date) async throws(HubFailure) -> [StoredItem] {
    try await reading { db in
      guard let id = try Int64.fetchOne(db, sql: "SELECT id FROM feed WHERE name = ?", arguments: [feed.text])
      else { throw HubFailure.notFound }
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT key, body, published, changed FROM item
            WHERE feed = ? AND live AND (expires IS NULL OR expires > ?) ORDER BY id DESC LIMIT ?
          """, arguments: [id, now.stored, limit])
      var (items, bytes): ([StoredItem], Int) = ([], 0)
      while let row = try rows.next() {
        let item = StoredItem(
          key: row[0], body: row[1], published: Date(stored: row[2]), changed: Date(stored: row[3]))
        bytes += item.body.utf8.count
        if bytes > Limits.hubPageBytes, !items.isEmpty { break }
        items.append(item)
      }
      return items
    }
  }

  package func uid() async throws(HubFailure) -> String {
    try await reading { db in try String.fetchOne(db, sql: "SELECT uid FROM hub") ?? "" }
  }

  package func numbers(ofHooks names: [FeedName]) async throws(HubFailure) -> [FeedName: Int] {
    try await inTurn { db in
      var numbers: [FeedName: Int] = [:]
      try db.inTransaction(.immediate) {
        for name in names {
          try db.execute(
            sql: "INSERT INTO hook (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [name.text])
          numbers[name] = try Int.fetchOne(
            db, sql: "SELECT id FROM hook WHERE name = ?", arguments: [name.text])
        }
        return .commit
      }
      return numbers
    }
  }

  package func audit(since: Int64, limit: Int) async throws(HubFailure) -> [AuditedAct] {
    try await reading { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT a.id, a.at, a.token, coalesce(t.name, h.name), a.address, f.name, a.key, a.item, a.act FROM audit a
            LEFT JOIN token t ON t.id = a.token LEFT JOIN hook h ON h.id = -a.token LEFT JOIN feed f ON f.id = a.feed
            WHERE a.id > ? ORDER BY a.id LIMIT ?
          """, arguments: [since, limit]
      ).map { row in
        AuditedAct(
          id: row[0], time: Date(stored: row[1]), token: row[2], tokenName: row[3], address: row[4],
          feed: row[5], key: row[6], item: row[7], act: row[8])
      }
    }
  }

  package func scheduled(now: Date) async throws(HubFailure) -> ScheduledItems {
    try await reading { db in
      let row = try Row.fetchOne(db, sql: "SELECT count(*), min(due) FROM scheduled")
      let oldest = (row?[1] as Int64?).map { Date(stored: $0) }
      return ScheduledItems(count: row?[0] ?? 0, oldest: oldest, now: now)
    }
  }
}
