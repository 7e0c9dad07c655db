import Foundation
import GRDB
package import Messages

/// Pages of messages as the inbox and commands list them.
package struct StoreLists: StorePart {
  let store: Store

  /// Returns a window of a list and the stored counts, at one instant. It takes the same time for any number
  /// of messages.
  ///
  /// If the window is anchored at `.key`, `after` is the number of rows from this key on, and `before` that
  /// of the rows above it. If it is anchored at `.end`, the last `before + after` rows are returned.
  ///
  /// - Parameter inSlices: whether a search ends after about ten milliseconds of work, and reports how far it
  ///   examined messages.
  package func snapshot(
    _ query: InboxQuery, _ window: InboxWindow, inSlices: Bool = false
  ) throws(StoreFailure) -> InboxSnapshot {
    try read { db in
      let pages = try ListPages(db, query, searching(inSlices: inSlices))
      let (keys, hasMoreBefore, hasMoreAfter) = try Self.window(pages, window)
      let statuses = try store.sources.statuses(db)
      let copies = try Self.copies(db)
      let (rows, unseen) = try Self.rows(keys, in: query.scope, db)
      var snapshot = InboxSnapshot(
        query: query, window: window, rows: rows,
        hasMoreBefore: hasMoreBefore,
        hasMoreAfter: hasMoreAfter, sources: statuses.map(\.status),
        unread: UnreadCounts.sum(of: statuses.map(\.status)),
        total: statuses.reduce(-copies.total) { $0 + $1.status.total },
        starred: statuses.reduce(-copies.starred) { $0 + $1.starred },
        isUnseen: statuses.contains { $0.status.isUnseen },
        newest: MessageID(try db.integer("SELECT last_message FROM store") ?? 0),
        canUndo: try Journal(db).canUndo)
      snapshot.snoozed = try OutOfInboxRange.count(.snoozed, atMost: Self.mostSnoozed, db)
      snapshot.waiting = try OutOfInboxRange.count(.waiting, atMost: Self.mostSnoozed, db)
      snapshot.unseen = unseen
      snapshot.lookedTo = pages.lookedTo
      snapshot.hasDismissed = try OutOfInboxRange.count(.dismissed, atMost: 1, db) == 1
      snapshot.lists = try SavedLists(db).statuses()
      let hidden = try db.prepared(
        "SELECT rule, count FROM hidden_tally WHERE count > 0 ORDER BY count DESC, rule")
      try hidden.forEach {
        snapshot.hidden.append(HiddenCount(rule: hidden.text(0), count: Int(hidden.int(1))))
      }
      snapshot.count = try Self.count(snapshot, db)
      if hasMoreBefore { snapshot.times = try Self.times(of: query, db) }
      return snapshot
    }
  }

  /// Returns the number of messages in a list, or `nil` if no stored count contains this number.
  private static func count(_ snapshot: InboxSnapshot, _ db: Database) throws -> Int? {
    let query = snapshot.query
    if query.isSearch { return nil }
    switch query.scope {
    case .all: return query.isUnreadOnly ? snapshot.unread : snapshot.total
    case .starred: return query.isUnreadOnly ? nil : snapshot.starred
    case .source(let id):
      return snapshot.sources.first { $0.source.id == id }.map { query.isUnreadOnly ? $0.unread : $0.total }
    case .folder(let folder):
      let sources = snapshot.sources.filter { folder.contains($0.source.folder) }
      if query.isUnreadOnly { return UnreadCounts.sum(of: sources) }
      let copies = try Duplicates(db).total(among: Set(sources.map(\.source.id)))
      return sources.reduce(-copies) { $0 + $1.total }
    case .list(let id): return query.isUnreadOnly ? snapshot.lists.first { $0.id == id }?.unread : nil
    case .hidden: return query.isUnreadOnly ? nil : snapshot.hidden.reduce(0) { $0 + $1.count }
    case .snoozed: return query.isUnreadOnly || snapshot.snoozed == mostSnoozed ? nil : snapshot.snoozed
    case .waiting: return query.isUnreadOnly || snapshot.waiting == mostSnoozed ? nil : snapshot.waiting
    case .dismissed: return nil
    }
  }

  /// The number up to which snoozed messages and waiting questions are counted.
  private static let mostSnoozed = 1000

  /// Returns the times of the oldest and of the newest message with normal rank; higher ranks are listed
  /// above. It takes two steps in the list's index. Returns `nil` for searches and saved lists, which would
  /// have to look for the messages, and for lists that aren't sorted by time.
  private static func times(of query: InboxQuery, _ db: Database) throws -> ClosedRange<Int64>? {
    guard query.order == .newest || query.order == .oldest, !query.isSearch,
      let range = try ListRange(db, query.scope, isUnreadOnly: query.isUnreadOnly),
      !query.scope.isSavedList
    else { return nil }
    let top = ListKey(rank: .normal, sortTime: .max, id: MessageID(.max))
    guard let newest = try range.keys(.older, of: top, including: true, limit: 1).first,
      let oldest = try range.keys(.newer, of: nil, including: true, limit: 1).first, oldest.rank == .normal,
      oldest.sortTime <= newest.sortTime
    else { return nil }
    return oldest.sortTime...newest.sortTime
  }

  /// Returns whole messages in list order, after `key`. The next page begins after the last one's `listKey`.
  package func messages(
    _ query: InboxQuery, after key: ListKey? = nil, limit: Int
  ) throws(StoreFailure) -> [(key: ListKey, message: Message)] {
    try read { db in
      let keys = try ListPages(db, query, searching()).keys(.older, of: key, including: false, limit: limit)
      return try keys.compactMap { key in try store.messages.find(key.id, db).map { (key, $0) } }
    }
  }

  /// Returns only the keys, like `messages`.
  package func keys(
    _ query: InboxQuery, after key: ListKey? = nil, limit: Int
  ) throws(StoreFailure) -> [ListKey] {
    try read { db in
      try ListPages(db, query, searching()).keys(.older, of: key, including: false, limit: limit)
    }
  }

  /// Returns the first matches that a search finds in one slice of work, and how far it examined messages.
  package func hits(_ query: InboxQuery, limit: Int) throws(StoreFailure) -> SearchPart<[ListKey]> {
    try read { db in
      let pages = try ListPages(db, query, searching(inSlices: true))
      let keys = try pages.keys(.older, of: nil, including: true, limit: limit)
      return SearchPart(found: keys, lookedTo: pages.lookedTo)
    }
  }

  /// Returns the keys of the messages that are passed to a program or written to a file, in the order of
  /// their list.
  package func keys(of given: GivenMessages, limit: Int) throws(StoreFailure) -> [ListKey] {
    guard let query = given.parts.first?.query else { return Array(given.keys.prefix(limit)) }
    return try read { db in
      var keys: [MessageID: ListKey] = [:]
      for key in given.keys { keys[key.id] = key }
      for part in given.parts {
        // The first keys of each part are enough, since they contain the first of all.
        var count = 0
        try ListPages(db, part.query, searching()).forEach(of: part, step: limit + given.except.count) {
          key in
          if !given.except.contains(key.id) {
            keys[key.id] = key
            count += 1
          }
          return count < limit
        }
      }
      return Array(keys.values.sorted(by: query.isBefore).prefix(limit))
    }
  }

  /// Returns the next unread message of a list from a key: down the list if `forward`, otherwise up. Without a key it
  /// starts at the list's beginning (or its end).
  ///
  /// Each call does one slice of a search's work.
  package func nextUnread(
    after key: ListKey?, query: InboxQuery, forward: Bool
  ) throws(StoreFailure) -> SearchPart<ListKey?> {
    var query = query
    query.isUnreadOnly = true
    return try read { db in
      let pages = try ListPages(db, query, searching(inSlices: true))
      let keys = try pages.keys(forward ? .older : .newer, of: key, including: false, limit: 1)
      return SearchPart(found: keys.first, lookedTo: pages.lookedTo)
    }
  }

  /// Returns the keys of a window. It reads one key more than requested in each direction, which shows
  /// whether the list has more.
  private static func window(
    _ pages: ListPages, _ window: InboxWindow
  ) throws -> (keys: [ListKey], hasMoreBefore: Bool, hasMoreAfter: Bool) {
    let (before, after) = (max(0, window.before), max(0, window.after))
    switch window.anchor {
    case .start:
      let keys = try pages.keys(.older, of: nil, including: true, limit: after + 1)
      return (Array(keys.prefix(after)), false, keys.count > after)
    case .end:
      let keys = try pages.keys(.newer, of: nil, including: true, limit: before + after + 1)
      return (keys.prefix(before + after).reversed(), keys.count > before + after, false)
    case .key(let key):
      let older = try pages.keys(.older, of: key, including: true, limit: after + 1)
      let newer = try pages.keys(.newer, of: key, including: false, limit: before + 1)
      return (
        newer.prefix(before).reversed() + older.prefix(after), newer.count > before, older.count > after
      )
    }
  }

  /// Returns the numbers of listed duplicates, which lists over all sources leave out.
  private static func copies(_ db: Database) throws -> (total: Int, starred: Int) {
    let query = try db.prepared(
      """
      SELECT sum(c.total), sum(c.starred) FROM duplicate_tally c CROSS JOIN source s ON s.id = c.source_id
      WHERE s.position IS NOT NULL
      """)
    return try query.first { (Int(query.int(0)), Int(query.int(1))) } ?? (0, 0)
  }

  private static func rows(_ keys: [ListKey], in scope: InboxQuery.Scope, _ db: Database) throws
    -> (rows: [MessageRow], unseen: Set<MessageID>)
  {
    var unseen: Set<MessageID> = []
    let query = try db.prepared(
      """
      SELECT t.source_id, m.kind, m.title, t.is_read, t.is_starred, t.is_dismissable, t.priority,
        -- Other kinds have no groups: their extras, which stand after the text, aren't read.
        CASE WHEN m.kind IN ('local', 'native', 'service', 'command') THEN
          (SELECT d.extras ->> '$.group' FROM detail d WHERE d.message_id = m.id) END,
        CASE WHEN m.kind IN ('service', 'desktop') THEN t.channel END, t.is_unseen,
        m.kind = 'local'
          AND EXISTS (SELECT 1 FROM question q WHERE q.message_id = m.id AND (q.ended IS NOT NULL OR \(QuestionRows.waits)))
      FROM message m CROSS JOIN status t ON t.message_id = m.id WHERE m.id = ?
      """)
    let copies = Duplicates(db)
    let hasCopies = try copies.exist()
    let questions = QuestionRows(db)
    let rows = try keys.compactMap { key in
      let others = hasCopies ? try copies.otherSources(of: key.id.rawValue) : []
      query.bind(1, key.id.rawValue)
      return try query.first {
        if query.bool(9) { unseen.insert(key.id) }
        var row = MessageRow(
          key: key, source: SourceID(query.int(0)), kind: MessageKind(rawValue: query.text(1)) ?? .local,
          title: query.text(2), isUnread: !query.bool(3), isStarred: query.bool(4),
          isDismissable: query.bool(5), priority: Priority(Int(query.int(6))), group: query.optionalText(7),
          channel: query.optionalText(8),
          time: scope == .snoozed ? Date(timeIntervalSince1970: -Double(key.sortTime) / 1000) : nil,
          otherSources: others)
        if query.bool(10) { row.question = try questions.find(key.id.rawValue) }
        return row
      }
    }
    return (rows, unseen)
  }
}
