import GRDB

// These are frozen, like the tables: a change is a new migration.
extension EarlierSchema {
  /// Migration 110 adds the time since which requests to a host wait, the greatest time that servers have sent, and the
  /// last times that single hosts have sent. Earlier versions stored in `clock_lead` how far the clock was ahead at the
  /// last response, which reveals nothing about a clock that is wrong now.
  static func remembersServerTimes(_ db: Database) throws {
    try db.execute(
      sql: """
        -- 0 if no server has said a time yet.
        ALTER TABLE store ADD COLUMN server_time INTEGER NOT NULL DEFAULT 0;
        -- The last time that each of the last hosts said, and when it was heard by this clock.
        CREATE TABLE server_clock (
          host TEXT PRIMARY KEY NOT NULL,
          time INTEGER NOT NULL,
          heard INTEGER NOT NULL
        ) WITHOUT ROWID;
        -- When the server asked for it, by this clock.
        ALTER TABLE hold ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
        UPDATE hold SET since = min(until, (SELECT clock FROM store));
        """)
  }

  /// Migration 111 changes the index of waiting notifications, since SQLite uses an index with a condition only if a
  /// query has exactly the same condition.
  static func findsNoticesToSend(_ db: Database) throws {
    try db.execute(
      sql: """
        DROP INDEX telling_open;
        CREATE INDEX telling_open ON telling(channel, at) WHERE state = 0;
        """)
  }

  /// Migration 112 counts hidden messages by the condition of their list, which excludes removed sources, duplicates
  /// and messages that are also dismissed.
  static func countsHiddenAsListed(_ db: Database) throws {
    try db.execute(
      sql: """
        DROP TRIGGER hides;
        DROP TRIGGER shows;
        DROP TRIGGER hidden_goes;
        CREATE TRIGGER hidden_changes AFTER UPDATE OF hidden_by, dismissed_at, is_followed, first_id ON status
          WHEN old.hidden_by IS NOT NULL OR new.hidden_by IS NOT NULL
        BEGIN
          UPDATE hidden_tally SET count = count - 1
            WHERE rule = old.hidden_by AND old.dismissed_at IS NULL AND old.is_followed AND old.first_id IS NULL;
          INSERT INTO hidden_tally (rule, count)
            SELECT new.hidden_by, 1
            WHERE new.hidden_by IS NOT NULL AND new.dismissed_at IS NULL AND new.is_followed AND new.first_id IS NULL
            ON CONFLICT (rule) DO UPDATE SET count = count + 1;
        END;
        CREATE TRIGGER hidden_goes AFTER DELETE ON status
          WHEN old.hidden_by IS NOT NULL AND old.dismissed_at IS NULL AND old.is_followed AND old.first_id IS NULL
        BEGIN
          UPDATE hidden_tally SET count = count - 1 WHERE rule = old.hidden_by;
        END;
        DELETE FROM hidden_tally;
        INSERT INTO hidden_tally (rule, count)
          SELECT hidden_by, count(*) FROM status
          WHERE hidden_by IS NOT NULL AND dismissed_at IS NULL AND is_followed AND first_id IS NULL GROUP BY hidden_by;
        """)
  }
}
