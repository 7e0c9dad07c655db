import Basics
import Foundation
import GRDB
import Messages

/// The user's changes to messages (acts, for example reading or starring) that wait to be sent to services.
struct Outgoing {
  let db: Database

  init(_ db: Database) { self.db = db }

  // MARK: - Acts

  /// The machine of an act, and the time when it was done or arrived.
  private struct Origin {
    /// The machine as in `journal.device`.
    var device: Int64
    var made: Milliseconds
  }

  /// Adds the changes of an act or an undo, in its transaction, for messages of sources whose service accepts them.
  ///
  /// - Parameter device: if it isn't 0, another machine made the change and sends it. Here it only takes precedence
  ///   over the service's report.
  func add(_ changes: [MarkChange], of device: Int64 = Writers.here, at now: Milliseconds) throws {
    let sources = try carrying()
    if sources.isEmpty { return }
    let origin = Origin(device: device, made: now)
    for change in changes {
      guard let service = change.field.row.service else { continue }
      for (source, writable) in sources { try add(change, service, of: source, writable, origin) }
    }
  }

  private func add(
    _ change: MarkChange, _ service: Mark.Field.Service, of source: Int64, _ writable: WritableMarks,
    _ origin: Origin
  ) throws {
    let (isSet, isDismissal) = (change.new.isSet, change.field == .dismissed)
    if writable.contains(isSet ? service.set : service.cleared) {
      try add(service.field, value: change.new.number, change.messages, of: source, origin)
    } else if isDismissal, isSet, writable.contains(.read) {
      // If a service cannot dismiss a message, it is at least marked as read there.
      try add("read", value: 1, change.messages, of: source, origin, where: "NOT t.is_read")
    } else if isDismissal, !isSet, !writable.contains(.done), writable.contains(.unread) {
      try add("read", value: 0, change.messages, of: source, origin, where: "NOT t.is_read")
    } else if writable.contains(isSet ? service.cleared : service.set) {
      // The service cannot undo the act; an act that is not sent yet is dropped.
      try drop(service.field, change.messages, of: source, at: origin.made)
    }
  }

  private func add(
    _ column: String, value: Int64?, _ ids: IDRanges, of source: Int64, _ origin: Origin,
    where condition: String = "1"
  ) throws {
    let insert = try db.prepared(
      """
      INSERT OR REPLACE INTO outgoing (source_id, message_id, remote_id, handle, field, value, made, device)
      SELECT t.source_id, t.message_id, d.remote_id, json_extract(d.extras, '$.handle'), ?4, ?5, ?6, ?7
      FROM status t CROSS JOIN detail d ON d.message_id = t.message_id
      WHERE t.message_id BETWEEN ?1 AND ?2 AND t.source_id = ?3 AND \(condition) ORDER BY t.message_id
      """)
    let ended = try db.prepared(
      """
      DELETE FROM outgoing WHERE message_id BETWEEN ?1 AND ?2 AND source_id = ?3 AND field = '\(Self.keptPrefix)' || ?4
      """)
    for range in ids.ranges {
      for statement in [insert, ended] {
        statement.bind(1, range.lowerBound)
        statement.bind(2, range.upperBound)
        statement.bind(3, source)
        try statement.bind(4, column)
      }
      insert.bind(5, value)
      insert.bind(6, origin.made)
      insert.bind(7, origin.device)
      try insert.run()
      try ended.run()
    }
  }

  /// Deletes acts on a field of messages that still wait to be sent. Acts that the service has or may have
  /// received are kept under `keptPrefix`.
  private func drop(_ column: String, _ ids: IDRanges, of source: Int64, at now: Milliseconds) throws {
    let remove = try db.prepared(
      """
      DELETE FROM outgoing WHERE message_id BETWEEN ? AND ? AND source_id = ? AND field = ? AND \(Self.waits)
      """)
    // The service returns its value with the next poll, which must not count, since the user has changed it. It may
    // already have another machine's act.
    let keep = try db.prepared(
      """
      UPDATE OR REPLACE outgoing SET field = '\(Self.keptPrefix)' || field, carried = coalesce(carried, ?5)
      WHERE message_id BETWEEN ?1 AND ?2 AND source_id = ?3 AND field = ?4
      """)
    keep.bind(5, now)
    for range in ids.ranges {
      for statement in [remove, keep] {
        statement.bind(1, range.lowerBound)
        statement.bind(2, range.upperBound)
        statement.bind(3, source)
        try statement.bind(4, column)
        try statement.run()
      }
    }
  }

  /// Adds the press of a message's button that only its service can execute.
  ///
  /// - Returns: `false` if the message does not exist.
  func add(action name: String, of message: MessageID, at now: Milliseconds) throws -> Bool {
    let remove = try db.prepared("DELETE FROM outgoing WHERE message_id = ? AND field = ?")
    remove.bind(1, message.rawValue)
    try remove.bind(2, Self.actionPrefix + name)
    try remove.run()
    let insert = try db.prepared(
      """
      INSERT INTO outgoing (source_id, message_id, remote_id, handle, field, made)
      SELECT t.source_id, t.message_id, d.remote_id, json_extract(d.extras, '$.handle'), ?2, ?3
      FROM status t CROSS JOIN detail d ON d.message_id = t.message_id WHERE t.message_id = ?1
      """)
    insert.bind(1, message.rawValue)
    try insert.bind(2, Self.actionPrefix + name)
    insert.bind(3, now)
    try insert.run()
    return db.changesCount > 0
  }

  /// Whether the service of a source receives a dismissal as reading.
  func readsDismissed(of source: SourceID) throws -> Bool {
    try carrying().contains {
      $0.source == source.rawValue && $0.writable.contains(.read) && !$0.writable.contains(.done)
    }
  }

  /// Returns the configured sources whose service accepts changes by the user, each with the marks that can be set or
  /// cleared there, for example read or starred.
  private func carrying() throws -> [(source: Int64, writable: WritableMarks)] {
    let query = try db.prepared(
      """
      SELECT id, json_extract(options, '$.carries') FROM source
      WHERE position IS NOT NULL AND options <> '{}' AND json_extract(options, '$.carries') > 0
      """)
    var sources: [(source: Int64, writable: WritableMarks)] = []
    try query.forEach { sources.append((query.int(0), WritableMarks(rawValue: Int(query.int(1))))) }
    return sources
  }

  // MARK: - Carrying

  /// Returns the sources with waiting acts, and the time from which they may be sent; 0 means immediately. A failure in
  /// the future is ignored, since the clock was wrong.
  ///
  /// If only acts that are set aside failed (see `setAside`), acts on other messages need not wait.
  func waiting(at now: Milliseconds) throws -> [SourceID: Milliseconds] {
    func isInQueue(_ condition: String) -> String {
      """
      EXISTS (SELECT 1 FROM outgoing o WHERE o.source_id = s.id AND \(Self.waits) AND id > 0 AND \(condition)
        AND \(Self.isNotAside))
      """
    }
    let query = try db.prepared(
      """
      SELECT s.id, CASE
          WHEN EXISTS (SELECT 1 FROM outgoing WHERE source_id = s.id AND \(Self.waits) AND id < 0)
            AND \(isInQueue("made > c.failed")) AND NOT \(isInQueue("made <= c.failed")) THEN 0
          ELSE coalesce(c.due, 0) END
      FROM source s LEFT JOIN sending c ON c.source_id = s.id AND c.failed <= ?
      WHERE s.position IS NOT NULL AND EXISTS (SELECT 1 FROM outgoing o WHERE o.source_id = s.id AND o.carried IS NULL AND o.device = 0)
      """)
    query.bind(1, now)
    var sources: [SourceID: Milliseconds] = [:]
    try query.forEach { sources[SourceID(query.int(0))] = query.int(1) }
    return sources
  }

  /// Returns the sources whose service did not receive acts at the last attempt.
  func failing() throws -> Set<SourceID> {
    var sources: Set<SourceID> = []
    let query = try db.prepared("SELECT source_id FROM sending")
    try query.forEach { sources.insert(SourceID(query.int(0))) }
    return sources
  }

  /// Returns the waiting acts of a source in their order. Acts on messages that were set aside after failures
  /// (see `setAside`) are returned only if no others wait, and for one message at a time.
  ///
  /// - Parameter now: the time at which acts that are set aside must be due, or `nil` to include them in any case.
  func acts(of source: SourceID, limit: Int, at now: Milliseconds?) throws -> [OutgoingAct] {
    let queue = try acts(of: source, "id > 0 AND \(Self.isNotAside) ORDER BY id", limit)
    guard queue.isEmpty else { return queue }
    let isEarly = try now.map {
      try db.integer(
        "SELECT 1 FROM sending WHERE source_id = ?1 AND failed <= ?2 AND due > ?2", source.rawValue, $0) == 1
    }
    if isEarly == true { return [] }
    return try acts(
      of: source,
      """
      message_id = (SELECT message_id FROM outgoing a WHERE a.source_id = o.source_id AND a.carried IS NULL
        AND a.device = \(Writers.here) AND a.id < 0 ORDER BY a.id DESC LIMIT 1)
      ORDER BY abs(id)
      """, limit)
  }

  private func acts(of source: SourceID, _ condition: String, _ limit: Int) throws -> [OutgoingAct] {
    let query = try db.prepared(
      """
      SELECT id, message_id, remote_id, handle, field, value, made FROM outgoing o
      WHERE source_id = ? AND \(Self.waits) AND \(condition) LIMIT ?
      """)
    query.bind(1, source.rawValue)
    query.bind(2, limit)
    var acts: [OutgoingAct] = []
    try query.forEach {
      guard let mark = Self.mark(query.text(4), query.optionalInt(5)) else { return }
      acts.append(
        OutgoingAct(
          id: OutgoingID(query.int(0)), message: MessageID(query.int(1)), remoteID: RemoteID(query.text(2)),
          mark: mark, made: Date(milliseconds: query.int(6)), handle: query.optionalText(3)))
    }
    return acts
  }

  func count(of source: SourceID) throws -> Int {
    Int(
      try db.integer(
        "SELECT count(*) FROM outgoing WHERE source_id = ? AND \(Self.waits)", source.rawValue) ?? 0)
  }

  /// Stores the result of sending. A mark that the user changed meanwhile has another id, and still waits.
  ///
  /// - Parameter sent: the acts that were sent.
  func finish(
    _ result: WriteBackResult, sent: [OutgoingAct], of source: SourceID, at now: Milliseconds
  ) throws {
    for act in sent where result.carried.contains(act.id) { try finish(act, of: source, at: now) }
    for (remoteID, text) in result.occasions { try begin(text, of: remoteID.fitting, source, at: now) }
    for id in result.refused.keys.sorted() {
      try db.prepared("DELETE FROM outgoing WHERE id = ?").run(id.rawValue)
    }
    if !result.carried.isEmpty {
      // The service works, so the next failure does not count as one more in a row.
      try db.prepared("UPDATE sending SET failures = min(failures, ?2) WHERE source_id = ?1")
        .run(source.rawValue, Int64(Limits.failuresBeforeAside))
    }
    guard let failure = result.failure else {
      try db.prepared(
        """
        DELETE FROM sending WHERE source_id = ?1
          AND NOT EXISTS (SELECT 1 FROM outgoing WHERE source_id = ?1 AND \(Self.waits) AND id < 0)
        """
      ).run(source.rawValue)
      return
    }
    let failures = try failures(of: source) + 1
    if !failure.mayBeOfOneAct {
      try db.prepared("UPDATE outgoing SET id = -id WHERE source_id = ? AND \(Self.waits) AND id < 0")
        .run(source.rawValue)
    } else if failures >= Limits.failuresBeforeAside {
      try setAside(sent.filter { result.failed.contains($0.id) })
    }
    let backoff = min(
      Limits.firstCarryBackoff * Double(1 << min(failures - 1, 16)), Limits.longestCarryBackoff)
    let due = max(now + Int64(backoff * 1000), result.hints.retryAfter?.milliseconds ?? 0)
    try db.prepared(
      """
      INSERT INTO sending (source_id, failures, since, failed, due) VALUES (?1, ?2, ?3, ?3, ?4)
      ON CONFLICT (source_id) DO UPDATE SET failures = ?2, since = min(since, ?3), failed = ?3, due = ?4
      """
    ).run(source.rawValue, Int64(failures), now, due)
  }

  /// Returns the number of attempts in a row that could not send acts of a source.
  func failures(of source: SourceID) throws -> Int {
    Int(try db.integer("SELECT failures FROM sending WHERE source_id = ?", source.rawValue) ?? 0)
  }

  /// Moves the acts on one message behind all others, in their order, so that a message whose acts the
  /// service rejects does not delay the others. If the acts are on several messages, nothing is moved, since
  /// it isn't known which of them failed.
  ///
  /// Acts that are set aside have negative ids. They get new ids each time, so that those that failed last
  /// are at the end.
  private func setAside(_ acts: [OutgoingAct]) throws {
    guard let act = acts.first, acts.allSatisfy({ $0.message == act.message }) else { return }
    let exists = try db.prepared("SELECT 1 FROM outgoing WHERE id = ? AND carried IS NULL")
    let isThere = try acts.contains {
      exists.bind(1, $0.id.rawValue)
      return try exists.first { true } ?? false
    }
    // The user has changed the mark since.
    guard isThere else { return }
    try db.prepared(
      """
      INSERT OR REPLACE INTO outgoing (source_id, message_id, remote_id, handle, field, value, made, device)
      SELECT source_id, message_id, remote_id, handle, field, value, made, device FROM outgoing
      WHERE message_id = ? AND \(Self.waits) ORDER BY abs(id)
      """
    ).run(act.message.rawValue)
    try db.prepared("UPDATE outgoing SET id = -id WHERE message_id = ? AND \(Self.waits) AND id > 0")
      .run(act.message.rawValue)
  }

  /// Stores the event (occasion) that the user's own act created at the service as the message's present one,
  /// so that the message does not become unread because of it.
  private func begin(_ occasion: String, of remoteID: RemoteID, _ source: SourceID, at now: Milliseconds)
    throws
  {
    let query = try db.prepared(
      "SELECT message_id FROM identity WHERE source_id = ? AND remote_id = ? AND message_id > 0")
    query.bind(1, source.rawValue)
    try query.bind(2, remoteID.text)
    guard let id = try query.first({ query.int(0) }) else { return }
    try CarriedMarks(db, at: now).send(id, under: occasion)
    let update = try db.prepared(
      "UPDATE detail SET extras = json_set(coalesce(extras, '{}'), '$.occasion', ?2) WHERE message_id = ?1")
    update.bind(1, id)
    try update.bind(2, occasion)
    try update.run()
  }

  /// Records that the service has received an act.
  private func finish(_ act: OutgoingAct, of source: SourceID, at now: Milliseconds) throws {
    try db.prepared("UPDATE outgoing SET carried = ?2 WHERE id = ?1").run(act.id.rawValue, now)
    let isThere = db.changesCount > 0
    switch act.mark {
    case .read(false):
      // The message is open there before a poll has seen it.
      try run(
        act, source, "INSERT OR IGNORE INTO upstream_open (source_id, remote_id, message_id) VALUES (?, ?, ?)"
      )
    case .read(true), .done(true):
      // The message is no longer open because of the user's act here, so the next poll must not conclude anything from
      // that. It may have become unread here since.
      try run(
        act, source, "DELETE FROM upstream_open WHERE source_id = ? AND remote_id = ? AND message_id = ?")
      guard !isThere, let column = act.mark.column else { return }
      let keep = try db.prepared(
        """
        INSERT OR REPLACE INTO outgoing (source_id, message_id, remote_id, field, made, carried)
        SELECT ?1, ?2, ?3, '\(Self.keptPrefix)' || ?4, ?5, ?5
        WHERE NOT EXISTS (SELECT 1 FROM outgoing WHERE message_id = ?2 AND field = ?4)
        """)
      keep.bind(1, source.rawValue)
      keep.bind(2, act.message.rawValue)
      try keep.bind(3, act.remoteID.text)
      try keep.bind(4, column)
      keep.bind(5, now)
      try keep.run()
    case .done(false), .starred, .snoozed, .named: break
    }
  }

  private func run(_ act: OutgoingAct, _ source: SourceID, _ sql: String) throws {
    let statement = try db.prepared(sql)
    statement.bind(1, source.rawValue)
    try statement.bind(2, act.remoteID.text)
    statement.bind(3, act.message.rawValue)
    try statement.run()
  }

  /// Gives up acts that could not be sent for very long, if all attempts in that time failed. So no act is given up
  /// only because the clock was once ahead.
  ///
  /// - Returns: the number of acts.
  func giveUp(of source: SourceID, at now: Milliseconds) throws -> Int {
    try db.prepared(
      """
      DELETE FROM outgoing WHERE source_id = ?1 AND \(Self.waits) AND made < ?2
        AND EXISTS (SELECT 1 FROM sending c WHERE c.source_id = ?1 AND c.since < ?2)
      """
    ).run(source.rawValue, now - Int64(Limits.outgoingSeconds * 1000))
    let given = db.changesCount
    if given > 0, try count(of: source) == 0 {
      try db.prepared("DELETE FROM sending WHERE source_id = ?").run(source.rawValue)
    }
    return given
  }
}

extension FetchFailure {
  /// Whether a failure may concern only one act, while the service works. It is `false` without a connection
  /// or a token, and if the service asks to wait.
  fileprivate var mayBeOfOneAct: Bool {
    switch self {
    case .status(401, _), .status(407, _), .status(429, _): false
    case .status, .gone, .timedOut(.waiting, _), .timedOut(.reading, _), .tooLarge, .cutOff, .redirectLoop,
      .badRedirect, .malformed, .invalidAddress:
      true
    case .insecureRedirect, .nameNotFound, .refused, .unreachable, .timedOut, .tls, .heldBack, .notAFeed,
      .cursorStuck, .file,
      .credentials, .program, .storage, .cancelled:
      false
    }
  }
}
