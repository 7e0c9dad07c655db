import Basics
package import Foundation
import GRDB

extension SQLiteHub {
  package func documentHead(
    _ path: DocumentPath, of feed: FeedName
  ) async throws(HubFailure) -> HubDocument.Head? {
    try await reading { db in
      try Row.fetchOne(
        db, sql: "SELECT \(Self.headColumns) FROM \(Self.found)", arguments: [feed.text, path.text]
      ).flatMap { Self.head($0) }
    }
  }

  package func document(_ path: DocumentPath, of feed: FeedName) async throws(HubFailure) -> HubDocument? {
    try await reading { db in
      try Row.fetchOne(
        db, sql: "SELECT \(Self.headColumns), d.body FROM \(Self.found)", arguments: [feed.text, path.text]
      ).flatMap { row in
        Self.head(row).map { HubDocument(path: path, head: $0, body: row[3]) }
      }
    }
  }

  private static let headColumns = "d.type, d.hash, d.modified"
  private static let found =
    "document d JOIN feed f ON f.id = d.feed WHERE f.name = ? AND d.path = ?"

  private static func head(_ row: Row) -> HubDocument.Head? {
    DocumentType(rawValue: row[0]).map {
      HubDocument.Head(type: $0, hash: [UInt8](row[1] as Data), modified: Date(stored: row[2]))
    }
  }

  package func put(
    _ document: HubDocument, into name: FeedName, token: Int?, address: String?
  ) async throws(HubFailure) -> PublishResult.State {
    try await inTransaction { transaction in
      guard let feed = try transaction.feedID(name) else { throw HubFailure.notFound }
      let (path, head) = (document.path.text, document.head)
      let (type, hash) = (head.type.rawValue, Data(head.hash))
      let known = try Row.fetchOne(
        transaction.db, sql: "SELECT type, hash FROM document WHERE feed = ? AND path = ?",
        arguments: [feed, path])
      if let known, known[0] == type, known[1] == hash { return .unchanged }
      let others =
        try Int.fetchOne(
          transaction.db,
          sql: "SELECT sum(length(body)) FROM document WHERE NOT (feed = ? AND path = ?)",
          arguments: [feed, path]) ?? 0
      guard others + document.body.count <= Limits.hubDocumentsBytes else {
        throw HubFailure.documentsAreFull
      }
      try transaction.run(
        "INSERT OR REPLACE INTO document (feed, path, type, body, hash, modified, token) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [feed, path, type, document.body, hash, head.modified.stored, token])
      let state: PublishResult.State = known == nil ? .stored : .updated
      try transaction.audit(
        HubAuditRow(
          at: head.modified.stored, token: token, address: address, feed: feed, key: path,
          act: "document \(state.rawValue)"))
      return state
    }
  }

  package func removeDocument(
    _ path: DocumentPath, of name: FeedName, token: Int?, address: String?, now: Date
  ) async throws(HubFailure) {
    try await inTransaction { transaction in
      guard let feed = try transaction.feedID(name) else { throw HubFailure.notFound }
      try transaction.run("DELETE FROM document WHERE feed = ? AND path = ?", [feed, path.text])
      guard transaction.db.changesCount > 0 else { throw HubFailure.notFound }
      try transaction.audit(
        HubAuditRow(
          at: now.stored, token: token, address: address, feed: feed, key: path.text,
          act: "document removed"))
    }
  }

  /// One beside the batches.
  func inTransaction<Value: Sendable>(
    _ body: @escaping @Sendable (HubTransaction) throws -> Value
  ) async throws(HubFailure) -> Value {
    try await inTurn { db in
      var value: Value?
      try db.inTransaction(.immediate) {
        value = try body(HubTransaction(db: db))
        return .commit
      }
      guard let value else { throw HubFailure.storeAway }
      return value
    }
  }
}
