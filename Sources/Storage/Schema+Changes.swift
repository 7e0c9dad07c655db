/// What the migration v4, and those from v6 on change, as SQL: frozen as they are.
extension Schema {
  static let removals = """
    -- What was taken out of the settings, and what puts it back: Removed as JSON. NULL once it is back.
    ALTER TABLE journal ADD COLUMN removal TEXT;
    """

  static let ruleRunsByMessage = """
    CREATE INDEX rule_run_of_message ON rule_run(message_id);
    """

  static let facets = """
    -- Values of messages by which searches find them. `folded` is as queries compare; the name of a host begins with its
    -- last label there.
    CREATE TABLE facet_name (id INTEGER PRIMARY KEY, field INTEGER NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL);
    CREATE UNIQUE INDEX facet_name_folded ON facet_name(field, folded, name);
    CREATE TABLE facet (facet INTEGER NOT NULL, message_id INTEGER NOT NULL, PRIMARY KEY (facet, message_id)) WITHOUT ROWID;
    -- Messages from this id on have their facets.
    ALTER TABLE store ADD COLUMN facets_from INTEGER NOT NULL DEFAULT 0;
    UPDATE store SET facets_from = last_message + 1;

    -- What is off the lists, in list order.
    CREATE TABLE source_away (source_id INTEGER NOT NULL, standing INTEGER NOT NULL, sort_time INTEGER NOT NULL,
      message_id INTEGER NOT NULL, PRIMARY KEY (source_id, standing, sort_time, message_id)) WITHOUT ROWID;
    INSERT INTO source_away (source_id, standing, sort_time, message_id)
      SELECT m.source_id, m.standing, m.sort_time, m.id FROM message m CROSS JOIN status t ON t.message_id = m.id
      WHERE NOT m.is_shown OR t.is_dismissed OR t.snoozed_until IS NOT NULL OR t.hidden_by IS NOT NULL;
    """

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

  static let rules = """
    -- The rule that keeps it off the lists.
    ALTER TABLE status ADD COLUMN hidden_by TEXT;
    -- 1 once the user changed its marks: rules leave them alone from then on.
    ALTER TABLE status ADD COLUMN is_acted INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX status_hidden ON status(hidden_by, message_id) WHERE hidden_by IS NOT NULL;
    -- Which rules touched a message, in their order.
    CREATE TABLE touched (message_id INTEGER NOT NULL, place INTEGER NOT NULL, rule TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (message_id, place)) WITHOUT ROWID;
    CREATE INDEX touched_by ON touched(rule, message_id);
    -- What is known of the rules of the settings, by name: how they are written, and how often they matched.
    CREATE TABLE rule (name TEXT PRIMARY KEY, text TEXT NOT NULL, hits INTEGER NOT NULL, last_hit INTEGER) WITHOUT ROWID;
    -- When rules judge a message again.
    CREATE TABLE moment (message_id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
    CREATE INDEX moment_at ON moment(at);
    -- Messages that programs of rules get; `claimed` is when one was started with it.
    CREATE TABLE rule_run (id INTEGER PRIMARY KEY AUTOINCREMENT, rule TEXT NOT NULL, message_id INTEGER NOT NULL,
      claimed INTEGER);
    """

  static let hiddenList = """
    ALTER TABLE status ADD COLUMN hidden_at INTEGER NOT NULL DEFAULT 0;
    -- The rule that hid it, until the user brought it back.
    ALTER TABLE status ADD COLUMN was_hidden_by TEXT;
    CREATE INDEX status_hidden_at ON status(hidden_at, message_id) WHERE hidden_by IS NOT NULL;
    -- How many messages each rule hides.
    CREATE TABLE hidden_tally (rule TEXT PRIMARY KEY, count INTEGER NOT NULL CHECK (count >= 0)) WITHOUT ROWID;
    INSERT INTO hidden_tally (rule, count)
      SELECT hidden_by, count(*) FROM status WHERE hidden_by IS NOT NULL GROUP BY hidden_by;
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
    -- Acts of several changes in one step: what is needed to undo them.
    ALTER TABLE journal ADD COLUMN changes TEXT;
    """

  static let ranks = """
    -- Listed messages of another priority than normal (3).
    CREATE TABLE ranked (source_id INTEGER NOT NULL, priority INTEGER NOT NULL, standing INTEGER NOT NULL,
      sort_time INTEGER NOT NULL, message_id INTEGER NOT NULL,
      PRIMARY KEY (source_id, priority, standing, sort_time, message_id)) WITHOUT ROWID;
    CREATE TABLE ranked_unread (source_id INTEGER NOT NULL, priority INTEGER NOT NULL, standing INTEGER NOT NULL,
      sort_time INTEGER NOT NULL, message_id INTEGER NOT NULL,
      PRIMARY KEY (source_id, priority, standing, sort_time, message_id)) WITHOUT ROWID;
    INSERT INTO ranked (source_id, priority, standing, sort_time, message_id)
      SELECT l.source_id, m.priority, l.standing, l.sort_time, l.message_id
      FROM source_listed l CROSS JOIN message m ON m.id = l.message_id WHERE m.priority <> 3;
    INSERT INTO ranked_unread (source_id, priority, standing, sort_time, message_id)
      SELECT r.source_id, r.priority, r.standing, r.sort_time, r.message_id
      FROM ranked r CROSS JOIN status t ON t.message_id = r.message_id WHERE NOT t.is_read;
    """

  static let copies = """
    -- Of a copy: the same message as another source brought it, and that source.
    ALTER TABLE status ADD COLUMN first_id INTEGER;
    ALTER TABLE status ADD COLUMN first_source INTEGER;
    CREATE INDEX status_copy ON status(message_id, first_id) WHERE first_id IS NOT NULL;
    CREATE INDEX status_first ON status(first_id) WHERE first_id IS NOT NULL;
    CREATE INDEX status_first_source ON status(first_source, first_id) WHERE first_id IS NOT NULL;

    -- The listed copies that a source has of another's messages.
    CREATE TABLE copy_tally (
      source_id INTEGER NOT NULL,
      first_source INTEGER NOT NULL,
      total INTEGER NOT NULL CHECK (total >= 0),
      unread INTEGER NOT NULL CHECK (unread >= 0),
      starred INTEGER NOT NULL CHECK (starred >= 0),
      PRIMARY KEY (source_id, first_source)
    ) WITHOUT ROWID;

    -- Which messages have the same link or the same id: hashes of them.
    CREATE TABLE link_key (key INTEGER NOT NULL, message_id INTEGER NOT NULL, PRIMARY KEY (key, message_id)) WITHOUT ROWID;
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

  static let notices = """
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

    -- The person wants to be told of nothing, but for what is urgent.
    ALTER TABLE store ADD COLUMN quiet_from INTEGER;
    ALTER TABLE store ADD COLUMN quiet_until INTEGER;
    """

  static let timedFeatures = """
    -- Notifications that are not displayed, and the features that they switch while they hold.
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
    CREATE TABLE told (
      name TEXT PRIMARY KEY,
      is_enabled INTEGER NOT NULL,
      data INTEGER,
      source_id INTEGER NOT NULL,
      remote_id TEXT NOT NULL,
      at INTEGER NOT NULL
    ) WITHOUT ROWID;

    -- The instant up to which the time of notices was carried out.
    ALTER TABLE store ADD COLUMN features_clock INTEGER NOT NULL DEFAULT 0;

    INSERT INTO notice (source_id, remote_id, is_enabled, data, arrived, said, place, hash)
      SELECT source_id, remote_id, is_enabled, data, min(changed), max(changed), 0, 0 FROM feature
      GROUP BY source_id, remote_id;
    INSERT INTO switch (name, notice_id)
      SELECT f.name, n.id FROM feature f JOIN notice n ON n.source_id = f.source_id AND n.remote_id = f.remote_id;
    INSERT INTO told (name, is_enabled, source_id, remote_id, at)
      SELECT name, is_enabled, source_id, remote_id, changed FROM feature;
    DROP TABLE feature;
    """
}
