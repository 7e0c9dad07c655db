extension Schema {
  static let savedLists = """
    -- The saved lists of the settings, in the order of `place`.
    CREATE TABLE saved_list (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      place INTEGER NOT NULL,
      -- NULL where the settings have a mistake, which `problem` says.
      query TEXT,
      problem TEXT,
      -- Whether it asks who has looked at a message.
      asks_new INTEGER NOT NULL,
      -- 0 until all messages were judged once.
      is_counted INTEGER NOT NULL,
      -- Kept by triggers on list_member.
      unread INTEGER NOT NULL DEFAULT 0 CHECK (unread >= 0),
      unseen INTEGER NOT NULL DEFAULT 0 CHECK (unseen >= 0)
    );
    -- The unread messages that each of them shows.
    CREATE TABLE list_member (message_id INTEGER NOT NULL, list_id INTEGER NOT NULL, is_unseen INTEGER NOT NULL,
      PRIMARY KEY (message_id, list_id)) WITHOUT ROWID;
    CREATE INDEX list_member_of ON list_member(list_id, message_id);
    CREATE INDEX list_member_unseen ON list_member(list_id, message_id) WHERE is_unseen;
    CREATE TRIGGER list_member_comes AFTER INSERT ON list_member
    BEGIN
      UPDATE saved_list SET unread = unread + 1, unseen = unseen + new.is_unseen WHERE id = new.list_id;
    END;
    CREATE TRIGGER list_member_goes AFTER DELETE ON list_member
    BEGIN
      UPDATE saved_list SET unread = unread - 1, unseen = unseen - old.is_unseen WHERE id = old.list_id;
    END;
    CREATE TRIGGER list_member_is_seen AFTER UPDATE OF is_unseen ON list_member WHEN new.is_unseen <> old.is_unseen
    BEGIN
      UPDATE saved_list SET unseen = unseen + new.is_unseen - old.is_unseen WHERE id = new.list_id;
    END;
    -- Messages that changed, and were not judged since.
    CREATE TABLE list_pending (message_id INTEGER PRIMARY KEY);
    -- When lists may change their mind about a message though nothing changes but the time.
    CREATE TABLE list_moment (message_id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
    CREATE INDEX list_moment_at ON list_moment(at);
    -- How far all messages were judged, since the lists or the sources changed: see SavedListScan.
    CREATE TABLE list_scan (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      phase INTEGER NOT NULL,
      source_id INTEGER NOT NULL DEFAULT 0,
      standing INTEGER NOT NULL DEFAULT 0,
      sort_time INTEGER NOT NULL DEFAULT 0,
      message_id INTEGER NOT NULL DEFAULT 0,
      -- The reader's, when it began: days are those of it.
      zone TEXT
    );
    INSERT INTO list_scan (id, phase) VALUES (1, 3);
    """
}
