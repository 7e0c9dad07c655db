extension Schema {
  /// All tables and their indexes, which are frozen.
  ///
  /// The rows are written by:
  /// - `source`, `saved_list`, `rule`: the settings, when they are read
  /// - `polling`, `attempt`, `host_rest`, `message`, `detail`, `identity`, `search`, `feature…`, `ignored_key`,
  ///   `upstream_open`, `ending`: polls
  /// - `status`: polls, which add new messages; its marks are written only by `MarkWriter`
  /// - `journal`, `mark_change`: actions of the user, by `MarkWriter`
  /// - `outgoing`: actions that their services don't have yet; `sending`: the process that sends them
  /// - `touched`, `rule_due`, `rule_run`: rules, in the transaction in which they are applied
  /// - Derived, and derived again by `StoreCheck.repair`: `tally`, `duplicate_tally` and `hidden_tally` by the
  ///   triggers, `facet`, `facet_name` and `entry_key` with the content, `saved_list.unread` and the `list_` tables by
  ///   `SavedLists`. The lists are indexes of `status`.
  ///
  /// Instants are milliseconds since 1970, durations nanoseconds. Message tables have no foreign keys: with 100,000
  /// rows in a poll they would cost more than everything else.
  static let tables = sourceTables + messageTables + actionTables + derivedTables

  /// The tables for the store itself, sources, and their polls.
  private static let sourceTables = """
    -- One row.
    CREATE TABLE store (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      installed INTEGER NOT NULL,
      -- The instants up to which the time of messages and of feature switches was applied.
      clock INTEGER NOT NULL,
      features_clock INTEGER NOT NULL DEFAULT 0,
      last_message INTEGER NOT NULL DEFAULT 0,
      -- The language of the stored texts of translated messages.
      language TEXT,
      -- Of earlier versions.
      clock_lead INTEGER NOT NULL DEFAULT 0,
      -- When all messages were last compared with what their sources keep; 0: never.
      pruned INTEGER NOT NULL DEFAULT 0,
      -- The user wants to be notified of nothing but what is urgent.
      quiet_from INTEGER,
      quiet_until INTEGER,
      -- Messages from these ids on have their facets, their keys (`facts_from`), and an entry in the search index
      -- (`search_from`). Those below are entered later, a few at a time. `server_time`: the greatest time of any server's
      -- answer; 0: none had one.
      facets_from INTEGER NOT NULL DEFAULT 0,
      facts_from INTEGER NOT NULL DEFAULT 0,
      server_time INTEGER NOT NULL DEFAULT 0,
      search_from INTEGER NOT NULL DEFAULT 0
    );

    -- The sources of the settings, in the order of `position`; NULL: it isn't there any more.
    CREATE TABLE source (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- See SourceUID; every row has one.
      uid BLOB,
      name TEXT NOT NULL UNIQUE,
      -- The settings' own; the server's is in polling.
      title TEXT,
      folder TEXT,
      kind TEXT NOT NULL,
      address TEXT NOT NULL,
      position INTEGER,
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
      -- The settings that few sources have: SourceOptions as JSON.
      options TEXT NOT NULL DEFAULT '{}'
    );
    CREATE UNIQUE INDEX source_uid ON source(uid);

    -- The state that polls of a source left.
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
      -- The number of requests that the server still accepts, as JSON.
      quota TEXT,
      -- An id may come for several messages.
      repeats_ids INTEGER NOT NULL DEFAULT 0,
      content_at INTEGER,
      -- Why its push channel can't be opened, and since when.
      stream_failure TEXT,
      stream_failed INTEGER,
      -- See SourceMemory. `has_facts`: all of its messages have facts.
      tells_apart INTEGER NOT NULL DEFAULT 0,
      is_steady INTEGER NOT NULL DEFAULT 0,
      recurs INTEGER NOT NULL DEFAULT 0,
      document_at INTEGER,
      has_facts INTEGER NOT NULL DEFAULT 1,
      -- The beginning of 24 hours, and the new messages since, with their bytes.
      day_start INTEGER,
      day_messages INTEGER NOT NULL DEFAULT 0,
      day_bytes INTEGER NOT NULL DEFAULT 0
    );

    -- The last polls of a source.
    CREATE TABLE attempt (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
      trigger TEXT NOT NULL,
      start INTEGER NOT NULL,
      end INTEGER NOT NULL,
      result TEXT NOT NULL,
      problems TEXT,
      -- Why messages are not new: see IdentityReport.
      identity TEXT
    );
    CREATE INDEX attempt_of_source ON attempt(source_id, id);

    -- The hosts that asked for a pause, until when, and since when by this clock.
    CREATE TABLE host_rest (host TEXT PRIMARY KEY, until INTEGER NOT NULL, since INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;

    -- The last time that each of the last hosts said, and when it was heard by this clock.
    CREATE TABLE server_clock (host TEXT PRIMARY KEY NOT NULL, time INTEGER NOT NULL, heard INTEGER NOT NULL) WITHOUT ROWID;

    -- Keys of native feeds that reddot doesn't know, and has reported.
    CREATE TABLE ignored_key (
      source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      PRIMARY KEY (source_id, path)
    ) WITHOUT ROWID;

    -- The last good copy of a control file or a view, by its whole address.
    CREATE TABLE document (address TEXT PRIMARY KEY, bytes BLOB NOT NULL, etag TEXT, last_modified TEXT);

    -- The state of a source's banners. `listed`: when a control file last had it.
    CREATE TABLE banner (
      source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      displayed INTEGER NOT NULL DEFAULT 0,
      last_display INTEGER,
      launches INTEGER NOT NULL DEFAULT 0,
      flags TEXT NOT NULL DEFAULT '{}',
      listed INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (source_id, name)
    ) WITHOUT ROWID;

    -- The state of the inbox's look: closed folders, widths of panes.
    CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

    """

  /// The tables for messages, their identity, and features that notifications switch.
  private static let messageTables = """
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
      -- Higher ranks are above lower ones, whatever their time.
      rank INTEGER NOT NULL,
      sort_time INTEGER NOT NULL,
      priority INTEGER NOT NULL,
      -- 0 while its source isn't in the settings.
      is_followed INTEGER NOT NULL,
      -- 0 while its channel or its time hides it.
      is_shown INTEGER NOT NULL,
      is_dismissable INTEGER NOT NULL,
      is_read INTEGER NOT NULL DEFAULT 0,
      is_starred INTEGER NOT NULL DEFAULT 0,
      -- 1 while it is listed and unread, and nobody has looked at its source since it came: the dot. Of a read message it
      -- says nothing.
      is_unseen INTEGER NOT NULL DEFAULT 0,
      dismissed_at INTEGER,
      snoozed_until INTEGER,
      -- The rule that hides it, and since when.
      hidden_by TEXT,
      hidden_at INTEGER,
      -- Of a duplicate: the same message as another source brought it first, and that source.
      original_id INTEGER,
      original_source INTEGER,
      visible_from INTEGER,
      expires INTEGER,
      channel TEXT,
      is_listed INTEGER AS (is_shown AND dismissed_at IS NULL AND snoozed_until IS NULL AND hidden_by IS NULL) VIRTUAL,
      -- In the lists over all sources.
      is_one INTEGER AS (is_shown AND dismissed_at IS NULL AND snoozed_until IS NULL AND hidden_by IS NULL
        AND is_followed AND original_id IS NULL) VIRTUAL,
      -- The action whose value a mark has, by its id in the journal; NULL: nobody's, the default of this machine.
      read_by INTEGER,
      starred_by INTEGER,
      dismissed_by INTEGER,
      snoozed_by INTEGER,
      shown_by INTEGER,
      -- When a snooze ended that no other has replaced, and is_read without that end.
      woken INTEGER,
      read_before INTEGER
    );
    -- The lists. Their order ends with the id, which every index has. A condition begins with what costs least to find out.
    CREATE INDEX listed ON status(rank, sort_time) WHERE is_one;
    CREATE INDEX listed_unread ON status(rank, sort_time) WHERE NOT is_read AND is_one;
    CREATE INDEX starred ON status(rank, sort_time) WHERE is_one AND is_starred;
    CREATE INDEX starred_unread ON status(rank, sort_time) WHERE is_starred AND NOT is_read AND is_one;
    CREATE INDEX source_listed ON status(source_id, rank, sort_time) WHERE is_listed;
    CREATE INDEX source_unread ON status(source_id, rank, sort_time) WHERE NOT is_read AND is_listed;
    -- Of another priority than normal (3): few of most sources.
    CREATE INDEX prioritised ON status(source_id, priority, rank, sort_time) WHERE is_listed AND priority <> 3;
    CREATE INDEX prioritised_unread ON status(source_id, priority, rank, sort_time)
      WHERE priority <> 3 AND NOT is_read AND is_listed;
    CREATE INDEX source_out_of_inbox ON status(source_id, rank, sort_time) WHERE NOT is_listed;
    CREATE INDEX unseen ON status(source_id) WHERE NOT is_read AND is_unseen;
    CREATE INDEX dismissed ON status(dismissed_at) WHERE dismissed_at IS NOT NULL;
    CREATE INDEX snoozed ON status(snoozed_until) WHERE snoozed_until IS NOT NULL;
    CREATE INDEX woken ON status(woken) WHERE woken IS NOT NULL;
    CREATE INDEX hidden ON status(hidden_at) WHERE hidden_by IS NOT NULL;
    CREATE INDEX hidden_by_rule ON status(hidden_by) WHERE hidden_by IS NOT NULL;
    CREATE INDEX appearing ON status(visible_from) WHERE visible_from IS NOT NULL;
    CREATE INDEX expiring ON status(expires) WHERE expires IS NOT NULL;
    CREATE INDEX in_channel ON status(source_id) WHERE channel IS NOT NULL;
    CREATE INDEX duplicate_of ON status(original_id) WHERE original_id IS NOT NULL;
    CREATE INDEX duplicate_of_source ON status(original_source, original_id) WHERE original_id IS NOT NULL;

    -- The rest of a message, which the reader shows. `pane` is the key of the terminal's pane that it comes from, and
    -- `is_translated` whether it came in several languages: both are in `extras` too. Indexes over expressions of `extras` would
    -- call functions, which may fail: then each insertion has to be undoable, and the search index writes to the file for it.
    CREATE TABLE detail (
      message_id INTEGER PRIMARY KEY,
      remote_id TEXT NOT NULL,
      body TEXT NOT NULL,
      html TEXT,
      url TEXT,
      author TEXT,
      published INTEGER,
      updated INTEGER,
      language TEXT,
      tags TEXT,
      extras TEXT,
      pane TEXT,
      is_translated INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX detail_pane ON detail(pane, message_id) WHERE pane IS NOT NULL;
    CREATE INDEX detail_translated ON detail(message_id) WHERE is_translated;

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

    -- The message of a remote id, and the hash of its content. Its number is negative if it isn't kept; 0: an earlier version
    -- deleted it, and only the id is known.
    CREATE TABLE identity (
      source_id INTEGER NOT NULL,
      remote_id TEXT NOT NULL,
      message_id INTEGER NOT NULL,
      hash INTEGER NOT NULL,
      -- Of a message that isn't kept: the hash of the event that it reports, and when its feed last had it.
      event_hash INTEGER,
      last_listed INTEGER,
      -- The id came for different entries. Under itself none of them is stored, but by earlier versions.
      is_doubted INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (source_id, remote_id)
    ) WITHOUT ROWID;
    CREATE INDEX identity_unkept ON identity(last_listed) WHERE message_id <= 0;
    CREATE INDEX identity_doubted ON identity(source_id) WHERE is_doubted;

    -- The facts of each message of a feed, also of deleted ones. Hashes: see EntryFacts. `time`: see EntryTime. NULL: the
    -- entry has none.
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
    -- The keys by which messages are looked up, made of their facts.
    CREATE TABLE entry_key (key INTEGER NOT NULL, message_id INTEGER NOT NULL, PRIMARY KEY (key, message_id)) WITHOUT ROWID;

    -- Messages that were open at their service in its last complete answer.
    CREATE TABLE upstream_open (source_id INTEGER NOT NULL, remote_id TEXT NOT NULL, message_id INTEGER NOT NULL,
      PRIMARY KEY (source_id, remote_id)) WITHOUT ROWID;

    -- When the trouble that a message reported was over, and the state that this end changed.
    CREATE TABLE ending (
      message_id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      -- 0 if the message was read elsewhere: the reader shows no time then.
      is_shown INTEGER NOT NULL DEFAULT 1,
      was_unread INTEGER NOT NULL DEFAULT 0,
      was_unseen INTEGER NOT NULL DEFAULT 0,
      -- The channels of notifications that were still to be sent, with blanks between them.
      waiting TEXT
    );

    -- Notifications of native feeds that are not displayed, and the features that they switch while they hold.
    CREATE TABLE feature_switch (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL,
      remote_id TEXT NOT NULL,
      is_enabled INTEGER NOT NULL,
      data TEXT,
      channel TEXT,
      -- As it was when its features were judged last.
      is_subscribed INTEGER NOT NULL DEFAULT 0,
      visible_from INTEGER,
      expires INTEGER,
      -- When it first came, and when it last came with other content: `position` orders those.
      arrived INTEGER NOT NULL,
      said INTEGER NOT NULL,
      position INTEGER NOT NULL,
      hash INTEGER NOT NULL,
      -- When a document last had it.
      listed INTEGER NOT NULL DEFAULT 0
    );
    CREATE UNIQUE INDEX feature_switch_of_source ON feature_switch(source_id, remote_id);
    CREATE INDEX feature_switch_position ON feature_switch(position);
    CREATE INDEX feature_switch_visible_from ON feature_switch(visible_from) WHERE visible_from IS NOT NULL;
    CREATE INDEX feature_switch_expires ON feature_switch(expires) WHERE expires IS NOT NULL;
    CREATE INDEX feature_switch_in_channel ON feature_switch(id) WHERE channel IS NOT NULL;
    CREATE TABLE feature_switch_name (name TEXT NOT NULL, switch_id INTEGER NOT NULL, PRIMARY KEY (name, switch_id)) WITHOUT ROWID;
    CREATE INDEX feature_switch_name_of ON feature_switch_name(switch_id);

    -- How each feature was last handed out. Data is a hash; NULL where it is not known.
    CREATE TABLE feature (
      name TEXT PRIMARY KEY,
      is_enabled INTEGER NOT NULL,
      data INTEGER,
      source_id INTEGER NOT NULL,
      remote_id TEXT NOT NULL,
      at INTEGER NOT NULL
    ) WITHOUT ROWID;

    -- Switched features that the program of their source has not got yet, in this order.
    CREATE TABLE feature_call (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      source_id INTEGER NOT NULL,
      name TEXT NOT NULL,
      is_enabled INTEGER NOT NULL,
      remote_id TEXT NOT NULL,
      data TEXT
    );

    """
}
