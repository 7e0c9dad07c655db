import Foundation
import GRDB

/// Makes the first version of a database of version 22 or 23, with everything that is in it. Frozen, as all migrations.
struct TakeOver {
  private let db: Database

  init(_ db: Database) { self.db = db }

  func run() throws {
    // Nothing of what is renamed and dropped below refers to anything else.
    try db.execute(sql: "PRAGMA defer_foreign_keys = 1")
    try dropDerived()
    try db.execute(sql: Self.setAside)
    try db.execute(sql: Schema.mainTables)
    try db.execute(sql: Self.copy)
    try copyJournal()
    try db.execute(sql: Self.count)
    try db.execute(sql: Schema.triggers)
    try db.execute(sql: Self.drop)
  }

  /// All triggers, all indexes of tables that are made anew, and the lists.
  private func dropDerived() throws {
    var names: [(type: String, name: String)] = []
    let query = try db.prepared(
      """
      SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL AND (type = 'trigger' OR type = 'index' AND tbl_name IN (
        'message', 'status', 'source', 'attempt', 'journal', 'saved_list'))
      """)
    try query.forEach { names.append((query.text(0), query.text(1))) }
    for (type, name) in names { try db.execute(sql: "DROP \(type.uppercased()) \(name)") }
    for table in Self.lists { try db.execute(sql: "DROP TABLE \(table)") }
  }

  /// Tables that other tables are the source of.
  static let lists = [
    "listed", "listed_unread", "starred", "starred_unread", "source_listed", "source_unread", "ranked",
    "ranked_unread", "source_away", "span",
  ]

  private static let changed = [
    "message", "status", "source", "polling", "attempt", "hold", "banner", "journal", "tally", "copy_tally",
    "hidden_tally", "store", "carrying", "ignored_key", "saved_list", "identity", "unseen",
  ]

  /// Foreign keys of the tables that refer to `source` go with them.
  private static let setAside =
    "PRAGMA legacy_alter_table = ON;\n"
    + changed.map { "ALTER TABLE \($0) RENAME TO old_\($0);" }.joined(separator: "\n")
    + "\nALTER TABLE told RENAME TO feature;\nPRAGMA legacy_alter_table = OFF;"

  private static let copy = """
    INSERT INTO store (id, installed, clock, features_clock, last_message, language, pruned, quiet_from, quiet_until, facets_from)
      SELECT id, installed, clock, features_clock, last_message, language, pruned, quiet_from, quiet_until, facets_from
      FROM old_store;
    INSERT INTO source (id, uid, name, title, folder, kind, address, place, initial_delay, interval, grace, request_timeout,
        poll_deadline, response_limit, is_unread_on_change, channels, type_names, app_version, options)
      SELECT id, uid, name, title, folder, kind, address, place, initial_delay, interval, grace, request_timeout,
        poll_deadline, response_limit, is_unread_on_change, channels, type_names, app_version, options FROM old_source;
    UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'old_source')
      WHERE name = 'source' AND EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'old_source');
    INSERT INTO polling (source_id, title, link, badge, is_filled, has_new_ids, cursor, etag, last_modified, moved_to,
        moved_count, last_attempt_start, last_attempt_end, last_success, next_poll, failures, last_failure, minimum_wait,
        minimum_wait_rule, skip_hours, skip_days, is_gone, jitter, quota)
      SELECT source_id, title, link, badge, is_filled, has_new_ids, cursor, etag, last_modified, moved_to, moved_count,
        CAST(round((last_attempt_start + 978307200) * 1000) AS INTEGER),
        CAST(round((last_attempt_end + 978307200) * 1000) AS INTEGER),
        CAST(round((last_success + 978307200) * 1000) AS INTEGER),
        CAST(round((next_poll + 978307200) * 1000) AS INTEGER),
        failures, last_failure, minimum_wait, minimum_wait_rule, skip_hours, skip_days, is_gone, jitter, quota
      FROM old_polling;
    INSERT INTO attempt (id, source_id, trigger, start, end, result, problems)
      SELECT id, source_id, trigger, CAST(round((start + 978307200) * 1000) AS INTEGER),
        CAST(round((end + 978307200) * 1000) AS INTEGER), result, problems FROM old_attempt;
    INSERT INTO hold (host, until) SELECT host, CAST(round((until + 978307200) * 1000) AS INTEGER) FROM old_hold;
    INSERT INTO banner (source_id, name, displayed, last_display, launches, flags)
      SELECT source_id, name, displayed, CAST(round((last_display + 978307200) * 1000) AS INTEGER), launches, flags
      FROM old_banner;
    INSERT INTO ignored_key (source_id, path) SELECT source_id, path FROM old_ignored_key;
    INSERT INTO identity (source_id, remote_id, message_id, hash, last_listed)
      SELECT source_id, remote_id, message_id, hash,
        CASE WHEN message_id = 0 THEN (SELECT clock FROM old_store) END FROM old_identity;
    INSERT INTO message (id, kind, received, title) SELECT id, kind, received, title FROM old_message;
    INSERT INTO status (message_id, source_id, standing, sort_time, priority, is_followed, is_shown, is_dismissable, is_read,
        is_starred, is_unseen, dismissed_at, snoozed_until, hidden_by, hidden_at, first_id, first_source, visible_from,
        expires, channel)
      SELECT m.id, m.source_id, m.standing, m.sort_time, m.priority, coalesce(s.place IS NOT NULL, 0), m.is_shown,
        m.is_dismissable, t.is_read, t.is_starred,
        EXISTS (SELECT 1 FROM old_unseen u WHERE u.source_id = m.source_id AND u.message_id = m.id),
        CASE WHEN t.is_dismissed THEN t.dismissed_at END, t.snoozed_until, t.hidden_by,
        CASE WHEN t.hidden_by IS NOT NULL THEN t.hidden_at END, t.first_id, t.first_source, m.visible_from, m.expires, m.channel
      FROM old_message m CROSS JOIN old_status t ON t.message_id = m.id LEFT JOIN old_source s ON s.id = m.source_id;
    INSERT INTO carrying (source_id, failures, since, failed, due)
      SELECT source_id, failures, (SELECT clock FROM old_store), (SELECT clock FROM old_store), due FROM old_carrying;
    INSERT INTO saved_list (id, name, place, query, problem, asks_new, is_counted, unread, unseen)
      SELECT id, name, place, query, problem, asks_new, is_counted, unread, unseen FROM old_saved_list;
    """

  /// Lists are there again, so that counting them is quick.
  private static let count = """
    INSERT INTO tally (source_id, total, unread, starred)
      SELECT s.id, (SELECT count(*) FROM status t WHERE t.source_id = s.id AND t.is_listed),
        (SELECT count(*) FROM status t WHERE t.source_id = s.id AND t.is_listed AND NOT t.is_read),
        (SELECT count(*) FROM status t WHERE t.source_id = s.id AND t.is_listed AND t.is_starred)
      FROM source s;
    INSERT INTO copy_tally (source_id, first_source, total, unread, starred)
      SELECT source_id, first_source, count(*), sum(NOT is_read), sum(is_starred) FROM status
      WHERE first_id IS NOT NULL AND is_listed GROUP BY source_id, first_source;
    INSERT INTO hidden_tally (rule, count)
      SELECT hidden_by, count(*) FROM status WHERE hidden_by IS NOT NULL GROUP BY hidden_by;
    """

  private static let drop =
    changed.map { "DROP TABLE old_\($0);" }.joined(separator: "\n")
    + "\nDROP TABLE grdb_migrations;"

  // MARK: - The journal

  private struct OldChanges: Decodable {
    var read: [Int64]?
    var unread: [Int64]?
    var starred: [Int64]?
    var dismissed: [Int64]?
    var snoozed: [Int64]?
    var hidden: [Int64]?
    var tags: [Int64: [String]]?
    var priorities: [Int64: Int64]?
  }

  /// The earlier journal knew which messages an act changed, not what they were: what the act says of that is taken over. An
  /// act that is undone, and acts that nothing can be said of, stay as steps without changes.
  private func copyJournal() throws {
    let hasRemovals = try db.columns(in: "old_journal").contains { $0.name == "removal" }
    try db.execute(
      sql: """
        INSERT INTO journal (id, at, kind, undone, removal)
          SELECT id, at, act, undone, \(hasRemovals ? "removal" : "NULL") FROM old_journal;
        UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'old_journal')
          WHERE name = 'journal' AND EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'old_journal');
        """)
    var entries: [(id: Int64, act: String, at: Int64, ranges: [ClosedRange<Int64>], changes: String?)] = []
    let query = try db.prepared("SELECT id, act, at, ids, changes FROM old_journal WHERE undone IS NULL")
    try query.forEach {
      entries.append(
        (query.int(0), query.text(1), query.int(2), Self.ranges(query.blob(3)), query.optionalText(4)))
    }
    for entry in entries {
      switch entry.act {
      case "read", "readAll": try add(entry.id, 1, entry.ranges, "0", "1")
      case "unread": try add(entry.id, 1, entry.ranges, "1", "0")
      case "star": try add(entry.id, 2, entry.ranges, "0", "1")
      case "unstar": try add(entry.id, 2, entry.ranges, "1", "0")
      case "dismiss": try addDismissed(entry.id, entry.ranges, at: entry.at)
      case "snooze": try addSnoozed(entry.id, entry.ranges, at: entry.at)
      case "undismiss": try addBroughtBack(entry.id, entry.ranges, at: entry.at)
      case "rule": try addRule(entry.id, entry.changes, at: entry.at)
      default: break
      }
    }
    try db.execute(sql: Self.acted)
  }

  /// What a person changed before the journal begins, or took back: rules leave it alone, as before.
  private static let acted = """
    INSERT OR IGNORE INTO mark_change (act, field, message, through, old, new)
      SELECT 0, 1, message_id, message_id, NULL, is_read FROM old_status s
      WHERE is_acted AND NOT EXISTS (
        SELECT 1 FROM mark_change c
        WHERE c.message BETWEEN s.message_id & ~1023 AND s.message_id AND c.through >= s.message_id)
    """

  private func add(_ act: Int64, _ field: Int64, _ ranges: [ClosedRange<Int64>], _ old: String, _ new: String)
    throws
  {
    let insert = try db.prepared(
      """
      INSERT OR IGNORE INTO mark_change (act, field, message, through, old, new) VALUES (?1, ?2, ?3, ?4, \(old), \(new))
      """)
    for range in ranges {
      var first = range.lowerBound
      while first <= range.upperBound {
        let last = min(range.upperBound, first | 1023)
        try insert.run(act, field, first, last)
        first = last + 1
      }
    }
  }

  /// What is still dismissed has the time of it. What isn't has that of the act, which no message has: it was changed since.
  private func addDismissed(_ act: Int64, _ ranges: [ClosedRange<Int64>], at time: Int64) throws {
    try each(
      ranges,
      "INSERT OR IGNORE INTO mark_change SELECT ?1, 3, message_id, message_id, NULL, coalesce(dismissed_at, \(time)) FROM status",
      "1", act)
  }

  private func addSnoozed(_ act: Int64, _ ranges: [ClosedRange<Int64>], at time: Int64) throws {
    try each(
      ranges,
      "INSERT OR IGNORE INTO mark_change SELECT ?1, 4, message_id, message_id, NULL, coalesce(snoozed_until, \(time)) FROM status",
      "1", act)
  }

  /// It was hidden or dismissed; which, the message says.
  private func addBroughtBack(_ act: Int64, _ ranges: [ClosedRange<Int64>], at time: Int64) throws {
    try each(
      ranges,
      """
      INSERT OR IGNORE INTO mark_change SELECT ?1, 5, message_id, message_id, hidden_at || ' ' || was_hidden_by, NULL
      FROM old_status
      """, "was_hidden_by IS NOT NULL AND hidden_by IS NULL", act)
    try each(
      ranges,
      """
      INSERT OR IGNORE INTO mark_change
      SELECT ?1, 3, message_id, message_id, CASE dismissed_at WHEN 0 THEN \(time) ELSE dismissed_at END, NULL FROM old_status
      """, "was_hidden_by IS NULL AND NOT is_dismissed", act)
  }

  private func addRule(_ act: Int64, _ changes: String?, at time: Int64) throws {
    guard let changes, let old = try? JSONDecoder().decode(OldChanges.self, from: Data(changes.utf8)) else {
      return
    }
    func ranges(_ ids: [Int64]?) -> [ClosedRange<Int64>] { (ids ?? []).sorted().map { $0...$0 } }
    try add(act, 1, ranges(old.read), "0", "1")
    try add(act, 1, ranges(old.unread), "1", "0")
    try add(act, 2, ranges(old.starred), "0", "1")
    try addDismissed(act, ranges(old.dismissed), at: time)
    try addSnoozed(act, ranges(old.snoozed), at: time)
    try each(
      ranges(old.hidden),
      """
      INSERT OR IGNORE INTO mark_change SELECT ?1, 5, message_id, message_id, NULL, hidden_at || ' ' || hidden_by FROM status
      """, "hidden_by IS NOT NULL", act)
    let tags = try db.prepared(
      """
      INSERT OR IGNORE INTO mark_change (act, field, message, through, old, new)
      SELECT ?1, 6, message_id, message_id, ?3, coalesce(tags, '[]') FROM detail WHERE message_id = ?2
      """)
    for (id, values) in old.tags ?? [:] {
      tags.bind(1, act)
      tags.bind(2, id)
      try tags.bind(3, String(decoding: try JSONEncoder().encode(values), as: UTF8.self))
      try tags.run()
    }
    let priority = try db.prepared(
      """
      INSERT OR IGNORE INTO mark_change (act, field, message, through, old, new)
      SELECT ?1, 7, message_id, message_id, ?3, priority FROM status WHERE message_id = ?2
      """)
    for (id, value) in old.priorities ?? [:] { try priority.run(act, id, value) }
  }

  private func each(_ ranges: [ClosedRange<Int64>], _ sql: String, _ condition: String, _ act: Int64) throws {
    let insert = try db.prepared("\(sql) WHERE message_id BETWEEN ?2 AND ?3 AND \(condition)")
    for range in ranges { try insert.run(act, range.lowerBound, range.upperBound) }
  }

  /// LEB128 numbers in pairs: how far a range begins after the end of the one before, and its length less one.
  private static func ranges(_ bytes: [UInt8]) -> [ClosedRange<Int64>] {
    var numbers: [UInt64] = []
    var (number, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      number |= UInt64(byte & 0x7F) << min(shift, 63)
      shift += 7
      if byte < 0x80 {
        numbers.append(number)
        (number, shift) = (0, 0)
      }
    }
    var ranges: [ClosedRange<Int64>] = []
    var end: Int64 = 0
    for place in stride(from: 0, to: numbers.count - 1, by: 2) {
      let lower = end &+ Int64(bitPattern: numbers[place])
      let upper = lower &+ Int64(bitPattern: numbers[place + 1])
      guard upper >= lower else { return ranges }
      ranges.append(lower...upper)
      end = upper
    }
    return ranges
  }
}
