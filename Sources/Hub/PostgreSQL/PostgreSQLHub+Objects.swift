import Basics
package import Foundation
import PostgreSQL
package import Sync

extension PostgreSQLHub {
  /// One statement: its objects and its last change are of one moment.
  package func objects(
    of person: Int, after: Int64, limit: Int
  ) async throws(HubFailure) -> HubObjectPage {
    let rows = try await readers.perform { connection in
      try connection.ask(
        """
        SELECT p.last, encode(o.device, 'hex'), o.name, o.size, o.seq FROM person p LEFT JOIN LATERAL (
            SELECT device, name, octet_length(body) AS size, seq FROM sync_object
              WHERE person = p.id AND seq > $2 ORDER BY seq LIMIT $3) o ON true
          WHERE p.id = $1 ORDER BY o.seq
        """, [.number(Int64(person)), .number(after), .number(Int64(limit) + 1)])
    }
    var page = HubObjectPage(last: rows.first?.number(0) ?? 0, hasMore: rows.count > limit)
    for row in rows.prefix(limit) {
      guard let device = row.text(1), let file = row.text(2), let size = row.number(3),
        let seq = row.number(4),
        let name = ObjectName(path: "\(device)/\(file)")
      else { continue }
      page.objects.append(HubObject(name: name, size: Int(size), seq: seq))
    }
    return page
  }

  package func object(_ name: ObjectName, of person: Int) async throws(HubFailure) -> Data? {
    try await readers.perform { connection in try connection.object(name, of: person).map { Data($0) } }
  }

  package func put(
    _ bytes: Data, as name: ObjectName, of person: Int, now: Date
  ) async throws(HubFailure) -> HubObjectChange {
    try await inTransaction(notifies: true) { transaction in
      let connection = transaction.connection
      if let known = try connection.object(name, of: person) {
        guard known.elementsEqual(bytes) else { throw HubFailure.otherObject }
        return HubObjectChange(isNew: false, last: try connection.lastChange(of: person))
      }
      let stored =
        try connection.ask(
          "SELECT coalesce(sum(octet_length(body)), 0) FROM sync_object WHERE person = $1",
          [.number(Int64(person))]
        ).first?.number(0) ?? 0
      guard Int(stored) + bytes.count <= Limits.hubPersonBytes else { throw HubFailure.objectsAreFull }
      let seq = try connection.change(of: person)
      _ = try connection.ask(
        """
        INSERT INTO sync_object (person, device, name, body, seq, at) VALUES ($1::bigint, $2, $3, $4, $5, $6)
        """, Self.place(name, person) + [.bytes([UInt8](bytes)), .number(seq), .time(now.stored)])
      return HubObjectChange(isNew: true, last: seq)
    }
  }

  package func removeObject(_ name: ObjectName, of person: Int) async throws(HubFailure) -> Int64 {
    try await inTransaction(notifies: true) { transaction in
      let connection = transaction.connection
      let removed = try connection.ask(
        "DELETE FROM sync_object WHERE person = $1 AND device = $2 AND name = $3 RETURNING 1",
        Self.place(name, person))
      return try removed.isEmpty ? connection.lastChange(of: person) : connection.change(of: person)
    }
  }

  package func lastChanges(of persons: Set<Int>) async throws(HubFailure) -> [Int: Int64] {
    if persons.isEmpty { return [:] }
    let rows = try await readers.perform { connection in
      try connection.ask(
        "SELECT id, last FROM person WHERE id = ANY ($1)",
        [.list(.bigint, persons.map { .number(Int64($0)) })])
    }
    return Dictionary(
      rows.compactMap { row in row.number(0).flatMap { id in row.number(1).map { (Int(id), $0) } } },
      uniquingKeysWith: { $1 })
  }

  fileprivate static func place(_ name: ObjectName, _ person: Int) -> [PostgreSQLParameter] {
    [.number(Int64(person)), .bytes(name.device.bytes), .text(name.file)]
  }
}

extension PostgreSQLConnection {
  fileprivate func object(_ name: ObjectName, of person: Int) throws(PostgreSQLFailure) -> [UInt8]? {
    try ask(
      "SELECT body FROM sync_object WHERE person = $1 AND device = $2 AND name = $3",
      PostgreSQLHub.place(name, person)
    ).first?.bytes(0)
  }

  fileprivate func lastChange(of person: Int) throws(PostgreSQLFailure) -> Int64 {
    try ask("SELECT last FROM person WHERE id = $1", [.number(Int64(person))]).first?.number(0) ?? 0
  }

  /// - Returns: the change's number, from the order of all that the hub stores: its lock is held.
  fileprivate func change(of person: Int) throws(PostgreSQLFailure) -> Int64 {
    let rows = try ask(
      "UPDATE person SET last = nextval('place') WHERE id = $1 RETURNING last", [.number(Int64(person))])
    return rows.first?.number(0) ?? 0
  }
}
