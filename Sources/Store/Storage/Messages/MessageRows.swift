import Foundation
import GRDB
import Messages

/// Reads and writes the rows that make up a message.
final class MessageRows {
  private let db: Database
  /// New messages whose rows are not written yet, in the order of their ids.
  private var waiting: [(new: NewMessage, head: MessageHead, received: Milliseconds, isUnseen: Bool)] = []
  private let isFollowed: Bool
  private let messages: RowInsertion
  private let details: RowInsertion
  private let statuses: RowInsertion

  /// - Parameter source: the source of new messages.
  init(_ db: Database, of source: Int64) throws {
    self.db = db
    isFollowed = try db.integer("SELECT 1 FROM source WHERE id = ? AND position IS NOT NULL", source) == 1
    messages = RowInsertion(
      db, into: "message",
      [
        "id", "kind", "received", "title",
      ])
    details = RowInsertion(
      db, into: "detail",
      [
        "message_id", "remote_id", "body", "html", "url", "author", "published", "updated", "language",
        "tags", "extras", "pane", "is_translated",
      ])
    statuses = RowInsertion(
      db, into: "status",
      [
        "message_id", "source_id", "rank", "sort_time", "priority", "is_followed", "is_shown",
        "is_dismissable",
        "is_read", "is_unseen", "visible_from", "expires", "channel",
      ])
  }

  /// Adds a message, whose rows are written by `flush` at the latest.
  ///
  /// - Parameter isUnseen: whether the message is unseen.
  func insert(_ new: NewMessage, _ head: MessageHead, received: Milliseconds, isUnseen: Bool) throws {
    waiting.append((new, head, received, isUnseen))
    if waiting.count == RowInsertion.atOnce { try flush() }
  }

  /// Writes the rows. Call it before a new message is read or changed, and at the end.
  func flush() throws {
    if waiting.isEmpty { return }
    try messages.insert(waiting) { row, statement, first in
      statement.bind(first, row.head.id)
      try statement.bind(first + 1, row.new.message.kind.rawValue)
      statement.bind(first + 2, row.received)
      try statement.bind(first + 3, row.new.message.title)
    }
    try details.insert(waiting) { row, statement, first in
      try bind(row.new.message, row.head.id, extras: row.new.extras, to: statement, from: first)
    }
    try statuses.insert(waiting) { row, statement, first in
      let head = row.head
      statement.bind(first, head.id)
      statement.bind(first + 1, head.source)
      statement.bind(first + 2, head.key.rank.rawValue)
      statement.bind(first + 3, head.key.sortTime)
      statement.bind(first + 4, head.priority.rawValue)
      statement.bind(first + 5, isFollowed)
      statement.bind(first + 6, head.isShown)
      statement.bind(first + 7, head.isDismissable)
      statement.bind(first + 8, head.isRead)
      statement.bind(first + 9, row.isUnseen)
      statement.bind(first + 10, head.visibleFrom)
      statement.bind(first + 11, head.expires)
      try statement.bind(first + 12, head.channel)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Writes the new content and status of a stored message.
  ///
  /// - Parameter old: the stored status. If it does not change, its row and the indexes over it are not written.
  func update(
    _ message: IncomingMessage, _ head: MessageHead, extras: [UInt8]?, before old: MessageHead
  ) throws {
    let updateMessage = try db.prepared("UPDATE message SET kind = ?2, title = ?3 WHERE id = ?1")
    updateMessage.bind(1, head.id)
    try updateMessage.bind(2, message.kind.rawValue)
    try updateMessage.bind(3, message.title)
    try updateMessage.run()
    if !head.hasPlace(of: old) { try update(head) }
    let updateDetail = try db.prepared(
      """
      UPDATE detail SET remote_id = ?2, body = ?3, html = ?4, url = ?5, author = ?6, published = ?7,
        updated = ?8, language = ?9, tags = ?10, extras = ?11, pane = ?12, is_translated = ?13
      WHERE message_id = ?1
      """)
    try bind(message, head.id, extras: extras, to: updateDetail, from: 1)
    try updateDetail.run()
  }

  private func update(_ head: MessageHead) throws {
    let updateStatus = try db.prepared(
      """
      UPDATE status SET rank = ?2, sort_time = ?3, priority = ?4, is_shown = ?5, is_unseen = is_unseen AND ?5, is_dismissable = ?6, visible_from = ?7,
        expires = ?8, channel = ?9
      WHERE message_id = ?1
      """)
    updateStatus.bind(1, head.id)
    updateStatus.bind(2, head.key.rank.rawValue)
    updateStatus.bind(3, head.key.sortTime)
    updateStatus.bind(4, head.priority.rawValue)
    updateStatus.bind(5, head.isShown)
    updateStatus.bind(6, head.isDismissable)
    updateStatus.bind(7, head.visibleFrom)
    updateStatus.bind(8, head.expires)
    try updateStatus.bind(9, head.channel)
    try updateStatus.run()
  }

  /// Deletes the rows that make up a message; lists, search index, identity and facts are changed elsewhere.
  static func delete(_ id: Int64, _ db: Database) throws {
    try ActMerge.forget(id, db)
    try EntryKeys(db).remove(EntryKeys(db).shared(of: id), id)
    try FacetChanges(db, Columns()).remove(id)
    let tables = [
      "detail", "status", "article", "touched", "rule_due", "rule_run", "notification", "notification_again",
      "list_member",
      "list_due", "list_pending", "ending", "question",
    ]
    for table in tables {
      try db.prepared("DELETE FROM \(table) WHERE message_id = ?").run(id)
    }
    try db.prepared("DELETE FROM message WHERE id = ?").run(id)
    // Acts on several messages remain for the others.
    try db.prepared("DELETE FROM mark_change WHERE message = ?1 AND through = ?1").run(id)
  }

  func received(_ id: Int64) throws -> Milliseconds? {
    try db.integer("SELECT received FROM message WHERE id = ?", id)
  }

  private func bind(
    _ message: IncomingMessage, _ id: Int64, extras: [UInt8]?, to statement: Prepared, from first: Int32
  ) throws {
    statement.bind(first, id)
    try statement.bind(first + 1, message.remoteID.text)
    try statement.bind(first + 2, message.body)
    try statement.bind(first + 3, message.html)
    try statement.bind(first + 4, message.url)
    try statement.bind(first + 5, message.author)
    statement.bind(first + 6, message.published?.milliseconds)
    statement.bind(first + 7, message.updated?.milliseconds)
    try statement.bind(first + 8, message.language)
    try statement.bind(first + 9, message.tags.isEmpty ? nil : try StoredJSON.text(message.tags))
    try statement.bind(first + 10, utf8: extras)
    try statement.bind(first + 11, message.extras?.pane?.key)
    statement.bind(first + 12, message.extras?.translations.isEmpty == false)
  }
}

extension Message {
  /// The beginning of the query for whole messages.
  static let select = """
    SELECT \(MessageHead.columns), m.kind, t.priority, m.title, m.received, s.name, d.remote_id, d.body, d.html,
      d.url, d.author, d.published, d.updated, d.language, d.tags, d.extras,
      t.dismissed_at IS NOT NULL, t.snoozed_until
    FROM message m CROSS JOIN status t ON t.message_id = m.id CROSS JOIN detail d ON d.message_id = m.id
      CROSS JOIN source s ON s.id = t.source_id
    """

  /// Creates a message from the columns of `select`.
  init(_ row: Prepared, _ columns: Columns) {
    let head = MessageHead(row)
    var content = IncomingMessage(
      remoteID: RemoteID(row.text(21)), kind: MessageKind(rawValue: row.text(16)) ?? .local,
      title: row.text(18), body: row.text(22))
    content.html = row.optionalText(23)
    content.url = row.optionalText(24)
    content.author = row.optionalText(25)
    content.published = row.optionalInt(26).map(Date.init(milliseconds:))
    content.updated = row.optionalInt(27).map(Date.init(milliseconds:))
    content.priority = Priority(Int(row.int(17)))
    content.tags = row.optionalText(29).flatMap(columns.strings.value) ?? []
    content.channel = head.channel
    content.language = row.optionalText(28)
    content.visibleFrom = head.visibleFrom.map(Date.init(milliseconds:))
    content.expires = head.expires.map(Date.init(milliseconds:))
    content.isDismissable = head.isDismissable
    content.rank = head.key.rank
    content.extras = row.optionalText(30).flatMap(columns.extras.value)
    self.init(
      id: head.key.id, source: SourceID(head.source), sourceName: row.text(20), content: content,
      received: Date(milliseconds: row.int(19)), isUnread: !head.isRead, isStarred: head.isStarred,
      isDismissed: row.bool(31))
    snoozedUntil = row.optionalInt(32).map(Date.init(milliseconds:))
  }
}
