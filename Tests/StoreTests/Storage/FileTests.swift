import Foundation
import GRDB
import Messages
import Testing

@testable import Storage

@Suite struct FileTests {
  let directory: Directory

  init() throws { directory = try Directory() }

  private func open(_ path: String? = nil, pageLimit: Int? = nil) throws -> Store {
    try Store(path: path ?? directory.database, now: noon, pageLimit: pageLimit)
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue & 0o777
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: directory.database)) }

  @Test func everythingItMakesIsPrivate() throws {
    let path = directory.path + "/data/reddot/inbox.sqlite"
    let store = try open(path)
    let source = try store.follow(configured("a"))[0]
    try store.poll(source, messages(1...3))
    _ = try store.tryLock(.poll(source))
    for suffix in ["", "-wal", "-shm", ".locks/opening", ".locks/\(source.rawValue)"] {
      #expect(try mode(path + suffix) == 0o600, "\(suffix)")
    }
    for made in ["/data", "/data/reddot", "/data/reddot/inbox.sqlite.locks"] {
      #expect(try mode(directory.path + made) == 0o700, "\(made)")
    }
  }

  @Test func whatWasStoredIsThereAfterARestart() throws {
    let before: InboxSnapshot
    do {
      let store = try open()
      let source = try store.follow(configured("a"))[0]
      try store.poll(source, messages(1...30), cursor: "30") { $0.title = "Team" }
      before = try store.snapshot()
      try store.close()
    }
    let store = try Store(path: directory.database, now: noon + 86_400)
    #expect(try store.snapshot() == before)
    #expect(try store.time.installed() == noon)
    #expect(try store.polls.position(of: before.sources[0].source.id).cursor == Cursor("30"))
    try store.expectConsistent()
  }

  @Test func openingAnUpToDateFileWritesNothing() throws {
    try open().close()
    let before = try bytes()
    try open().close()
    #expect(try bytes() == before)
  }

  @Test func aFileOfANewerVersionIsRefusedAndLeftAlone() throws {
    try open().close()
    let queue = try DatabaseQueue(path: directory.database)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA user_version = \(Schema.version + 1)")
    }
    try queue.close()
    let before = try bytes()
    #expect(
      throws: StoreFailure.newerVersion(
        path: directory.database, found: Schema.version + 1, known: Schema.version)
    ) {
      try open()
    }
    #expect(try bytes() == before)
  }

  @Test func aNewerVersionThatIsOnlyInTheLogIsRefused() throws {
    try open().close()
    let queue = try DatabaseQueue(path: directory.database)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA user_version = \(Schema.version + 1)")
    }
    #expect(
      throws: StoreFailure.newerVersion(
        path: directory.database, found: Schema.version + 1, known: Schema.version)
    ) {
      try open()
    }
  }

  @Test func aDatabaseOfAnotherProgramIsRefusedAndLeftAlone() throws {
    let queue = try DatabaseQueue(path: directory.database)
    try queue.writeWithoutTransaction { db in try db.execute(sql: "CREATE TABLE photo (id INTEGER)") }
    try queue.close()
    let before = try bytes()
    #expect(throws: StoreFailure.foreign(path: directory.database)) { try open() }
    #expect(try bytes() == before)
  }

  @Test(arguments: [
    Data("short".utf8), Data("not a database at all\n".utf8) + Data(repeating: 7, count: 5000),
  ])
  func otherFilesThanDatabasesAreRefusedAndUnchanged(content: Data) throws {
    try content.write(to: URL(fileURLWithPath: directory.database))
    #expect { try open() } throws: { error in
      guard case .corrupt = error as? StoreFailure else { return false }
      return true
    }
    #expect(try bytes() == content)
  }

  @Test func damagedPagesAreReportedAsDamage() throws {
    do {
      let store = try open()
      try store.poll(try store.follow(configured("a"))[0], messages(1...3000))
      try store.close()
    }
    var content = try bytes()
    for offset in stride(from: 4096, to: content.count - 4096, by: 4096) {
      content.replaceSubrange(offset..<offset + 64, with: Data(repeating: 0xA5, count: 64))
    }
    try content.write(to: URL(fileURLWithPath: directory.database))
    #expect {
      let store = try open()
      _ = try store.snapshot()
    } throws: { error in
      guard case .corrupt(let path, _) = error as? StoreFailure else { return false }
      return path == directory.database
    }
    #expect(try bytes() == content)
  }

  @Test func aDirectoryThatCannotBeWrittenIsNamed() throws {
    // Root may write everywhere except in /sys.
    let path = geteuid() == 0 ? "/sys/reddot/inbox.sqlite" : directory.path + "/shut/inbox.sqlite"
    if geteuid() != 0 {
      try FileManager.default.createDirectory(
        atPath: directory.path + "/shut", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o500])
    }
    #expect { try open(path) } throws: { error in
      guard case .readOnly(let named, let reason) = error as? StoreFailure else { return false }
      return path.hasPrefix(named) && !reason.isEmpty
    }
  }

  @Test func aFullDiskFailsThePollAsAWholeAndLosesNothing() throws {
    let roomy = try open()
    let source = try roomy.follow(configured("a"))[0]
    try roomy.poll(source, messages(1...30), cursor: "30")
    let pages = try roomy.read { try Int($0.integer("PRAGMA page_count") ?? 0) }
    try roomy.close()
    let store = try open(pageLimit: pages + 20)
    let before = try store.snapshot()
    let large = (31...3000).map { message("\($0)", body: String(repeating: "word ", count: 200)) }
    #expect(throws: StoreFailure.diskFull(path: directory.database)) {
      try store.poll(source, large, cursor: "3000")
    }
    #expect(try store.snapshot() == before)
    #expect(try store.polls.position(of: source).cursor == Cursor("30"))
    try store.expectConsistent()
    #expect(try store.check.compareSearchIndex() == [])
    #expect(try store.poll(source, messages(31...32), cursor: "32").new == 2, "small ones still fit")
  }

  /// The files next to an empty file show that it was a database.
  @Test func aDatabaseThatWasCutIsNotTakenForANewOne() throws {
    let path = directory.database
    let store = try open()
    let lock = try store.tryLock(.poll(SourceID(1)))
    lock?.release()
    try store.close()
    try Data().write(to: URL(fileURLWithPath: path))
    func isRefused(_ open: () throws -> Void) -> Bool {
      do {
        try open()
        return false
      } catch {
        guard case .corrupt? = error as? StoreFailure else { return false }
        return true
      }
    }
    #expect(isRefused { _ = try open() })
    #expect(isRefused { _ = try Store(toRead: path, now: noon) })
    #expect(isRefused { try StoredPages(path: path).requireFile() })
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
    // The log may be all that is left of it, and SQLite would delete it.
    let other = directory.path + "/other.sqlite"
    for suffix in ["", "-wal"] {
      try Data(repeating: 1, count: suffix.count).write(to: URL(fileURLWithPath: other + suffix))
    }
    #expect(isRefused { _ = try open(other) })
    #expect(try Data(contentsOf: URL(fileURLWithPath: other + "-wal")).count == 4)
    #expect(throws: StoreFailure.self) { try StoredPages(path: directory.path + "/none").requireFile() }
  }

  @Test func aKillBeforeTheFirstTableLeavesAFileThatOpens() throws {
    try Data().write(to: URL(fileURLWithPath: directory.database))
    #expect(try open().snapshot().total == 0)
    let stamped = directory.path + "/stamped.sqlite"
    let queue = try DatabaseQueue(path: stamped)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
    }
    try queue.close()
    #expect(try open(stamped).time.installed() == noon)
  }

  /// A first start that was killed while it marked the file: there is a page with the mark, and a journal with the
  /// earlier length of the file and an incomplete page.
  @Test(arguments: [UInt8(0), 1]) func aKillWhileTheFileIsMarkedLeavesAFileThatOpens(pagesBefore: UInt8)
    throws
  {
    let queue = try DatabaseQueue(path: directory.database)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
    }
    try queue.close()
    // https://www.sqlite.org/fileformat2.html, the rollback journal.
    var journal = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
    journal += [0, 0, 0, 1] + [1, 2, 3, 4] + [0, 0, 0, pagesBefore] + [0, 0, 2, 0] + [0, 0, 16, 0]
    journal += Data(repeating: 0, count: 512 - journal.count)
    journal += [0, 0, 0, 1] + Data(repeating: 7, count: 100)
    try journal.write(to: URL(fileURLWithPath: directory.database + "-journal"))
    for title in ["First", "Second"] {
      let store = try open()
      try store.pushes.add(message(title, title), at: noon)
      try store.close()
    }
    #expect(try open().titles().sorted() == ["First", "Second"])
  }

  @Test func aFileThatALinkLeadsToIsPrivateToo() throws {
    let target = directory.path + "/elsewhere.sqlite"
    try FileManager.default.createSymbolicLink(
      atPath: directory.database, withDestinationPath: "elsewhere.sqlite")
    try open().pushes.add(message("1", "First"), at: noon)
    let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func whoOpensTheDatabaseForTooLongIsNamed() throws {
    try open().close()
    let turn = try LockFile(path: directory.database + ".locks/opening")
    #expect(try turn.lock(within: 0))
    #expect(throws: StoreFailure.opening(path: directory.database, process: getpid())) {
      try DatabaseFile(path: directory.database).open(installed: noon, pageLimit: nil, patience: 0.05)
    }
    turn.close()
    #expect(try open().titles() == [])
  }

  // MARK: - Migrations

  /// The schema of the first version: a change is a new migration.
  private static let frozen: [(sql: String, hash: UInt64)] = [
    (
      EarlierSchema.mainTables + EarlierSchema.furtherTables + EarlierSchema.triggers,
      3_682_851_751_381_206_894
    ),
    (Schema.tables + Schema.triggers, 4_927_587_645_740_493_420),
  ]

  @Test(arguments: frozen) func theFirstVersionsAreFrozen(sql: String, expected: UInt64) throws {
    let schema = try DatabaseQueue().write { db in
      try db.execute(sql: sql)
      return try String.fetchAll(
        db, sql: "SELECT name || ': ' || ifnull(sql, '') FROM sqlite_master ORDER BY name")
    }
    var hash: UInt64 = 14_695_981_039_346_656_037
    for byte in schema.joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    #expect(hash == expected, "a released schema is never edited: add a migration")
  }

  @Test func aDatabaseOfTheFirstVersionIsBroughtUpToDate() throws {
    try DatabaseQueue(path: directory.database).write { db in
      try db.execute(
        sql: EarlierSchema.mainTables + EarlierSchema.furtherTables + EarlierSchema.triggers)
      try db.execute(
        sql: """
          INSERT INTO store (id, installed, clock, last_message) VALUES (1, 0, 0, 1);
          INSERT INTO search (rowid, title, body, author) VALUES (1, 'of a message that went', '', '');
          PRAGMA application_id = \(Schema.applicationID);
          PRAGMA user_version = 100;
          """)
    }
    let store = try open()
    let source = try store.follow(configured("news"))[0]
    try store.pollNothing(source)
    try store.poll(source, messages(1...3))
    try store.acts.perform(.read([try store.id("1", of: source)]), at: noon + 20)
    #expect(try store.status(source).unread == 2)
    try store.expectConsistent()
    // The text index is built again.
    try store.poll(source, [message("4", "การประชุม ёлка")])
    #expect(try !store.search.isFilled())
    #expect(try store.titles(search: "елка") == ["การประชุม ёлка"])
    while try store.search.fill() {}
    #expect(try store.search.isFilled())
    #expect(try store.titles(search: "ประชุม елка") == ["การประชุม ёлка"])
    #expect(try store.check.compareSearchIndex() == [])
  }

  /// Undoes 110 to 119; 118 has nothing to undo. `withoutSynchronisation` drops `wire_key`.
  static let withoutServerTimes =
    """
    DROP INDEX journal_edit;
    DROP INDEX journal_undoes;
    ALTER TABLE journal RENAME COLUMN edit TO removal;
    DROP TABLE object;
    DROP TABLE source_written;
    DROP TRIGGER hidden_changes;
    DROP TRIGGER hidden_goes;
    CREATE TRIGGER hides AFTER UPDATE OF hidden_by ON status
      WHEN new.hidden_by IS NOT NULL AND new.hidden_by IS NOT old.hidden_by
    BEGIN
      INSERT INTO hidden_tally (rule, count) VALUES (new.hidden_by, 1) ON CONFLICT (rule) DO UPDATE SET count = count + 1;
    END;
    CREATE TRIGGER shows AFTER UPDATE OF hidden_by ON status
      WHEN old.hidden_by IS NOT NULL AND new.hidden_by IS NOT old.hidden_by
    BEGIN
      UPDATE hidden_tally SET count = count - 1 WHERE rule = old.hidden_by;
    END;
    CREATE TRIGGER hidden_goes AFTER DELETE ON status WHEN old.hidden_by IS NOT NULL
    BEGIN
      UPDATE hidden_tally SET count = count - 1 WHERE rule = old.hidden_by;
    END;
    ALTER TABLE mark_change DROP old_by;
    ALTER TABLE mark_change DROP new_by;
    ALTER TABLE notice DROP listed;
    ALTER TABLE banner DROP listed;
    ALTER TABLE polling DROP day_start;
    ALTER TABLE polling DROP day_messages;
    ALTER TABLE polling DROP day_bytes;
    DROP INDEX telling_open;
    CREATE INDEX telling_open ON telling(channel, state, at) WHERE state < 3;
    DROP TABLE server_clock;
    ALTER TABLE hold DROP since;
    ALTER TABLE store DROP server_time;
    """

  /// Removes the columns that 109 added.
  static let withoutStatesOfEndings = ["is_shown", "was_unread", "was_unseen", "waiting"].map {
    "ALTER TABLE resolved DROP \($0);"
  }.joined()

  /// Removes the tables and columns that a database before 106 did not have.
  static let withoutSynchronisation =
    ["sync", "own_act", "device", "wire_source", "wire_key", "waiting"].map { "DROP TABLE \($0);" }.joined()
    + ["of_device", "stamp", "step", "undoable", "redoable"].map { "DROP INDEX journal_\($0);" }.joined()
    + ["seq", "stamp", "step", "device"].map { "ALTER TABLE journal DROP \($0);" }.joined()
    + "DROP INDEX woken; DROP INDEX detail_pane;"
    + ["read_by", "starred_by", "dismissed_by", "snoozed_by", "shown_by", "woken", "read_before"].map {
      "ALTER TABLE status DROP \($0);"
    }.joined()
      + """
      DROP INDEX outgoing_waiting;
      DROP INDEX outgoing_held;
      ALTER TABLE outgoing DROP device;
      \(withoutStatesOfEndings)
      CREATE INDEX outgoing_waiting ON outgoing(source_id, id) WHERE carried IS NULL;
      CREATE INDEX journal_undoable ON journal(id) WHERE undone IS NULL AND undoes IS NULL;
      CREATE INDEX journal_redoable ON journal(id) WHERE undone IS NULL AND undoes IS NOT NULL;
      """ + withoutFacts + withoutServerTimes

  /// Version 107 had the tables of the first version for entries of feeds.
  private static let withoutFacts =
    """
    DROP TABLE entry_facts;
    DROP TABLE entry_key;
    CREATE TABLE link_key (key INTEGER NOT NULL, message_id INTEGER NOT NULL, PRIMARY KEY (key, message_id)) WITHOUT ROWID;
    ALTER TABLE store DROP facts_from;
    DROP INDEX identity_doubted;
    DROP INDEX identity_unkept;
    ALTER TABLE identity DROP is_doubted;
    CREATE INDEX identity_unkept ON identity(last_listed) WHERE message_id = 0;
    ALTER TABLE polling DROP tells_apart;
    ALTER TABLE polling DROP is_steady;
    ALTER TABLE polling DROP recurs;
    ALTER TABLE polling DROP document_at;
    ALTER TABLE polling DROP has_facts;
    ALTER TABLE attempt DROP identity;
    """

  /// Version 104 had the tables of 105, and reminders that were only invisible until their time.
  @Test func remindersOfVersion104AreSnoozedUntilTheirTime() throws {
    let (early, late) = (noon + 3600, noon + 7200)
    do {
      let store = try open()
      let news = try store.follow(configured("news"))[0]
      try store.pollNothing(news)
      func later(_ id: String, _ kind: MessageKind, _ from: Date) -> IncomingMessage {
        var message = message(id, "Title \(id)")
        (message.kind, message.visibleFrom, message.published) = (kind, from, from)
        return message
      }
      try store.poll(news, [later("feed", .feed, early)])
      for (id, from) in [("soon", early), ("later", late), ("moved", early), ("dropped", early)] {
        try store.pushes.add(later(id, .local, from), at: noon)
      }
      let local = try #require(try store.sources.statuses().first { $0.source.kind == .local }).source.id
      try store.acts.perform(.snooze([try store.id("moved", of: local)], until: late), at: noon)
      try store.acts.perform(.dismiss([try store.id("dropped", of: local)]), at: noon)
      try store.close()
    }
    try DatabaseQueue(path: directory.database).write { db in
      try db.becomeEarlier()
      try db.execute(
        sql: """
          UPDATE status SET snoozed_until = NULL WHERE message_id IN
            (SELECT id FROM message WHERE title IN ('Title soon', 'Title later', 'Title dropped'));
          \(Self.withoutSynchronisation)
          PRAGMA user_version = 104;
          """)
    }
    let store = try open()
    #expect(try store.read { try $0.integer("PRAGMA user_version") } == Int64(Schema.version))
    // The next one is first; a message with a separate time keeps it.
    #expect(
      try store.titles(InboxQuery(scope: .snoozed)).sorted() == ["Title later", "Title moved", "Title soon"])
    #expect(try store.titles(InboxQuery(scope: .snoozed)).first == "Title soon")
    #expect(try store.titles(InboxQuery(scope: .dismissed)) == ["Title dropped"])
    #expect(try store.titles() == [])
    try store.expectConsistent()
    try store.time.advance(to: early)
    #expect(try store.titles().sorted() == ["Title feed", "Title soon"])
    try store.time.advance(to: late)
    #expect(try store.titles().sorted() == ["Title feed", "Title later", "Title moved", "Title soon"])
    #expect(try store.titles(InboxQuery(scope: .snoozed)) == [])
    try store.expectConsistent()
  }
}
