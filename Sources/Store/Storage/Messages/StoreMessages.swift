import Foundation
import GRDB
package import Messages

/// Single messages: their content, their fetched articles, and their translations.
package struct StoreMessages: StorePart {
  let store: Store

  /// Returns a complete message, even one that no list shows.
  package func find(_ id: MessageID) throws(StoreFailure) -> Message? {
    try read { db in try find(id, db) }
  }

  /// Returns the message of a source with this remote id, or `nil` if there is none.
  package func find(_ remoteID: RemoteID, of source: SourceID) throws(StoreFailure) -> Message? {
    try read { db in try find(remoteID, of: source, db) }
  }

  /// Returns the first of the ids that no message has, or `nil` if all exist.
  package func missing(among ids: [MessageID]) throws(StoreFailure) -> MessageID? {
    try read { db in
      let query = try db.prepared("SELECT 1 FROM message WHERE id = ?")
      return try ids.first { id in
        query.bind(1, id.rawValue)
        return try query.first { true } == nil
      }
    }
  }

  /// Returns the messages that cannot be dismissed: their source keeps them in the lists until they expire.
  package func undismissable(among ids: [MessageID]) throws(StoreFailure) -> [MessageID] {
    try read { db in
      let query = try db.prepared("SELECT is_dismissable FROM status WHERE message_id = ?")
      return try ids.filter { id in
        query.bind(1, id.rawValue)
        return try query.first { query.bool(0) } == false
      }
    }
  }

  // MARK: - Within a transaction

  func find(_ remoteID: RemoteID, of source: SourceID, _ db: Database) throws -> Message? {
    let query = try db.prepared("SELECT message_id FROM identity WHERE source_id = ? AND remote_id = ?")
    query.bind(1, source.rawValue)
    try query.bind(2, remoteID.fitting.text)
    guard let id = try query.first({ query.int(0) }) else { return nil }
    return try find(MessageID(id), db)
  }

  func find(_ id: MessageID, _ db: Database) throws -> Message? {
    let query = try db.prepared("\(Message.select) WHERE m.id = ?")
    query.bind(1, id.rawValue)
    var message = try query.first { Message(query, columns) }
    message?.resolved = try Endings(db, at: 0).time(of: id.rawValue).map(Date.init(milliseconds:))
    if message?.content.kind == .local { message?.question = try QuestionRows(db).find(id.rawValue) }
    let copies = Duplicates(db)
    message?.otherSources = try copies.otherSources(of: id.rawValue)
    if message?.otherSources.isEmpty == false { try copies.complete(&message, columns) }
    return message
  }
}
