import GRDB
import Messages

/// The tables, as named migrations. A migration that was released is frozen: a change is a new one.
///
/// Who writes what:
/// - `source`: the settings, through `register`. `place` is its order there; NULL means no longer configured.
/// - `polling`, `message`, `detail`, `identity`, `search`, `notice`, `switch`, `told`, `ignored_key`, `call`: polls.
///   They contain no acts of the user.
/// - `status`, `journal`: the user's acts. A poll resets them only by `isUnreadOnChange`.
/// - `outgoing`: the user's acts, until their services have them; `carrying`: whoever sends those.
/// - `open_upstream`, `resolved`: polls.
/// - `touched`, `rule`, `moment`, `rule_run`: rules, within the transaction that they judge in.
/// - `preference`: the inbox, for its look.
/// - `article`: whoever fetched one; a poll that changes its message makes it old.
/// - `tally`, `copy_tally`, `hidden_tally`, `unseen`, the `listed`, `starred` and `ranked` tables, `span`, `link_key`, `facet_name`, `facet`,
///   `source_away`: derived, and kept in the same transaction as what they derive from. `SelfCheck` derives them again and
///   compares.
/// - `saved_list` and the `list_` tables: see `SavedLists`; derived too, but what is much waits in `list_pending`.
///
/// Message tables carry no foreign keys: at 100,000 rows a poll they would cost more than all else, and only
/// `Intake` and `forget` write there.
enum Schema {
  /// In the file's header (PRAGMA application_id): "rdot".
  static let applicationID: Int32 = 0x7264_6F74

  /// In the file's header (PRAGMA user_version), so that opening an up-to-date file needs no migrator.
  static var version: Int { migrations.count }

  private struct Migration: Sendable {
    var name: String
    /// Given when reddot first started on this database, if that is now.
    var apply: @Sendable (Database, Milliseconds) throws -> Void

    init(_ name: String, apply: @escaping @Sendable (Database, Milliseconds) throws -> Void) {
      self.name = name
      self.apply = apply
    }

    init(_ name: String, sql: String) {
      self.init(name) { db, _ in try db.execute(sql: sql) }
    }
  }

  /// The version that each makes is its place, counted from 1.
  private static let migrations = [
    Migration("v1 inbox") { db, installed in
      try db.execute(sql: inbox)
      try db.prepared("INSERT INTO store (id, installed, clock) VALUES (1, ?1, ?1)").run(installed)
    },
    Migration("v2 next polls, languages, snoozes, banners", sql: nextPollsLanguagesBanners),
    Migration("v3 translated messages", sql: translatedMessages),
    Migration("v4 timed features", sql: timedFeatures),
    Migration("v5 sizes of titles and ids, ids that start over") { db, _ in
      try db.execute(sql: idsThatStartOver)
      try cutTitlesAndIDs(db)
    },
    Migration("v6 ignored keys", sql: ignoredKeys),
    Migration("v7 calls of feature commands", sql: featureCalls),
    Migration("v8 rare settings of sources, retention", sql: retention),
    Migration("v9 uids, titles and folders of sources, preferences") { db, _ in
      try db.execute(sql: uidsTitlesFolders)
      var sources: [(id: SourceID, kind: String, address: String)] = []
      let query = try db.prepared("SELECT id, kind, address FROM source ORDER BY id")
      try query.forEach {
        sources.append((SourceID(query.int(0)), query.text(1), query.text(2)))
      }
      for source in sources {
        try SourceUID.give(to: source.id, kind: source.kind, address: source.address, db)
      }
    },
    Migration("v10 when messages were dismissed", sql: dismissals),
    Migration("v11 articles", sql: articles),
    Migration("v12 copies of a message by several sources") { db, _ in
      try db.execute(sql: copies)
      try LinkKeys(db).add(newest: 20_000)
    },
    Migration("v13 lists by priority", sql: ranks),
    Migration("v14 rules", sql: rules),
    Migration("v15 list of hidden messages, acts of rules", sql: hiddenList),
    Migration("v16 notices", sql: notices),
    Migration("v17 facets, and what is off the lists") { db, _ in
      try db.execute(sql: facets)
      try FacetChanges(db, Columns()).fill(FacetChanges.atOnce)
    },
    Migration("v18 program runs of rules by message", sql: ruleRunsByMessage),
    Migration("v19 saved lists", sql: savedLists),
    Migration("v20 services", sql: services),
    // What the index gathers before it writes. As fast with two MiB as with eight, and a long poll takes 8 MiB less.
    Migration(
      "v21 less memory for the search index",
      sql: "INSERT INTO search(search, rank) VALUES ('hashsize', 2097152)"),
    // How many parts of the index wait until they are made one: with eight instead of four a text is written anew half as often,
    // a long poll takes a fourteenth less, and searching takes as long.
    Migration(
      "v22 the search index joins its parts less often",
      sql: "INSERT INTO search(search, rank) VALUES ('automerge', 8)"),
    Migration("v23 removals in the journal", sql: removals),
  ]

  /// - Parameter installed: when reddot first started on this database, if that is now.
  static func migrator(installed: Milliseconds) -> DatabaseMigrator {
    var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
    for (place, migration) in migrations.enumerated() {
      migrator.registerMigration(migration.name) { db in
        try migration.apply(db, installed)
        try db.execute(sql: "PRAGMA user_version = \(place + 1)")
      }
    }
    return migrator
  }

  /// Earlier versions stored titles and ids of any length.
  private static func cutTitlesAndIDs(_ db: Database) throws {
    var titles: [(id: Int64, title: String)] = []
    let long = try db.prepared("SELECT id, title FROM message WHERE length(CAST(title AS BLOB)) > 1000")
    try long.forEach { titles.append((long.int(0), long.text(1).prefix(characters: 1000))) }
    let index = try SearchIndex(db)
    let rest = try db.prepared("SELECT body, author FROM detail WHERE message_id = ?")
    let update = try db.prepared("UPDATE message SET title = ?2 WHERE id = ?1")
    for (id, title) in titles {
      rest.bind(1, id)
      guard let (body, author) = try rest.first({ (rest.text(0), rest.optionalText(1)) }) else { continue }
      try index.remove(id)
      update.bind(1, id)
      try update.bind(2, title)
      try update.run()
      try index.insert(id, title: title, body: body, author: author)
    }
    var ids: [(message: Int64, id: RemoteID)] = []
    let longIDs = try db.prepared(
      "SELECT message_id, remote_id FROM identity WHERE length(CAST(remote_id AS BLOB)) > 1024")
    try longIDs.forEach { ids.append((longIDs.int(0), RemoteID(longIDs.text(1)))) }
    for (message, id) in ids {
      for table in ["identity", "detail"] {
        let change = try db.prepared(
          "UPDATE \(table) SET remote_id = ?2 WHERE message_id = ?1 AND remote_id = ?3")
        change.bind(1, message)
        try change.bind(2, id.fitting.text)
        try change.bind(3, id.text)
        try change.run()
      }
    }
  }

  static let searchTable = """
    CREATE VIRTUAL TABLE search USING fts5(title, body, author, content='', columnsize=0,
      tokenize='unicode61 remove_diacritics 2')
    """

  private static let idsThatStartOver = """
    -- 1 once the server gave its ids anew: an id alone no longer says which message it is.
    ALTER TABLE polling ADD COLUMN has_new_ids INTEGER NOT NULL DEFAULT 0;
    """

  private static let translatedMessages = """
    -- The messages that came in several languages, so that another choice looks at these only.
    CREATE TABLE translated (message_id INTEGER PRIMARY KEY);
    INSERT INTO translated (message_id)
      SELECT message_id FROM detail WHERE extras LIKE '%"translations":[{%';
    """

  private static let nextPollsLanguagesBanners = """
    -- Seconds since 2001: when a source has something next, known to the second.
    ALTER TABLE polling ADD COLUMN next_poll REAL;

    -- The language in which titles and bodies of translated messages stand in their tables.
    ALTER TABLE store ADD COLUMN language TEXT;

    -- Off the lists until then, by the person's wish.
    ALTER TABLE status ADD COLUMN snoozed_until INTEGER;
    CREATE INDEX status_snoozed ON status(snoozed_until) WHERE snoozed_until IS NOT NULL;

    -- What is remembered of a source's banners.
    CREATE TABLE banner (
      source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      displayed INTEGER NOT NULL DEFAULT 0,
      last_display REAL,
      launches INTEGER NOT NULL DEFAULT 0,
      flags TEXT NOT NULL DEFAULT '{}',
      PRIMARY KEY (source_id, name)
    ) WITHOUT ROWID;

    -- The last good copy of a control file or a view, by its whole address.
    CREATE TABLE document (
      address TEXT PRIMARY KEY,
      bytes BLOB NOT NULL,
      etag TEXT,
      last_modified TEXT
    );
    """

  private static let inbox = """
    CREATE TABLE store (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      installed INTEGER NOT NULL,
      -- The instant up to which visible_from and expires were carried out.
      clock INTEGER NOT NULL,
      last_message INTEGER NOT NULL DEFAULT 0
    );

    CREATE TABLE source (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
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
      app_version TEXT
    );

    CREATE TABLE polling (
      source_id INTEGER PRIMARY KEY REFERENCES source(id) ON DELETE CASCADE,
      title TEXT,
      link TEXT,
      badge INTEGER,
      -- 0 until the first content came from this address.
      is_filled INTEGER NOT NULL DEFAULT 0,
      cursor TEXT,
      etag TEXT,
      last_modified TEXT,
      moved_to TEXT,
      moved_count INTEGER NOT NULL DEFAULT 0,
      -- Seconds since 2001, as Date counts: they come back as they went.
      last_attempt_start REAL,
      last_attempt_end REAL,
      last_success REAL,
      failures INTEGER NOT NULL DEFAULT 0,
      last_failure TEXT,
      minimum_wait INTEGER,
      minimum_wait_rule TEXT,
      skip_hours INTEGER NOT NULL DEFAULT 0,
      skip_days INTEGER NOT NULL DEFAULT 0,
      is_gone INTEGER NOT NULL DEFAULT 0,
      jitter REAL NOT NULL DEFAULT 0
    );

    CREATE TABLE attempt (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
      trigger TEXT NOT NULL,
      start REAL NOT NULL,
      end REAL NOT NULL,
      result TEXT NOT NULL,
      problems TEXT
    );
    CREATE INDEX attempt_of_source ON attempt(source_id, id);

    CREATE TABLE hold (host TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID;

    CREATE TABLE feature (
      name TEXT PRIMARY KEY,
      is_enabled INTEGER NOT NULL,
      data TEXT,
      source_id INTEGER NOT NULL,
      remote_id TEXT NOT NULL,
      changed INTEGER NOT NULL
    ) WITHOUT ROWID;

    -- What a list shows of a message; narrow, so that a window of rows is few pages.
    CREATE TABLE message (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL,
      kind TEXT NOT NULL,
      standing INTEGER NOT NULL,
      sort_time INTEGER NOT NULL,
      -- 0 while its channel or its time hides it.
      is_shown INTEGER NOT NULL,
      is_dismissable INTEGER NOT NULL,
      priority INTEGER NOT NULL,
      received INTEGER NOT NULL,
      visible_from INTEGER,
      expires INTEGER,
      channel TEXT,
      title TEXT NOT NULL
    );
    CREATE INDEX message_visible_from ON message(visible_from) WHERE visible_from IS NOT NULL;
    CREATE INDEX message_expires ON message(expires) WHERE expires IS NOT NULL;
    CREATE INDEX message_in_channel ON message(source_id) WHERE channel IS NOT NULL;

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

    -- Which message a remote id is, and the hash of its content.
    CREATE TABLE identity (
      source_id INTEGER NOT NULL,
      remote_id TEXT NOT NULL,
      message_id INTEGER NOT NULL,
      hash INTEGER NOT NULL,
      PRIMARY KEY (source_id, remote_id)
    ) WITHOUT ROWID;

    CREATE TABLE status (
      message_id INTEGER PRIMARY KEY,
      is_read INTEGER NOT NULL,
      is_starred INTEGER NOT NULL,
      is_dismissed INTEGER NOT NULL
    );

    CREATE TABLE journal (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      act TEXT NOT NULL,
      -- The messages that it changed, and no others: IDRanges.
      ids BLOB NOT NULL,
      undone INTEGER
    );
    CREATE INDEX journal_undoable ON journal(id) WHERE undone IS NULL;

    CREATE TABLE tally (
      source_id INTEGER PRIMARY KEY REFERENCES source(id) ON DELETE CASCADE,
      total INTEGER NOT NULL DEFAULT 0 CHECK (total >= 0),
      unread INTEGER NOT NULL DEFAULT 0 CHECK (unread >= 0),
      starred INTEGER NOT NULL DEFAULT 0 CHECK (starred >= 0),
      unseen INTEGER NOT NULL DEFAULT 0 CHECK (unseen >= 0)
    );

    -- Every list is a table in list order. Without source_id: configured sources only.
    CREATE TABLE listed (standing INTEGER NOT NULL, sort_time INTEGER NOT NULL, message_id INTEGER NOT NULL,
      PRIMARY KEY (standing, sort_time, message_id)) WITHOUT ROWID;
    CREATE TABLE listed_unread (standing INTEGER NOT NULL, sort_time INTEGER NOT NULL, message_id INTEGER NOT NULL,
      PRIMARY KEY (standing, sort_time, message_id)) WITHOUT ROWID;
    CREATE TABLE starred (standing INTEGER NOT NULL, sort_time INTEGER NOT NULL, message_id INTEGER NOT NULL,
      PRIMARY KEY (standing, sort_time, message_id)) WITHOUT ROWID;
    CREATE TABLE starred_unread (standing INTEGER NOT NULL, sort_time INTEGER NOT NULL, message_id INTEGER NOT NULL,
      PRIMARY KEY (standing, sort_time, message_id)) WITHOUT ROWID;
    CREATE TABLE source_listed (source_id INTEGER NOT NULL, standing INTEGER NOT NULL, sort_time INTEGER NOT NULL,
      message_id INTEGER NOT NULL, PRIMARY KEY (source_id, standing, sort_time, message_id)) WITHOUT ROWID;
    CREATE TABLE source_unread (source_id INTEGER NOT NULL, standing INTEGER NOT NULL, sort_time INTEGER NOT NULL,
      message_id INTEGER NOT NULL, PRIMARY KEY (source_id, standing, sort_time, message_id)) WITHOUT ROWID;
    -- Listed unread messages that nobody has looked at: the dot.
    CREATE TABLE unseen (source_id INTEGER NOT NULL, message_id INTEGER NOT NULL,
      PRIMARY KEY (source_id, message_id)) WITHOUT ROWID;

    -- Contentless: the text is in message and detail, and SearchText separates CJK characters.
    \(searchTable);
    CREATE VIRTUAL TABLE search_terms USING fts5vocab(search, instance);
    INSERT INTO search(search, rank) VALUES ('hashsize', 8388608);
    -- Bounds of the list keys of 1024 messages each, never too narrow: lets a search skip what is too old.
    CREATE TABLE span (block INTEGER PRIMARY KEY, low INTEGER NOT NULL, high INTEGER NOT NULL);
    """
}
