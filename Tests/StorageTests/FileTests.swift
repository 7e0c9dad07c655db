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
    let source = try store.sources(configured("a"))[0]
    try store.poll(source, messages(1...3))
    _ = try store.tryLock(source)
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
      let source = try store.sources(configured("a"))[0]
      try store.poll(source, messages(1...30), cursor: "30") { $0.title = "Team" }
      before = try store.snapshot()
      try store.close()
    }
    let store = try Store(path: directory.database, now: noon + 86_400)
    #expect(try store.snapshot() == before)
    #expect(try store.installed() == noon)
    #expect(try store.position(of: before.sources[0].source.id).cursor == Cursor("30"))
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
      try store.poll(try store.sources(configured("a"))[0], messages(1...3000))
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
    let source = try roomy.sources(configured("a"))[0]
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
    #expect(try store.position(of: source).cursor == Cursor("30"))
    try store.expectConsistent()
    #expect(try store.checkSearchIndex() == [])
    #expect(try store.poll(source, messages(31...32), cursor: "32").new == 2, "small ones still fit")
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
    #expect(try open(stamped).installed() == noon)
  }

  /// A first start that was killed while it marked the file: a page with the mark, and a journal with the earlier
  /// length of the file and an incomplete page.
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
      try store.push(message(title, title), at: noon)
      try store.close()
    }
    #expect(try open().titles().sorted() == ["First", "Second"])
  }

  @Test func aFileThatLostItsMarkIsKnownByItsTables() throws {
    try open().push(message("1", "First"), at: noon)
    let queue = try DatabaseQueue(path: directory.database)
    try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA application_id = 0") }
    try queue.close()
    #expect(try open().titles() == ["First"])
    #expect(try open().read { try $0.integer("PRAGMA application_id") } == Int64(Schema.applicationID))
  }

  // MARK: - Migrations

  /// A file of an earlier schema.
  private func make(_ migration: String, _ path: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
    }
    try Schema.migrator(installed: noon.milliseconds).migrate(queue, upTo: migration)
    return queue
  }

  @Test(arguments: [
    ("v1 inbox", 12_211_331_858_680_006_477 as UInt64),
    ("v2 next polls, languages, snoozes, banners", 10_294_652_228_826_670_161),
    ("v3 translated messages", 9_463_897_021_633_208_060),
    ("v4 timed features", 14_943_808_080_328_167_744),
    ("v5 sizes of titles and ids, ids that start over", 12_884_258_670_438_782_449),
    ("v6 ignored keys", 15_511_302_756_991_691_145),
    ("v7 calls of feature commands", 8_214_374_437_419_113_795),
    ("v8 rare settings of sources, retention", 11_017_258_025_883_671_718),
    ("v9 uids, titles and folders of sources, preferences", 15_746_959_051_708_354_902),
    ("v10 when messages were dismissed", 8_282_185_498_094_284_121),
    ("v11 articles", 1_273_764_841_862_860_374),
    ("v12 copies of a message by several sources", 14_039_027_466_408_699_408),
    ("v13 lists by priority", 15_508_466_173_350_230_686),
    ("v14 rules", 14_038_453_028_914_279_661),
    ("v15 list of hidden messages, acts of rules", 15_680_897_695_792_358_029),
    ("v16 notices", 1_988_029_799_798_912_034),
    ("v17 facets, and what is off the lists", 3_746_131_617_099_410_887),
    ("v18 program runs of rules by message", 10_725_576_243_940_973_810),
    ("v19 saved lists", 6_491_828_574_934_897_649),
    ("v20 services", 1_413_653_852_434_044_904),
    ("v21 less memory for the search index", 1_413_653_852_434_044_904),
    ("v22 the search index joins its parts less often", 1_413_653_852_434_044_904),
    ("v23 removals in the journal", 5_298_419_136_777_964_701),
  ])
  func aReleasedSchemaIsFrozen(migration: String, expected: UInt64) throws {
    let schema = try make(migration, directory.database).read { db in
      try String.fetchAll(db, sql: "SELECT name || ': ' || ifnull(sql, '') FROM sqlite_master ORDER BY name")
    }
    var hash: UInt64 = 14_695_981_039_346_656_037
    for byte in schema.joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    #expect(hash == expected, "a released migration is never edited: add a new one")
  }

  @Test func aFileOfTheFirstVersionOpensWithAllThatItHolds() throws {
    let queue = try make("v1 inbox", directory.database)
    let key = noon.milliseconds
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO source VALUES (3, 'a', 'feed', 'https://example.org/a', 0, 0, 600000000000, 0, 0, 0, 1, 0,
            '["general"]', '{}', NULL);
          INSERT INTO polling (source_id, title, cursor, is_filled, failures) VALUES (3, 'Team', '1', 1, 2);
          INSERT INTO tally VALUES (3, 1, 1, 1, 1);
          INSERT INTO message VALUES (9, 3, 'feed', 0, \(key), 1, 1, 3, \(key), NULL, NULL, NULL, 'Title 1');
          INSERT INTO detail (message_id, remote_id, body) VALUES (9, '1', 'first words');
          INSERT INTO identity VALUES (3, '1', 9, 0);
          INSERT INTO status VALUES (9, 0, 1, 0);
          INSERT INTO listed VALUES (0, \(key), 9); INSERT INTO listed_unread VALUES (0, \(key), 9);
          INSERT INTO starred VALUES (0, \(key), 9); INSERT INTO starred_unread VALUES (0, \(key), 9);
          INSERT INTO source_listed VALUES (3, 0, \(key), 9); INSERT INTO source_unread VALUES (3, 0, \(key), 9);
          INSERT INTO unseen VALUES (3, 9);
          INSERT INTO span VALUES (0, \(key), \(key));
          INSERT INTO search (rowid, title, body, author) VALUES (9, 'Title 1', 'first words', '');
          INSERT INTO journal (at, act, ids) VALUES (\(key), 'star', x'0900');
          UPDATE store SET last_message = 9;
          """)
    }
    try queue.close()
    let store = try Store(path: directory.database, now: noon + 86_400)
    try store.expectConsistent()
    #expect(try store.checkSearchIndex() == [])
    let snapshot = try store.snapshot(InboxQuery(search: "words"))
    #expect(snapshot.rows.map(\.title) == ["Title 1"])
    #expect(snapshot.sources[0].title == "Team" && snapshot.sources[0].state.failures == 2)
    #expect(snapshot.isUnseen && snapshot.starred == 1)
    // Known by its address from now on, as one that was added by this version.
    let renamed = configured("b", address: "https://example.org/a")
    #expect(try store.registered().sources(of: [renamed]).map(\.id) == [SourceID(3)])
    #expect(try store.read { try $0.integer("SELECT count(*) FROM source WHERE length(uid) = 16") } == 1)
    #expect(try store.undo(at: noon)?.kind == .star)
    #expect(try store.poll(SourceID(3), [message("2")]).ids == [MessageID(10)])
    #expect(try store.installed() == noon)
    try store.expectConsistent()
  }

  @Test func longTitlesAndIDsOfTheThirdVersionAreCutAndNothingElse() throws {
    let queue = try make("v3 translated messages", directory.database)
    let key = noon.milliseconds
    let title = String(repeating: "word ", count: 5000)
    let id = String(repeating: "é", count: 4000)
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO source VALUES (3, 'a', 'native', 'https://example.org/a', 0, 0, 600000000000, 0, 0, 0, 1, 0,
            '["general"]', '{}', NULL);
          INSERT INTO polling (source_id, is_filled, failures) VALUES (3, 1, 0);
          INSERT INTO tally VALUES (3, 1, 1, 0, 0);
          INSERT INTO status (message_id, is_read, is_starred, is_dismissed) VALUES (9, 0, 0, 0);
          INSERT INTO listed VALUES (0, \(key), 9); INSERT INTO listed_unread VALUES (0, \(key), 9);
          INSERT INTO source_listed VALUES (3, 0, \(key), 9); INSERT INTO source_unread VALUES (3, 0, \(key), 9);
          INSERT INTO span VALUES (0, \(key), \(key));
          UPDATE store SET last_message = 9;
          """)
      try db.execute(
        sql: "INSERT INTO message VALUES (9, 3, 'native', 0, ?, 1, 1, 3, ?, NULL, NULL, NULL, ?)",
        arguments: [key, key, title])
      var sent = message(id, title, body: "B")
      sent.kind = .native
      try db.execute(
        sql: "INSERT INTO identity VALUES (3, ?, 9, ?)", arguments: [id, ContentHash.of(sent, extras: nil)])
      try db.execute(
        sql: "INSERT INTO detail (message_id, remote_id, body) VALUES (9, ?, 'B')", arguments: [id])
      try db.execute(
        sql: "INSERT INTO search (rowid, title, body, author) VALUES (9, ?, 'B', '')", arguments: [title])
    }
    try queue.close()
    let store = try Store(path: directory.database, now: noon)
    try store.expectConsistent()
    #expect(try store.checkSearchIndex() == [])
    let stored = try #require(try store.message(MessageID(9)))
    #expect(stored.content.title == String(title.prefix(1000)) && stored.content.body == "B")
    // An unchanged message is known.
    var sent = message(id, title, body: "B")
    sent.kind = .native
    #expect(try store.poll(SourceID(3), [sent]) == RecordedPoll())
    #expect(try store.snapshot().total == 1)
  }

  @Test func translatedMessagesOfTheSecondVersionAreFound() throws {
    let queue = try make("v2 next polls, languages, snoozes, banners", directory.database)
    let key = noon.milliseconds
    let extras =
      #"{"actions":[],"translations":[{"body":"B","language":"en","title":"Hi"},{"body":"正文","language":"zh","title":"你好"}]}"#
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO source VALUES (3, 'a', 'native', 'https://example.org/a', 0, 0, 600000000000, 0, 0, 0, 1, 0,
            '["general"]', '{}', NULL);
          INSERT INTO polling (source_id, is_filled, failures) VALUES (3, 1, 0);
          INSERT INTO tally VALUES (3, 1, 1, 0, 0);
          INSERT INTO message VALUES (9, 3, 'inapp', 0, \(key), 1, 1, 3, \(key), NULL, NULL, NULL, 'Hi');
          INSERT INTO identity VALUES (3, '1', 9, 0);
          INSERT INTO status (message_id, is_read, is_starred, is_dismissed) VALUES (9, 0, 0, 0);
          INSERT INTO listed VALUES (0, \(key), 9); INSERT INTO listed_unread VALUES (0, \(key), 9);
          INSERT INTO source_listed VALUES (3, 0, \(key), 9); INSERT INTO source_unread VALUES (3, 0, \(key), 9);
          INSERT INTO span VALUES (0, \(key), \(key));
          INSERT INTO search (rowid, title, body, author) VALUES (9, 'Hi', 'B', '');
          UPDATE store SET last_message = 9;
          """)
      try db.execute(
        sql: "INSERT INTO detail (message_id, remote_id, body, extras) VALUES (9, '1', 'B', ?)",
        arguments: [extras])
    }
    try queue.close()
    let store = try Store(path: directory.database, now: noon + 86_400)
    #expect(try store.translate(into: "zh") { $0.firstIndex(of: "zh") } == nil)
    #expect(try store.titles(search: "正文") == ["你好"])
    #expect(try store.checkSearchIndex() == [])
  }
}
