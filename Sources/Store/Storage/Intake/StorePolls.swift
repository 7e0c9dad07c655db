package import Basics
package import Foundation
import GRDB
package import Messages

/// The changes made by a poll.
package struct RecordedPoll: Hashable, Sendable {
  /// The number of new messages that are listed.
  package var new: Int
  /// The number of messages that arrived again with changed content.
  package var updated: Int
  /// The number of updated messages that were read and became unread again.
  package var back = 0
  /// The number of new messages that are not listed: for another channel, for a later time, or expired.
  package var hidden: Int
  /// The ids of the new and listed messages, oldest first.
  package var ids: [MessageID]
  /// The features whose state changed.
  package var features: [FeatureChange]
  /// The keys that were ignored for the first time in this source, whichever process polled it before.
  package var ignoredKeys: [FormatProblem] = []
  /// The reasons why messages are not new, or become unread again.
  package var identity = IdentityReport()
  /// The decisions on the messages, by their positions in the delivery. Unchanged messages are left out, and for a very
  /// large delivery only the first ones are included.
  var verdicts: [Int: EntryVerdict] = [:]
  /// The problems that only the store found, and those found while the messages of a stream were created.
  package var streamProblems: [FormatProblem] = []
  /// The rules and settings that could not be decided for some messages: see `Verdict.overBudget`.
  package var overBudget: Set<String> = []
  /// The state as stored, in which instants are less precise, or `nil` if it must be read from the store.
  package var state: PollState?

  package init(
    new: Int = 0, updated: Int = 0, hidden: Int = 0, ids: [MessageID] = [], features: [FeatureChange] = []
  ) {
    self.new = new
    self.updated = updated
    self.hidden = hidden
    self.ids = ids
    self.features = features
  }

  /// The number of new messages that are duplicates of messages of other sources.
  package var copies: Int { identity.count(.copies) }
  /// The number of ids that arrived for several messages for the first time.
  package var repeatedIDs: Int { identity.count(.repeatedIDs) }
}

/// The results of polls, the positions from which the next polls continue, the timeline, and the hosts that are held
/// back.
package struct StorePolls: StorePart {
  let store: Store

  /// Stores the result of a poll in one transaction: messages, position, the last good copy of the document, dot,
  /// title, link, badge, features, attempt and state. A failure changes only state and timeline, and `notModified` also
  /// the validators.
  ///
  /// - Throws: `poll(.ended)` if the poll's stream was ended; then nothing of it is stored.
  @discardableResult
  package func record(_ poll: PollReport) throws(StoreFailure) -> RecordedPoll {
    guard case .content(let content, _) = poll.outcome, let stream = content.stream else {
      return try write { db in try store(poll, db) }
    }
    defer { stream.end() }
    var poll = poll
    var isSurveyed = false
    // Each failure rolls back the transaction, and can occur once.
    while true {
      do throws(StoreFailure) {
        return try write { [poll, isSurveyed] db in try store(poll, isSurveyed: isSurveyed, db) }
      } catch .poll(let failure) where failure != .ended {
        do throws(MessageStreamFailure) {
          switch failure {
          case .needsSurvey:
            try stream.restart()
            isSurveyed = true
          case .needsWhole: poll.outcome = try stream.whole()
          case .ended: throw failure
          }
        } catch {
          throw .poll(error)
        }
      }
    }
  }

  @discardableResult
  package func record(
    _ outcome: PollOutcome, for source: SourceID, attempt trigger: PollTrigger, start: Date, end: Date,
    state: PollState, hold: HostHold? = nil
  ) throws(StoreFailure) -> RecordedPoll {
    try record(
      PollReport(
        source: source, trigger: trigger, start: start, end: end, outcome: outcome, state: state, hold: hold))
  }

  /// Stores several polls in one transaction: all of them or none. They must have no streams.
  package func record(_ polls: [PollReport]) throws(StoreFailure) -> [RecordedPoll] {
    try write { db in try polls.map { try store($0, db) } }
  }

  private func store(_ poll: PollReport, isSurveyed: Bool = false, _ db: Database) throws -> RecordedPoll {
    let (source, start, end) = (poll.source, poll.start, poll.end)
    let row = try SourceRow.find(source, db, columns)
    try poll.state.save(source, db, columns)
    if let hold = poll.hold { try Self.hold(hold.host, until: hold.until, at: end, db) }
    if let quota = poll.outcome.hints.quota { try quota.save(source, db, columns) }
    if let date = poll.outcome.hints.serverDate {
      try ServerClock(db).hear(
        date.milliseconds,
        from: HostName.withoutPort(row.source.settings.address) ?? row.source.kind.rawValue,
        at: end.milliseconds)
    }
    var recorded = RecordedPoll()
    var problems: [FormatProblem] = []
    switch poll.outcome {
    case .failed: break
    case .notModified(let position, _):
      let old = try PollPosition.find(source, db)
      if row.source.kind.row.keepsDocument {
        try StoredDocument.move(
          from: old.address(of: row.source), to: position.address(of: row.source), db)
      }
      try save(confirmed: position, after: old, of: row.source, db, at: end.milliseconds)
    case .content(var content, let hints):
      let arrived: [RemoteID: Int64]
      let before = content.problems.count
      (recorded, arrived) = try store(
        &content, from: row.source, isWhole: !hints.hasMore, isSurveyed: isSurveyed, db, at: end)
      if let upstream = content.upstream {
        let changes = try UpstreamChanges(
          db, columns, of: source, start: start.milliseconds, at: end.milliseconds, arrived: arrived,
          judges: arrivals)
        let changed = try changes.apply(upstream)
        recorded.updated += changed.all
        recorded.back += changed.back
      }
      if !content.endings.isEmpty {
        recorded.updated += try UpstreamChanges(
          db, columns, of: source, start: start.milliseconds, at: end.milliseconds, arrived: arrived,
          judges: arrivals
        ).apply(content.endings)
      }
      try Outgoing(db).forget(of: source, carriedBefore: start.milliseconds)
      recorded.ignoredKeys = try IgnoredKeys.remember(content.ignoredKeys, of: source, db)
      // These are added in front: problems that are reported only once must not be cut off by the limit of the
      // timeline.
      let costly = recorded.overBudget.sorted().map {
        FormatProblem(
          at: $0,
          message: "a regular expression takes too long for these messages, and does nothing with some")
      }
      let repeated = recorded.repeatedIDs == 0 ? [] : [FormatProblem.repeated(ids: recorded.repeatedIDs)]
      let day = try PollState.find(source, db, columns).state.day
      if recorded.new + recorded.hidden > 0, row.source.settings.pause(after: day, at: end) != nil {
        content.problems.append(
          FormatProblem(
            at: "",
            message:
              "daily_limit: \(day?.messages ?? 0) new messages came within a day; the next poll continues there"
          ))
      }
      recorded.streamProblems = costly + repeated + content.problems[before...]
      problems = costly + recorded.ignoredKeys + repeated + content.problems
      if content.features.reduce(0, { $0 + $1.names.count }) > Limits.featuresPerPoll {
        problems.insert(
          FormatProblem(
            at: "", message: "switches more than \(Limits.featuresPerPoll) features; the first were taken"),
          at: 0)
      }
    }
    if poll.replacesEarlierLine, let earlier = poll.earlier {
      try db.prepared(
        "DELETE FROM attempt WHERE id = (SELECT max(id) FROM attempt WHERE source_id = ?1) AND start = ?2"
      ).run(source.rawValue, earlier.start.milliseconds)
    }
    let line = poll.attempt(
      new: recorded.new, updated: recorded.updated, back: recorded.back, problems: problems,
      identity: recorded.identity)
    try record(line, db)
    // The poll is stored even if its state can't be read: the poller retries, and reports failures.
    recorded.state = try? PollState.find(source, db, columns).state
    return recorded
  }

  /// Stores the position of a source that has nothing new. A server may wrongly report that, so after a week the next
  /// poll requests without validators.
  private func save(
    confirmed position: PollPosition, after old: PollPosition, of source: Source, _ db: Database,
    at now: Milliseconds
  ) throws {
    var position = position
    let since = try db.integer("SELECT content_at FROM polling WHERE source_id = ?", source.id.rawValue)
    if since == nil {
      try db.prepared("UPDATE polling SET content_at = ?2 WHERE source_id = ?1").run(source.id.rawValue, now)
    }
    if let since, now - since >= Limits.confirmedSeconds * 1000 {
      position.validators = Validators()
      if source.kind.row.keepsDocument {
        try StoredDocument.forgetValidators(position.address(of: source), db)
      }
    }
    if position != old { try position.save(source.id, db) }
  }

  /// Returns the position from which the next poll of a source continues.
  ///
  /// A control file is requested with the validators of its good copy, or with none if there is no copy: a 304 would
  /// leave nothing to evaluate.
  package func position(of source: SourceID) throws(StoreFailure) -> PollPosition {
    try read { db in try position(of: source, db) }
  }

  private func position(of source: SourceID, _ db: Database) throws -> PollPosition {
    var position = try PollPosition.find(source, db)
    let kind = try db.prepared("SELECT kind FROM source WHERE id = ?")
    kind.bind(1, source.rawValue)
    if try kind.first({ SourceKind(rawValue: kind.text(0))?.row.keepsDocument }) == true {
      let row = try SourceRow.find(source, db, columns)
      position.validators =
        try StoredDocument.find(position.address(of: row.source), db)?.validators ?? Validators()
    }
    return position
  }

  package func state(of source: SourceID) throws(StoreFailure) -> PollState {
    try read { db in try PollState.find(source, db, columns).state }
  }

  /// Returns the results of earlier polls, at one instant: the states of some sources, their URLs if a permanent
  /// redirect changed them, and the ends of holds.
  package func polled(_ sources: [SourceID]) throws(StoreFailure) -> Polled {
    try read { db in try polled(sources, db) }
  }

  /// Returns the results of earlier polls of one source, and its position.
  package func polled(
    _ source: SourceID
  ) throws(StoreFailure) -> (polled: Polled, position: PollPosition) {
    try read { db in (try polled([source], db), try position(of: source, db)) }
  }

  /// Returns the results of earlier polls and the positions of several sources, at one instant.
  package func polled(
    each sources: [SourceID]
  ) throws(StoreFailure) -> [SourceID: (polled: Polled, position: PollPosition)] {
    try read { db in
      var found: [SourceID: (polled: Polled, position: PollPosition)] = [:]
      for source in sources { found[source] = (try polled([source], db), try position(of: source, db)) }
      return found
    }
  }

  /// The results of earlier polls: states, the URLs of sources that permanent redirects moved, and the end of each
  /// host's hold.
  package typealias Polled = (
    states: [SourceID: PollState], addresses: [SourceID: String], holds: [String: Date]
  )

  private func polled(_ sources: [SourceID], _ db: Database) throws -> Polled {
    var states: [SourceID: PollState] = [:]
    var addresses: [SourceID: String] = [:]
    for source in sources {
      let found = try PollState.find(source, db, columns)
      states[source] = found.state
      addresses[source] = found.address
    }
    return (states, addresses, try Self.holds(db))
  }

  static func serverTitle(of source: Source, _ db: Database) throws -> String? {
    let query = try db.prepared("SELECT title FROM polling WHERE source_id = ?")
    query.bind(1, source.id.rawValue)
    return try query.first { query.optionalText(0) } ?? nil
  }

  /// Stores the content of a poll.
  ///
  /// - Parameters:
  ///   - content: receives the problems of its stream.
  ///   - isWhole: whether the next poll starts from the beginning instead of the end of this one.
  /// - Returns: the changes, and the numbers of the new messages if the poll also reports the states or ends
  ///   of messages.
  private func store(
    _ content: inout PollContent, from source: Source, isWhole: Bool, isSurveyed: Bool, _ db: Database,
    at end: Date
  ) throws -> (recorded: RecordedPoll, arrived: [RemoteID: Int64]) {
    if content.hasNewIDs {
      try db.prepared("UPDATE polling SET has_new_ids = 1 WHERE source_id = ?").run(source.id.rawValue)
    }
    let isFilled =
      try db.integer("SELECT is_filled FROM polling WHERE source_id = ?", source.id.rawValue) == 1
    let hasNewIDs =
      try db.integer("SELECT has_new_ids FROM polling WHERE source_id = ?", source.id.rawValue) == 1
    var recorded = RecordedPoll()
    var arrived: [RemoteID: Int64] = [:]
    var endedNotices: [RemoteID] = []
    var old: [String] = []
    if !content.messages.isEmpty || content.stream != nil {
      let title = try content.title ?? Self.serverTitle(of: source, db)
      let intake = try Intake(
        db, columns, source, matchesContent: hasNewIDs, reusedID: content.reusedID, judges: arrivals,
        serverTitle: title,
        as: !isFilled && source.kind.row.isPolled ? .firstPoll : .new, at: end.milliseconds)
      // A service itself reports which messages are read.
      let isFilledElsewhere = try WireSources(db).isFilled(source.id.rawValue)
      let isFirst = intake.arrival == .firstPoll && content.upstream == nil && !isFilledElsewhere
      try intake.store(content, isFirst: isFirst, isSurveyed: isSurveyed)
      content.problems += content.stream?.problems ?? []
      recorded = try intake.finish()
      // A first document with everything that a server has is an archive, which a limit on growth must not stop.
      let isArchive = isWhole && intake.arrival == .firstPoll
      if intake.added.messages > 0, source.kind.row.hasBacklog, !isArchive {
        try PollDay.add(
          messages: intake.added.messages, bytes: intake.added.bytes, to: source.id, at: end.milliseconds, db)
      }
      if isFirst { old += intake.old }
      endedNotices = intake.endedNotices
      if content.upstream?.marks.isEmpty == false || !content.endings.isEmpty { arrived = intake.arrived }
    }
    if !isFilled, source.kind.row.isPolled {
      try WireSources(db).fill(source.id.rawValue)
      try OwnActs(db).addFirstDelivery(of: source.id.rawValue, old: old, at: end.milliseconds)
    }
    let notices = content.features.fitting
    // After the ids were reset, an earlier notification's id belongs to another message.
    if !notices.isEmpty, !hasNewIDs {
      try Intake(db, columns, source, judges: arrivals, at: end.milliseconds).withdraw(notices)
    }
    recorded.features = try Features(db, columns).apply(
      notices, ended: endedNotices, of: source.id, at: end.milliseconds)
    try content.position.save(source.id, db)
    if let document = content.document {
      try StoredDocument(bytes: document.bytes, validators: content.position.validators)
        .save(document.address, db)
    }
    // Queries also know a source by its title.
    let title = content.title?.prefix(characters: Limits.titleCharacters)
    let renames = try title != nil && title != Self.serverTitle(of: source, db)
    let update = try db.prepared(
      """
      UPDATE polling SET title = coalesce(?2, title), link = coalesce(?3, link), is_filled = max(is_filled, ?5),
        badge = CASE WHEN ?4 IS NULL THEN badge WHEN ?4 = 0 THEN NULL ELSE ?4 END, content_at = ?6
      WHERE source_id = ?1
      """)
    update.bind(1, source.id.rawValue)
    try update.bind(2, title)
    try update.bind(3, content.link.flatMap { $0.utf8.count > Limits.addressBytes ? nil : $0 })
    update.bind(4, content.badge.map(Int64.init))
    // Messages that a service still has count as old too.
    update.bind(5, isWhole || content.upstream == nil)
    update.bind(6, end.milliseconds)
    try update.run()
    if renames, source.title == nil { try SavedLists(db).judgeAll() }
    return (recorded, arrived)
  }
}

extension RequestQuota {
  func save(_ source: SourceID, _ db: Database, _ columns: Columns) throws {
    let update = try db.prepared("UPDATE polling SET quota = ?2 WHERE source_id = ?1")
    update.bind(1, source.rawValue)
    try update.bind(2, columns.quota.text(self))
    try update.run()
  }
}

extension PollPosition {
  static func find(_ source: SourceID, _ db: Database) throws -> PollPosition {
    let query = try db.prepared(
      "SELECT cursor, etag, last_modified, moved_to, moved_count FROM polling WHERE source_id = ?")
    query.bind(1, source.rawValue)
    let position = try query.first {
      PollPosition(
        cursor: query.optionalText(0).map(Cursor.init),
        validators: Validators(etag: query.optionalText(1), lastModified: query.optionalText(2)),
        movedTo: query.optionalText(3), movedCount: Int(query.int(4)))
    }
    guard let position else { throw StoreFailure.unknownSource(source) }
    return position
  }

  func save(_ source: SourceID, _ db: Database) throws {
    let update = try db.prepared(
      """
      UPDATE polling SET cursor = ?2, etag = ?3, last_modified = ?4, moved_to = ?5, moved_count = ?6
      WHERE source_id = ?1
      """)
    update.bind(1, source.rawValue)
    try update.bind(2, cursor?.text)
    try update.bind(3, validators.etag)
    try update.bind(4, validators.lastModified)
    try update.bind(5, movedTo)
    update.bind(6, movedCount)
    try update.run()
  }
}
