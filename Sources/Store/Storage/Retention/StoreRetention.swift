import Basics
package import Foundation
import GRDB
package import Messages

/// The limits of the sources at one instant.
package struct RetentionLimits: Sendable {
  fileprivate struct Limit {
    var isLocal: Bool
    /// The time of arrival before which messages are removed.
    var received: Milliseconds?
    /// The position in the source's list below which messages are removed.
    var key: ListKey?
  }

  /// The instant for which the limits were determined, or `nil` if the clock can't be trusted; then nothing
  /// is deleted.
  fileprivate var time: BelievedTime?
  fileprivate var limits: [Int64: Limit] = [:]

  /// The time by which the clock is ahead of the greatest time that servers have sent, if that is more than a day; then
  /// nothing is deleted.
  package fileprivate(set) var clockLead: Duration?

  /// Whether every source keeps everything.
  package var isEmpty: Bool { limits.isEmpty }
}

/// The result of one step of pruning.
package struct PruneStep: Hashable, Sendable {
  /// The number of removed messages, keyed by source.
  package var removed: [SourceID: Int]
  /// The position at which the next step continues, or `nil` once all messages were checked.
  package var next: Place?

  /// A position among the messages in the order of their arrival.
  package struct Place: Hashable, Sendable {
    /// The last checked message.
    fileprivate var id: Int64 = 0
    /// The latest time of arrival up to that message, without times in the future.
    fileprivate var latest = Milliseconds.min

    package init() {}

    /// Continues with the next message in the order of arrival.
    ///
    /// A message that arrived while the clock was set back has a time that is too early. It can't have arrived before
    /// the existing messages, so it gets the time of the latest of them.
    ///
    /// - Returns: the time when the message arrived.
    fileprivate mutating func pass(_ id: Int64, received: Milliseconds, now: Milliseconds) -> Milliseconds {
      self.id = id
      if received <= now { latest = max(latest, received) }
      return max(latest, received)
    }
  }
}

/// Removes the messages that sources no longer keep.
package struct StoreRetention: StorePart {
  let store: Store

  /// Returns the current limits of these sources; sources that keep everything have none.
  package func limits(
    of sources: [Source], at now: Date
  ) throws(StoreFailure) -> RetentionLimits {
    try read { db in
      let now = now.milliseconds
      let clock = ServerClock(db)
      var limits = RetentionLimits(time: try clock.believed(at: now), clockLead: try clock.lead(at: now))
      if limits.time == nil { return limits }
      for source in sources where source.retention != .everything {
        let retention = source.retention
        let id = source.id.rawValue
        let received = retention.age.map { now - Milliseconds($0 / .milliseconds(1)) }
        let key = try retention.count.flatMap { try Self.key(ofNewest: $0, in: id, db) }
        if received == nil, key == nil { continue }
        limits.limits[id] = .init(isLocal: !source.kind.row.isPolled, received: received, key: key)
      }
      return limits
    }
  }

  /// Removes the messages that the sources no longer keep, among the next messages in the order of their arrival.
  ///
  /// The ids of removed messages are kept, so that a publisher cannot add them again. Only a local source forgets its
  /// ids, since a message that is pushed again should be shown.
  ///
  /// - Parameters:
  ///   - start: the end of the last step.
  ///   - looking: the number of messages to check.
  ///   - removing: the maximum number to remove, which limits how long another write waits.
  package func prune(
    _ limits: RetentionLimits, from start: PruneStep.Place = .init(), looking: Int = 1000, removing: Int = 100
  ) throws(StoreFailure) -> PruneStep {
    guard let time = limits.time, !limits.isEmpty else { return PruneStep(removed: [:], next: nil) }
    let (found, next) = try read { db in
      try Self.prunable(limits, from: start, looking: looking, removing: removing, db)
    }
    guard !found.isEmpty else { return PruneStep(removed: [:], next: next) }
    return try maintain { db in
      var removed: [SourceID: Int] = [:]
      // The user may have starred one meanwhile.
      let heads = try found.compactMap { try Self.prunable($0.head, arrived: $0.arrived, limits, db) }
      let index = try SearchIndex(db)
      let occasion = try db.prepared("SELECT extras ->> '$.occasion' FROM detail WHERE message_id = ?")
      let forget = try db.prepared(
        "DELETE FROM identity WHERE source_id = ?1 AND remote_id = (SELECT remote_id FROM detail WHERE message_id = ?2)"
      )
      for head in heads {
        try index.remove(head.id)
        if limits.limits[head.source]?.isLocal == true {
          try forget.run(head.source, head.id)
          try EntryTable(db, of: SourceID(head.source)).forgetFacts(of: head.id)
        } else {
          occasion.bind(1, head.id)
          let text = try occasion.first { occasion.optionalText(0) } ?? nil
          try EntryTable(db, of: SourceID(head.source)).keep(
            head.id, occasion: text.map { Occasion($0).stored }, at: time.now)
        }
        try MessageRows.delete(head.id, db)
        removed[SourceID(head.source), default: 0] += 1
      }
      return PruneStep(removed: removed, next: next)
    }
  }

  /// Runs all steps of `prune`.
  ///
  /// - Returns: the number of removed messages, keyed by source.
  package func pruneAll(
    _ limits: RetentionLimits, looking: Int = 1000, removing: Int = 100
  ) throws(StoreFailure) -> [SourceID: Int] {
    var counts: [SourceID: Int] = [:]
    var place: PruneStep.Place? = .init()
    while let start = place {
      let step = try prune(limits, from: start, looking: looking, removing: removing)
      counts.merge(step.removed, uniquingKeysWith: +)
      place = step.next
    }
    return counts
  }

  /// Returns the number of messages of each source that all steps of `prune` would remove. Writes nothing.
  package func prunable(_ limits: RetentionLimits) throws(StoreFailure) -> [SourceID: Int] {
    try read { db in
      var counts: [SourceID: Int] = [:]
      var place: PruneStep.Place? = .init()
      while let start = place {
        let (found, next) = try Self.prunable(limits, from: start, looking: 10_000, removing: 10_000, db)
        for (head, _) in found { counts[SourceID(head.source), default: 0] += 1 }
        place = next
      }
      return counts
    }
  }

  /// Returns the time when all messages were last checked, or `nil` if never.
  package func lastPruned() throws(StoreFailure) -> Date? {
    try read { db in
      try db.integer("SELECT pruned FROM store").flatMap { $0 == 0 ? nil : Date(milliseconds: $0) }
    }
  }

  /// Returns free pages to the disk while they are more than an eighth of the file; the others are soon reused. A file
  /// of 0.2.0 keeps them until it is compacted.
  private func giveBackFreePages() throws(StoreFailure) {
    func step(_ db: Database) throws -> Bool {
      guard try db.integer("PRAGMA auto_vacuum") == 2, let free = try db.integer("PRAGMA freelist_count"),
        let all = try db.integer("PRAGMA page_count"), free > all / 8
      else { return false }
      try db.execute(sql: "PRAGMA incremental_vacuum(256)")
      return true
    }
    while try maintain(.process, step) {}
  }

  /// Records that all messages were compared with the limits of their sources, and deletes other rows that are no
  /// longer needed.
  ///
  /// The page "What is stored" lists these rows. The work is done in slices, so that other writes can happen
  /// in between.
  ///
  /// - Parameter removed: the number of messages that the pruning deleted.
  package func endPruning(at now: Date, removed: Int = 0) throws(StoreFailure) {
    try store.search.shrink(after: removed)
    try giveBackFreePages()
    let now = now.milliseconds
    guard try read({ db in try ServerClock(db).believed(at: now) }) != nil else { return }
    func repeated(
      _ slice: (Database, BelievedTime) throws -> Bool
    ) throws(StoreFailure) {
      var isLeft = true
      while isLeft {
        isLeft = try maintain { db in
          guard let time = try ServerClock(db).believed(at: now) else { return false }
          return try slice(db, time)
        }
      }
    }
    try repeated { db, time in try EntryTable.forgetSome(unlistedFor: Limits.unlistedSeconds, at: time, db) }
    var last: EntryTable.Mark?
    try repeated { db, time in
      last = try EntryTable.forgetMarks(after: last, db)
      return last != nil
    }
    try repeated { db, time in try Features.forgetSome(at: time, db) }
    var told: Int64? = 0
    try repeated { db, time in
      told = try NoticeQueue(db, at: time.now).forgetSome(after: told ?? 0)
      return told != nil
    }
    var marked: MarkLog.Place? = MarkLog.Place()
    try repeated { db, _ in
      marked = try MarkLog(db).forgetSome(after: marked ?? MarkLog.Place())
      return marked != nil
    }
    var key: WireKeys.Place? = WireKeys.Place()
    try repeated { db, _ in
      key = try WireKeys(db).forgetSome(after: key ?? WireKeys.Place())
      return key != nil
    }
    var acts = try read { db in try Journal(db).unneeded() }[...]
    try repeated { db, _ in
      try Journal(db).forget(acts.prefix(Self.slice))
      acts = acts.dropFirst(Self.slice)
      return !acts.isEmpty
    }
    try repeated { db, time in
      try db.prepared("UPDATE store SET pruned = ?").run(time.now)
      try EarlyCells(db, at: time.now).prune(at: time)
      try StoreBanners.forgetUnlisted(db)
      try db.execute(
        sql: """
          DELETE FROM facet_name WHERE NOT EXISTS (SELECT 1 FROM facet WHERE facet = facet_name.id);
          DELETE FROM hidden_tally WHERE count = 0;
          DELETE FROM rule WHERE text = '\(StoreRules.gone)' AND NOT EXISTS (SELECT 1 FROM touched WHERE rule = name);
          """)
      return false
    }
  }

  private static let slice = 5000

  // MARK: - What may go

  /// Returns the position in a source's list below the newest `count` messages, or `nil` if there are not more.
  private static func key(ofNewest count: Int, in source: Int64, _ db: Database) throws -> ListKey? {
    let query = try db.prepared(
      """
      SELECT rank, sort_time, message_id FROM status WHERE source_id = ?1 AND is_listed
      ORDER BY rank DESC, sort_time DESC, message_id DESC LIMIT 1 OFFSET ?2
      """)
    query.bind(1, source)
    query.bind(2, count - 1)
    return try query.first {
      ListKey(
        rank: Rank(rawValue: Int(query.int(0))) ?? .normal, sortTime: query.int(1),
        id: MessageID(query.int(2)))
    }
  }

  /// The beginning of the queries for messages that may have to be removed.
  private static let candidates = """
    SELECT \(MessageHead.columns), m.received, t.dismissed_at IS NOT NULL, t.snoozed_until
    FROM message m CROSS JOIN status t ON t.message_id = m.id
    """

  private static func prunable(
    _ limits: RetentionLimits, from start: PruneStep.Place, looking: Int, removing: Int, _ db: Database
  ) throws -> (found: [(head: MessageHead, arrived: Milliseconds)], next: PruneStep.Place?) {
    guard let now = limits.time?.now else { return ([], nil) }
    let query = try db.prepared("\(candidates) WHERE m.id > ?1 ORDER BY m.id LIMIT ?2")
    query.bind(1, start.id)
    query.bind(2, looking)
    var found: [(MessageHead, Milliseconds)] = []
    var seen = 0
    var place = start
    try query.forEach {
      if found.count == removing { return }
      let head = MessageHead(query)
      seen += 1
      let arrived = place.pass(head.id, received: query.int(16), now: now)
      if isPrunable(head, arrived: arrived, query, limits) { found.append((head, arrived)) }
    }
    return (found, seen < looking && found.count < removing ? nil : place)
  }

  private static func prunable(
    _ head: MessageHead, arrived: Milliseconds, _ limits: RetentionLimits, _ db: Database
  ) throws -> MessageHead? {
    let query = try db.prepared("\(candidates) WHERE m.id = ?")
    query.bind(1, head.id)
    return try query.first {
      let head = MessageHead(query)
      return isPrunable(head, arrived: arrived, query, limits) ? head : nil
    } ?? nil
  }

  /// Whether the source no longer keeps a message.
  ///
  /// - Parameter row: a row of `candidates`.
  private static func isPrunable(
    _ head: MessageHead, arrived: Milliseconds, _ row: Prepared, _ limits: RetentionLimits
  ) -> Bool {
    guard let limit = limits.limits[head.source] else { return false }
    let isSnoozed = row.optionalInt(18) != nil
    let isOver = head.expires.flatMap { expires in limits.time.map { expires <= $0.now } } ?? false
    guard !head.isStarred, !isSnoozed, head.isRead || row.bool(17) || isOver else { return false }
    let isOld = limit.received.map { arrived < $0 } ?? false
    let isBelow = limit.key.map { head.key < $0 } ?? false
    return isOld || isBelow
  }
}
