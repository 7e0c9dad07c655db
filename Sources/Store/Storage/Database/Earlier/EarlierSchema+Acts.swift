import GRDB

// These are frozen, like the tables: a change is a new migration.
extension EarlierSchema {
  /// Migration 115 records, for each mark that an act changes, the act that wrote the old value. It also adds the dates
  /// of articles that were published again.
  static func remembersFormerActs(_ db: Database) throws {
    try db.execute(
      sql: """
        -- The act that wrote `old`, which an undo gives the mark back to; 0: none. NULL: not known, as before
        -- synchronisation.
        ALTER TABLE mark_change ADD COLUMN old_by INTEGER;
        -- Of an undo: the act that it gave the mark back to, as in old_by.
        ALTER TABLE mark_change ADD COLUMN new_by INTEGER;
        -- Milliseconds since 1970, if the occasion is the date at which an article was published again.
        ALTER TABLE wire_key ADD COLUMN published INTEGER;
        UPDATE wire_key SET published = (
          SELECT CAST(round((julianday(json_extract(d.extras, '$.occasion')) - 2440587.5) * 86400000) AS INTEGER)
          FROM message m CROSS JOIN detail d ON d.message_id = m.id
          WHERE m.id = wire_key.message_id AND m.kind = 'feed'
            AND CASE WHEN json_valid(d.extras) THEN json_extract(d.extras, '$.occasion') END LIKE '____-__-__T%')
          WHERE occasion <> 0;
        """)
  }

  /// Migration 117 prepares the journal for all edits of the settings, not only for removals.
  ///
  /// New edits contain no tokens and passwords. Removals that earlier versions recorded may contain them, so
  /// the data of these removals is deleted, and they can't be undone.
  static func remembersEdits(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE journal RENAME COLUMN removal TO edit;
        UPDATE journal SET kind = 'settings', undone = coalesce(undone, at), edit = NULL WHERE kind = 'removal';
        """)
  }

  /// Migration 119 adds an index for edits of the settings, and for the acts that undid another.
  static func findsEdits(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE INDEX journal_edit ON journal(id) WHERE edit IS NOT NULL;
        CREATE INDEX journal_undoes ON journal(undoes) WHERE undoes IS NOT NULL;
        """)
  }
}
