import Foundation
import GRDB
import Messages

/// Reads and writes the rows that make up a message.
final class MessageRows {
  private let db: Database
  /// New messages whose rows are still to be written, in the order of their ids.
  private var waiting: [(new: NewMessage, head: MessageHead, received: Milliseconds)] = []
  private let messages: RowInsertion
  private let details: RowInsertion
  private let statuses: RowInsertion
  private let insertTranslated: Prepared

  init(_ db: Database) throws {
    self.db = db
    let arena = TextArena()
    messages = RowInsertion(
      db, into: "message",
      [
        "id", "source_id", "kind", "standing", "sort_time", "is_shown", "is_dismissable", "priority",
        "visible_from", "expires", "channel", "title", "received",
      ], arena: arena)
    details = RowInsertion(
      db, into: "detail",
      [
        "message_id", "remote_id", "body", "html", "url", "author", "published", "updated", "language",
        "tags",
        "extras",
      ], arena: arena)
    statuses = RowInsertion(
      db, into: "status", ["message_id", "is_read", "is_starred", "is_dismissed"])
    insertTranslated = try db.prepared("INSERT OR IGNORE INTO translated (message_id) VALUES (?)")
  }

  /// The rows are there after `flush` at the latest.
  func insert(_ new: NewMessage, _ head: MessageHead, received: Milliseconds) throws {
    waiting.append((new, head, received))
    if waiting.count == RowInsertion.atOnce { try flush() }
  }

  /// Call it before a new message is read or changed, and at the end.
  func flush() throws {
    if waiting.isEmpty { return }
    try messages.insert(waiting) { row, statement, first in
      try bind(row.new.message, row.head, to: statement, from: first)
      statement.bind(first + 12, row.received)
    }
    try details.insert(waiting) { row, statement, first in
      try bind(row.new.message, row.head.id, extras: row.new.extras, to: statement, from: first)
    }
    try statuses.insert(waiting) { row, statement, first in
      statement.bind(first, row.head.id)
      statement.bind(first + 1, row.head.isRead)
      statement.bind(first + 2, false)
      statement.bind(first + 3, false)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  func update(_ message: IncomingMessage, _ head: MessageHead, extras: [UInt8]?) throws {
    let updateMessage = try db.prepared(
      """
      UPDATE message SET source_id = ?2, kind = ?3, standing = ?4, sort_time = ?5, is_shown = ?6,
        is_dismissable = ?7, priority = ?8, visible_from = ?9, expires = ?10, channel = ?11, title = ?12
      WHERE id = ?1
      """)
    try bind(message, head, to: updateMessage, from: 1)
    try updateMessage.run()
    let updateDetail = try db.prepared(
      """
      UPDATE detail SET remote_id = ?2, body = ?3, html = ?4, url = ?5, author = ?6, published = ?7,
        updated = ?8, language = ?9, tags = ?10, extras = ?11
      WHERE message_id = ?1
      """)
    try bind(message, head.id, extras: extras, to: updateDetail, from: 1)
    try updateDetail.run()
  }

  /// Deletes the rows that make up a message; lists, search index and identity are changed elsewhere.
  static func delete(_ id: Int64, _ db: Database) throws {
    try LinkKeys(db).remove(id)
    try FacetChanges(db, Columns()).remove(id)
    let tables = [
      "detail", "status", "translated", "article", "touched", "moment", "rule_run", "telling", "list_member",
      "list_moment", "resolved",
    ]
    for table in tables {
      try db.prepared("DELETE FROM \(table) WHERE message_id = ?").run(id)
    }
    try db.prepared("DELETE FROM message WHERE id = ?").run(id)
  }

  /// Notes that a message can be put into another language.
  func remember(translated id: Int64) throws {
    insertTranslated.bind(1, id)
    try insertTranslated.run()
  }

  func received(_ id: Int64) throws -> Milliseconds? {
    try db.integer("SELECT received FROM message WHERE id = ?", id)
  }

  private func bind(
    _ message: IncomingMessage, _ head: MessageHead, to statement: Prepared, from first: Int32
  ) throws {
    statement.bind(first, head.id)
    statement.bind(first + 1, head.source)
    try statement.bind(first + 2, message.kind.rawValue)
    statement.bind(first + 3, head.key.standing.rawValue)
    statement.bind(first + 4, head.key.sortTime)
    statement.bind(first + 5, head.isShown)
    statement.bind(first + 6, head.isDismissable)
    statement.bind(first + 7, message.priority.rawValue)
    statement.bind(first + 8, head.visibleFrom)
    statement.bind(first + 9, head.expires)
    try statement.bind(first + 10, head.channel)
    try statement.bind(first + 11, message.title)
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
    try statement.bind(first + 9, message.tags.isEmpty ? nil : StoredJSON.text(message.tags))
    try statement.bind(first + 10, utf8: extras)
  }
}

extension Message {
  /// Over `message m`, `status t`, `detail d` and `source s`.
  static let select = """
    SELECT \(MessageHead.columns), m.kind, m.priority, m.title, m.received, s.name, d.remote_id, d.body, d.html,
      d.url, d.author, d.published, d.updated, d.language, d.tags, d.extras,
      t.is_dismissed, t.snoozed_until
    FROM message m CROSS JOIN status t ON t.message_id = m.id CROSS JOIN detail d ON d.message_id = m.id
      CROSS JOIN source s ON s.id = m.source_id
    """

  /// Reads the columns of `select`.
  init(_ row: Prepared, _ columns: Columns) {
    let head = MessageHead(row)
    var content = IncomingMessage(
      remoteID: RemoteID(row.text(20)), kind: MessageKind(rawValue: row.text(15)) ?? .local,
      title: row.text(17), body: row.text(21))
    content.html = row.optionalText(22)
    content.url = row.optionalText(23)
    content.author = row.optionalText(24)
    content.published = row.optionalInt(25).map(Date.init(milliseconds:))
    content.updated = row.optionalInt(26).map(Date.init(milliseconds:))
    content.priority = Priority(Int(row.int(16)))
    content.tags = row.optionalText(28).flatMap(columns.strings.value) ?? []
    content.channel = head.channel
    content.language = row.optionalText(27)
    content.visibleFrom = head.visibleFrom.map(Date.init(milliseconds:))
    content.expires = head.expires.map(Date.init(milliseconds:))
    content.isDismissable = head.isDismissable
    content.standing = head.key.standing
    content.extras = row.optionalText(29).flatMap(columns.extras.value)
    self.init(
      id: head.key.id, source: SourceID(head.source), sourceName: row.text(19), content: content,
      received: Date(milliseconds: row.int(18)), isUnread: !head.isRead, isStarred: head.isStarred,
      isDismissed: row.bool(30))
    snoozedUntil = row.optionalInt(31).map(Date.init(milliseconds:))
  }
}
