import Basics
package import Foundation
import GRDB
package import Sync

extension SQLiteHub {
  package func objects(
    of person: Int, after: Int64, limit: Int
  ) async throws(HubFailure) -> HubObjectPage {
    try await reading { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT lower(hex(device)), name, length(body), seq FROM sync_object
            WHERE person = ? AND seq > ? ORDER BY seq LIMIT ?
          """, arguments: [person, after, limit + 1])
      var page = HubObjectPage(last: try Self.lastChange(of: person, db), hasMore: rows.count > limit)
      for row in rows.prefix(limit) {
        guard let name = ObjectName(path: "\(row[0] as String)/\(row[1] as String)") else { continue }
        page.objects.append(HubObject(name: name, size: row[2], seq: row[3]))
      }
      return page
    }
  }

  package func object(_ name: ObjectName, of person: Int) async throws(HubFailure) -> Data? {
    try await reading { db in try Self.object(name, of: person, db) }
  }

  package func put(
    _ bytes: Data, as name: ObjectName, of person: Int, now: Date
  ) async throws(HubFailure) -> HubObjectChange {
    try await inTransaction { transaction in
      let db = transaction.db
      if let known = try Self.object(name, of: person, db) {
        guard known == bytes else { throw HubFailure.otherObject }
        return HubObjectChange(isNew: false, last: try Self.lastChange(of: person, db))
      }
      let stored =
        try Int.fetchOne(
          db, sql: "SELECT sum(length(body)) FROM sync_object WHERE person = ?", arguments: [person]) ?? 0
      guard stored + bytes.count <= Limits.hubPersonBytes else { throw HubFailure.objectsAreFull }
      let seq = try Self.change(of: person, db)
      try transaction.run(
        "INSERT INTO sync_object (person, device, name, body, seq, at) VALUES (?, ?, ?, ?, ?, ?)",
        [person, Data(name.device.bytes), name.file, bytes, seq, now.stored])
      return HubObjectChange(isNew: true, last: seq)
    }
  }

  package func removeObject(_ name: ObjectName, of person: Int) async throws(HubFailure) -> Int64 {
    try await inTransaction { transaction in
      let db = transaction.db
      try transaction.run(
        "DELETE FROM sync_object WHERE person = ? AND device = ? AND name = ?",
        [person, Data(name.device.bytes), name.file])
      return try db.changesCount > 0 ? Self.change(of: person, db) : Self.lastChange(of: person, db)
    }
  }

  package func lastChanges(of persons: Set<Int>) async throws(HubFailure) -> [Int: Int64] {
    if persons.isEmpty { return [:] }
    return try await reading { db in
      var last: [Int: Int64] = [:]
      for person in persons { last[person] = try Self.lastChange(of: person, db) }
      return last
    }
  }

  private static func object(_ name: ObjectName, of person: Int, _ db: Database) throws -> Data? {
    try Data.fetchOne(
      db, sql: "SELECT body FROM sync_object WHERE person = ? AND device = ? AND name = ?",
      arguments: [person, Data(name.device.bytes), name.file])
  }

  private static func lastChange(of person: Int, _ db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT last FROM person WHERE id = ?", arguments: [person]) ?? 0
  }

  /// - Returns: the change's number, from the order of all that the hub stores.
  private static func change(of person: Int, _ db: Database) throws -> Int64 {
    try db.execute(sql: "UPDATE place SET last = last + 1")
    let seq = try Int64.fetchOne(db, sql: "SELECT last FROM place") ?? 0
    try db.execute(sql: "UPDATE person SET last = ? WHERE id = ?", arguments: [seq, person])
    return seq
  }
}
