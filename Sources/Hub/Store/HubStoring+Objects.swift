import Basics
package import Foundation
package import Sync

extension HubStoring {
  /// Returns the objects of a user's machines that arrived after a change, in that order. It uses one statement, so
  /// that they and the last change are from the same moment.
  package func objects(
    of person: Int, after: Int64, limit: Int
  ) async throws(HubFailure) -> HubObjectPage {
    try await reading { session in
      let rows = try session.rows(
        """
        SELECT p.last, o.device, o.name, o.size, o.seq FROM person p LEFT JOIN (
            SELECT person, device, name, length(body) AS size, seq FROM sync_object
              WHERE person = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3) o ON o.person = p.id
          WHERE p.id = ?1 ORDER BY o.seq
        """, .integer(person), .number(after), .integer(limit + 1))
      var page = HubObjectPage(last: rows.first?.number(0) ?? 0, hasMore: rows.count > limit)
      for row in rows.prefix(limit) {
        guard let device = DeviceID(bytes: row.hash(1)), let file = row.text(2), let size = row.integer(3),
          let seq = row.number(4), let name = ObjectName(path: "\(device.folder)/\(file)")
        else { continue }
        page.objects.append(HubObject(name: name, size: size, seq: seq))
      }
      return page
    }
  }

  /// Returns the bytes of an object, or `nil` if it does not exist.
  package func object(_ name: ObjectName, of person: Int) async throws(HubFailure) -> Data? {
    try await reading { try $0.object(name, of: person) }
  }

  /// Stores an object, which is never replaced. Throws `otherObject` if other bytes have its name, and
  /// `objectsAreFull`.
  package func put(
    _ bytes: Data, as name: ObjectName, of person: Int, now: Date
  ) async throws(HubFailure) -> HubObjectChange {
    try await writing(notifies: true) { session in
      if let known = try session.object(name, of: person) {
        guard known == bytes else { throw HubFailure.otherObject }
        return HubObjectChange(isNew: false, last: try session.lastChange(of: person))
      }
      let stored = try session.rows(
        "SELECT sum(length(body)) FROM sync_object WHERE person = ?1", .integer(person))
      guard (stored.first?.integer(0) ?? 0) + bytes.count <= Limits.hubPersonBytes else {
        throw HubFailure.objectsAreFull
      }
      let seq = try session.change(of: person)
      try session.rows(
        "INSERT INTO sync_object (person, device, name, body, seq, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        .integer(person), .bytes(Data(name.device.bytes)), .text(name.file), .bytes(bytes), .number(seq),
        .time(now.stored))
      return HubObjectChange(isNew: true, last: seq)
    }
  }

  /// Removes an object, if it exists.
  ///
  /// - Returns: the number of the user's last change.
  package func removeObject(_ name: ObjectName, of person: Int) async throws(HubFailure) -> Int64 {
    try await writing(notifies: true) { session in
      let removed = try session.rows(
        "DELETE FROM sync_object WHERE person = ?1 AND device = ?2 AND name = ?3 RETURNING 1",
        .integer(person), .bytes(Data(name.device.bytes)), .text(name.file))
      return try removed.isEmpty ? session.lastChange(of: person) : session.change(of: person)
    }
  }

  /// Returns the numbers of the last changes of users' objects.
  package func lastChanges(of persons: Set<Int>) async throws(HubFailure) -> [Int: Int64] {
    if persons.isEmpty { return [:] }
    return try await reading { session in
      var last: [Int: Int64] = [:]
      for row in try session.rows(
        "SELECT p.id, p.last FROM given g JOIN person p ON p.id = g.id", given: "id",
        persons.map { [.integer($0)] })
      {
        if let person = row.integer(0) { last[person] = row.number(1) }
      }
      return last
    }
  }
}

extension HubSession {
  fileprivate func object(_ name: ObjectName, of person: Int) throws -> Data? {
    try rows(
      "SELECT body FROM sync_object WHERE person = ?1 AND device = ?2 AND name = ?3", .integer(person),
      .bytes(Data(name.device.bytes)), .text(name.file)
    ).first?.data(0)
  }

  fileprivate func lastChange(of person: Int) throws -> Int64 {
    try rows("SELECT last FROM person WHERE id = ?1", .integer(person)).first?.number(0) ?? 0
  }

  /// Records a change of a user's objects.
  ///
  /// - Returns: the change's number, from the sequence of everything that the hub stores.
  fileprivate func change(of person: Int) throws -> Int64 {
    guard let seq = try newIDs(1).first else { return 0 }
    try rows("UPDATE person SET last = ?1 WHERE id = ?2", .number(seq), .integer(person))
    return seq
  }
}
