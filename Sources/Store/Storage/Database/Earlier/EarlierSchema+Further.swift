extension EarlierSchema {
  /// The tables for text, rules, notifications, features, outgoing acts and search, which are frozen.
  ///
  /// They equal the tables of the databases before version 100, so that such a database keeps them unchanged.
  static let furtherTables = """
    -- The last good copy of a control file or a view, by its whole address.
    CREATE TABLE document (address TEXT PRIMARY KEY, bytes BLOB NOT NULL, etag TEXT, last_modified TEXT);

    -- The rest of a message: what the reader shows.
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
    """
}
