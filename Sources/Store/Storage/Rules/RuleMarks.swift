import Foundation
import GRDB
import Messages
import Queries

/// Carries out what rules made of messages: marks, the record of who did it, and what is to be done later.
struct RuleMarks {
  private let db: Database
  private let now: Milliseconds
  /// What it changed of stored messages.
  let writer: MarkWriter

  /// - Parameter act: of the person who applies rules; see `MarkWriter`.
  init(_ db: Database, act: Int64? = nil, at now: Milliseconds) {
    self.db = db
    self.now = now
    writer = MarkWriter(db, by: .rule, act: act, at: now)
  }

  /// What rules may ask of a message that is about to be stored, or stored with this content.
  static func facts(
    _ content: IncomingMessage, _ head: MessageHead, of source: Source, names: [String]
  ) -> Facts {
    var facts = Facts(content)
    facts.id = head.key.id
    facts.sourceNames = names
    // Not `source.folder`, which makes a key path for each message.
    facts.folder = source.settings.folder?.path
    let kind = source.settings.kind.rawValue
    if kind != content.kind.rawValue { facts.kinds.append(kind) }
    facts.time = Date(milliseconds: head.key.sortTime)
    if !head.isRead { facts.states.insert(.unread) }
    if head.isStarred { facts.states.insert(.starred) }
    return facts
  }

  /// Writes the marks of a stored message, and what rules did.
  ///
  /// - Parameters:
  ///   - isNew: it has no marks yet.
  ///   - isUnreadAgain: it became unread by a change of its content, not by the user.
  ///   - isApplied: the user applies the rules to it now: what they do not say stays.
  func apply(
    _ verdict: Verdict, to id: Int64, isNew: Bool, isUnreadAgain: Bool = false, isApplied: Bool = false
  ) throws {
    try remember(verdict, of: id, isApplied: isApplied)
    let ids = IDRanges([id])
    let log = MarkLog(db)
    // What the user did stays.
    let isActed = try !isNew && log.isActed(id)
    if !isActed || isUnreadAgain, let isRead = verdict.isRead { try writer.set(.read(isRead), on: ids) }
    if !isActed {
      if verdict.isStarred { try writer.set(.starred(true), on: ids) }
      if verdict.isDismissed { try writer.set(.dismissed(at: now), on: ids) }
      if let until = verdict.snoozedUntil { try writer.set(.snoozed(until: until.milliseconds), on: ids) }
    }
    // A rule's mark ends with the rule, whatever else the user did with the message.
    if let rule = verdict.hiddenBy {
      if try isNew || !log.isActed(id, on: .hidden) {
        try writer.set(.hidden(.init(rule: rule, at: now)), on: ids)
      }
    } else if !isNew, !isApplied {
      try writer.set(.hidden(nil), on: ids)
    }
  }

  /// Which rules touched it, what their programs get, and when they judge it again.
  private func remember(_ verdict: Verdict, of id: Int64, isApplied: Bool) throws {
    if !verdict.rules.isEmpty {
      let place = try db.integer("SELECT max(place) FROM touched WHERE message_id = ?", id) ?? 0
      let touch = try db.prepared("INSERT INTO touched (message_id, place, rule, at) VALUES (?, ?, ?, ?)")
      let known = try db.prepared("SELECT 1 FROM touched WHERE message_id = ? AND rule = ?")
      let hit = try db.prepared(
        """
        INSERT INTO rule (name, text, hits, last_hit) VALUES (?1, '', 1, ?2)
        ON CONFLICT (name) DO UPDATE SET hits = hits + 1, last_hit = ?2, text = iif(text = '\(StoreRules.gone)', '', text)
        """)
      for (offset, rule) in verdict.rules.enumerated() {
        known.bind(1, id)
        try known.bind(2, rule)
        if try known.first({ true }) == true { continue }
        try hit.bind(1, rule)
        hit.bind(2, now)
        try hit.run()
        touch.bind(1, id)
        touch.bind(2, place + Int64(offset) + 1)
        try touch.bind(3, rule)
        touch.bind(4, now)
        try touch.run()
      }
    }
    if isApplied { return }
    let run = try db.prepared("INSERT INTO rule_run (rule, message_id) VALUES (?, ?)")
    for rule in verdict.runs {
      try run.bind(1, rule)
      run.bind(2, id)
      try run.run()
    }
    try remember(moment: verdict.nextMoment, of: id)
  }

  /// - Parameter moment: when rules judge a message again.
  func remember(moment: Date?, of id: Int64) throws {
    try db.prepared("DELETE FROM moment WHERE message_id = ?").run(id)
    guard let moment else { return }
    // As in `RowInsertion`: with `OR REPLACE` the search index would write to the file for each message.
    try db.prepared("INSERT OR FAIL INTO moment (message_id, at) VALUES (?, ?)").run(id, moment.milliseconds)
  }
}

extension Source {
  /// What queries know it by: its name in the settings, and its title if that is another.
  func names(serverTitle: String?) -> [String] {
    guard let title = self.title ?? serverTitle, title != self.name else { return [self.name] }
    return [self.name, title]
  }
}

extension IncomingMessage {
  /// With the tags and the priority that rules gave it.
  mutating func apply(_ verdict: Verdict) {
    if let tags = verdict.tags { self.tags = tags }
    if let priority = verdict.priority { self.priority = priority }
  }
}
