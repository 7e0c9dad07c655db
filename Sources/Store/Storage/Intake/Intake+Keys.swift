import Basics
import Foundation
import GRDB
import Messages

// Handles messages whose ids were chosen by their senders: the id identifies the message.
extension Intake {
  /// Assigns another id to each message whose id is that of a stored message with other content.
  func setApart(_ messages: [some Matchable], _ ids: inout [RemoteID]) throws {
    for position in messages.indices {
      guard let row = try hasSome ? table.row(ids[position]) : nil else { continue }
      let hash = try messages[position].contentHash()
      if hash == row.hash { continue }
      ids[position] = RemoteID(ids[position].text + "|" + String(UInt64(bitPattern: hash), radix: 16))
    }
  }

  /// Matches a message with the stored message of the same id.
  func matchByKey(_ position: Int, _ messages: [some Matchable], _ matching: inout Matching) throws {
    matching.matches[position] = .new
    // On a first poll nothing is known. A new message is hashed when it is written, so that its extras are encoded
    // once.
    guard hasSome, let row = try table.row(matching.ids[position]) else { return }
    let message = messages[position]
    let hash = try message.contentHash()
    matching.hashes[position] = hash
    if row.message <= 0 {
      if isNews(message.occasion, after: row, isChanged: row.hash != hash) {
        try table.forget(row)
      } else {
        try stillListed(row.remoteID)
        matching.matches[position] = .unchanged(0)
      }
    } else if row.hash == hash {
      matching.matches[position] = .unchanged(row.message)
    } else if try isReused(row, message) {
      try giveUpID(row)
    } else if try isLate(message.occasion, row.message) {
      matching.matches[position] = .unchanged(row.message)
    } else {
      matching.matches[position] = .changed(row.message)
    }
  }

  /// Whether a service has assigned the id of a stored message to another one.
  private func isReused(_ row: EntryTable.Row, _ message: some Matchable) throws -> Bool {
    guard let reusedID else { return false }
    let query = try db.prepared(
      "SELECT m.title, d.published, d.url FROM message m CROSS JOIN detail d ON d.message_id = m.id WHERE m.id = ?"
    )
    query.bind(1, row.message)
    let stored = try query.first {
      (title: query.text(0), published: query.optionalInt(1), url: query.optionalText(2))
    }
    guard let stored else { return false }
    let published = message.published?.milliseconds
    switch reusedID {
    case .titleAndDate:
      let url = message.url.flatMap { $0.utf8.count > Limits.addressBytes ? nil : $0 }
      return stored.title.inOneLine != message.title.prefix(characters: Limits.titleCharacters)
        && (stored.published != published || stored.url != url)
    case .date:
      guard let before = stored.published, let published else { return false }
      // One response may contain fractions of a second, and another one may not.
      return abs(published - before) > 1000
    }
  }

  /// Assigns another id to a stored message, since a different message now has its id. The service no longer
  /// has the stored message, so its waiting acts are deleted: they would be applied to the other message.
  private func giveUpID(_ row: EntryTable.Row) throws {
    let id = "\(row.remoteID.base)|\(row.message)"
    if isSynced { try WireKeys(db).give(id, to: row.message) }
    for change in [
      "UPDATE identity SET remote_id = ?4 WHERE source_id = ?1 AND remote_id = ?2 AND message_id = ?3",
      "UPDATE detail SET remote_id = ?4 WHERE message_id = ?3 AND ?1 IS NOT NULL AND ?2 IS NOT NULL",
      "DELETE FROM upstream_open WHERE source_id = ?1 AND remote_id = ?2 AND ?3 IS NOT NULL AND ?4 IS NOT NULL",
      "DELETE FROM outgoing WHERE source_id = ?1 AND message_id = ?3 AND ?2 IS NOT NULL AND ?4 IS NOT NULL",
    ] {
      let statement = try db.prepared(change)
      statement.bind(1, source.id.rawValue)
      try statement.bind(2, row.remoteID.text)
      statement.bind(3, row.message)
      try statement.bind(4, id)
      try statement.run()
    }
  }

  // MARK: - What is not kept

  /// Whether a message that is no longer kept arrives again because its thread, alert or check had a new event.
  private func isNews(_ occasion: String?, after row: EntryTable.Row, isChanged: Bool) -> Bool {
    guard let occasion else { return false }
    return row.occasion.map { Occasion(occasion).isLater(thanStored: $0) } ?? isChanged
  }

  /// Records that a message that is no longer kept is still in its feed.
  func stillListed(_ id: RemoteID) throws {
    let change = try db.prepared(
      """
      UPDATE identity SET last_listed = ?3
      WHERE source_id = ?1 AND remote_id = ?2 AND message_id <= 0 AND last_listed NOT BETWEEN ?3 - \(Self.week) AND ?3
      """)
    change.bind(1, source.id.rawValue)
    try change.bind(2, id.text)
    change.bind(3, now)
    try change.run()
  }

  private static let week: Milliseconds = 7 * 86_400_000
}
