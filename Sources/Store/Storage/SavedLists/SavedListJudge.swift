import Basics
import Foundation
import GRDB
import Messages
import Queries

/// Decides in which saved lists a message counts: in those that would show it if they showed only unread messages. As
/// in a search, the original represents all its duplicates, and it is found if any of them matches.
final class SavedListJudge {
  private struct One {
    let id: Int64
    let query: Query
    let matcher: QueryMatcher
    /// The query without its time-dependent parts, or `nil` if it has none.
    let timeless: QueryMatcher?
    /// A cheaper query, which matches every message that `query` matches and does not need the text of a message, or
    /// `nil` if it would exclude nothing.
    let first: QueryMatcher?
    /// The states, for example dismissed, that hide messages from other lists, but not from this one.
    let lifted: Facts.States
  }

  private let db: Database
  private let lists: [One]
  private let reader: FactsReader
  private let tokenizer: SearchTokenizer
  private let configured: Set<Int64>
  private let hasCopies: Bool
  private let time: (now: Date, zone: ZoneClock)

  init(_ db: Database, _ searching: Searching) throws {
    self.db = db
    let clock = try StoreClock(db, searching.columns).now()
    let time = searching.time ?? (Date(milliseconds: clock), .gmt)
    self.time = time
    let tokenizer = try SearchTokenizer(db)
    self.tokenizer = tokenizer
    var lists: [One] = []
    let stored = try db.prepared("SELECT id, query FROM saved_list WHERE query IS NOT NULL")
    try stored.forEach {
      guard let query = searching.query(stored.text(1)) else { return }
      func matcher(_ query: Query) -> QueryMatcher {
        QueryMatcher(query, tokenizer: tokenizer, now: time.now, zone: time.zone)
      }
      let timeless = query.changesWithTime ? query.timeless : nil
      let cheap = (timeless ?? query).relaxed(to: FactsReader.isCheap)
      lists.append(
        One(
          id: stored.int(0), query: query, matcher: matcher(query), timeless: timeless.map(matcher),
          first: cheap == .everything ? nil : matcher(cheap), lifted: query.liftedStates))
    }
    self.lists = lists
    let subjects = lists.reduce(into: Set<Query.Subject>()) { $0.formUnion($1.query.subjects) }
    reader = try FactsReader(db, searching.columns, subjects: subjects, at: clock)
    var configured: Set<Int64> = []
    let sources = try db.prepared("SELECT id FROM source WHERE position IS NOT NULL")
    try sources.forEach { configured.insert(sources.int(0)) }
    self.configured = configured
    hasCopies = try Duplicates(db).exist()
  }

  /// Decides and stores in which lists a message counts now, and when it must be judged again. For a
  /// duplicate, it does the same for the original.
  func judge(_ id: Int64) throws {
    var found: Set<Int64> = []
    var moment: Date?
    var isUnseen = false
    let head = try MessageHead.find(id, db)
    if let first = head?.first { try judge(first.id) }
    if let head, head.first == nil, counts(head) {
      try judge(head, id, standingFor: head, &found, &moment)
      if hasCopies {
        for copy in try Duplicates(db).heads(of: id) where counts(copy) {
          try judge(head, copy.id, standingFor: copy, &found, &moment)
        }
      }
      isUnseen =
        try !found.isEmpty
        && db.integer("SELECT 1 FROM status WHERE message_id = ? AND is_unseen AND NOT is_read", id) == 1
    }
    try write(id, found, isUnseen: isUnseen)
    if let moment {
      try db.prepared("INSERT OR REPLACE INTO list_due (message_id, at) VALUES (?, ?)")
        .run(id, moment.milliseconds)
    } else {
      try db.prepared("DELETE FROM list_due WHERE message_id = ?").run(id)
    }
  }

  private func counts(_ head: MessageHead) -> Bool { !head.isRead && configured.contains(head.source) }

  /// - Parameters:
  ///   - shown: the message that lists show instead of all its duplicates.
  ///   - own: the message among them that is judged.
  private func judge(
    _ shown: MessageHead, _ id: Int64, standingFor own: MessageHead, _ found: inout Set<Int64>,
    _ moment: inout Date?
  ) throws {
    guard var row = try reader.row(id) else { return }
    var reading = QueryReading(row.facts, tokenizer)
    let asked = try lists.filter { list in
      let away = row.facts.states.intersection(.outOfInbox)
      guard away.isSubset(of: list.lifted), try isIn(list, shown), try isIn(list, own) else { return false }
      return list.first?.matches(&reading) ?? true
    }
    guard !asked.isEmpty else { return }
    try reader.complete(&row)
    reading = QueryReading(row.facts, tokenizer)
    for list in asked {
      if list.matcher.matches(&reading) { found.insert(list.id) }
      if let timeless = list.timeless, timeless.matches(&reading),
        let change = list.query.nextChange(after: time.now, of: row.facts.time, zone: time.zone)
      {
        moment = min(change, moment ?? change)
      }
    }
  }

  private func isIn(_ list: One, _ head: MessageHead) throws -> Bool {
    if head.isListed { return true }
    if list.lifted.isEmpty { return false }
    return try head.isShown || list.lifted.contains(.expired) && reader.isShown(expired: head)
  }

  private func write(_ id: Int64, _ lists: Set<Int64>, isUnseen: Bool) throws {
    let query = try db.prepared("SELECT list_id, is_unseen FROM list_member WHERE message_id = ?")
    query.bind(1, id)
    var stored: [Int64: Bool] = [:]
    try query.forEach { stored[query.int(0)] = query.bool(1) }
    for list in stored.keys where !lists.contains(list) {
      try db.prepared("DELETE FROM list_member WHERE message_id = ? AND list_id = ?").run(id, list)
    }
    for list in lists where stored[list] == nil {
      try db.prepared("INSERT INTO list_member (message_id, list_id, is_unseen) VALUES (?, ?, ?)")
        .run(id, list, isUnseen ? 1 : 0)
    }
    for (list, wasUnseen) in stored where lists.contains(list) && wasUnseen != isUnseen {
      try db.prepared("UPDATE list_member SET is_unseen = ?3 WHERE message_id = ?1 AND list_id = ?2")
        .run(id, list, isUnseen ? 1 : 0)
    }
  }
}
