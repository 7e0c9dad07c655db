import Basics
import GRDB
import Messages

/// The schema of reddot 0.2.0 and of the development versions before it, and the step from it to that of `Schema`. It
/// is frozen.
enum EarlierSchema {
  /// All versions of this schema. Older databases must first be opened by reddot 0.2.0.
  static let versions = 100...(100 + migrations.count)

  /// The migrations; each creates the next version.
  static let migrations = [
    Schema.Migration(name: "the unread are counted by what writes that mark", apply: countsByTheWriter),
    Schema.Migration(
      name: "which sources repeat their ids, and when each last had content", apply: remembersRepeatedIDs),
    Schema.Migration(
      name: "why the push channel of a source cannot be opened", apply: remembersStreamFailures),
    Schema.Migration(
      name: "search in scripts without spaces, and without accents in all", apply: indexesAllScripts),
    Schema.Migration(
      name: "reminders that are still to come are snoozed until then", apply: snoozesReminders),
    Schema.Migration(name: "several machines have one inbox", apply: synchronises),
    Schema.Migration(name: "the messages of a pane are found by it", apply: findsPanes),
    Schema.Migration(name: "entries of feeds are known by their facts", apply: knowsEntriesByFacts),
    Schema.Migration(name: "a message that is open again becomes as it was", apply: remembersEndings),
    Schema.Migration(name: "the clock is compared with what servers said", apply: remembersServerTimes),
    Schema.Migration(name: "notices that are to be sent are found by their index", apply: findsNoticesToSend),
    Schema.Migration(name: "hidden messages are counted as they are listed", apply: countsHiddenAsListed),
    Schema.Migration(
      name: "repeated notifications and banners have a time, and days a count", apply: boundsGrowth),
    Schema.Migration(name: "objects of machines are known by their names", apply: knowsObjects),
    Schema.Migration(name: "an undo knows whose marks it gives back", apply: remembersFormerActs),
    Schema.Migration(
      name: "machines that keep a source in their settings are known", apply: knowsWrittenSources),
    Schema.Migration(
      name: "the journal has all edits of the settings, without secrets", apply: remembersEdits),
    Schema.Migration(name: "kana are found in each of their spellings", apply: indexesKana),
    Schema.Migration(name: "edits of the settings are found by an index", apply: findsEdits),
  ]

  /// Creates an empty database of the first of these versions.
  static func make(_ db: Database, installed: Milliseconds) throws {
    try db.execute(sql: mainTables + furtherTables + triggers)
    try db.prepared("INSERT INTO store (id, installed, clock) VALUES (1, ?1, ?1)").run(installed)
  }

  /// The present names of renamed tables, keyed by the earlier name.
  static let renamedTables = [
    "telling": "notification", "shown_notice": "notification_shown", "notice": "feature_switch",
    "switch": "feature_switch_name", "call": "feature_call", "moment": "rule_due", "list_moment": "list_due",
    "waiting": "early_cell", "hold": "host_rest", "carrying": "sending", "open_upstream": "upstream_open",
    "resolved": "ending", "copy_tally": "duplicate_tally", "copy_pending": "duplicate_pending",
  ]

  /// The renamed columns: the present name of the table, the earlier name of the column, and its present
  /// name.
  static let renamedColumns = [
    ("status", "standing", "rank"), ("status", "first_id", "original_id"),
    ("status", "first_source", "original_source"), ("duplicate_tally", "first_source", "original_source"),
    ("duplicate_pending", "first_id", "original_id"), ("list_scan", "standing", "rank"),
    ("source", "place", "position"), ("saved_list", "place", "position"), ("touched", "place", "position"),
    ("feature_switch", "place", "position"), ("feature_switch_name", "notice_id", "switch_id"),
    ("notification", "notice_id", "shown_id"), ("identity", "occasion", "event_hash"),
    ("wire_key", "occasion", "event_hash"), ("early_cell", "occasion", "event_hash"),
    ("own_act", "is_there", "is_sent"),
  ]

  private static let renamedIndexes: Set<String> = [
    "ranked", "ranked_unread", "copy_of", "copy_of_source", "source_away", "moment_at", "list_moment_at",
    "notice_of_source", "notice_place", "notice_visible_from", "notice_expires", "notice_in_channel",
    "switch_of_notice", "telling_open", "telling_of_notice", "shown_notice_of_channel", "waiting_since",
    "waiting_content", "outgoing_held", "own_act_waiting", "detail_pane",
  ]

  /// Converts the last of these versions to the first version of `Schema`. Tables and columns are renamed; no large
  /// table is copied.
  static func end(_ db: Database) throws {
    // The index that is dropped below finds the panes.
    try db.execute(
      sql: """
        ALTER TABLE detail ADD COLUMN pane TEXT;
        ALTER TABLE detail ADD COLUMN is_translated INTEGER NOT NULL DEFAULT 0;
        UPDATE detail SET pane = CASE WHEN json_valid(extras) THEN json_extract(extras, '$.pane.key') END
          WHERE CASE WHEN json_valid(extras) THEN json_extract(extras, '$.pane.key') END IS NOT NULL;
        UPDATE detail SET is_translated = 1 WHERE message_id IN (SELECT message_id FROM translated);
        """)
    var names: [(type: String, name: String)] = []
    let query = try db.prepared(
      "SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL AND type IN ('trigger', 'index')")
    try query.forEach { names.append((query.text(0), query.text(1))) }
    for (type, name) in names where type == "trigger" || renamedIndexes.contains(name) {
      try db.execute(
        sql: "DROP \(type.uppercased()) IF EXISTS \"\(name.replacingBytes("\"", with: "\"\""))\"")
    }
    for (old, new) in renamedTables.sorted(by: { $0.key < $1.key }) {
      try db.execute(sql: "ALTER TABLE \"\(old)\" RENAME TO \(new)")
    }
    for (table, old, new) in renamedColumns {
      try db.execute(sql: "ALTER TABLE \(table) RENAME COLUMN \(old) TO \(new)")
    }
    try db.execute(
      sql: """
        ALTER TABLE store ADD COLUMN search_from INTEGER NOT NULL DEFAULT 0;
        UPDATE store SET search_from = (SELECT below FROM search_progress);
        DROP TABLE search_progress;
        DROP TABLE translated;
        """)
    try Schema.makeIndexes(db)
    try db.execute(sql: Schema.triggers)
  }
}
