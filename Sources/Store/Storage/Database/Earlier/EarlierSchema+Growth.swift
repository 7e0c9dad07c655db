import GRDB

// These are frozen, like the tables: a change is a new migration.
extension EarlierSchema {
  /// Migration 118 re-indexes all text, so that searches find kana in each of their spellings. Text must be removed
  /// from the index exactly as it was added, so the whole index is emptied.
  static func indexesKana(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO search(search) VALUES ('delete-all');
        UPDATE search_progress SET below = (SELECT last_message FROM store) + 1;
        """)
  }

  /// Migration 113 adds the times when a document last contained each notification of a feature and each
  /// banner, so that they can be deleted later, and the amount of data that a source added within a day.
  static func boundsGrowth(_ db: Database) throws {
    try db.execute(
      sql: """
        -- When a document last had it.
        ALTER TABLE notice ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
        UPDATE notice SET listed = max(said,
          coalesce((SELECT last_success FROM polling p WHERE p.source_id = notice.source_id), 0));
        -- When a control file last had it.
        ALTER TABLE banner ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
        UPDATE banner SET listed = coalesce((SELECT last_success FROM polling p WHERE p.source_id = banner.source_id), 0);
        -- The beginning of 24 hours, and the new messages since, with their bytes.
        ALTER TABLE polling ADD COLUMN day_start INTEGER;
        ALTER TABLE polling ADD COLUMN day_messages INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE polling ADD COLUMN day_bytes INTEGER NOT NULL DEFAULT 0;
        """)
  }
}
