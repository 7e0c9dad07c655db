import Basics
import GRDB
import Messages

// Answers a poll's queries about acts that its service may not know yet.
extension Outgoing {
  /// Whether the user's act on this field of a message is newer than a poll's report: it is not sent yet, or was sent
  /// after the poll began, or the user undid an act that the service has. Another machine's act is newer until the
  /// service reports the same.
  func isNewer(_ column: String, of message: Int64, than start: Milliseconds) throws -> Bool {
    let query = try db.prepared(
      """
      SELECT 1 FROM outgoing WHERE message_id = ?1 AND (field = ?2 AND (carried IS NULL OR carried >= ?3)
        OR field = '\(Self.keptPrefix)' || ?2)
      """)
    query.bind(1, message)
    try query.bind(2, column)
    query.bind(3, start)
    return try query.first { true } ?? false
  }

  /// Whether a source has neither acts that wait to be sent, on any machine, nor acts that were sent since
  /// its last poll.
  func isEmpty(of source: SourceID) throws -> Bool {
    try db.integer(
      """
      SELECT EXISTS (SELECT 1 FROM outgoing WHERE source_id = ?1 AND \(Self.waits))
        OR EXISTS (SELECT 1 FROM outgoing WHERE source_id = ?1 AND carried IS NOT NULL)
        OR EXISTS (SELECT 1 FROM outgoing WHERE source_id = ?1 AND device <> 0)
      """, source.rawValue) == 0
  }

  /// Deletes acts that were sent before the start of a stored poll.
  func forget(of source: SourceID, carriedBefore start: Milliseconds) throws {
    try db.prepared("DELETE FROM outgoing WHERE source_id = ? AND carried < ?")
      .run(source.rawValue, start)
  }

  // MARK: - Acts of other machines

  /// Whether acts of other machines take precedence over the report of a source's service. Acts that the
  /// service hasn't confirmed for very long no longer take precedence.
  func holds(_ source: SourceID, at now: Milliseconds) throws -> Bool {
    try db.prepared("DELETE FROM outgoing WHERE source_id = ? AND device <> 0 AND made < ?").run(
      source.rawValue, now - Milliseconds(Limits.outgoingSeconds * 1000))
    return try db.integer(
      "SELECT 1 FROM outgoing WHERE source_id = ? AND device <> 0 LIMIT 1", source.rawValue) == 1
  }

  /// Records that the service now reports the value that another machine's act wrote, so that its reports are
  /// used from now on.
  ///
  /// - Parameter value: the value as in `outgoing.value`.
  func agree(_ column: String, _ value: Int64?, of message: Int64) throws {
    let delete = try db.prepared(
      "DELETE FROM outgoing WHERE message_id = ?1 AND field = ?2 AND device <> 0 AND value IS ?3")
    delete.bind(1, message)
    try delete.bind(2, column)
    delete.bind(3, value)
    try delete.run()
  }

  /// Returns the messages of a source that another machine's act marks as read.
  func heldRead(of source: SourceID) throws -> [(message: Int64, remoteID: RemoteID)] {
    let query = try db.prepared(
      """
      SELECT message_id, remote_id FROM outgoing
      WHERE source_id = ? AND device <> 0 AND field = 'read' AND value = 1
      """)
    query.bind(1, source.rawValue)
    var held: [(message: Int64, remoteID: RemoteID)] = []
    try query.forEach { held.append((query.int(0), RemoteID(query.text(1)))) }
    return held
  }

  /// Deletes other machines' acts on a message that is deleted.
  func forget(heldOf message: Int64) throws {
    try db.prepared("DELETE FROM outgoing WHERE message_id = ? AND device <> 0").run(message)
  }
}
