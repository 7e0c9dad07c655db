import Basics
package import Foundation
import PostgreSQL

extension PostgreSQLHub {
  package func documentHead(
    _ path: DocumentPath, of feed: FeedName
  ) async throws(HubFailure) -> HubDocument.Head? {
    try await readers.perform { connection in
      try connection.ask(
        "SELECT \(Self.headColumns) FROM \(Self.found)", [.text(feed.text), .text(path.text)]
      ).first.flatMap { Self.head($0) }
    }
  }

  package func document(_ path: DocumentPath, of feed: FeedName) async throws(HubFailure) -> HubDocument? {
    try await readers.perform { connection in
      try connection.ask(
        "SELECT \(Self.headColumns), d.body FROM \(Self.found)", [.text(feed.text), .text(path.text)]
      ).first.flatMap { row in
        Self.head(row).map { HubDocument(path: path, head: $0, body: Data(row.bytes(3) ?? [])) }
      }
    }
  }

  private static let headColumns = "d.type, d.hash, d.modified"
  private static let found = "document d JOIN feed f ON f.id = d.feed WHERE f.name = $1 AND d.path = $2"

  private static func head(_ row: PostgreSQLRow) -> HubDocument.Head? {
    guard let type = row.text(0).flatMap({ DocumentType(rawValue: $0) }), let hash = row.bytes(1),
      let modified = row.time(2)
    else { return nil }
    return HubDocument.Head(type: type, hash: hash, modified: Date(stored: modified))
  }

  package func put(
    _ document: HubDocument, into name: FeedName, token: Int?, address: String?
  ) async throws(HubFailure) -> PublishResult.State {
    try await inTransaction { transaction in
      let connection = transaction.connection
      let feed = try transaction.feedID(name)
      let (path, head) = (document.path.text, document.head)
      let place: [PostgreSQLParameter] = [.number(feed), .text(path)]
      let known = try connection.ask(
        "SELECT type, hash FROM document WHERE feed = $1 AND path = $2", place
      ).first
      if let known, known.text(0) == head.type.rawValue, known.bytes(1) == head.hash { return .unchanged }
      let others =
        try connection.ask(
          "SELECT sum(octet_length(body)) FROM document WHERE NOT (feed = $1 AND path = $2)", place
        ).first?.number(0) ?? 0
      guard Int(others) + document.body.count <= Limits.hubDocumentsBytes else {
        throw HubFailure.documentsAreFull
      }
      _ = try connection.ask(
        """
        INSERT INTO document (feed, path, type, body, hash, modified, token)
          VALUES ($1::bigint, $2, $3, $4, $5, $6, $7::bigint)
          ON CONFLICT (feed, path) DO UPDATE SET type = excluded.type, body = excluded.body, hash = excluded.hash,
            modified = excluded.modified, token = excluded.token
        """,
        place + [
          .text(head.type.rawValue), .bytes([UInt8](document.body)), .bytes(head.hash),
          .time(head.modified.stored), .number(token.map { Int64($0) }),
        ])
      let state: PublishResult.State = known == nil ? .stored : .updated
      try connection.write([
        HubAuditRow(
          at: head.modified.stored, token: token, address: address, feed: feed, key: path,
          act: "document \(state.rawValue)")
      ])
      return state
    }
  }

  package func removeDocument(
    _ path: DocumentPath, of name: FeedName, token: Int?, address: String?, now: Date
  ) async throws(HubFailure) {
    try await inTransaction { transaction in
      let connection = transaction.connection
      let feed = try transaction.feedID(name)
      let removed = try connection.ask(
        "DELETE FROM document WHERE feed = $1 AND path = $2 RETURNING 1", [.number(feed), .text(path.text)])
      if removed.isEmpty { throw HubFailure.notFound }
      try connection.write([
        HubAuditRow(
          at: now.stored, token: token, address: address, feed: feed, key: path.text,
          act: "document removed")
      ])
    }
  }

  /// One beside the batches, under the lock of all that write. It isn't the thread that writes items which does it: that one has
  /// no time while many publish.
  ///
  /// - Parameter notifies: whether other hubs hear of it.
  func inTransaction<Value: Sendable>(
    notifies: Bool = false, _ body: @escaping @Sendable (HubDatabaseTransaction) throws -> Value
  ) async throws(HubFailure) -> Value {
    try await readers.perform { connection in
      let transaction = HubDatabaseTransaction(connection: connection)
      let value: Value
      do {
        try transaction.begin()
        value = try body(transaction)
      } catch {
        // Without a connection the server has done that.
        if (error as? PostgreSQLFailure)?.keepsConnection != false { try transaction.rollBack() }
        throw error
      }
      do throws(PostgreSQLFailure) {
        try transaction.commit(notifies: notifies)
      } catch {
        // Nobody knows whether it is done: done once more, it would have another answer.
        if case .lost = error { throw HubFailure.storeAway }
        throw error
      }
      return value
    }
  }
}
