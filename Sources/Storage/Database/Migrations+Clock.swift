import GRDB

// Frozen, as the tables are: a change is a new migration.
extension Schema {
  /// 110: since when a host is held, the greatest time that servers have said, and the times of the last hosts. Earlier versions stored in `clock_lead`
  /// by how much the clock was ahead at the last answer: of a clock that is wrong now they knew nothing.
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

  /// 111: an index of a condition is used only where a query has that condition, word for word.
  static func findsNoticesToSend(_ db: Database) throws {
    try db.execute(
      sql: """
        DROP INDEX telling_open;
        CREATE INDEX telling_open ON telling(channel, at) WHERE state = 0;
        """)
  }
}
