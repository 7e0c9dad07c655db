import Foundation
import GRDB
import Messages
import Queries

/// Reads the fields that queries test in stored messages (`Facts`): cheap columns first, the rest only if needed.
final class FactsReader {
  private let db: Database
  private let columns: Columns
  private let now: Milliseconds
  private let subjects: Set<Query.Subject>
  private let rowQuery: Prepared
  private let restQuery: Prepared?
  private let stateQuery: Prepared?
  private let rulesQuery: Prepared?
  private var known: [Int64: OneSource]?

  private struct OneSource {
    var names: [String]
    var folder: String?
    var kind: String
    var channels: ShownChannels
  }

  /// A message with the fields that are cheap to read: those in its short rows of the tables `message` and `status`.
  struct Row {
    var head: MessageHead
    var facts: Facts
  }

  /// Whether the rows of `message` and `status` are enough for a test, so that a message can be examined without
  /// reading its text.
  static func isCheap(_ test: Query.Test) -> Bool {
    if case .id = test { return false }
    if case .state(let states) = test, states.contains(.new) || states.contains(.done) { return false }
    let cheap: Set<Query.Subject> = [
      .title, .sourceNames, .folder, .kinds, .channel, .priority, .states, .time,
    ]
    return test.subjects.allSatisfy(cheap.contains)
  }

  /// - Parameters:
  ///   - subjects: the needed fields; all others stay as in a message without content.
  ///   - now: the time up to which messages have expired.
  init(
    _ db: Database, _ columns: Columns, subjects: Set<Query.Subject> = Set(Query.Subject.allCases),
    at now: Milliseconds
  ) throws {
    (self.db, self.columns, self.now, self.subjects) = (db, columns, now, subjects)
    rowQuery = try db.prepared(
      """
      SELECT \(MessageHead.columns), m.kind, m.title, t.dismissed_at IS NOT NULL, t.snoozed_until, t.hidden_by,
        q.message_id IS NOT NULL AND \(QuestionRows.waits), q.ended IS NULL AND q.answers <> '[]'
      FROM message m CROSS JOIN status t ON t.message_id = m.id LEFT JOIN question q ON q.message_id = m.id WHERE m.id = ?
      """)
    func column(_ name: String, for subject: Query.Subject) -> String {
      subjects.contains(subject) ? name : "NULL"
    }
    let isRestAsked = !subjects.isDisjoint(with: [.id, .body, .author, .link, .language, .tags, .parts])
    restQuery =
      isRestAsked
      ? try db.prepared(
        """
        SELECT d.remote_id, \(column("d.body", for: .body)), \(column("d.author", for: .author)),
          \(column("d.url", for: .link)), \(column("d.language", for: .language)), \(column("d.tags", for: .tags)),
          \(column(Facts.Parts.sql, for: .parts))
        FROM detail d WHERE d.message_id = ?
        """) : nil
    stateQuery =
      subjects.contains(.states)
      ? try db.prepared(
        """
        SELECT t.is_unseen AND NOT t.is_read, EXISTS (SELECT 1 FROM (\(Endings.ended)) e WHERE e.message_id = t.message_id)
        FROM status t WHERE t.message_id = ?
        """) : nil
    rulesQuery =
      subjects.contains(.rules)
      ? try db.prepared("SELECT rule FROM touched WHERE message_id = ? ORDER BY position") : nil
  }

  /// Returns all needed fields of a message, or `nil` if there is no such message.
  func facts(of id: Int64) throws -> Facts? {
    guard var row = try row(id) else { return nil }
    try complete(&row)
    return row.facts
  }

  /// Returns a message with the fields that are cheap to read.
  func row(_ id: Int64) throws -> Row? {
    rowQuery.bind(1, id)
    let found = try rowQuery.first {
      let head = MessageHead(rowQuery)
      var facts = Facts(title: rowQuery.text(17), priority: head.priority)
      facts.id = head.key.id
      facts.kinds = [rowQuery.text(16)]
      facts.channel = head.channel
      facts.time = Date(milliseconds: head.key.sortTime)
      if !head.isRead { facts.states.insert(.unread) }
      if head.isStarred { facts.states.insert(.starred) }
      if head.key.rank != .normal { facts.states.insert(.pinned) }
      if rowQuery.bool(18) { facts.states.insert(.dismissed) }
      if !rowQuery.isNull(19) { facts.states.insert(.snoozed) }
      if !rowQuery.isNull(20) { facts.states.insert(.hidden) }
      if rowQuery.bool(21) { facts.states.insert(.waiting) }
      facts.isQuestion = rowQuery.bool(22)
      if let expires = head.expires, expires <= now { facts.states.insert(.expired) }
      return Row(head: head, facts: facts)
    }
    guard var row = found else { return nil }
    if !subjects.isDisjoint(with: [.sourceNames, .folder, .kinds]) {
      guard let source = try sources()[row.head.source] else { return nil }
      row.facts.sourceNames = source.names
      row.facts.folder = source.folder
      if source.kind != row.facts.kinds[0] { row.facts.kinds.append(source.kind) }
    }
    return row
  }

  /// Adds the needed fields that are stored in other tables.
  ///
  /// - Returns: the number of bytes of text that were read.
  @discardableResult
  func complete(_ row: inout Row) throws -> Int {
    var bytes = 0
    if let restQuery {
      restQuery.bind(1, row.head.id)
      try restQuery.forEach {
        row.facts.remoteID = RemoteID(restQuery.text(0))
        row.facts.body = restQuery.text(1)
        row.facts.author = restQuery.optionalText(2)
        row.facts.link = restQuery.optionalText(3)
        row.facts.language = restQuery.optionalText(4)
        row.facts.tags = restQuery.optionalText(5).flatMap(columns.strings.value) ?? []
        row.facts.parts = Facts.Parts(rawValue: UInt8(truncatingIfNeeded: restQuery.int(6)))
        bytes = row.facts.body.utf8.count
      }
    }
    if let stateQuery {
      stateQuery.bind(1, row.head.id)
      try stateQuery.forEach {
        if stateQuery.bool(0) { row.facts.states.insert(.new) }
        if stateQuery.bool(1) { row.facts.states.insert(.done) }
      }
    }
    if let rulesQuery {
      rulesQuery.bind(1, row.head.id)
      try rulesQuery.forEach { row.facts.rules.append(rulesQuery.text(0)) }
    }
    return bytes
  }

  /// Whether the channel and `visibleFrom` of an expired message would make it visible.
  func isShown(expired head: MessageHead) throws -> Bool {
    var head = head
    head.expires = nil
    // Nothing is shown from a source that doesn't exist.
    guard let source = try sources()[head.source] else {
      return head.isShown(at: now, channels: .named([]))
    }
    return head.isShown(at: now, channels: source.channels)
  }

  private func sources() throws -> [Int64: OneSource] {
    if let known { return known }
    var sources: [Int64: OneSource] = [:]
    for row in try SourceRow.all(db, columns) {
      let source = row.source
      sources[source.id.rawValue] = OneSource(
        names: source.names(
          serverTitle: try source.title == nil ? StorePolls.serverTitle(of: source, db) : nil),
        folder: source.folder?.path,
        kind: source.kind.rawValue, channels: source.settings.shownChannels)
    }
    known = sources
    return sources
  }

  /// Returns the sources for which a test of their name, folder or kind is true, or `nil` for any other test.
  func sources(where test: Query.Test) throws -> Set<Int64>? {
    guard case .name(let field, let patterns) = test, [.source, .folder, .kind].contains(field) else {
      return nil
    }
    return try Set(
      sources().filter { _, source in
        let names =
          switch field {
          case .source: source.names
          case .folder: source.folder.map { [$0] } ?? []
          case .kind: [source.kind]
          case .tag, .lang, .channel, .site, .rule: [String]()
          }
        return names.contains { name in patterns.contains { $0.matches(name, field) } }
      }.keys)
  }
}
