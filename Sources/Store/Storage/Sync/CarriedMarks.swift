import GRDB
import Messages
import Sync

/// Keeps the marks of a message on other machines if the user's own act created a new event (occasion) at the service,
/// for example by closing an issue. The other machines would otherwise reset the marks when they poll the event.
struct CarriedMarks {
  /// A mark that is in effect.
  private struct Standing {
    var field: Act.Field
    var column: String
    var value: Act.Value
    var stamp: Stamp
    /// Whether this machine wrote it, and can undo it.
    var isOwn: Bool
  }

  private let db: Database
  private let now: Milliseconds

  init(_ db: Database, at now: Milliseconds) { (self.db, self.now) = (db, now) }

  /// Sends the present marks again as marks about the new event, with their stamps. Call it before the message reports
  /// the event here.
  func send(_ message: Int64, under occasion: String) throws {
    guard var name = try WireKeys(db).name(of: message) else { return }
    let new = Act.Target.occasion(of: occasion)
    if name.target.occasion == new { return }
    // This happens while the acts still refer to the old occasion.
    try OwnActs(db).encode()
    let marks = try standing(of: message)
    try ActMerge(db, at: now).keep(message, isGoing: false)
    try WireKeys(db).report(new, message)
    name.target.occasion = new
    for (stamp, marks) in Dictionary(grouping: marks, by: \.stamp).sorted(by: { $0.key < $1.key }) {
      var groups = ActGroups(db)
      for mark in marks { try groups.add(mark.field, mark.value, name) }
      guard let seq = try OwnActs(db).add(.carried, stamp: stamp, groups.all) else { continue }
      let others = marks.filter { !$0.isOwn }
      if others.isEmpty { continue }
      let act = try Journal(db).append(sent: seq, stamp: stamp, at: now)
      for mark in others {
        try db.prepared("UPDATE status SET \(mark.column) = ?2 WHERE message_id = ?1").run(message, act)
      }
    }
    // An ended snooze belongs to the occasion before.
    try db.prepared(
      """
      UPDATE status SET woken = NULL, read_before = NULL, snoozed_by = NULL
      WHERE message_id = ? AND woken IS NOT NULL
      """
    ).run(message)
  }

  /// Returns the marks that users wrote about a message's present event, without reports of its service.
  private func standing(of message: Int64) throws -> [Standing] {
    let query = try db.prepared(
      """
      SELECT read_by, is_read, dismissed_by, dismissed_at IS NOT NULL, snoozed_by, snoozed_until, woken FROM status
      WHERE message_id = ?
      """)
    query.bind(1, message)
    let fields: [(Act.Field, String)] = [
      (.read, "read_by"), (.dismissed, "dismissed_by"), (.snoozed, "snoozed_by"),
    ]
    let found = try query.first { [query] in
      (
        woken: query.optionalInt(6),
        marks: fields.indices.map { place in
          (act: query.optionalInt(Int32(place * 2)), value: query.optionalInt(Int32(place * 2 + 1)))
        }
      )
    }
    guard let found else { return [] }
    var marks: [Standing] = []
    for ((field, column), mark) in zip(fields, found.marks) {
      guard let act = mark.act, try Writers(db).device(of: act) != Writers.service else { continue }
      if field == .snoozed, found.woken != nil { continue }
      marks.append(
        Standing(
          field: field, column: column, value: mark.value.map(Act.Value.integer) ?? .none,
          stamp: try Writers(db).writer(of: act).stamp, isOwn: try Writers(db).device(of: act) == Writers.here
        ))
    }
    guard let moment = found.woken, let snooze = found.marks[2].act,
      let waking = try MergeRule.waking(until: moment, by: Writers(db).writer(of: snooze), now: now)
    else { return marks }
    // Its end would no longer be known under the new occasion.
    let read = marks.firstIndex { $0.field == .read }
    if let read, marks[read].stamp > waking.stamp { return marks }
    if let read { marks.remove(at: read) }
    marks.append(
      Standing(
        field: .read, column: "read_by", value: found.marks[0].value.map(Act.Value.integer) ?? .none,
        stamp: waking.stamp, isOwn: false))
    return marks
  }
}
