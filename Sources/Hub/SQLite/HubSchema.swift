import GRDB

/// The tables of a hub in SQLite. Booleans are 0 and 1, times are milliseconds since 1970.
enum HubSchema {
  /// The id "RdHb", which identifies a file as that of a hub.
  static let applicationID: Int64 = 0x5264_4862
  static let version = 4

  /// Migrates the schema. A published migration is frozen: a change is a new one, with the next number. It calls no
  /// other code of the program.
  static func migrate(_ db: Database, from version: Int) throws {
    if version < 1 { try first(db) }
    if version < 2 { try second(db) }
    if version < 3 { try third(db) }
    if version < 4 { try fourth(db) }
  }

  /// Migration 4: the numbers of webhooks, which were their positions in the settings. The webhooks of the settings get
  /// the same numbers, in their order.
  private static func fourth(_ db: Database) throws {
    try db.execute(
      sql: "CREATE TABLE hook (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE)")
  }

  /// Migration 3: the number of days after which items without an end expire. For items of an older hub, these days
  /// begin at the earliest with this migration.
  private static func third(_ db: Database) throws {
    try db.execute(
      sql: """
        -- NULL: never.
        ALTER TABLE feed ADD COLUMN expires_days INTEGER DEFAULT 30;
        -- An item's days begin at the earliest then.
        ALTER TABLE hub ADD COLUMN expires_from INTEGER NOT NULL DEFAULT 0;
        UPDATE hub SET expires_from = strftime('%s', 'now') * 1000 WHERE EXISTS (SELECT 1 FROM item);
        CREATE INDEX item_endless ON item (feed, changed) WHERE live AND expires IS NULL;
        """)
  }

  /// Migration 2: the users whose objects machines store, and the number of their last change, which may have removed
  /// an object.
  private static func second(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE person (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,
          last INTEGER NOT NULL DEFAULT 0);
        """)
  }

  /// Migration 1: the first tables.
  private static func first(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE hub (one INTEGER PRIMARY KEY DEFAULT 1 CHECK (one = 1), uid TEXT NOT NULL);
        -- The last id that was given, in all feeds.
        CREATE TABLE place (one INTEGER PRIMARY KEY DEFAULT 1 CHECK (one = 1), last INTEGER NOT NULL);
        CREATE TABLE feed (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
          public INTEGER NOT NULL, keep_days INTEGER NOT NULL);
        CREATE TABLE token (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, hash BLOB NOT NULL,
          admin INTEGER NOT NULL DEFAULT 0, link INTEGER NOT NULL DEFAULT 0, person INTEGER, made INTEGER NOT NULL,
          expires INTEGER, revoked INTEGER, used INTEGER);
        CREATE TABLE token_feed (token INTEGER NOT NULL REFERENCES token ON DELETE CASCADE,
          feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE, reads INTEGER NOT NULL,
          publishes INTEGER NOT NULL, PRIMARY KEY (token, feed)) WITHOUT ROWID;
        CREATE TABLE item (id INTEGER PRIMARY KEY, first_id INTEGER NOT NULL,
          feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE, key TEXT NOT NULL, body TEXT NOT NULL,
          hash BLOB NOT NULL, published INTEGER NOT NULL, changed INTEGER NOT NULL, expires INTEGER,
          live INTEGER NOT NULL DEFAULT 1, token INTEGER);
        CREATE INDEX item_live ON item (feed, id) WHERE live;
        CREATE INDEX item_expires ON item (expires) WHERE live;
        CREATE INDEX item_over ON item (expires) WHERE NOT live;
        CREATE UNIQUE INDEX item_key ON item (feed, key);
        CREATE INDEX item_feed ON item (feed, id);
        -- Without a key until its time comes where the publisher gave none.
        CREATE TABLE scheduled (id INTEGER PRIMARY KEY AUTOINCREMENT,
          feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE, key TEXT, body TEXT NOT NULL, expires INTEGER,
          own_time INTEGER NOT NULL, due INTEGER NOT NULL, token INTEGER, UNIQUE (feed, key));
        CREATE INDEX scheduled_due ON scheduled (due);
        -- The token of a command on the hub's machine is 0, that of a webhook minus its number.
        CREATE TABLE receipt (token INTEGER NOT NULL, idem TEXT NOT NULL, hash BLOB NOT NULL, answer TEXT NOT NULL,
          at INTEGER NOT NULL, PRIMARY KEY (token, idem)) WITHOUT ROWID;
        CREATE INDEX receipt_at ON receipt (at);
        CREATE TABLE audit (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, token INTEGER, address TEXT,
          feed INTEGER, key TEXT, item INTEGER, act TEXT NOT NULL);
        CREATE INDEX audit_at ON audit (at);
        CREATE TABLE document (feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE, path TEXT NOT NULL,
          type TEXT NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL, modified INTEGER NOT NULL, token INTEGER,
          PRIMARY KEY (feed, path)) WITHOUT ROWID;
        CREATE TABLE sync_object (person INTEGER NOT NULL, device BLOB NOT NULL, name TEXT NOT NULL,
          body BLOB NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (person, device, name),
          UNIQUE (person, seq));
        INSERT INTO place (last) VALUES (0);
        INSERT INTO hub (uid) VALUES (lower(hex(randomblob(16))));
        """)
  }
}
