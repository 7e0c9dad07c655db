import Basics
package import Foundation

extension HubStoring {
  /// Returns the properties of a document without its bytes, or `nil` if it, or the feed, does not exist.
  package func documentHead(
    _ path: DocumentPath, of feed: FeedName
  ) async throws(HubFailure) -> HubDocument.Head? {
    try await reading { session in
      try session.rows(
        "SELECT d.type, d.hash, d.modified \(documentByPath)", .text(feed.text), .text(path.text)
      ).first.flatMap { HubDocument.Head($0) }
    }
  }

  /// Returns a document of a feed, or `nil` if it, or the feed, does not exist.
  package func document(_ path: DocumentPath, of feed: FeedName) async throws(HubFailure) -> HubDocument? {
    try await reading { session in
      let row = try session.rows(
        "SELECT d.type, d.hash, d.modified, d.body \(documentByPath)", .text(feed.text), .text(path.text)
      ).first
      guard let row, let head = HubDocument.Head(row) else { return nil }
      return HubDocument(path: path, head: head, body: row.data(3) ?? Data())
    }
  }

  /// Stores a document, replacing the one with its path. The same type and bytes change nothing, not even its
  /// time. Throws `notFound` if the feed does not exist, and `documentsAreFull`.
  ///
  /// - Returns: `stored`, `updated` or `unchanged`.
  package func put(
    _ document: HubDocument, into name: FeedName, token: Int?, address: String?
  ) async throws(HubFailure) -> PublishResult.State {
    try await writing(notifies: false) { session in
      guard let feed = try session.feedID(name) else { throw HubFailure.notFound }
      let (path, head) = (document.path.text, document.head)
      let known = try session.rows(
        "SELECT type, hash FROM document WHERE feed = ?1 AND path = ?2", .number(feed), .text(path)
      ).first
      if let known, known.text(0) == head.type.rawValue, known.hash(1) == head.hash { return .unchanged }
      let others = try session.rows(
        "SELECT sum(length(body)) FROM document WHERE NOT (feed = ?1 AND path = ?2)", .number(feed),
        .text(path))
      guard (others.first?.integer(0) ?? 0) + document.body.count <= Limits.hubDocumentsBytes else {
        throw HubFailure.documentsAreFull
      }
      try session.rows(
        """
        INSERT INTO document (feed, path, type, body, hash, modified, token) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
          ON CONFLICT (feed, path) DO UPDATE SET type = excluded.type, body = excluded.body, hash = excluded.hash,
            modified = excluded.modified, token = excluded.token
        """, .number(feed), .text(path), .text(head.type.rawValue), .bytes(document.body),
        .bytes(Data(head.hash)), .time(head.modified.stored), .integer(token))
      let state: PublishResult.State = known == nil ? .stored : .updated
      try session.audit([
        HubAuditRow(
          at: head.modified.stored, token: token, address: address, feed: feed, key: path,
          act: "document \(state.rawValue)")
      ])
      return state
    }
  }

  /// Removes a document. Throws `notFound` if there is none.
  package func removeDocument(
    _ path: DocumentPath, of name: FeedName, token: Int?, address: String?, now: Date
  ) async throws(HubFailure) {
    try await writing(notifies: false) { session in
      guard let feed = try session.feedID(name) else { throw HubFailure.notFound }
      let removed = try session.rows(
        "DELETE FROM document WHERE feed = ?1 AND path = ?2 RETURNING 1", .number(feed), .text(path.text))
      if removed.isEmpty { throw HubFailure.notFound }
      try session.audit([
        HubAuditRow(
          at: now.stored, token: token, address: address, feed: feed, key: path.text,
          act: "document removed")
      ])
    }
  }
}

private let documentByPath =
  "FROM document d JOIN feed f ON f.id = d.feed WHERE f.name = ?1 AND d.path = ?2"

extension HubDocument.Head {
  fileprivate init?(_ row: some HubRow) {
    guard let type = row.text(0).flatMap({ DocumentType(rawValue: $0) }), let modified = row.date(2) else {
      return nil
    }
    self.init(type: type, hash: row.hash(1), modified: modified)
  }
}
