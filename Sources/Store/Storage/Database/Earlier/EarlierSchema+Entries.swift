import GRDB

// These are frozen, like the tables: a change is a new migration.
extension EarlierSchema {
  /// Migration 108 adds the facts of each message of a feed, including deleted ones, and the keys by which messages are
  /// looked up. Facts of stored messages are derived when they are first needed, since a migration runs no code of the
  /// program.
  ///
  /// `identity.message_id` is now negative for messages that aren't kept, and 0 for those that earlier versions
  /// deleted, of which only the id is known.
  static func knowsEntriesByFacts(_ db: Database) throws {
    try db.execute(
      sql: """
        DROP TABLE link_key;
        -- Hashes: see EntryFacts. `time`: see EntryTime. NULL: the entry has none.
        CREATE TABLE entry_facts (
          message_id INTEGER PRIMARY KEY,
          words INTEGER NOT NULL,
          time INTEGER,
          title INTEGER,
          text INTEGER,
          page INTEGER,
          name INTEGER,
          -- The id of a message that isn't kept; the others have theirs in `detail`.
          remote_id TEXT
        );
        CREATE TABLE entry_key (key INTEGER NOT NULL, message_id INTEGER NOT NULL, PRIMARY KEY (key, message_id)) WITHOUT ROWID;
        -- Messages from this id on have their keys.
        ALTER TABLE store ADD COLUMN facts_from INTEGER NOT NULL DEFAULT 0;
        UPDATE store SET facts_from = last_message + 1 WHERE last_message > 0;

        -- What is remembered of a source: see SourceMemory. `has_facts`: all of its messages have facts.
        ALTER TABLE polling ADD COLUMN tells_apart INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE polling ADD COLUMN is_steady INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE polling ADD COLUMN recurs INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE polling ADD COLUMN document_at INTEGER;
        ALTER TABLE polling ADD COLUMN has_facts INTEGER NOT NULL DEFAULT 1;
        UPDATE polling SET has_facts = 0, document_at = coalesce(content_at, last_success) / 1000;
        UPDATE polling SET is_steady = 1 WHERE is_filled AND (
          SELECT count(*) FROM (SELECT 1 FROM attempt a WHERE a.source_id = polling.source_id
            AND (a.result LIKE '%"new"%' OR a.result LIKE '%"nothingNew"%') LIMIT 2)) = 2;

        -- An id that came for different entries. Under itself none of them is stored, but by earlier versions.
        ALTER TABLE identity ADD COLUMN is_doubted INTEGER NOT NULL DEFAULT 0;
        INSERT INTO identity (source_id, remote_id, message_id, hash, is_doubted)
          SELECT DISTINCT i.source_id, substr(i.remote_id, 1, length(i.remote_id) - length(i.tail) - 1), 0, 0, 1
          FROM (
            SELECT source_id, remote_id,
              CASE WHEN instr(remote_id, '|http') > 1 THEN substr(remote_id, instr(remote_id, '|http') + 1)
                ELSE substr(remote_id, length(rtrim(remote_id, replace(remote_id, '|', ''))) + 1) END AS tail
            FROM identity WHERE instr(remote_id, '|') > 1
              AND source_id IN (SELECT source_id FROM polling WHERE repeats_ids)
          ) i
          WHERE i.tail LIKE 'http%' OR (length(i.tail) <= 16 AND trim(i.tail, '0123456789abcdef') = '')
          ON CONFLICT DO UPDATE SET is_doubted = 1;
        -- Why messages of a poll are not new: see IdentityReport.
        ALTER TABLE attempt ADD COLUMN identity TEXT;
        DROP INDEX identity_unkept;
        CREATE INDEX identity_unkept ON identity(last_listed) WHERE message_id <= 0;
        CREATE INDEX identity_doubted ON identity(source_id) WHERE is_doubted;
        """)
  }
}
