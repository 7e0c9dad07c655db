import GRDB
import Messages

extension Intake {
  /// A new id for a stored message.
  struct Renaming {
    /// The id under which the message is stored.
    var from: RemoteID
    var to: RemoteID
    /// Whether the document contained the new id.
    var isGiven = true
  }

  /// Assigns other ids to stored messages, all at the same time, since one may get the former id of another.
  ///
  /// - Parameter isReused: whether an id now belongs to another entry.
  func rename(_ renamings: [Renaming], isReused: (RemoteID) -> Bool = { _ in false }) throws {
    if renamings.isEmpty { return }
    var renamed = try removeRows(renamings)
    // Each table is written in its own order, so that each of its pages is written once.
    renamed.sort { $0.renaming.to.text < $1.renaming.to.text }
    let insert = try db.prepared(
      """
      INSERT OR REPLACE INTO identity (source_id, remote_id, message_id, hash, event_hash, last_listed, is_doubted)
      VALUES (?, ?, ?, ?, ?, ?, 0)
      """)
    for (row, renaming) in renamed {
      insert.bind(1, source.id.rawValue)
      try insert.bind(2, renaming.to.text)
      insert.bind(3, row.message)
      insert.bind(4, row.hash)
      insert.bind(5, row.occasion)
      insert.bind(6, row.message > 0 ? nil : now)
      try insert.run()
      if row.isDoubted { try table.doubt(row.remoteID) }
    }
    renamed.sort { $0.row.message.magnitude < $1.row.message.magnitude }
    let forgotten = try db.prepared("UPDATE entry_facts SET remote_id = ?2 WHERE message_id = ?1")
    let kept = try db.prepared("UPDATE detail SET remote_id = ?2 WHERE message_id = ?1")
    for (row, renaming) in renamed {
      let change = row.message > 0 ? kept : forgotten
      change.bind(1, row.message.magnitudeAsNumber)
      try change.bind(2, renaming.to.text)
      try change.run()
      if row.message > 0 { try tellOthers(of: renaming, row, isReused: isReused) }
    }
  }

  /// Deletes the rows of messages that get other ids, and returns them.
  private func removeRows(_ renamings: [Renaming]) throws -> [(row: EntryTable.Row, renaming: Renaming)] {
    var taken: [(row: EntryTable.Row, renaming: Renaming)] = []
    taken.reserveCapacity(renamings.count)
    for renaming in renamings.sorted(by: { $0.from.text < $1.from.text }) {
      if let row = try table.removeRow(of: renaming.from) { taken.append((row, renaming)) }
    }
    return taken
  }

  /// Records the new id of a message for synchronisation with other machines, and the keys by which other
  /// sources then find the message.
  private func tellOthers(
    of renaming: Renaming, _ row: EntryTable.Row, isReused: (RemoteID) -> Bool
  ) throws {
    let id = renaming.to
    if isSynced, let occasion = try WireKeys(db).rename(row.message, to: id.text) {
      named.append(WireKeys.Naming(remoteID: id.text, message: row.message, occasion: occasion))
      // On all machines the former id now means the other entry.
      if isReused(row.remoteID) { try WireKeys(db).remove(row.message) }
    }
    let former = EntryKeys.shared(url: nil, id: row.remoteID)
    let new = renaming.isGiven ? EntryKeys.shared(url: nil, id: id) : []
    if former != new {
      formerKeys.append((former, row.message))
      keys += new.map { ($0, row.message) }
    }
  }
}
