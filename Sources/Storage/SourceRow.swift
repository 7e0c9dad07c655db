import Foundation
import GRDB
import Messages

/// A row of `source`, and of `polling` and `tally` beside it.
struct SourceRow: Hashable, Sendable {
  var source: Source
  /// Nil: no longer configured.
  var place: Int64?

  static let columns = """
    s.id, s.name, s.kind, s.address, s.place, s.initial_delay, s.interval, s.grace, s.request_timeout,
    s.poll_deadline, s.response_limit, s.is_unread_on_change, s.channels, s.type_names, s.app_version,
    s.options
    """
  static let columnCount: Int32 = 16

  /// Reads `columns` from position 0 on.
  init(_ row: Prepared, _ columns: Columns) {
    var polling = PollSettings()
    polling.initialDelay = .nanoseconds(row.int(5))
    polling.interval = .nanoseconds(row.int(6))
    polling.grace = .nanoseconds(row.int(7))
    polling.requestTimeout = .nanoseconds(row.int(8))
    polling.pollDeadline = .nanoseconds(row.int(9))
    polling.responseLimit = Int(row.int(10))
    source = Source(
      id: SourceID(row.int(0)), name: row.text(1), kind: SourceKind(rawValue: row.text(2)) ?? .local,
      address: row.text(3), polling: polling)
    place = row.optionalInt(4)
    source.isUnreadOnChange = row.bool(11)
    // The usual values need no decoder, which would cost a start as much as all else here.
    let (channels, typeNames) = (row.text(12), row.text(13))
    source.channels = channels == #"["general"]"# ? ["general"] : columns.strings.value(channels) ?? []
    source.typeNames = typeNames == "{}" ? [:] : columns.typeNames.value(typeNames) ?? [:]
    source.appVersion = row.optionalText(14)
    let options = row.text(15)
    if options != "{}" { source.retention = columns.options.value(options)?.retention ?? .everything }
  }

  static func all(_ db: Database, _ columns: Columns) throws -> [SourceRow] {
    let query = try db.prepared("SELECT \(Self.columns) FROM source s ORDER BY s.place, s.id")
    var rows: [SourceRow] = []
    try query.forEach { rows.append(SourceRow(query, columns)) }
    return rows
  }

  static func find(_ id: SourceID, _ db: Database, _ columns: Columns) throws -> SourceRow {
    let query = try db.prepared("SELECT \(Self.columns) FROM source s WHERE s.id = ?")
    query.bind(1, id.rawValue)
    guard let row = try query.first({ SourceRow(query, columns) }) else {
      throw StoreFailure.unknownSource(id)
    }
    return row
  }

  /// Writes the settings; a new source gets its id and its rows beside.
  static func save(
    _ source: ConfiguredSource, place: Int64?, id: SourceID?, _ db: Database, _ columns: Columns
  ) throws -> SourceID {
    let save = try db.prepared(
      """
      INSERT INTO source (id, name, kind, address, place, initial_delay, interval, grace, request_timeout,
        poll_deadline, response_limit, is_unread_on_change, channels, type_names, app_version, options)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
      ON CONFLICT (name) DO UPDATE SET kind = ?3, address = ?4, place = ?5, initial_delay = ?6, interval = ?7,
        grace = ?8, request_timeout = ?9, poll_deadline = ?10, response_limit = ?11,
        is_unread_on_change = ?12, channels = ?13, type_names = ?14, app_version = ?15, options = ?16
      """)
    save.bind(1, id?.rawValue)
    try save.bind(2, source.name)
    try save.bind(3, source.kind.rawValue)
    try save.bind(4, source.address)
    save.bind(5, place)
    save.bind(6, source.polling.initialDelay.nanoseconds)
    save.bind(7, source.polling.interval.nanoseconds)
    save.bind(8, source.polling.grace.nanoseconds)
    save.bind(9, source.polling.requestTimeout.nanoseconds)
    save.bind(10, source.polling.pollDeadline.nanoseconds)
    save.bind(11, source.polling.responseLimit)
    save.bind(12, source.isUnreadOnChange)
    try save.bind(13, StoredJSON.text(source.channels))
    try save.bind(14, columns.typeNames.text(source.typeNames))
    try save.bind(15, source.appVersion)
    try save.bind(16, columns.options.text(SourceOptions(source)))
    try save.run()
    if let id { return id }
    let new = SourceID(db.lastInsertedRowID)
    try db.prepared("INSERT INTO polling (source_id) VALUES (?)").run(new.rawValue)
    try db.prepared("INSERT INTO tally (source_id) VALUES (?)").run(new.rawValue)
    return new
  }
}

extension PollState {
  /// Over `polling p`.
  static let columns = """
    p.last_attempt_start, p.last_attempt_end, p.last_success, p.failures, p.last_failure, p.minimum_wait,
    p.minimum_wait_rule, p.skip_hours, p.skip_days, p.is_gone, p.jitter, p.next_poll
    """
  static let columnCount: Int32 = 12

  /// Reads `columns` from position `at` on.
  init(_ row: Prepared, at: Int32, _ columns: Columns) {
    self.init()
    lastAttemptStart = row.optionalDouble(at).map(Date.init(timeIntervalSinceReferenceDate:))
    lastAttemptEnd = row.optionalDouble(at + 1).map(Date.init(timeIntervalSinceReferenceDate:))
    lastSuccess = row.optionalDouble(at + 2).map(Date.init(timeIntervalSinceReferenceDate:))
    failures = Int(row.int(at + 3))
    // A failure that a later version wrote is still shown, by its text.
    lastFailure = row.optionalText(at + 4).map { columns.failure.value($0) ?? .storage(reason: $0) }
    minimumWait = row.optionalInt(at + 5).map(Duration.nanoseconds)
    minimumWaitRule = row.optionalText(at + 6).flatMap(MinimumWaitRule.init)
    skipHours = Self.set(row.int(at + 7))
    skipDays = Self.set(row.int(at + 8))
    isGone = row.bool(at + 9)
    jitter = row.double(at + 10)
    nextPoll = row.optionalDouble(at + 11).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  func save(_ source: SourceID, _ db: Database, _ columns: Columns) throws {
    let update = try db.prepared(
      """
      UPDATE polling SET last_attempt_start = ?2, last_attempt_end = ?3, last_success = ?4, failures = ?5,
        last_failure = ?6, minimum_wait = ?7, minimum_wait_rule = ?8, skip_hours = ?9, skip_days = ?10,
        is_gone = ?11, jitter = ?12, next_poll = ?13
      WHERE source_id = ?1
      """)
    update.bind(1, source.rawValue)
    update.bind(2, lastAttemptStart?.timeIntervalSinceReferenceDate)
    update.bind(3, lastAttemptEnd?.timeIntervalSinceReferenceDate)
    update.bind(4, lastSuccess?.timeIntervalSinceReferenceDate)
    update.bind(5, failures)
    try update.bind(6, try lastFailure.map(columns.failure.text))
    update.bind(7, minimumWait?.nanoseconds)
    try update.bind(8, minimumWaitRule?.rawValue)
    update.bind(9, Self.bits(skipHours))
    update.bind(10, Self.bits(skipDays))
    update.bind(11, isGone)
    update.bind(12, jitter)
    update.bind(13, nextPoll?.timeIntervalSinceReferenceDate)
    try update.run()
  }

  private static func bits(_ numbers: Set<Int>) -> Int64 {
    numbers.reduce(0) { (0..<63).contains($1) ? $0 | 1 << Int64($1) : $0 }
  }

  private static func set(_ bits: Int64) -> Set<Int> {
    bits == 0 ? [] : Set((0..<63).filter { bits & 1 << Int64($0) != 0 })
  }
}
