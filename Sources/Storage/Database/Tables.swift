extension Schema {
  /// All tables, as the first version has them: frozen.
  ///
  /// Who writes what:
  /// - `source`: the settings, through `register`.
  /// - `polling`, `attempt`, `hold`, `message`, `detail`, `identity`, `search`, `notice`, `switch`, `feature`,
  ///   `ignored_key`, `call`, `open_upstream`, `resolved`: polls.
  /// - `status`: polls give a new message its place; its marks are written by `MarkWriter` alone.
  /// - `journal`, `mark_change`: acts of the person, through `MarkWriter`.
  /// - `outgoing`: those that their services don't have yet; `carrying`: whoever sends them.
  /// - `touched`, `rule`, `moment`, `rule_run`: rules, in the transaction that they judge in.
  /// - Derived, and derived again by `Check`: `tally`, `copy_tally`, `hidden_tally` by the triggers beside them; `facet`,
  ///   `facet_name` and `link_key` with the content; `saved_list.unread`, `list_member` and the other `list_` tables by
  ///   `SavedLists`. The lists themselves are indexes of `status`.
  ///
  /// Instants are milliseconds since 1970, durations nanoseconds. Message tables have no foreign keys: at 100,000 rows a poll
  /// they would cost more than all else.
  static let tables = """
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
    -- The last good copy of a control file or a view, by its whole address.
    CREATE TABLE document (address TEXT PRIMARY KEY, bytes BLOB NOT NULL, etag TEXT, last_modified TEXT);

    -- What a row of a list shows; narrow, so that a window of rows is few pages.
    CREATE TABLE message (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      received INTEGER NOT NULL,
      title TEXT NOT NULL
    );
    -- The rest: what the reader shows.
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
      extras TEXT
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
    -- The messages that came in several languages.
    CREATE TABLE translated (message_id INTEGER PRIMARY KEY);
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
    -- Which messages have the same link or the same id: hashes of them.
    CREATE TABLE link_key (key INTEGER NOT NULL, message_id INTEGER NOT NULL, PRIMARY KEY (key, message_id)) WITHOUT ROWID;

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

    -- Acts of the person for services that take them over. Of several marks of one field of a message only the last is
    -- there; each has a new id.
    CREATE TABLE outgoing (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      source_id INTEGER NOT NULL,
      message_id INTEGER NOT NULL,
      -- As its service knows the message, also once it is deleted here.
      remote_id TEXT NOT NULL,
      handle TEXT,
      -- 'read', 'starred', 'done', 'snoozed', or 'act ' and the name of an action.
      field TEXT NOT NULL,
      -- 1 or 0; of a snooze its end, or NULL.
      value INTEGER,
      made INTEGER NOT NULL,
      -- When the service got it; kept until a poll that began later, since what an earlier one saw is older than the act.
      carried INTEGER
    );
    CREATE UNIQUE INDEX outgoing_of_message ON outgoing(message_id, field);
    CREATE INDEX outgoing_waiting ON outgoing(source_id, id) WHERE carried IS NULL;
    CREATE INDEX outgoing_carried ON outgoing(source_id, carried) WHERE carried IS NOT NULL;
    -- When the acts of a source are sent again after failures from `since` to `failed`.
    CREATE TABLE carrying (source_id INTEGER PRIMARY KEY, failures INTEGER NOT NULL, since INTEGER NOT NULL,
      failed INTEGER NOT NULL, due INTEGER NOT NULL);
    -- Messages that were open at their service in its last complete answer.
    CREATE TABLE open_upstream (source_id INTEGER NOT NULL, remote_id TEXT NOT NULL, message_id INTEGER NOT NULL,
      PRIMARY KEY (source_id, remote_id)) WITHOUT ROWID;
    -- When the trouble that a message reported was over.
    CREATE TABLE resolved (message_id INTEGER PRIMARY KEY, at INTEGER NOT NULL);

    -- The rules of the settings, by name: how they are written, and how often they matched.
    CREATE TABLE rule (name TEXT PRIMARY KEY, text TEXT NOT NULL, hits INTEGER NOT NULL, last_hit INTEGER) WITHOUT ROWID;
    -- Which rules touched a message, in their order.
    CREATE TABLE touched (message_id INTEGER NOT NULL, place INTEGER NOT NULL, rule TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (message_id, place)) WITHOUT ROWID;
    CREATE INDEX touched_by ON touched(rule, message_id);
    -- When rules judge a message again.
    CREATE TABLE moment (message_id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
    CREATE INDEX moment_at ON moment(at);
    -- Messages that programs of rules get; `claimed` is when one was started with it.
    CREATE TABLE rule_run (id INTEGER PRIMARY KEY AUTOINCREMENT, rule TEXT NOT NULL, message_id INTEGER NOT NULL,
      claimed INTEGER);
    CREATE INDEX rule_run_of_message ON rule_run(message_id);

    -- What a person is told of: a row for each message and channel. 0 waits, 1 is claimed by a process that is telling it,
    -- 2 was told and stands, 3 has ended.
    CREATE TABLE telling (
      message_id INTEGER NOT NULL,
      channel TEXT NOT NULL,
      state INTEGER NOT NULL,
      -- Told in quiet hours too.
      is_urgent INTEGER NOT NULL,
      -- When the message arrived or appeared.
      at INTEGER NOT NULL,
      -- The notice that tells it: from the claim to the end.
      notice_id INTEGER,
      PRIMARY KEY (message_id, channel)
    ) WITHOUT ROWID;
    CREATE INDEX telling_open ON telling(channel, state, at) WHERE state < 3;
    CREATE INDEX telling_of_notice ON telling(notice_id) WHERE notice_id IS NOT NULL;
    -- Notices, with the same states from 1 on; what has ended stays a while, since a minute has only so many.
    CREATE TABLE shown_notice (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      channel TEXT NOT NULL,
      form TEXT NOT NULL,
      state INTEGER NOT NULL,
      at INTEGER NOT NULL,
      -- What the channel knows it by; NULL until it was shown.
      name TEXT
    );
    CREATE INDEX shown_notice_of_channel ON shown_notice(channel, state);

    -- Notifications of native feeds that are not displayed, and the features that they switch while they hold.
    CREATE TABLE notice (
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
      -- When it first came, and when it last came with other content: `place` orders those.
      arrived INTEGER NOT NULL,
      said INTEGER NOT NULL,
      place INTEGER NOT NULL,
      hash INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX notice_of_source ON notice(source_id, remote_id);
    CREATE INDEX notice_place ON notice(place);
    CREATE INDEX notice_visible_from ON notice(visible_from) WHERE visible_from IS NOT NULL;
    CREATE INDEX notice_expires ON notice(expires) WHERE expires IS NOT NULL;
    CREATE INDEX notice_in_channel ON notice(id) WHERE channel IS NOT NULL;
    CREATE TABLE switch (name TEXT NOT NULL, notice_id INTEGER NOT NULL, PRIMARY KEY (name, notice_id)) WITHOUT ROWID;
    CREATE INDEX switch_of_notice ON switch(notice_id);
    -- How each feature was last handed out. Data is a hash; NULL where it is not known.
    CREATE TABLE feature (
      name TEXT PRIMARY KEY,
      is_enabled INTEGER NOT NULL,
      data INTEGER,
      source_id INTEGER NOT NULL,
      remote_id TEXT NOT NULL,
      at INTEGER NOT NULL
    ) WITHOUT ROWID;
    -- What features were switched to, until the program of their source has got it: in this order.
    CREATE TABLE call (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      source_id INTEGER NOT NULL,
      name TEXT NOT NULL,
      is_enabled INTEGER NOT NULL,
      remote_id TEXT NOT NULL,
      data TEXT
    );

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
    -- What the inbox remembers of its look: which folders are closed, how wide a pane is.
    CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

    -- Values of messages by which searches find them. `folded` is as queries compare; the name of a host begins with its
    -- last label there.
    CREATE TABLE facet_name (id INTEGER PRIMARY KEY, field INTEGER NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL);
    CREATE UNIQUE INDEX facet_name_folded ON facet_name(field, folded, name);
    CREATE TABLE facet (facet INTEGER NOT NULL, message_id INTEGER NOT NULL, PRIMARY KEY (facet, message_id)) WITHOUT ROWID;
    -- Contentless: the text is in message and detail, and SearchText separates CJK characters. It gathers 2 MiB before it
    -- writes, and joins its parts when there are eight: a long poll is shorter, and searching takes as long.
    CREATE VIRTUAL TABLE search USING fts5(title, body, author, content='', columnsize=0,
      tokenize='unicode61 remove_diacritics 2');
    INSERT INTO search(search, rank) VALUES ('hashsize', 2097152);
    INSERT INTO search(search, rank) VALUES ('automerge', 8);
    CREATE VIRTUAL TABLE search_terms USING fts5vocab(search, instance);

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
    -- The unread messages that each of them shows.
    CREATE TABLE list_member (message_id INTEGER NOT NULL, list_id INTEGER NOT NULL, is_unseen INTEGER NOT NULL,
      PRIMARY KEY (message_id, list_id)) WITHOUT ROWID;
    CREATE INDEX list_member_of ON list_member(list_id, message_id);
    CREATE INDEX list_member_unseen ON list_member(list_id, message_id) WHERE is_unseen;
    -- Messages that changed, and were not judged since.
    CREATE TABLE list_pending (message_id INTEGER PRIMARY KEY);
    -- When lists may judge a message otherwise though nothing changes but the time.
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
