import GRDB

extension Schema {
  /// Adds the tables for notifications on the user's phone.
  static let phone = Migration(name: "the phone, and the buttons that were pressed there") { db in
    try db.execute(
      sql: """
        -- One row once a notification went to a phone.
        CREATE TABLE phone (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          -- Random: the ids of its notifications, the name of the topic of its buttons and their signatures are made with it.
          secret BLOB NOT NULL,
          -- A digest of the URL that the other columns are about.
          url BLOB NOT NULL,
          -- Whether the server replaces and deletes messages; NULL until one was sent.
          has_sequences INTEGER,
          sent_at INTEGER,
          failures INTEGER NOT NULL DEFAULT 0,
          failure TEXT,
          failed_at INTEGER,
          -- Nothing is sent before.
          retry_at INTEGER,
          -- How far the topic of the buttons was read.
          cursor TEXT,
          read_at INTEGER,
          read_failure TEXT,
          -- What came by it.
          pressed INTEGER NOT NULL DEFAULT 0,
          settled INTEGER NOT NULL DEFAULT 0,
          replayed INTEGER NOT NULL DEFAULT 0,
          unsigned INTEGER NOT NULL DEFAULT 0,
          late INTEGER NOT NULL DEFAULT 0,
          malformed INTEGER NOT NULL DEFAULT 0
        );

        -- The signatures of the buttons that were pressed, as long as they would be valid.
        CREATE TABLE phone_press (signature BLOB NOT NULL UNIQUE, at INTEGER NOT NULL);
        CREATE INDEX phone_press_at ON phone_press(at);
        """)
  }
}
