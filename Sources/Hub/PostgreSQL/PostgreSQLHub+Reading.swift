import Basics
package import Foundation
import PostgreSQL

extension PostgreSQLHub {
  package func newest(of feed: FeedName, limit: Int, now: Date) async throws(HubFailure) -> [StoredItem] {
    let rows = try await readers.perform { connection in
      try connection.ask(
        """
        SELECT i.key, i.body, i.published, i.changed FROM (SELECT id FROM feed WHERE name = $1) f
          LEFT JOIN LATERAL (
            SELECT *, row_number() OVER (ORDER BY id DESC) AS number,
                sum(octet_length(body)) OVER (ORDER BY id DESC) AS bytes
              FROM (SELECT id, key, body, published, changed FROM item
                WHERE feed = f.id AND live AND (expires IS NULL OR expires > $2) ORDER BY id DESC LIMIT $3) i
          ) i ON i.number = 1 OR i.bytes <= \(Limits.hubPageBytes)
          ORDER BY i.id DESC
        """, [.text(feed.text), .time(now.stored), .number(Int64(limit))])
    }
    if rows.isEmpty { throw .notFound }
    return rows.compactMap { row in
      guard let key = row.text(0), let body = row.text(1), let published = row.time(2),
        let changed = row.time(3)
      else { return nil }
      return StoredItem(
        key: key, body: body, published: Date(stored: published), changed: Date(stored: changed))
    }
  }

  package func uid() async throws(HubFailure) -> String {
    try await readers.perform { connection in
      try connection.ask("SELECT replace(uid::text, '-', '') FROM hub").first?.text(0) ?? ""
    }
  }

  package func numbers(ofHooks names: [FeedName]) async throws(HubFailure) -> [FeedName: Int] {
    try await readers.perform { connection in
      // One by one, so that those of the settings get numbers in their order.
      for name in names {
        _ = try connection.ask(
          "INSERT INTO hook (name) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM hook WHERE name = $1) ON CONFLICT DO NOTHING",
          [.text(name.text)])
      }
      var numbers: [FeedName: Int] = [:]
      for row in try connection.ask(
        "SELECT name, id FROM hook WHERE name = ANY ($1)", [.list(.text, names.map { .text($0.text) })])
      {
        if let name = row.text(0).flatMap({ FeedName($0) }) { numbers[name] = row.number(1).map { Int($0) } }
      }
      return numbers
    }
  }

  package func audit(since: Int64, limit: Int) async throws(HubFailure) -> [AuditedAct] {
    let rows = try await readers.perform { connection in
      try connection.ask(
        """
        SELECT a.id, a.at, a.token, coalesce(t.name, h.name), host(a.address), f.name, a.key, a.item, a.act FROM audit a
          LEFT JOIN token t ON t.id = a.token LEFT JOIN hook h ON h.id = -a.token LEFT JOIN feed f ON f.id = a.feed
          WHERE a.id > $1 ORDER BY a.id LIMIT $2
        """, [.number(since), .number(Int64(limit))])
    }
    return rows.compactMap { row in
      guard let id = row.number(0), let time = row.time(1), let act = row.text(8) else { return nil }
      return AuditedAct(
        id: id, time: Date(stored: time), token: row.number(2).map { Int($0) }, tokenName: row.text(3),
        address: row.text(4), feed: row.text(5), key: row.text(6), item: row.number(7), act: act)
    }
  }

  package func scheduled(now: Date) async throws(HubFailure) -> ScheduledItems {
    let row = try await readers.perform { connection in
      try connection.ask("SELECT count(*), min(due) FROM scheduled").first
    }
    return ScheduledItems(
      count: Int(row?.number(0) ?? 0), oldest: row?.time(1).map { Date(stored: $0) }, now: now)
  }
}
