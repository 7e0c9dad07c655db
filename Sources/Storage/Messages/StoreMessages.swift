import Foundation
import GRDB
package import Messages

/// Single messages: their content, the articles that were fetched for them, and their translations.
package struct StoreMessages: StorePart {
  let store: Store

  /// A message, whole; also one that no list shows.
  package func find(_ id: MessageID) throws(StoreFailure) -> Message? {
    try read { db in try find(id, db) }
  }

  /// The message that a source knows by this id.
  package func find(_ remoteID: RemoteID, of source: SourceID) throws(StoreFailure) -> Message? {
    try read { db in try find(remoteID, of: source, db) }
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
    let copies = Copies(db)
    message?.otherSources = try copies.otherSources(of: id.rawValue)
    if message?.otherSources.isEmpty == false { try copies.complete(&message, columns) }
    return message
  }
}
