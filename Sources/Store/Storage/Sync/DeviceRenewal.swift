import GRDB
import Messages
import Sync

/// Gives this machine another id for synchronisation, for example after its database was copied.
struct DeviceRenewal {
  private let db: Database
  private let now: Milliseconds

  init(_ db: Database, at now: Milliseconds) { (self.db, self.now) = (db, now) }

  /// Continues under another id. Acts that only this database has are sent under the new id.
  ///
  /// - Parameter held: the numbers of the acts that keep the old id, since the sync location has them.
  func become(_ device: DeviceID, held: IDRanges) throws {
    guard let old = try SyncedMachine.find(db) else { return }
    try OwnActs(db).encode()
    let former = try Devices(db).find(old.device)
    for range in held.ranges { try giveAway(range, to: former.id) }
    // Writes that lost against the old id may win against the new one.
    try Devices(db).forgetKnown()
    try Objects(db).forgetRead()
    let update = try db.prepared("UPDATE sync SET device = ?")
    try update.bind(1, blob: device.bytes)
    try update.run()
    try number()
    try joinAgain()
  }

  /// Forgets the sync location, its machines, and the keys used there. Acts of the user on any machine remain in
  /// effect.
  static func startAnew(_ db: Database) throws {
    for field in Mark.Field.allCases {
      guard let column = field.row.by else { continue }
      // Acts of other machines are now like those that were deleted long ago.
      let values = field == .hidden ? "NULL" : field.row.column
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO mark_change (act, field, message, through, old, new)
          SELECT 0, \(field.rawValue), t.message_id, t.message_id, NULL, \(values)
          FROM status t CROSS JOIN journal j ON j.id = t.\(column)
          WHERE j.id < 0 AND j.device <> \(Writers.service) AND j.kind <> '\(Journal.undo)';
          UPDATE status SET \(column) = NULL WHERE \(column) IS NOT NULL;
          """)
    }
    try db.execute(
      sql: """
        UPDATE status SET woken = NULL, read_before = NULL WHERE woken IS NOT NULL;
        DELETE FROM journal WHERE id < 0;
        UPDATE mark_change SET old_by = NULL WHERE old_by < 0;
        UPDATE mark_change SET new_by = NULL WHERE new_by < 0;
        UPDATE journal SET device = \(Writers.here), seq = NULL, stamp = NULL;
        DELETE FROM sync; DELETE FROM own_act; DELETE FROM device; DELETE FROM object; DELETE FROM wire_key;
        DELETE FROM early_cell; DELETE FROM source_written; DELETE FROM wire_source;
        """)
  }

  /// Assigns this machine's acts with these numbers to another machine.
  private func giveAway(_ seqs: ClosedRange<Int64>, to device: Int64) throws {
    try db.prepared("UPDATE journal SET device = ?3 WHERE device = \(Writers.here) AND seq BETWEEN ?1 AND ?2")
      .run(seqs.lowerBound, seqs.upperBound, device)
    try db.prepared("DELETE FROM own_act WHERE seq BETWEEN ? AND ?").run(seqs.lowerBound, seqs.upperBound)
  }

  /// Numbers the remaining acts from 1 on.
  private func number() throws {
    let query = try db.prepared("SELECT seq, body FROM own_act ORDER BY seq")
    var kept: [(seq: Int64, body: [UInt8])] = []
    try query.forEach { kept.append((query.int(0), query.blob(1))) }
    let numbers = Dictionary(uniqueKeysWithValues: zip(kept.map(\.seq), Int64(1)...))
    let save = try db.prepared("UPDATE own_act SET seq = ?2, body = ?3, is_sent = 0 WHERE seq = ?1")
    let rename = try db.prepared(
      "UPDATE journal SET seq = ?2 WHERE device = \(Writers.here) AND seq = ?1")
    for (seq, body) in kept {
      var act = try ActCodec.decode(body).act
      act.undoes = numbers[act.undoes] ?? 0
      // In ascending order, no number is taken yet.
      let number = numbers[seq] ?? seq
      save.bind(1, seq)
      save.bind(2, number)
      try save.bind(3, blob: ActCodec.encode(act))
      try save.run()
      try rename.run(seq, number)
    }
  }

  /// Applies this machine's acts again, since writes under the new id may win or lose against others.
  private func joinAgain() throws {
    let query = try db.prepared(
      """
      SELECT j.id, o.seq, o.body FROM own_act o LEFT JOIN journal j ON j.device = \(Writers.here) AND j.seq = o.seq
      ORDER BY o.seq
      """)
    var acts: [(id: Int64?, seq: Int64, body: [UInt8])] = []
    try query.forEach { acts.append((query.optionalInt(0), query.int(1), query.blob(2))) }
    let (merging, journal) = (ActMerge(db, at: now), Journal(db))
    var batch = ActMerge.Batch()
    for (known, seq, body) in acts {
      let act = try ActCodec.decode(body).act
      // These are never in the journal, since no mark refers to them.
      if known == nil, act.groups.isEmpty || [.seen, .firstDelivery].contains(act.kind) { continue }
      // The act was deleted from the journal since no mark referred to it, but a mark may do so from now on.
      let id =
        try known
        ?? journal.append(
          sent: seq, act.kind.journal, stamp: act.stamp, at: min(act.stamp.milliseconds, now))
      for group in act.groups { try merging.apply(group, act: id, &batch) }
    }
    try merging.finish(&batch)
  }
}
