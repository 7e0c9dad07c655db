package import Foundation
import GRDB
package import Messages

/// Marks messages as read because of events outside the inbox. These are not acts of the user, so there is nothing to
/// undo.
extension StoreMessages {
  /// Marks the messages from a terminal pane as read.
  ///
  /// - Parameter key: `TerminalPane.key`.
  package func readAll(ofPane key: String, at now: Date) throws(StoreFailure) {
    try write(.process) { db in
      let query = try db.prepared(
        """
        SELECT d.message_id FROM detail d CROSS JOIN status t ON t.message_id = d.message_id
        WHERE d.pane = ?1 AND NOT t.is_read ORDER BY d.message_id
        """)
      try query.bind(1, key)
      try read(query, db, at: now)
    }
  }

  /// Marks the messages of local sources with this remote id as read.
  package func readLocal(_ id: RemoteID, at now: Date) throws(StoreFailure) {
    try write(.process) { db in
      let query = try db.prepared(
        """
        SELECT i.message_id FROM source s CROSS JOIN identity i ON i.source_id = s.id AND i.remote_id = ?1
        WHERE s.kind = 'local' ORDER BY i.message_id
        """)
      try query.bind(1, id.fitting.text)
      try read(query, db, at: now)
    }
  }

  private func read(_ query: Prepared, _ db: Database, at now: Date) throws {
    var ids = IDRanges()
    try query.forEach { ids.append(query.int(0)) }
    try MarkWriter(db, by: .service, at: now.milliseconds).set(.read(true), on: ids)
  }
}
