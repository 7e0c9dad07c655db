/// What the migrations from v6 on change, as SQL: frozen as they are.
extension Schema {
  static let articles = """
    -- The article of the page that a message leads to.
    CREATE TABLE article (
      message_id INTEGER PRIMARY KEY,
      -- The address of the message then, and the one that it led to.
      requested TEXT NOT NULL,
      address TEXT NOT NULL,
      title TEXT,
      html TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      fetched INTEGER NOT NULL,
      -- 0 once the message came with other content.
      is_current INTEGER NOT NULL
    );
    """

  static let dismissals = """
    -- 0: before this was noted.
    ALTER TABLE status ADD COLUMN dismissed_at INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX status_dismissed ON status(dismissed_at, message_id) WHERE is_dismissed;
    """

  static let uidsTitlesFolders = """
    -- See SourceUID; every row has one.
    ALTER TABLE source ADD COLUMN uid BLOB;
    CREATE UNIQUE INDEX source_uid ON source(uid);
    -- The settings' own; what the server says is in polling.
    ALTER TABLE source ADD COLUMN title TEXT;
    ALTER TABLE source ADD COLUMN folder TEXT;
    -- What the inbox remembers of its look: which folders are closed, how wide a pane is.
    CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    """

  static let retention = """
    -- The settings of a source that few set: SourceOptions as JSON.
    ALTER TABLE source ADD COLUMN options TEXT NOT NULL DEFAULT '{}';
    -- When all messages were last held against what their sources keep; 0: never.
    -- From now on an identity may lead to message 0: one that was there and is not kept any more.
    ALTER TABLE store ADD COLUMN pruned INTEGER NOT NULL DEFAULT 0;
    """

  static let featureCalls = """
    -- What features were switched to, until the program of their source has been told: in this order.
    CREATE TABLE call (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      source_id INTEGER NOT NULL,
      name TEXT NOT NULL,
      is_enabled INTEGER NOT NULL,
      remote_id TEXT NOT NULL,
      data TEXT
    );
    """

  static let ignoredKeys = """
    -- Keys of native feeds that reddot knows nothing of, and has told of.
    CREATE TABLE ignored_key (
      source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      PRIMARY KEY (source_id, path)
    ) WITHOUT ROWID;
    """
}
