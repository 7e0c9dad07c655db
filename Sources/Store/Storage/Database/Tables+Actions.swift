extension Schema {
  /// The tables for actions of the user, rules, notifications and synchronisation.
  static let actionTables = """
    -- Actions of the user, oldest first.
    CREATE TABLE journal (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      -- When it was undone.
      undone INTEGER,
      -- Of an undo: the action that it undoes.
      undoes INTEGER,
      -- An edit of the settings as JSON, without tokens and passwords.
      edit TEXT,
      -- The machine whose action it is: 0 this one, -1 a service; and its number there. NULL: before synchronisation.
      device INTEGER NOT NULL DEFAULT 0,
      seq INTEGER,
      -- See Stamp; NULL: `at` << 16.
      stamp INTEGER,
      -- The first action of its step: one undo takes back all. NULL: itself.
      step INTEGER
    );
    CREATE INDEX journal_undoable ON journal(id) WHERE undone IS NULL AND undoes IS NULL AND device = 0;
    CREATE INDEX journal_redoable ON journal(id) WHERE undone IS NULL AND undoes IS NOT NULL AND device = 0;
    CREATE UNIQUE INDEX journal_of_device ON journal(device, seq) WHERE seq IS NOT NULL;
    CREATE INDEX journal_stamp ON journal(stamp) WHERE stamp IS NOT NULL;
    CREATE INDEX journal_step ON journal(step) WHERE step IS NOT NULL;
    CREATE INDEX journal_edit ON journal(id) WHERE edit IS NOT NULL;
    CREATE INDEX journal_undoes ON journal(undoes) WHERE undoes IS NOT NULL;

    -- The changes of an action: the messages from `message` to `through`, which end where a block of 1024 ids ends;
    -- Mark.Field; the values as Mark stores them.
    CREATE TABLE mark_change (
      act INTEGER NOT NULL,
      field INTEGER NOT NULL,
      message INTEGER NOT NULL,
      through INTEGER NOT NULL,
      old,
      new,
      -- The action that wrote `old`, which an undo gives the mark back to; 0: none. NULL: not known, as before
      -- synchronisation.
      old_by INTEGER,
      -- Of an undo: the action that it gave the mark back to, as in old_by.
      new_by INTEGER,
      PRIMARY KEY (act, field, message)
    ) WITHOUT ROWID;
    CREATE INDEX mark_change_of ON mark_change(message);
    CREATE INDEX mark_change_of_several ON mark_change(message, through) WHERE through > message;

    -- Actions for services that take them over. Of several marks of one field of a message only the last is there; each has a
    -- new id.
    CREATE TABLE outgoing (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      source_id INTEGER NOT NULL,
      message_id INTEGER NOT NULL,
      -- As its service knows the message, also once it is deleted here.
      remote_id TEXT NOT NULL,
      handle TEXT,
      -- 'read', 'starred', 'done', 'snoozed', or 'act ' and the name of a button.
      field TEXT NOT NULL,
      -- 1 or 0; of a snooze its end, or NULL.
      value INTEGER,
      made INTEGER NOT NULL,
      -- When the service got it; kept until a poll that began later, since what an earlier one saw is older.
      carried INTEGER,
      -- Not 0: that machine sends it; here it only holds back what the service says.
      device INTEGER NOT NULL DEFAULT 0
    );
    CREATE UNIQUE INDEX outgoing_of_message ON outgoing(message_id, field);
    CREATE INDEX outgoing_waiting ON outgoing(source_id, id) WHERE carried IS NULL AND device = 0;
    CREATE INDEX outgoing_carried ON outgoing(source_id, carried) WHERE carried IS NOT NULL;
    CREATE INDEX foreign_act ON outgoing(source_id, made) WHERE device <> 0;

    -- When the actions for a source are sent again after failures from `since` to `failed`.
    CREATE TABLE sending (source_id INTEGER PRIMARY KEY, failures INTEGER NOT NULL, since INTEGER NOT NULL,
      failed INTEGER NOT NULL, due INTEGER NOT NULL);

    -- The rules of the settings, by name: how they are written, and how often they matched.
    CREATE TABLE rule (name TEXT PRIMARY KEY, text TEXT NOT NULL, hits INTEGER NOT NULL, last_hit INTEGER) WITHOUT ROWID;

    -- The rules that touched a message, in their order.
    CREATE TABLE touched (message_id INTEGER NOT NULL, position INTEGER NOT NULL, rule TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (message_id, position)) WITHOUT ROWID;
    CREATE INDEX touched_by ON touched(rule, message_id);

    -- When rules judge a message again.
    CREATE TABLE rule_due (message_id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
    CREATE INDEX rule_due_at ON rule_due(at);

    -- Messages that programs of rules get; `claimed` is when one was started with it.
    CREATE TABLE rule_run (id INTEGER PRIMARY KEY AUTOINCREMENT, rule TEXT NOT NULL, message_id INTEGER NOT NULL,
      claimed INTEGER);
    CREATE INDEX rule_run_of_message ON rule_run(message_id);

    -- Notifications: a row for each message and channel. 0 waits, 1 is claimed by a process that sends it, 2 was sent and is
    -- there, 3 has ended.
    CREATE TABLE notification (
      message_id INTEGER NOT NULL,
      channel TEXT NOT NULL,
      state INTEGER NOT NULL,
      -- Sent in quiet hours too.
      is_urgent INTEGER NOT NULL,
      -- When the message arrived or appeared.
      at INTEGER NOT NULL,
      -- The one that is shown for it: from the claim to the end.
      shown_id INTEGER,
      PRIMARY KEY (message_id, channel)
    ) WITHOUT ROWID;
    CREATE INDEX notification_open ON notification(channel, at) WHERE state = 0;
    CREATE INDEX notification_of_shown ON notification(shown_id) WHERE shown_id IS NOT NULL;

    -- What a channel shows for one or more of them, with the same states from 1 on. Ended ones stay a while, since a minute has
    -- only so many.
    CREATE TABLE notification_shown (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      channel TEXT NOT NULL,
      form TEXT NOT NULL,
      state INTEGER NOT NULL,
      at INTEGER NOT NULL,
      -- The channel's name of it; NULL until it was shown.
      name TEXT
    );
    CREATE INDEX notification_shown_of_channel ON notification_shown(channel, state);

    -- One row once this database is a machine. See the page of synchronisation; all of it is empty until then.
    CREATE TABLE sync (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      device BLOB NOT NULL,
      place_id BLOB NOT NULL,
      -- The highest level of payloads that this program reads; what was partly read by a lower one is read again.
      level INTEGER NOT NULL,
      -- When the last synchronisation ended well, and why the last one failed, since when.
      last INTEGER,
      failed TEXT,
      failed_at INTEGER
    );

    -- This machine's actions as they are sent, the length included; NULL: not encoded yet. They are kept: a location that lost
    -- them gets them again.
    CREATE TABLE own_act (seq INTEGER PRIMARY KEY, body BLOB, is_sent INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX own_act_unsent ON own_act(seq) WHERE NOT is_sent;

    -- The other machines.
    CREATE TABLE device (
      id INTEGER PRIMARY KEY,
      uuid BLOB NOT NULL UNIQUE,
      name TEXT,
      -- When its newest object was written, by its clock.
      heard INTEGER,
      -- By how much its clock was ahead then, in milliseconds.
      ahead INTEGER NOT NULL DEFAULT 0,
      -- The numbers of its actions that were read, and of those that a later program reads again: IDRanges.
      known BLOB NOT NULL,
      partial BLOB NOT NULL
    );

    -- The objects of the sync location that were written and read, whatever the numbers of their actions.
    CREATE TABLE object (
      -- 0: this machine.
      device INTEGER NOT NULL,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      -- Of the name; empty: it has none.
      digest BLOB NOT NULL,
      -- As the location's file system said; NULL: it says nothing. Of a damaged object without a size, `modified` is when it
      -- was first found so.
      size INTEGER,
      modified INTEGER,
      -- 0 written here, 1 read, 2 damaged.
      state INTEGER NOT NULL,
      -- When its bytes were last looked at.
      checked INTEGER NOT NULL,
      PRIMARY KEY (device, first, last, digest)
    ) WITHOUT ROWID;

    -- The names of sources on all machines, and the values of their settings there; `_by` as in status. A source here may have
    -- several.
    CREATE TABLE wire_source (
      id INTEGER PRIMARY KEY,
      uid BLOB NOT NULL UNIQUE,
      source_id INTEGER,
      -- Some machine has its first delivery.
      is_filled INTEGER NOT NULL DEFAULT 0,
      -- The user took it out of this machine's settings: it isn't followed here, whatever the others do.
      is_declined INTEGER NOT NULL DEFAULT 0,
      follow TEXT,
      follow_by INTEGER,
      name TEXT,
      name_by INTEGER,
      title TEXT,
      title_by INTEGER,
      folder TEXT,
      folder_by INTEGER
    );
    CREATE INDEX wire_source_of ON wire_source(source_id) WHERE source_id IS NOT NULL;

    -- The machines whose users keep a source in a settings file.
    CREATE TABLE source_written (
      -- An id of wire_source.
      source INTEGER NOT NULL,
      -- The first 8 bytes of the id of a machine, this one included.
      machine INTEGER NOT NULL,
      is_written INTEGER NOT NULL,
      -- An id of the journal.
      act INTEGER NOT NULL,
      PRIMARY KEY (source, machine)
    ) WITHOUT ROWID;

    -- The names of messages on all machines, and the event that they report now; 0: they have none.
    CREATE TABLE wire_key (
      source_id INTEGER NOT NULL,
      key INTEGER NOT NULL,
      message_id INTEGER NOT NULL,
      event_hash INTEGER NOT NULL DEFAULT 0,
      -- If the event is the date at which an article was published again.
      published INTEGER,
      PRIMARY KEY (source_id, key, message_id)
    ) WITHOUT ROWID;

    -- Values for messages that aren't here yet, or report another event; `act` is an id of the journal.
    CREATE TABLE early_cell (
      wire_source INTEGER NOT NULL,
      key INTEGER NOT NULL,
      event_hash INTEGER NOT NULL,
      field INTEGER NOT NULL,
      value,
      act INTEGER NOT NULL,
      since INTEGER NOT NULL,
      PRIMARY KEY (wire_source, key, event_hash, field)
    ) WITHOUT ROWID;
    CREATE INDEX early_cell_since ON early_cell(since);
    -- Contents of messages: the values of `push` and `content`.
    CREATE INDEX early_cell_content ON early_cell(wire_source, key) WHERE field >= 32 AND value IS NOT NULL;

    """

  /// The counts and lists that are derived from the other tables, and the search index.
  static let derivedTables = """
    -- The number of messages that each source lists; a count that is wrong is derived again.
    CREATE TABLE tally (
      source_id INTEGER PRIMARY KEY REFERENCES source(id) ON DELETE CASCADE,
      total INTEGER NOT NULL DEFAULT 0,
      unread INTEGER NOT NULL DEFAULT 0,
      starred INTEGER NOT NULL DEFAULT 0
    );

    -- The listed duplicates that a source has of another's messages: a sum over sources leaves them out.
    CREATE TABLE duplicate_tally (
      source_id INTEGER NOT NULL,
      original_source INTEGER NOT NULL,
      total INTEGER NOT NULL DEFAULT 0,
      unread INTEGER NOT NULL DEFAULT 0,
      starred INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (source_id, original_source)
    ) WITHOUT ROWID;

    -- The number of messages that each rule hides.
    CREATE TABLE hidden_tally (rule TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;

    -- Originals of which one that is listed has to be found before the transaction ends: see Duplicates.
    CREATE TABLE duplicate_pending (original_id INTEGER PRIMARY KEY);

    -- The saved lists of the settings, in the order of `position`.
    CREATE TABLE saved_list (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      position INTEGER NOT NULL,
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
    CREATE TABLE list_due (message_id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
    CREATE INDEX list_due_at ON list_due(at);

    -- How far all messages were judged, since the lists or the sources changed: see SavedListScan.
    CREATE TABLE list_scan (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      phase INTEGER NOT NULL,
      source_id INTEGER NOT NULL DEFAULT 0,
      rank INTEGER NOT NULL DEFAULT 0,
      sort_time INTEGER NOT NULL DEFAULT 0,
      message_id INTEGER NOT NULL DEFAULT 0,
      -- The user's, when it began: days are those of it.
      zone TEXT
    );
    INSERT INTO list_scan (id, phase) VALUES (1, 3);

    -- Values of messages by which searches find them. `folded` is as queries compare; the name of a host begins with its
    -- last label there.
    CREATE TABLE facet_name (id INTEGER PRIMARY KEY, field INTEGER NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL);
    CREATE UNIQUE INDEX facet_name_folded ON facet_name(field, folded, name);
    CREATE TABLE facet (facet INTEGER NOT NULL, message_id INTEGER NOT NULL, PRIMARY KEY (facet, message_id)) WITHOUT ROWID;

    -- Without content: the text is in message and detail, and SearchText separates what has no spaces. It gathers 2 MiB before
    -- it writes, and joins its parts when there are eight: a long poll is shorter, and searching takes as long.
    CREATE VIRTUAL TABLE search USING fts5(title, body, author, content='', columnsize=0,
      tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M*'");
    INSERT INTO search(search, rank) VALUES ('hashsize', 2097152);
    INSERT INTO search(search, rank) VALUES ('automerge', 8);
    CREATE VIRTUAL TABLE search_terms USING fts5vocab(search, instance);
    """
}
