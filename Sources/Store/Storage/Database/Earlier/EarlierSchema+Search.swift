import GRDB

// These are frozen, like the tables: a change is a new migration.
extension EarlierSchema {
  /// Migration 101 removes the trigger that counted unread messages: it doubled the time to mark a million messages as
  /// read. Only `MarkWriter` writes `is_read`, so it updates the counts. A message that is read keeps `is_unseen`,
  /// which then has no meaning. The conditions of indexes begin with the cheapest test.
  static func countsByTheWriter(_ db: Database) throws {
    try db.execute(
      sql: """
        DROP TRIGGER status_is_read;
        DROP INDEX unseen;
        DROP INDEX listed_unread;
        DROP INDEX source_unread;
        DROP INDEX starred_unread;
        DROP INDEX ranked_unread;
        CREATE INDEX unseen ON status(source_id) WHERE NOT is_read AND is_unseen;
        CREATE INDEX listed_unread ON status(standing, sort_time) WHERE NOT is_read AND is_one;
        CREATE INDEX source_unread ON status(source_id, standing, sort_time) WHERE NOT is_read AND is_listed;
        CREATE INDEX starred_unread ON status(standing, sort_time) WHERE is_starred AND NOT is_read AND is_one;
        CREATE INDEX ranked_unread ON status(source_id, priority, standing, sort_time)
          WHERE priority <> 3 AND NOT is_read AND is_listed;
        DROP TRIGGER status_is_listed;
        -- Also where is_read changes with it.
        CREATE TRIGGER status_is_listed AFTER UPDATE OF is_shown, dismissed_at, snoozed_until, hidden_by ON status
          WHEN new.is_listed <> old.is_listed
        BEGIN
          UPDATE tally SET total = total + new.is_listed - old.is_listed,
            unread = unread + (new.is_listed AND NOT new.is_read) - (old.is_listed AND NOT old.is_read),
            starred = starred + (new.is_listed - old.is_listed) * old.is_starred
            WHERE source_id = new.source_id;
        END;
        """)
  }
  /// Migration 102 records which sources use an id for several messages. Such messages are stored with ids of
  /// the form `id|…`, and all of them are looked up; before, the link of the message followed the separator.
  /// It also adds the time since which a source only reports that nothing is new.
  static func remembersRepeatedIDs(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE polling ADD COLUMN repeats_ids INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE polling ADD COLUMN content_at INTEGER;
        UPDATE polling SET repeats_ids = 1 WHERE source_id IN (
          SELECT s.id FROM source s WHERE s.kind IN ('feed', 'command')
            AND EXISTS (SELECT 1 FROM identity i WHERE i.source_id = s.id AND instr(i.remote_id, '|') > 0));
        """)
  }

  /// Migration 105 snoozes each reminder that is still to come until its time, so that it is in the list of snoozed
  /// messages.
  static func snoozesReminders(_ db: Database) throws {
    try db.execute(
      sql: """
        UPDATE status SET snoozed_until = visible_from
          WHERE visible_from > (SELECT clock FROM store) AND snoozed_until IS NULL AND dismissed_at IS NULL
            AND source_id IN (SELECT id FROM source WHERE kind = 'local');
        """)
  }

  /// Migration 103 stores why the push channel of a source can't be opened, so that other processes know it.
  /// The timeline is not enough, since its lines are deleted after some hundred.
  static func remembersStreamFailures(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE polling ADD COLUMN stream_failure TEXT;
        ALTER TABLE polling ADD COLUMN stream_failed INTEGER;
        """)
  }

  /// Migration 104 indexes text without case and accents of any script. Combining marks are parts of words,
  /// and Thai, Lao, Burmese and Khmer are indexed character by character. The messages from the id in
  /// `search_progress` on are in the index; the others are added later, a few at a time.
  static func indexesAllScripts(_ db: Database) throws {
    try db.execute(
      sql: """
        DROP TABLE search_terms;
        DROP TABLE search;
        CREATE VIRTUAL TABLE search USING fts5(title, body, author, content='', columnsize=0,
          tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M*'");
        INSERT INTO search(search, rank) VALUES ('hashsize', 2097152);
        INSERT INTO search(search, rank) VALUES ('automerge', 8);
        CREATE VIRTUAL TABLE search_terms USING fts5vocab(search, instance);
        CREATE TABLE search_progress (id INTEGER PRIMARY KEY CHECK (id = 1), below INTEGER NOT NULL);
        INSERT INTO search_progress (id, below) SELECT 1, last_message + 1 FROM store;
        """)
  }

  /// Migration 107 adds an index by terminal pane, so that messages from a pane become read when the user views the
  /// pane. Damaged rows must not prevent the file from being opened.
  static func findsPanes(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE INDEX detail_pane ON detail(
            CASE WHEN json_valid(extras) THEN json_extract(extras, '$.pane.key') END, message_id)
          WHERE CASE WHEN json_valid(extras) THEN json_extract(extras, '$.pane.key') END IS NOT NULL;
        """)
  }
}
