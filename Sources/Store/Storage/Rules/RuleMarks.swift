import Foundation
import GRDB
import Messages
import Queries

/// Applies the verdicts of rules to messages: sets marks, and records the rules that changed a message, the runs of
/// their programs, and the times at which they judge again.
struct RuleMarks {
  private let db: Database
  private let now: Milliseconds
  /// The writer with the changes of stored messages.
  let writer: MarkWriter

  /// - Parameter act: the act of the user who applies rules; see `MarkWriter`.
  init(_ db: Database, act: Int64? = nil, at now: Milliseconds) {
    self.db = db
    self.now = now
    writer = MarkWriter(db, by: .rule, act: act, at: now)
  }

  /// Returns the facts that rules can test in a message that is about to be stored, or is stored with this content.
  static func facts(
    _ content: IncomingMessage, _ head: MessageHead, of source: Source, names: [String]
  ) -> Facts {
    var facts = Facts(content)
    facts.id = head.key.id
    facts.sourceNames = names
    // This avoids `source.folder`, which creates a key path for each message.
    facts.folder = source.settings.folder?.path
    let kind = source.settings.kind.rawValue
    if kind != content.kind.rawValue { facts.kinds.append(kind) }
    facts.time = Date(milliseconds: head.key.sortTime)
    if !head.isRead { facts.states.insert(.unread) }
    if head.isStarred { facts.states.insert(.starred) }
    return facts
  }

  /// Writes the marks of a stored message, and the record of the rules.
  ///
  /// - Parameters:
  ///   - isNew: whether it has no marks yet.
  ///   - isUnreadAgain: whether a change of its content, instead of the user, made it unread.
  ///   - isApplied: whether the user is applying the rules to it; then marks that the rules do not set stay.
  func apply(
    _ verdict: Verdict, to id: Int64, isNew: Bool, isUnreadAgain: Bool = false, isApplied: Bool = false
  ) throws {
    try remember(verdict, of: id, isApplied: isApplied)
    let ids = IDRanges([id])
    let log = MarkLog(db)
    // The user's changes stay.
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

  /// Stores the rules that changed a message, the runs of their programs, and the time when they judge the message
  /// again.
  private func remember(_ verdict: Verdict, of id: Int64, isApplied: Bool) throws {
    if !verdict.rules.isEmpty {
      let place = try db.integer("SELECT max(position) FROM touched WHERE message_id = ?", id) ?? 0
      let touch = try db.prepared("INSERT INTO touched (message_id, position, rule, at) VALUES (?, ?, ?, ?)")
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

  /// Stores the time when the rules judge a message again.
  ///
  /// - Parameter moment: the time, or `nil` if they do not.
  func remember(moment: Date?, of id: Int64) throws {
    try db.prepared("DELETE FROM rule_due WHERE message_id = ?").run(id)
    guard let moment else { return }
    // As in `RowInsertion`, `OR REPLACE` would make the search index write to the file for each message.
    try db.prepared("INSERT OR FAIL INTO rule_due (message_id, at) VALUES (?, ?)").run(
      id, moment.milliseconds)
  }
}

extension Source {
  /// Returns the names by which queries know the source: its name in the settings, and its title if that differs.
  func names(serverTitle: String?) -> [String] {
    guard let title = self.title ?? serverTitle, title != self.name else { return [self.name] }
    return [self.name, title]
  }
}

extension IncomingMessage {
  /// Sets the tags and the priority from a verdict.
  mutating func apply(_ verdict: Verdict) {
    if let tags = verdict.tags { self.tags = tags }
    if let priority = verdict.priority { self.priority = priority }
  }
}
