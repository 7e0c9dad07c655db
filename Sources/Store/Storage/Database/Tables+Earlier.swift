extension Schema {
  /// The tables of a database before the first version: frozen.
  ///
  /// For rows of such a database, which `TakeOver` then makes the first version of. So tables that it only drops have one
  /// column here, and there are no indexes. The triggers are those that such a database has; any other trigger is foreign.
  static func earlierTables(of version: Int) -> String {
    """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    CREATE TABLE store (id INTEGER PRIMARY KEY CHECK (id = 1), installed INTEGER NOT NULL, clock INTEGER NOT NULL,
      last_message INTEGER NOT NULL DEFAULT 0, language TEXT, features_clock INTEGER NOT NULL DEFAULT 0,
      pruned INTEGER NOT NULL DEFAULT 0, quiet_from INTEGER, quiet_until INTEGER, facets_from INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE source (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
      address TEXT NOT NULL, place INTEGER, initial_delay INTEGER NOT NULL, interval INTEGER NOT NULL, grace INTEGER NOT NULL,
      request_timeout INTEGER NOT NULL, poll_deadline INTEGER NOT NULL, response_limit INTEGER NOT NULL,
      is_unread_on_change INTEGER NOT NULL, channels TEXT NOT NULL, type_names TEXT NOT NULL, app_version TEXT,
      options TEXT NOT NULL DEFAULT '{}', uid BLOB, title TEXT, folder TEXT);
    CREATE TABLE polling (source_id INTEGER PRIMARY KEY REFERENCES source(id) ON DELETE CASCADE, title TEXT, link TEXT,
      badge INTEGER, is_filled INTEGER NOT NULL DEFAULT 0, cursor TEXT, etag TEXT, last_modified TEXT, moved_to TEXT,
      moved_count INTEGER NOT NULL DEFAULT 0, last_attempt_start REAL, last_attempt_end REAL, last_success REAL,
      failures INTEGER NOT NULL DEFAULT 0, last_failure TEXT, minimum_wait INTEGER, minimum_wait_rule TEXT,
      skip_hours INTEGER NOT NULL DEFAULT 0, skip_days INTEGER NOT NULL DEFAULT 0, is_gone INTEGER NOT NULL DEFAULT 0,
      jitter REAL NOT NULL DEFAULT 0, next_poll REAL, has_new_ids INTEGER NOT NULL DEFAULT 0, quota TEXT);
    CREATE TABLE attempt (id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
      trigger TEXT NOT NULL, start REAL NOT NULL, end REAL NOT NULL, result TEXT NOT NULL, problems TEXT);
    CREATE TABLE hold (host TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID;
    CREATE TABLE message (id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, kind TEXT NOT NULL, standing INTEGER NOT NULL,
      sort_time INTEGER NOT NULL, is_shown INTEGER NOT NULL, is_dismissable INTEGER NOT NULL, priority INTEGER NOT NULL,
      received INTEGER NOT NULL, visible_from INTEGER, expires INTEGER, channel TEXT, title TEXT NOT NULL);
    CREATE TABLE identity (source_id INTEGER NOT NULL, remote_id TEXT NOT NULL, message_id INTEGER NOT NULL,
      hash INTEGER NOT NULL, PRIMARY KEY (source_id, remote_id)) WITHOUT ROWID;
    CREATE TABLE status (message_id INTEGER PRIMARY KEY, is_read INTEGER NOT NULL, is_starred INTEGER NOT NULL,
      is_dismissed INTEGER NOT NULL, snoozed_until INTEGER, dismissed_at INTEGER NOT NULL DEFAULT 0, first_id INTEGER,
      first_source INTEGER, hidden_by TEXT, is_acted INTEGER NOT NULL DEFAULT 0, hidden_at INTEGER NOT NULL DEFAULT 0,
      was_hidden_by TEXT);
    CREATE TABLE journal (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, act TEXT NOT NULL, ids BLOB NOT NULL,
      undone INTEGER, changes TEXT\(version < 23 ? "" : ", removal TEXT"));
    CREATE TABLE unseen (source_id INTEGER NOT NULL, message_id INTEGER NOT NULL,
      PRIMARY KEY (source_id, message_id)) WITHOUT ROWID;
    CREATE TABLE banner (source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE, name TEXT NOT NULL,
      displayed INTEGER NOT NULL DEFAULT 0, last_display REAL, launches INTEGER NOT NULL DEFAULT 0,
      flags TEXT NOT NULL DEFAULT '{}', PRIMARY KEY (source_id, name)) WITHOUT ROWID;
    CREATE TABLE ignored_key (source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE, path TEXT NOT NULL,
      PRIMARY KEY (source_id, path)) WITHOUT ROWID;
    CREATE TABLE carrying (source_id INTEGER PRIMARY KEY, failures INTEGER NOT NULL, due INTEGER NOT NULL);
    CREATE TABLE saved_list (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, place INTEGER NOT NULL,
      query TEXT, problem TEXT, asks_new INTEGER NOT NULL, is_counted INTEGER NOT NULL, unread INTEGER NOT NULL DEFAULT 0,
      unseen INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE tally (source_id INTEGER PRIMARY KEY);
    CREATE TABLE copy_tally (source_id INTEGER PRIMARY KEY);
    CREATE TABLE hidden_tally (rule TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
    \(TakeOver.lists.map { "CREATE TABLE \($0) (message_id INTEGER PRIMARY KEY);" }.joined(separator: "\n"))
    \(furtherTables)
    ALTER TABLE feature RENAME TO told;
    \(earlierTriggers)
    """
  }

  private static let earlierTriggers = """
    CREATE TRIGGER status_hides AFTER UPDATE OF hidden_by ON status
      WHEN new.hidden_by IS NOT NULL AND new.hidden_by IS NOT old.hidden_by
    BEGIN
      INSERT INTO hidden_tally (rule, count) VALUES (new.hidden_by, 1) ON CONFLICT (rule) DO UPDATE SET count = count + 1;
    END;
    CREATE TRIGGER status_shows AFTER UPDATE OF hidden_by ON status
      WHEN old.hidden_by IS NOT NULL AND new.hidden_by IS NOT old.hidden_by
    BEGIN
      UPDATE hidden_tally SET count = count - 1 WHERE rule = old.hidden_by;
    END;
    CREATE TRIGGER status_hidden_gone AFTER DELETE ON status WHEN old.hidden_by IS NOT NULL
    BEGIN
      UPDATE hidden_tally SET count = count - 1 WHERE rule = old.hidden_by;
    END;
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
    """
}
