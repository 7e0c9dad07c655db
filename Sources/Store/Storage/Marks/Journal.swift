import Foundation
import GRDB
import Messages
import Sync

/// The table of the user's acts, oldest first. An act is one change that can be undone. Changes of marks are in
/// `MarkLog`, edits of the settings are here.
///
/// The ids of the user's acts on this machine are positive and dense. All other acts have negative ids: those
/// of other machines, services' reports, and acts of this machine that cannot be undone.
struct Journal {
  /// The acts that one undo reverts: usually a single act.
  struct Step {
    /// The id of its first act.
    var id: Int64
    /// The acts in their order.
    var acts: [Int64]
    var at: Milliseconds
    var kind: UserAct.Kind
    /// The act that this step undoes, if it is an undo.
    var undoes: Int64?
    /// The edits of the settings, in their order.
    var edits: [JournaledEdit]
  }

  let db: Database

  init(_ db: Database) { self.db = db }

  /// Returns the id of the user's next act, to which writes may refer before it exists.
  func nextID() throws -> Int64 {
    (try db.integer("SELECT seq FROM sqlite_sequence WHERE name = 'journal'") ?? 0) + 1
  }

  /// Adds an act.
  ///
  /// - Parameters:
  ///   - id: an id from `nextID`.
  ///   - kind: the stored kind: that of `UserAct.Kind`, or `undo` or `redo`.
  ///   - step: the first act of its step, or `nil` if it begins one.
  ///   - seq: its number in `own_act`, the table of acts to send, or `nil` if it is not sent to other machines.
  ///   - stamp: the stamp, or `nil` without synchronisation.
  func append(
    _ id: Int64, _ kind: String, _ changes: [MarkChange], undoes: Int64? = nil, step: Int64? = nil,
    seq: Int64? = nil, stamp: Stamp? = nil, at now: Milliseconds
  ) throws {
    try insert(id, kind, undoes: undoes, step: step, seq: seq, stamp: stamp, at: now)
    try MarkLog(db).add(changes, to: id)
    try forget(before: id - Self.length)
  }

  /// Adds a service's report that changed marks. Other machines query the service themselves.
  ///
  /// - Parameter id: an id from `nextIDOfOthers`.
  func append(_ id: Int64, ofService stamp: Stamp, at now: Milliseconds) throws {
    try insert(id, "service", device: Writers.service, stamp: stamp, at: now)
  }

  /// Adds an act of this machine that is not a step of the user, so that it cannot be undone.
  ///
  /// - Parameter seq: its number in `own_act`, or `nil` if it has none yet.
  /// - Returns: its id.
  func append(
    sent seq: Int64?, _ kind: String = Self.other, stamp: Stamp, at now: Milliseconds
  ) throws -> Int64 {
    let id = try nextIDOfOthers()
    try insert(id, kind, seq: seq, stamp: stamp, at: now)
    try markUndone(id, at: now)
    return id
  }

  /// Returns the id of the next act that is no step of the user on this machine; these ids descend.
  func nextIDOfOthers() throws -> Int64 {
    min(try db.integer("SELECT min(id) FROM journal") ?? 0, 0) - 1
  }

  /// An act of another machine, for a row of the journal.
  struct Row {
    /// An id from `nextIDOfOthers`.
    var id: Int64
    /// The act's number on that machine, or `nil` if another act already has this number.
    var seq: Int64?
    var kind: String
    var stamp: Stamp
    var at: Milliseconds
  }

  /// Adds acts of another machine.
  ///
  /// - Parameter device: the row of the machine.
  func append(_ rows: [Row], of device: Int64) throws {
    let insertion = RowInsertion(db, into: "journal", ["id", "at", "kind", "device", "seq", "stamp"])
    try insertion.insert(rows) { row, statement, place in
      statement.bind(place, row.id)
      statement.bind(place + 1, row.at)
      try statement.bind(place + 2, row.kind)
      statement.bind(place + 3, device)
      statement.bind(place + 4, row.seq)
      statement.bind(place + 5, row.stamp.rawValue)
    }
  }

  /// Returns the acts of a machine that are in the journal, keyed by their numbers on that machine.
  func acts(of device: Int64, _ seqs: ClosedRange<Int64>) throws -> [Int64: (id: Int64, stamp: Stamp)] {
    let query = try db.prepared(
      "SELECT seq, id, coalesce(stamp, at << 16) FROM journal WHERE device = ? AND seq BETWEEN ? AND ?")
    query.bind(1, device)
    query.bind(2, seqs.lowerBound)
    query.bind(3, seqs.upperBound)
    var acts: [Int64: (id: Int64, stamp: Stamp)] = [:]
    try query.forEach { acts[query.int(0)] = (query.int(1), Stamp(rawValue: query.int(2))) }
    return acts
  }

  /// Returns the id of a machine's act with this stamp, whatever its number is: copies of a machine may have numbered
  /// it differently.
  func act(of device: Int64, _ stamp: Stamp) throws -> Int64? {
    try db.integer("SELECT id FROM journal WHERE stamp = ? AND device = ? LIMIT 1", stamp.rawValue, device)
  }

  private func insert(
    _ id: Int64, _ kind: String, undoes: Int64? = nil, step: Int64? = nil, device: Int64 = Writers.here,
    seq: Int64? = nil, stamp: Stamp?, at now: Milliseconds
  ) throws {
    let insert = try db.prepared(
      "INSERT INTO journal (id, at, kind, undoes, step, device, seq, stamp) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    insert.bind(1, id)
    insert.bind(2, now)
    try insert.bind(3, kind)
    insert.bind(4, undoes)
    insert.bind(5, step)
    insert.bind(6, device)
    insert.bind(7, seq)
    insert.bind(8, stamp?.rawValue)
    try insert.run()
  }

  /// The number of kept steps, including undos and undone steps; earlier ones can no longer be undone. The record that
  /// the user changed a mark is kept as long as the message.
  static let length: Int64 = 20_000

  /// Deletes the acts before a row, and their changes. Only the fact that the user changed a mark is kept.
  private func forget(before row: Int64) throws {
    let oldest = try db.integer(
      """
      SELECT min(coalesce((SELECT min(act) FROM mark_change WHERE act > 0), ?1 + 1),
        coalesce((SELECT iif(stamp IS NULL, id, ?1 + 1) FROM journal WHERE id > 0 ORDER BY id LIMIT 1), ?1 + 1))
      """, row)
    guard let oldest, oldest <= row else { return }
    try OwnActs(db).encode(oldest...row)
    try db.prepared(
      """
      INSERT INTO mark_change (act, field, message, through, old, new)
      SELECT 0, c.field, c.message, c.through, NULL, c.new FROM mark_change c CROSS JOIN journal j ON j.id = c.act
      WHERE c.act > 0 AND c.act <= ? AND \(Self.isOfPerson)
      ON CONFLICT DO UPDATE SET through = max(through, excluded.through)
      """
    ).run(row)
    try db.prepared("DELETE FROM mark_change WHERE act > 0 AND act <= ?").run(row)
    // Acts with a stamp may be behind marks. Those before the oldest were already examined.
    try db.prepared("DELETE FROM journal WHERE id BETWEEN ? AND ? AND stamp IS NULL").run(oldest, row)
  }

  /// Adds an edit of the settings.
  ///
  /// - Parameter step: the first act of its step, or `nil` if it begins one.
  /// - Returns: the id of the row.
  func append(_ edit: JournaledEdit, joining step: Int64? = nil, at now: Milliseconds) throws -> Int64 {
    let insert = try db.prepared("INSERT INTO journal (at, kind, step, edit) VALUES (?, ?, ?, ?)")
    insert.bind(1, now)
    try insert.bind(2, UserAct.Kind.settings.rawValue)
    insert.bind(3, step)
    try insert.bind(4, String(decoding: try JSONEncoder().encode(edit), as: UTF8.self))
    try insert.run()
    return db.lastInsertedRowID
  }

  /// Adds the undo of edits of the settings, or the redo of such an undo.
  ///
  /// - Parameters:
  ///   - kind: `undo` or `redo`.
  ///   - act: the edit, or the undo.
  func append(_ kind: String, of act: Int64, at now: Milliseconds) throws {
    let insert = try db.prepared("INSERT INTO journal (at, kind, undoes) VALUES (?, ?, ?)")
    insert.bind(1, now)
    try insert.bind(2, kind)
    insert.bind(3, act)
    try insert.run()
  }

  /// The SQL condition on `journal j` that the user made the act, and did not undo it. Rules change marks when the user
  /// applies them or edits the settings; such acts do not count.
  static let isOfPerson = "j.undone IS NULL AND j.undoes IS NULL AND j.kind NOT IN ('rule', 'settings')"

  /// A step that changed a rule of the settings.
  struct RuleStep: Hashable {
    /// The act whose changes this step reverts: an undo reverts the edit, a redo reverts the undo.
    var reverts: Int64?
    /// The act under which `mark_change` has the changes of this step; for a redo, this is the edit.
    var keeper: Int64
    /// The row of the edit, undo or redo.
    fileprivate var row: Int64

    func isAfter(_ other: RuleStep?) -> Bool { row > other?.row ?? 0 }
  }

  /// Returns the last step that removed or replaced this form of a rule in the settings (`departure`), and
  /// the last one that introduced it (`arrival`).
  ///
  /// The rows that changed a rule are the edits, their undos, and the redos of those.
  func steps(
    ofRule rule: String, written text: String
  ) throws -> (departure: RuleStep?, arrival: RuleStep?) {
    func last(_ column: String) throws -> RuleStep? {
      let query = try db.prepared(
        """
        WITH edited(act, before, after) AS (
            SELECT coalesce(j.step, j.id), r.value ->> 'before', r.value ->> 'after'
            FROM journal j CROSS JOIN json_each(iif(json_valid(j.edit), j.edit, '{}'), '$.rules') r
            WHERE j.edit IS NOT NULL AND r.value ->> 'name' = ?1),
          turned(id, reverts, keeper, before, after) AS (
            SELECT act, NULL, act, before, after FROM edited
            UNION ALL SELECT u.id, act, u.id, after, before FROM edited CROSS JOIN journal u ON u.undoes = act
            UNION ALL SELECT r.id, u.id, act, before, after
              FROM edited CROSS JOIN journal u ON u.undoes = act CROSS JOIN journal r ON r.undoes = u.id)
        SELECT reverts, keeper, id FROM turned WHERE \(column) = ?2 ORDER BY id DESC LIMIT 1
        """)
      try query.bind(1, rule)
      try query.bind(2, text)
      return try query.first {
        RuleStep(reverts: query.optionalInt(0), keeper: query.int(1), row: query.int(2))
      }
    }
    return (try last("before"), try last("after"))
  }

  private static let isUndoable = "undone IS NULL AND undoes IS NULL AND device = 0"

  var canUndo: Bool {
    get throws { try db.integer("SELECT max(id) FROM journal WHERE \(Self.isUndoable)") != nil }
  }

  /// Returns the last step that can be undone.
  func last() throws -> Step? {
    try step("WHERE \(Self.isUndoable) ORDER BY id DESC LIMIT 1")
  }

  /// Returns the last undo that was not itself undone, if nothing else was done since.
  func lastUndo() throws -> (undo: Step, step: Step)? {
    let found = try db.integer(
      """
      SELECT id FROM journal WHERE undone IS NULL AND undoes IS NOT NULL AND device = 0 AND kind = '\(Self.undo)'
        AND id > (SELECT coalesce(max(id), 0) FROM journal WHERE undoes IS NULL AND device = 0) ORDER BY id DESC LIMIT 1
      """)
    guard let id = found, let act = try db.integer("SELECT undoes FROM journal WHERE id = ?", id),
      let step = try step("WHERE id = \(act)")
    else { return nil }
    let first = try first(ofStepOf: id)
    let undo = Step(
      id: first, acts: try acts(of: first), at: step.at, kind: step.kind, undoes: act, edits: [])
    return (undo, step)
  }

  static let undo = "undo"
  static let redo = "redo"
  /// The kind of acts for which neither `UserAct.Kind` nor this type has a separate kind.
  static let other = "other"
  /// The kind of this machine's acts with an answer to a question of a program, or with a question's end. A
  /// program on another machine may wait for an act of this kind.
  static let question = "question"

  private func first(ofStepOf act: Int64) throws -> Int64 {
    try db.integer("SELECT step FROM journal WHERE id = ?", act) ?? act
  }

  private func acts(of first: Int64) throws -> [Int64] {
    let query = try db.prepared("SELECT id FROM journal WHERE id = ?1 OR step = ?1 ORDER BY id")
    query.bind(1, first)
    var acts: [Int64] = []
    try query.forEach { acts.append(query.int(0)) }
    return acts
  }

  private func step(_ condition: String) throws -> Step? {
    guard let found = try db.integer("SELECT id FROM journal \(condition)") else { return nil }
    let id = try first(ofStepOf: found)
    let acts = try acts(of: id)
    let edits = try acts.compactMap(edit)
    let query = try db.prepared("SELECT id, at, kind, undoes FROM journal WHERE id = ?")
    query.bind(1, id)
    return try query.first {
      guard let kind = UserAct.Kind(rawValue: query.text(2)) else {
        throw StoreFailure.corrupt(path: "journal", reason: "entry \(query.int(0)) cannot be read")
      }
      return Step(
        id: id, acts: acts, at: query.int(1), kind: kind, undoes: query.optionalInt(3), edits: edits)
    }
  }

  private func edit(_ act: Int64) throws -> JournaledEdit? {
    let query = try db.prepared("SELECT edit FROM journal WHERE id = ?")
    query.bind(1, act)
    let text = try query.first { query.optionalText(0) } ?? nil
    return try text.map { try JSONDecoder().decode(JournaledEdit.self, from: Data($0.utf8)) }
  }

  func markUndone(_ first: Int64, at now: Milliseconds) throws {
    try db.prepared(
      "UPDATE journal SET undone = ? WHERE (id = ?2 OR step = ?2) AND undone IS NULL"
    ).run(now, first)
  }

  /// Records that an undone step was redone.
  func markDone(_ first: Int64) throws {
    try db.prepared("UPDATE journal SET undone = NULL WHERE id = ?1 OR step = ?1").run(first)
  }

  /// Removes an act that changed nothing.
  func discard(_ row: Int64) throws { try db.prepared("DELETE FROM journal WHERE id = ?").run(row) }
}
