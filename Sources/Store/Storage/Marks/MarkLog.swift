import GRDB
import Messages

/// The table `mark_change`, with the changes of marks by each act. Marks are the states of a message: read, starred,
/// dismissed, snoozed, hidden.
struct MarkLog {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// The number of message ids in a block. A stored range never crosses the end of a block, so that a look-up of one
  /// message reads only one block.
  private static let block: Int64 = 1024

  func add(_ changes: [MarkChange], to act: Int64) throws {
    let insert = try db.prepared(
      """
      INSERT OR REPLACE INTO mark_change (act, field, message, through, old, new, old_by, new_by)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
    for change in changes {
      for range in change.messages.ranges {
        var first = range.lowerBound
        while first <= range.upperBound {
          let last = min(range.upperBound, first | (Self.block - 1))
          insert.bind(1, act)
          insert.bind(2, change.field.rawValue)
          insert.bind(3, first)
          insert.bind(4, last)
          try change.old.bindStored(insert, at: 5)
          try change.new.bindStored(insert, at: 6)
          insert.bind(7, change.oldBy)
          insert.bind(8, change.newBy)
          try insert.run()
          first = last + 1
        }
      }
    }
  }

  /// Adds changes of single messages to those of an act that may have changed them before; existing rows are kept.
  func extend(_ changes: [MarkChange], of act: Int64) throws {
    let insert = try db.prepared(
      """
      INSERT INTO mark_change (act, field, message, through, old, new) VALUES (?1, ?2, ?3, ?3, ?4, ?5)
      ON CONFLICT DO UPDATE SET new = excluded.new
      """)
    for change in changes {
      for message in change.messages.ranges.joined() {
        insert.bind(1, act)
        insert.bind(2, change.field.rawValue)
        insert.bind(3, message)
        try change.old.bindStored(insert, at: 4)
        try change.new.bindStored(insert, at: 5)
        try insert.run()
      }
    }
  }

  /// Returns the changes of an act, without fields that only a later version knows.
  func changes(of act: Int64) throws -> [MarkChange] {
    let query = try db.prepared(
      """
      SELECT field, message, through, old, new, old_by, new_by FROM mark_change WHERE act = ?
      ORDER BY field, message
      """)
    query.bind(1, act)
    var changes: [MarkChange] = []
    try query.forEach {
      guard let field = Mark.Field(rawValue: query.int(0)) else { return }
      var change = MarkChange(
        IDRanges(), old: Mark(stored: field, query, at: 3), new: Mark(stored: field, query, at: 4),
        oldBy: query.optionalInt(5), newBy: query.optionalInt(6))
      let messages = query.int(1)...query.int(2)
      // This is done in place: an action has a row for each range of messages, which may be hundreds of thousands if
      // read and unread messages alternate.
      if let last = changes.indices.last, changes[last].isAlike(change) {
        changes[last].messages.append(messages)
      } else {
        change.messages.append(messages)
        changes.append(change)
      }
    }
    return changes
  }

  /// Returns some of the changes of an act, each of one message.
  ///
  /// - Parameter last: the position at which the previous slice ended.
  /// - Returns: the changes, and the end of this slice, or `nil` if there are no more.
  func changes(
    of act: Int64, after last: Place, limit: Int
  ) throws -> (changes: [MarkChange], last: Place?) {
    let query = try db.prepared(
      """
      SELECT field, message, old, new FROM mark_change WHERE act = ? AND (field, message) > (?, ?)
      ORDER BY field, message LIMIT ?
      """)
    query.bind(1, act)
    query.bind(2, last.field)
    query.bind(3, last.message)
    query.bind(4, limit)
    var (changes, end): ([MarkChange], Place?) = ([], nil)
    try query.forEach {
      end = Place(field: query.int(0), message: query.int(1))
      guard let field = Mark.Field(rawValue: query.int(0)) else { return }
      changes.append(
        MarkChange(
          IDRanges([query.int(1)]), old: Mark(stored: field, query, at: 2),
          new: Mark(stored: field, query, at: 3)))
    }
    return (changes, end)
  }

  /// Deletes the record of how edits of rules in the settings changed a message's marks, since its content is now
  /// different.
  func forgetRules(of message: Int64) throws {
    try db.prepared(
      """
      DELETE FROM mark_change WHERE message = ?1 AND through = ?1 AND act > 0 AND EXISTS (SELECT 1 FROM journal j
        CROSS JOIN journal e ON e.id = coalesce(j.undoes, j.id) WHERE j.id = act AND e.edit IS NOT NULL)
      """
    ).run(message)
  }

  /// Deletes some of the changes of an act.
  ///
  /// - Returns: whether there may be more.
  func forgetSome(of act: Int64) throws -> Bool {
    try db.prepared(
      """
      DELETE FROM mark_change WHERE act = ?1 AND (field, message) IN
        (SELECT field, message FROM mark_change WHERE act = ?1 LIMIT \(Self.slice))
      """
    ).run(act)
    return try db.integer("SELECT changes()") == Int64(Self.slice)
  }

  /// A position among the changes of an act.
  struct Place {
    fileprivate var field: Int64 = 0
    fileprivate var message: Int64 = 0
  }

  /// Deletes stored ranges of messages that all no longer exist. The change of a single message is deleted with the
  /// message.
  ///
  /// - Parameter last: the position at which the previous slice ended.
  /// - Returns: the end of this slice, or `nil` if there are no more.
  func forgetSome(after last: Place) throws -> Place? {
    let query = try db.prepared(
      """
      SELECT field, message, through, EXISTS (SELECT 1 FROM status WHERE message_id BETWEEN c.message AND c.through)
      FROM mark_change c WHERE act = 0 AND (field, message) > (?, ?) ORDER BY field, message LIMIT \(Self.slice)
      """)
    query.bind(1, last.field)
    query.bind(2, last.message)
    var places: [(place: Place, isLeft: Bool)] = []
    try query.forEach {
      places.append((Place(field: query.int(0), message: query.int(1)), query.bool(3)))
    }
    let delete = try db.prepared("DELETE FROM mark_change WHERE act = 0 AND field = ? AND message = ?")
    for (place, isLeft) in places where !isLeft { try delete.run(place.field, place.message) }
    return places.count == Self.slice ? places.last?.place : nil
  }

  /// The number of changes that one call deletes or checks.
  private static let slice = 5000

  /// The SQL that tests whether a mark was written by an act of the user, on any machine, that was not undone.
  private static let isBehind = Mark.Field.allCases.compactMap { field in
    field.row.by.map { column in
      """
      ?2 IN (0, \(field.rawValue)) AND EXISTS (SELECT 1 FROM journal j
        WHERE j.id = \(behind(field, column)) AND j.device <> \(Writers.service)
          AND j.kind NOT IN ('\(Journal.undo)', 'rule'))
      """
    }
  }.joined(separator: " OR ")

  /// Returns the SQL on `status t` for the id of the act behind a mark. An undo counts as the act whose value it
  /// restored.
  fileprivate static func behind(_ field: Mark.Field, _ column: String) -> String {
    """
    coalesce((SELECT c.new_by FROM mark_change c WHERE c.act = t.\(column) AND c.field = \(field.rawValue)
      AND c.message BETWEEN t.message_id & ~\(block - 1) AND t.message_id AND c.through >= t.message_id
      AND c.new_by <> \(MarkChange.nobody)), t.\(column))
    """
  }

  /// Returns the SQL on `status` that tests whether a mark still has the value from the act `?9`, even if it was
  /// changed since and restored by undos. `?8` is the act that undos record for `?9`.
  ///
  /// If an undo restored the value of an act from before synchronisation, only the value decides.
  static func stands(_ column: String, _ field: Mark.Field) -> String {
    """
    (\(column) = ?9 OR EXISTS (SELECT 1 FROM mark_change c CROSS JOIN journal u ON u.id = c.act
      WHERE c.act = \(column) AND c.field = \(field.rawValue)
        AND c.message BETWEEN message_id & ~\(block - 1) AND message_id AND c.through >= message_id
        AND u.undoes IS NOT NULL AND coalesce(c.new_by, ?8) = ?8))
    """
  }

  /// Whether an act is an undo, which later acts treat as the act whose value it restored.
  func isUndo(_ act: Int64) throws -> Bool {
    try db.integer("SELECT 1 FROM journal WHERE id = ? AND undoes IS NOT NULL", act) == 1
  }

  /// Returns the act whose value of a mark an undo restored on a message, or `nil` if that is no longer
  /// known.
  func meaning(ofUndo act: Int64, _ field: Mark.Field, on message: Int64) throws -> Int64? {
    let query = try db.prepared(
      """
      SELECT new_by FROM mark_change
      WHERE act = ?1 AND field = ?2 AND message BETWEEN ?3 & ~\(Self.block - 1) AND ?3 AND through >= ?3
      """)
    query.bind(1, act)
    query.bind(2, field.rawValue)
    query.bind(3, message)
    return try query.first { query.optionalInt(0) } ?? nil
  }

  /// Returns all messages that a step changed.
  func messages(of step: Journal.Step) throws -> IDRanges {
    try step.acts.reduce(IDRanges()) { try changes(of: $1).reduce($0) { $0.union($1.messages) } }
  }

  /// Returns the names of the other machines whose acts are behind marks that a step wrote.
  func machines(behind step: Journal.Step, on ids: IDRanges) throws -> [String] {
    guard try SyncedMachine.isSet(db) else { return [] }
    let columns = Set(try step.acts.flatMap { try changes(of: $0).compactMap(\.field.row.by) })
    var names: Set<String> = []
    for column in columns {
      let query = try db.prepared(
        """
        SELECT DISTINCT d.name FROM status t CROSS JOIN journal j ON j.id = t.\(column)
          CROSS JOIN device d ON d.id = j.device
        WHERE t.message_id BETWEEN ? AND ? AND d.name IS NOT NULL
        """)
      for range in ids.ranges {
        query.bind(1, range.lowerBound)
        query.bind(2, range.upperBound)
        try query.forEach { names.insert(query.text(0)) }
      }
    }
    return names.sorted()
  }

  /// Whether the user changed marks of a message and did not undo that, so that rules no longer change these
  /// marks. Rules that the user applied to stored messages don't count as changes by the user.
  ///
  /// - Parameter field: the mark, or `nil` for any.
  func isActed(_ message: Int64, on field: Mark.Field? = nil) throws -> Bool {
    let stands =
      "(?2 IN (0, c.field)) AND (c.act = 0 OR EXISTS (SELECT 1 FROM journal j WHERE j.id = c.act AND \(Journal.isOfPerson)))"
    let sql = """
      SELECT EXISTS (SELECT 1 FROM mark_change c WHERE c.message = ?1 AND \(stands))
        OR EXISTS (SELECT 1 FROM mark_change c WHERE c.message BETWEEN ?1 & ~\(Self.block - 1) AND ?1
          AND c.through > c.message AND c.through >= ?1 AND \(stands))
        OR EXISTS (SELECT 1 FROM status t WHERE t.message_id = ?1 AND (\(Self.isBehind)))
      """
    return try db.integer(sql, message, field?.rawValue ?? 0) == 1
  }
}

extension MarkLog {
  /// Whether the user has changed a mark of a message since a moment, on any machine, and did not undo that.
  func isActed(_ message: Int64, on field: Mark.Field, since moment: Milliseconds) throws -> Bool {
    let changes = """
      EXISTS (SELECT 1 FROM mark_change c CROSS JOIN journal j ON j.id = c.act
        WHERE c.message BETWEEN ?1 & ~\(Self.block - 1) AND ?1 AND c.through >= ?1 AND c.field = ?2
          AND j.at >= ?3 AND \(Journal.isOfPerson))
      """
    let behind = field.row.by.map { column in
      """
       OR EXISTS (SELECT 1 FROM status t CROSS JOIN journal j ON j.id = \(Self.behind(field, column))
        WHERE t.message_id = ?1 AND j.at >= ?3 AND j.device <> \(Writers.service)
          AND j.kind NOT IN ('\(Journal.undo)', 'rule'))
      """
    }
    return try db.integer(
      "SELECT \(changes)\(behind ?? "")", message, field.rawValue, moment) == 1
  }
}

extension Mark {
  /// Binds the value as in `mark_change`, where a hidden mark is the time, a blank and the rule.
  fileprivate func bindStored(_ statement: Prepared, at place: Int32) throws {
    guard case .hidden(let hiding) = self else { return try bind(statement, at: place) }
    try statement.bind(place, hiding.map { "\($0.at) \($0.rule)" })
  }

  fileprivate init(stored field: Field, _ row: Prepared, at place: Int32) {
    self =
      field == .hidden
      ? .hidden(row.optionalText(place).flatMap(Hiding.init(stored:))) : Mark(field, row, at: place)
  }
}

extension Mark.Hiding {
  fileprivate init?(stored text: String) {
    guard let blank = text.firstIndex(of: " "), let at = Int64(text[..<blank]) else { return nil }
    self.init(rule: String(text[text.index(after: blank)...]), at: at)
  }
}
