import Foundation
import GRDB
package import Messages

/// Pages of messages as the inbox and commands list them.
package struct StoreLists: StorePart {
  let store: Store

  /// A window of a list and the kept counts, as of one instant. Costs the same at any number of messages.
  ///
  /// Around `.key`, rows from that key on count as `after`, newer ones as `before`. From `.end`, the last
  /// `before + after` rows.
  ///
  /// - Parameter inSlices: a search ends after about ten milliseconds of work, and says how far it looked.
  package func snapshot(
    _ query: InboxQuery, _ window: InboxWindow, inSlices: Bool = false
  ) throws(StoreFailure) -> InboxSnapshot {
    try read { db in
      let pages = try Pages(db, query, searching(inSlices: inSlices))
      let (keys, hasMoreBefore, hasMoreAfter) = try Self.window(pages, window)
      let statuses = try store.sources.statuses(db)
      let copies = try Self.copies(db)
      let (rows, unseen) = try Self.rows(keys, in: query.scope, db)
      var snapshot = InboxSnapshot(
        query: query, window: window, rows: rows,
        hasMoreBefore: hasMoreBefore,
        hasMoreAfter: hasMoreAfter, sources: statuses.map(\.status),
        unread: SourceStatus.unread(of: statuses.map(\.status)),
        total: statuses.reduce(-copies.total) { $0 + $1.status.total },
        starred: statuses.reduce(-copies.starred) { $0 + $1.starred },
        isUnseen: statuses.contains { $0.status.isUnseen },
        newest: MessageID(try db.integer("SELECT last_message FROM store") ?? 0),
        canUndo: try Journal(db).canUndo)
      snapshot.snoozed = try PutAwayRange.count(.snoozed, atMost: 1000, db)
      snapshot.unseen = unseen
      snapshot.lookedTo = pages.lookedTo
      snapshot.hasDismissed = try PutAwayRange.count(.dismissed, atMost: 1, db) == 1
      snapshot.lists = try SavedLists(db).statuses()
      let hidden = try db.prepared(
        "SELECT rule, count FROM hidden_tally WHERE count > 0 ORDER BY count DESC, rule")
      try hidden.forEach {
        snapshot.hidden.append(HiddenCount(rule: hidden.text(0), count: Int(hidden.int(1))))
      }
      return snapshot
    }
  }

  /// Whole messages in list order, from after `key` on. The next page begins after the last one's `listKey`.
  package func messages(
    _ query: InboxQuery, after key: ListKey? = nil, limit: Int
  ) throws(StoreFailure) -> [(key: ListKey, message: Message)] {
    try read { db in
      let keys = try Pages(db, query, searching()).keys(.older, of: key, including: false, limit: limit)
      return try keys.compactMap { key in try store.messages.find(key.id, db).map { (key, $0) } }
    }
  }

  /// The keys alone, as `messages`.
  package func keys(
    _ query: InboxQuery, after key: ListKey? = nil, limit: Int
  ) throws(StoreFailure) -> [ListKey] {
    try read { db in try Pages(db, query, searching()).keys(.older, of: key, including: false, limit: limit) }
  }

  /// The first that a search finds, in slices.
  package func hits(_ query: InboxQuery, limit: Int) throws(StoreFailure) -> SearchPart<[ListKey]> {
    try read { db in
      let pages = try Pages(db, query, searching(inSlices: true))
      let keys = try pages.keys(.older, of: nil, including: true, limit: limit)
      return SearchPart(found: keys, lookedTo: pages.lookedTo)
    }
  }

  /// The keys of messages for a program or a file, in the order of their list.
  package func keys(of given: GivenMessages, limit: Int) throws(StoreFailure) -> [ListKey] {
    guard let query = given.parts.first?.query else { return Array(given.keys.prefix(limit)) }
    return try read { db in
      var keys: [MessageID: ListKey] = [:]
      for key in given.keys { keys[key.id] = key }
      for part in given.parts {
        // The first of each part are enough: the first of all are among them.
        var count = 0
        try Pages(db, part.query, searching()).forEach(of: part, step: limit + given.except.count) { key in
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

  /// The next unread message of a list, seen from a key: down the list when `forward`, else up. From the list's
  /// beginning (or its end) where there is no key.
  ///
  /// In slices.
  package func nextUnread(
    after key: ListKey?, query: InboxQuery, forward: Bool
  ) throws(StoreFailure) -> SearchPart<ListKey?> {
    var query = query
    query.isUnreadOnly = true
    return try read { db in
      let pages = try Pages(db, query, searching(inSlices: true))
      let keys = try pages.keys(forward ? .older : .newer, of: key, including: false, limit: 1)
      return SearchPart(found: keys.first, lookedTo: pages.lookedTo)
    }
  }

  /// One key more than wanted tells whether there are more.
  private static func window(
    _ pages: Pages, _ window: InboxWindow
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

  /// The listed copies, which lists over all sources leave out.
  private static func copies(_ db: Database) throws -> (total: Int, starred: Int) {
    let query = try db.prepared(
      """
      SELECT sum(c.total), sum(c.starred) FROM copy_tally c CROSS JOIN source s ON s.id = c.source_id
      WHERE s.place IS NOT NULL
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
        CASE WHEN m.kind IN ('service', 'desktop') THEN t.channel END, t.is_unseen
      FROM message m CROSS JOIN status t ON t.message_id = m.id WHERE m.id = ?
      """)
    let copies = Copies(db)
    let hasCopies = try copies.exist()
    let rows = try keys.compactMap { key in
      let others = hasCopies ? try copies.otherSources(of: key.id.rawValue) : []
      query.bind(1, key.id.rawValue)
      return try query.first {
        if query.bool(9) { unseen.insert(key.id) }
        return MessageRow(
          key: key, source: SourceID(query.int(0)), kind: MessageKind(rawValue: query.text(1)) ?? .local,
          title: query.text(2), isUnread: !query.bool(3), isStarred: query.bool(4),
          isDismissable: query.bool(5), priority: Priority(Int(query.int(6))), group: query.optionalText(7),
          channel: query.optionalText(8),
          time: scope == .snoozed ? Date(timeIntervalSince1970: -Double(key.sortTime) / 1000) : nil,
          otherSources: others)
      }
    }
    return (rows, unseen)
  }
}
