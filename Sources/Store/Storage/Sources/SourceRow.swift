import Foundation
import GRDB
import Messages

/// A row of `source`, with the corresponding ones of `polling` and `tally`.
struct SourceRow: Hashable, Sendable {
  var source: Source
  /// The position, or `nil` if the source is no longer configured.
  var place: Int64?

  private static let names = ["id", "name", "position"] + SettingColumn.all.map(\.name)
  static let columns = names.map { "s.\($0)" }.joined(separator: ", ")
  static let columnCount = Int32(names.count)

  /// Reads `columns` from position 0 on.
  init(_ row: Prepared, _ columns: Columns) {
    var settings = SourceSettings()
    for (index, column) in SettingColumn.all.enumerated() {
      column.read(row, Int32(index + 3), columns, &settings)
    }
    source = Source(id: SourceID(row.int(0)), name: row.text(1), settings: settings)
    place = row.optionalInt(2)
  }

  static func all(_ db: Database, _ columns: Columns) throws -> [SourceRow] {
    let query = try db.prepared("SELECT \(Self.columns) FROM source s ORDER BY s.position, s.id")
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

  private static let saving = """
    INSERT INTO source (\(names.joined(separator: ", ")))
    VALUES (\(names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))
    ON CONFLICT (id) DO UPDATE SET \(names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
    """

  /// Writes the settings; a new source gets its id and its rows in other tables.
  static func save(
    _ source: ConfiguredSource, place: Int64?, id: SourceID?, _ db: Database, _ columns: Columns
  ) throws -> SourceID {
    let save = try db.prepared(Self.saving)
    save.bind(1, id?.rawValue)
    try save.bind(2, source.name)
    save.bind(3, place)
    for (index, column) in SettingColumn.all.enumerated() {
      try column.bind(save, Int32(index + 4), columns, source.settings)
    }
    try save.run()
    if let id { return id }
    let new = SourceID(db.lastInsertedRowID)
    try SourceUID.give(to: new, kind: source.kind.rawValue, address: source.address, db)
    try db.prepared("INSERT INTO polling (source_id) VALUES (?)").run(new.rawValue)
    try db.prepared("INSERT INTO tally (source_id) VALUES (?)").run(new.rawValue)
    return new
  }
}

/// A column of `source` for a field of its settings. Only this code reads and writes it.
private struct SettingColumn: Sendable {
  let name: String
  let read: @Sendable (Prepared, Int32, Columns, inout SourceSettings) -> Void
  let bind: @Sendable (Prepared, Int32, Columns, SourceSettings) throws -> Void

  static let all = [
    SettingColumn(name: "kind") { row, at, _, settings in
      settings.kind = SourceKind(rawValue: row.text(at)) ?? .local
    } bind: {
      try $0.bind($1, $3.kind.rawValue)
    },
    SettingColumn(name: "address") {
      $3.address = $0.text($1)
    } bind: {
      try $0.bind($1, $3.address)
    },
    SettingColumn(name: "title") {
      $3.title = $0.optionalText($1)
    } bind: {
      try $0.bind($1, $3.title)
    },
    SettingColumn(name: "folder") {
      $3.folder = $0.optionalText($1).flatMap(Folder.init)
    } bind: {
      try $0.bind($1, $3.folder?.path)
    },
    duration("initial_delay", \.polling.initialDelay),
    duration("interval", \.polling.interval),
    duration("grace", \.polling.grace),
    duration("request_timeout", \.polling.requestTimeout),
    duration("poll_deadline", \.polling.pollDeadline),
    SettingColumn(name: "response_limit") { row, at, _, settings in
      settings.polling.responseLimit = Int(row.int(at))
    } bind: {
      $0.bind($1, $3.polling.responseLimit)
    },
    SettingColumn(name: "is_unread_on_change") { row, at, _, settings in
      settings.isUnreadOnChange = row.bool(at)
    } bind: {
      $0.bind($1, $3.isUnreadOnChange)
    },
    // The default values need no decoder, which would cost a start as much as everything else here.
    SettingColumn(name: "channels") { row, at, columns, settings in
      let text = row.text(at)
      settings.channels = text == "[]" ? [] : columns.strings.value(text) ?? []
    } bind: {
      try $0.bind($1, StoredJSON.text($3.channels))
    },
    SettingColumn(name: "type_names") { row, at, columns, settings in
      let text = row.text(at)
      settings.typeNames = text == "{}" ? [:] : columns.typeNames.value(text) ?? [:]
    } bind: {
      try $0.bind($1, $2.typeNames.text($3.typeNames))
    },
    SettingColumn(name: "app_version") { row, at, _, settings in
      settings.appVersion = row.optionalText(at)
    } bind: {
      try $0.bind($1, $3.appVersion)
    },
    SettingColumn(name: "options") { row, at, columns, settings in
      let text = row.text(at)
      if text != "{}" { settings.options = columns.options.value(text) ?? SourceOptions() }
    } bind: {
      try $0.bind($1, $2.options.text($3.options))
    },
  ]

  private static func duration(
    _ name: String, _ field: any WritableKeyPath<SourceSettings, Duration> & Sendable
  ) -> SettingColumn {
    SettingColumn(name: name) { row, at, _, settings in
      settings[keyPath: field] = .nanoseconds(row.int(at))
    } bind: {
      $0.bind($1, $3[keyPath: field].nanoseconds)
    }
  }
}

extension PollState {
  /// The columns of `polling p` that `init` reads.
  static let columns = """
    p.last_attempt_start, p.last_attempt_end, p.last_success, p.failures, p.last_failure, p.minimum_wait,
    p.minimum_wait_rule, p.skip_hours, p.skip_days, p.is_gone, p.jitter, p.next_poll,
    p.day_start, p.day_messages, p.day_bytes
    """
  static let columnCount: Int32 = 15

  /// Reads `columns` from position `at` on.
  init(_ row: Prepared, at: Int32, _ columns: Columns) {
    self.init()
    lastAttemptStart = row.optionalInt(at).map(Date.init(milliseconds:))
    lastAttemptEnd = row.optionalInt(at + 1).map(Date.init(milliseconds:))
    lastSuccess = row.optionalInt(at + 2).map(Date.init(milliseconds:))
    failures = Int(row.int(at + 3))
    // A failure that a later version wrote is still shown, as its text.
    lastFailure = row.optionalText(at + 4).map { columns.failure.value($0) ?? .storage(reason: $0) }
    minimumWait = row.optionalInt(at + 5).map(Duration.nanoseconds)
    minimumWaitRule = row.optionalText(at + 6).flatMap(MinimumWaitRule.init)
    skipHours = Self.set(row.int(at + 7))
    skipDays = Self.set(row.int(at + 8))
    isGone = row.bool(at + 9)
    jitter = row.double(at + 10)
    nextPoll = row.optionalInt(at + 11).map(Date.init(milliseconds:))
    day = row.optionalInt(at + 12).map {
      PollDay(start: Date(milliseconds: $0), messages: Int(row.int(at + 13)), bytes: Int(row.int(at + 14)))
    }
  }

  /// Returns the state of a source, and the URL to which permanent redirects moved it.
  static func find(
    _ source: SourceID, _ db: Database, _ columns: Columns
  ) throws -> (state: PollState, address: String?) {
    let query = try db.prepared(
      "SELECT \(Self.columns), p.moved_to, p.moved_count FROM polling p WHERE p.source_id = ?")
    query.bind(1, source.rawValue)
    let found = try query.first {
      let position = PollPosition(
        movedTo: query.optionalText(columnCount), movedCount: Int(query.int(columnCount + 1)))
      return (PollState(query, at: 0, columns), position.permanentAddress)
    }
    guard let found else { throw StoreFailure.unknownSource(source) }
    return found
  }

  /// Saves the whole state except `day`, which `PollDay.add` saves.
  func save(_ source: SourceID, _ db: Database, _ columns: Columns) throws {
    let update = try db.prepared(
      """
      UPDATE polling SET last_attempt_start = ?2, last_attempt_end = ?3, last_success = ?4, failures = ?5,
        last_failure = ?6, minimum_wait = ?7, minimum_wait_rule = ?8, skip_hours = ?9, skip_days = ?10,
        is_gone = ?11, jitter = ?12, next_poll = ?13
      WHERE source_id = ?1
      """)
    update.bind(1, source.rawValue)
    update.bind(2, lastAttemptStart?.milliseconds)
    update.bind(3, lastAttemptEnd?.milliseconds)
    update.bind(4, lastSuccess?.milliseconds)
    update.bind(5, failures)
    try update.bind(6, try lastFailure.map(columns.failure.text))
    update.bind(7, minimumWait?.nanoseconds)
    try update.bind(8, minimumWaitRule?.rawValue)
    update.bind(9, Self.bits(skipHours))
    update.bind(10, Self.bits(skipDays))
    update.bind(11, isGone)
    update.bind(12, jitter)
    update.bind(13, nextPoll?.milliseconds)
    try update.run()
  }

  /// Returns the set of numbers from 0 to 62 as the bits of an integer.
  private static func bits(_ numbers: Set<Int>) -> Int64 {
    numbers.reduce(0) { (0..<63).contains($1) ? $0 | 1 << Int64($1) : $0 }
  }

  private static func set(_ bits: Int64) -> Set<Int> {
    bits == 0 ? [] : Set((0..<63).filter { bits & 1 << Int64($0) != 0 })
  }
}
