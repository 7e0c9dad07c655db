package import Foundation
import GRDB
package import HubItems
import Limits

extension SQLiteHub {
  package func document(_ path: DocumentPath, of feed: FeedName) async throws(HubFailure) -> HubDocument? {
    try await reading { db in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT d.type, d.body, d.hash, d.modified FROM document d JOIN feed f ON f.id = d.feed
            WHERE f.name = ? AND d.path = ?
          """, arguments: [feed.text, path.text])
      guard let row, let type = DocumentType(rawValue: row[0]) else { return nil }
      return HubDocument(
        path: path, type: type, body: row[1], hash: [UInt8](row[2] as Data), modified: Date(stored: row[3]))
    }
  }

  package func put(
    _ document: HubDocument, into name: FeedName, token: Int?, address: String?
  ) async throws(HubFailure) -> PublishResult.State {
    try await inTransaction { transaction in
      let feed = try transaction.feedID(name)
      let (path, hash) = (document.path.text, Data(document.hash))
      let known = try Row.fetchOne(
        transaction.db, sql: "SELECT type, hash FROM document WHERE feed = ? AND path = ?",
        arguments: [feed, path])
      if let known, known[0] == document.type.rawValue, known[1] == hash { return .unchanged }
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
        [feed, path, document.type.rawValue, document.body, hash, document.modified.stored, token])
      let state: PublishResult.State = known == nil ? .stored : .updated
      try transaction.audit("document \(state)", feed, key: path, token, address, document.modified)
      return state
    }
  }

  package func removeDocument(
    _ path: DocumentPath, of name: FeedName, token: Int?, address: String?, now: Date
  ) async throws(HubFailure) {
    try await inTransaction { transaction in
      let feed = try transaction.feedID(name)
      try transaction.run("DELETE FROM document WHERE feed = ? AND path = ?", [feed, path.text])
      guard transaction.db.changesCount > 0 else { throw HubFailure.notFound }
      try transaction.audit("document removed", feed, key: path.text, token, address, now)
    }
  }

  /// One that gives no ids.
  private func inTransaction<Value: Sendable>(
    _ body: @escaping @Sendable (HubTransaction) throws -> Value
  ) async throws(HubFailure) -> Value {
    try await inTurn { db in
      var value: Value?
      try db.inTransaction(.immediate) {
        value = try body(HubTransaction(db))
        return .commit
      }
      guard let value else { throw HubFailure.storeAway }
      return value
    }
  }
}
