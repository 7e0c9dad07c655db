extension EarlierSchema {
  /// All tables of the first version, which are frozen.
  ///
  /// The rows are written by:
  /// - `source`: the settings, through `register`
  /// - `polling`, `attempt`, `hold`, `message`, `detail`, `identity`, `search`, `notice`, `switch`, `feature`,
  ///   `ignored_key`, `call`, `open_upstream`, `resolved`: polls
  /// - `status`: polls, which add new messages; its marks are written only by `MarkWriter`
  /// - `journal`, `mark_change`: acts of the user, through `MarkWriter`
  /// - `outgoing`: acts that their services don't have yet; `carrying`: the process that sends them
  /// - `touched`, `rule`, `moment`, `rule_run`: rules, in the transaction in which they are applied
  /// - Derived, and derived again by `StoreCheck.repair`: `tally`, `copy_tally` and `hidden_tally` by the triggers,
  ///   `facet`, `facet_name` and `link_key` with the content, `saved_list.unread`, `list_member` and the other `list_`
  ///   tables by `SavedLists`. The lists themselves are indexes of `status`.
  ///
  /// Instants are milliseconds since 1970, durations nanoseconds. Message tables have no foreign keys: with 100,000
  /// rows in a poll they would cost more than everything else.
  static let tables = mainTables + furtherTables

  /// The tables for sources, messages, marks and counts.
  static let mainTables = """
    -- One row.
    CREATE TABLE store (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      installed INTEGER NOT NULL,
      -- The instants up to which the time of messages and of notices was applied.
      clock INTEGER NOT NULL,
      features_clock INTEGER NOT NULL DEFAULT 0,
      last_message INTEGER NOT NULL DEFAULT 0,
      -- The language of the stored texts of translated messages.
      language TEXT,
      -- How far the clock was ahead of a server's in the last answer that had a date.
      clock_lead INTEGER NOT NULL DEFAULT 0,
      -- When all messages were last compared with what their sources keep; 0: never.
      pruned INTEGER NOT NULL DEFAULT 0,
      -- The person wants to be told of nothing, but for what is urgent.
      quiet_from INTEGER,
      quiet_until INTEGER,
      -- Messages from this id on have their facets.
      facets_from INTEGER NOT NULL DEFAULT 0
    );

    -- The sources of the settings, in the order of `place`; NULL: it isn't there any more.
    CREATE TABLE source (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- See SourceUID; every row has one.
      uid BLOB,
      name TEXT NOT NULL UNIQUE,
      -- The settings' own; what the server says is in polling.
      title TEXT,
      folder TEXT,
      kind TEXT NOT NULL,
      address TEXT NOT NULL,
      place INTEGER,
      initial_delay INTEGER NOT NULL,
      interval INTEGER NOT NULL,
      grace INTEGER NOT NULL,
      request_timeout INTEGER NOT NULL,
      poll_deadline INTEGER NOT NULL,
      response_limit INTEGER NOT NULL,
      is_unread_on_change INTEGER NOT NULL,
      channels TEXT NOT NULL,
      type_names TEXT NOT NULL,
      app_version TEXT,
      -- What few sources set: SourceOptions as JSON.
      options TEXT NOT NULL DEFAULT '{}'
    );
    CREATE UNIQUE INDEX source_uid ON source(uid);

    -- What polls of a source left.
    CREATE TABLE polling (
      source_id INTEGER PRIMARY KEY REFERENCES source(id) ON DELETE CASCADE,
      title TEXT,
      link TEXT,
      badge INTEGER,
      -- 0 until the first content came from this address.
      is_filled INTEGER NOT NULL DEFAULT 0,
      -- 1 once the server gave its ids anew: an id alone does not say any more which message it is.
      has_new_ids INTEGER NOT NULL DEFAULT 0,
      cursor TEXT,
      etag TEXT,
      last_modified TEXT,
      moved_to TEXT,
      moved_count INTEGER NOT NULL DEFAULT 0,
      last_attempt_start INTEGER,
      last_attempt_end INTEGER,
      last_success INTEGER,
      next_poll INTEGER,
      failures INTEGER NOT NULL DEFAULT 0,
      last_failure TEXT,
      minimum_wait INTEGER,
      minimum_wait_rule TEXT,
      skip_hours INTEGER NOT NULL DEFAULT 0,
      skip_days INTEGER NOT NULL DEFAULT 0,
      is_gone INTEGER NOT NULL DEFAULT 0,
      jitter REAL NOT NULL DEFAULT 0,
      -- How many requests the server still accepts, as JSON.
      quota TEXT
    );

    CREATE TABLE attempt (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
      trigger TEXT NOT NULL,
      start INTEGER NOT NULL,
      end INTEGER NOT NULL,
      result TEXT NOT NULL,
      problems TEXT
    );
    CREATE INDEX attempt_of_source ON attempt(source_id, id);

    CREATE TABLE hold (host TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;

    -- Keys of native feeds that reddot doesn't know, and has reported.
    CREATE TABLE ignored_key (
      source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      PRIMARY KEY (source_id, path)
    ) WITHOUT ROWID;

    -- What a row of a list shows; narrow, so that a window of rows is few pages.
    CREATE TABLE message (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      received INTEGER NOT NULL,
      title TEXT NOT NULL
    );

    -- What decides in which lists a message is: its place, its time, its marks.
    CREATE TABLE status (
      message_id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL,
      standing INTEGER NOT NULL,
      sort_time INTEGER NOT NULL,
      priority INTEGER NOT NULL,
      -- 0 while its source isn't in the settings.
      is_followed INTEGER NOT NULL,
      -- 0 while its channel or its time hides it.
      is_shown INTEGER NOT NULL,
      is_dismissable INTEGER NOT NULL,
      is_read INTEGER NOT NULL DEFAULT 0,
      is_starred INTEGER NOT NULL DEFAULT 0,
      -- 1 while it is listed and unread, and nobody has looked at its source since it came: the dot.
      is_unseen INTEGER NOT NULL DEFAULT 0,
      dismissed_at INTEGER,
      snoozed_until INTEGER,
      -- The rule that hides it, and since when.
      hidden_by TEXT,
      hidden_at INTEGER,
      -- Of a copy: the same message as another source brought it, and that source.
      first_id INTEGER,
      first_source INTEGER,
      visible_from INTEGER,
      expires INTEGER,
      channel TEXT,
      is_listed INTEGER AS (is_shown AND dismissed_at IS NULL AND snoozed_until IS NULL AND hidden_by IS NULL) VIRTUAL,
      -- In the lists over all sources.
      is_one INTEGER AS (is_shown AND dismissed_at IS NULL AND snoozed_until IS NULL AND hidden_by IS NULL
        AND is_followed AND first_id IS NULL) VIRTUAL
    );
    -- The lists. Their order ends with the id, which every index has.
    CREATE INDEX listed ON status(standing, sort_time) WHERE is_one;
    CREATE INDEX listed_unread ON status(standing, sort_time) WHERE is_one AND NOT is_read;
    CREATE INDEX starred ON status(standing, sort_time) WHERE is_one AND is_starred;
    CREATE INDEX starred_unread ON status(standing, sort_time) WHERE is_one AND is_starred AND NOT is_read;
    CREATE INDEX source_listed ON status(source_id, standing, sort_time) WHERE is_listed;
    CREATE INDEX source_unread ON status(source_id, standing, sort_time) WHERE is_listed AND NOT is_read;
    -- Of another priority than normal (3): few of most sources.
    CREATE INDEX ranked ON status(source_id, priority, standing, sort_time) WHERE is_listed AND priority <> 3;
    CREATE INDEX ranked_unread ON status(source_id, priority, standing, sort_time)
      WHERE is_listed AND priority <> 3 AND NOT is_read;
    CREATE INDEX source_away ON status(source_id, standing, sort_time) WHERE NOT is_listed;
    CREATE INDEX unseen ON status(source_id) WHERE is_unseen;
    CREATE INDEX dismissed ON status(dismissed_at) WHERE dismissed_at IS NOT NULL;
    CREATE INDEX snoozed ON status(snoozed_until) WHERE snoozed_until IS NOT NULL;
    CREATE INDEX hidden ON status(hidden_at) WHERE hidden_by IS NOT NULL;
    CREATE INDEX hidden_by_rule ON status(hidden_by) WHERE hidden_by IS NOT NULL;
    CREATE INDEX appearing ON status(visible_from) WHERE visible_from IS NOT NULL;
    CREATE INDEX expiring ON status(expires) WHERE expires IS NOT NULL;
    CREATE INDEX in_channel ON status(source_id) WHERE channel IS NOT NULL;
    CREATE INDEX copy_of ON status(first_id) WHERE first_id IS NOT NULL;
    CREATE INDEX copy_of_source ON status(first_source, first_id) WHERE first_id IS NOT NULL;

    -- Which message a remote id is, and the hash of its content. Message 0: it was there and isn't kept any more.
    CREATE TABLE identity (
      source_id INTEGER NOT NULL,
      remote_id TEXT NOT NULL,
      message_id INTEGER NOT NULL,
      hash INTEGER NOT NULL,
      -- Of a message that isn't kept: the hash of its occasion, and when its feed last had it.
      occasion INTEGER,
      last_listed INTEGER,
      PRIMARY KEY (source_id, remote_id)
    ) WITHOUT ROWID;
    CREATE INDEX identity_unkept ON identity(last_listed) WHERE message_id = 0;

    -- Acts of the person, oldest first.
    CREATE TABLE journal (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      -- When it was undone.
      undone INTEGER,
      -- Of an undo: the act that it undoes.
      undoes INTEGER,
      -- What was taken out of the settings, and what puts it back: Removed as JSON, until it is back.
      removal TEXT
    );
    CREATE INDEX journal_undoable ON journal(id) WHERE undone IS NULL AND undoes IS NULL;
    CREATE INDEX journal_redoable ON journal(id) WHERE undone IS NULL AND undoes IS NOT NULL;

    -- What an act changed: the messages from `message` to `through`, which end where a block of 1024 ids ends; Mark.Field;
    -- the values as Mark stores them.
    CREATE TABLE mark_change (
      act INTEGER NOT NULL,
      field INTEGER NOT NULL,
      message INTEGER NOT NULL,
      through INTEGER NOT NULL,
      old,
      new,
      PRIMARY KEY (act, field, message)
    ) WITHOUT ROWID;
    CREATE INDEX mark_change_of ON mark_change(message);
    CREATE INDEX mark_change_of_several ON mark_change(message, through) WHERE through > message;

    -- When the acts of a source are sent again after failures from `since` to `failed`.
    CREATE TABLE carrying (source_id INTEGER PRIMARY KEY, failures INTEGER NOT NULL, since INTEGER NOT NULL,
      failed INTEGER NOT NULL, due INTEGER NOT NULL);

    -- What is remembered of a source's banners.
    CREATE TABLE banner (
      source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      displayed INTEGER NOT NULL DEFAULT 0,
      last_display INTEGER,
      launches INTEGER NOT NULL DEFAULT 0,
      flags TEXT NOT NULL DEFAULT '{}',
      PRIMARY KEY (source_id, name)
    ) WITHOUT ROWID;

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
      unread INTEGER NOT NULL DEFAULT 0,
      unseen INTEGER NOT NULL DEFAULT 0
    );

    -- How many messages each source lists; a count that is wrong is derived again.
    CREATE TABLE tally (
      source_id INTEGER PRIMARY KEY REFERENCES source(id) ON DELETE CASCADE,
      total INTEGER NOT NULL DEFAULT 0,
      unread INTEGER NOT NULL DEFAULT 0,
      starred INTEGER NOT NULL DEFAULT 0
    );

    -- The listed copies that a source has of another's messages: a sum over sources leaves them out.
    CREATE TABLE copy_tally (
      source_id INTEGER NOT NULL,
      first_source INTEGER NOT NULL,
      total INTEGER NOT NULL DEFAULT 0,
      unread INTEGER NOT NULL DEFAULT 0,
      starred INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (source_id, first_source)
    ) WITHOUT ROWID;

    -- How many messages each rule hides.
    CREATE TABLE hidden_tally (rule TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;

    -- Firsts of copies of which one that is listed has to be found before the transaction ends: see Copies.
    CREATE TABLE copy_pending (first_id INTEGER PRIMARY KEY);
    """
}
