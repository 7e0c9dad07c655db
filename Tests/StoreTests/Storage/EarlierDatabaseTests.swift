import Foundation
import GRDB
import Messages
import Testing

@testable import Storage

/// Databases of reddot 0.2.0, whose tables get the names of this version.
struct EarlierDatabaseTests {
  private let directory: Directory
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Databases")
  /// A time after the databases were made.
  private static let now = Date(timeIntervalSince1970: 1_796_000_100)

  init() throws { directory = try Directory() }

  private func copy(_ name: String = "v119.sqlite") throws -> String {
    let path = directory.path + "/" + name
    try FileManager.default.copyItem(atPath: Self.folder.appending(path: name).path, toPath: path)
    return path
  }

  private static func rows(_ path: String, _ sql: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { db in try db.texts(sql) }
  }

  /// All rows of each table under its present name.
  private static func content(_ path: String) throws -> [String: [String]] {
    let left: Set<String> = ["search_progress", "translated", "store", "sqlite_stat1"]
    let tables = try rows(
      path, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search%'"
    ).map { $0.trimmingCharacters(in: ["\""]) }
    var content: [String: [String]] = [:]
    for table in tables where !left.contains(table) {
      // Two new columns of details repeat values of `extras`; no list has a state yet.
      let columns =
        switch table {
        case "detail":
          "message_id, remote_id, body, html, url, author, published, updated, language, tags, extras"
        case "source", "saved_list":
          try Self.rows(
            path, "SELECT group_concat(name) FROM pragma_table_info('\(table)') WHERE name <> 'list_state'")[
              0
            ]
            .trimmingCharacters(in: ["\""])
        default: "*"
        }
      let rows = try rows(path, "SELECT \(columns) FROM \"\(table)\"")
      content[EarlierSchema.renamedTables[table] ?? table] = rows.sorted()
    }
    return content
  }

  @Test func everyRowIsThereUnderTheNewNames() throws {
    let path = try copy()
    let before = try Self.content(path)
    #expect(before["message"]?.count == 143 && before["notification"]?.isEmpty == false)
    #expect(before["early_cell"]?.isEmpty == false && before["own_act"]?.isEmpty == false)
    #expect(before["ending"]?.isEmpty == false && before["feature_switch"]?.isEmpty == false)
    try Store(path: path, now: Self.now).close()
    let after = try Self.content(path)
    let added: Set = ["question", "phone", "phone_press", "notification_again"]
    #expect(Set(after.keys) == Set(before.keys).union(added))
    for (table, rows) in before where table != "sqlite_sequence" {
      // The order of all lists became that of All.
      let expected =
        table == "preference"
        ? rows.map { $0 == #""list_order" "oldest""# ? #""list/all" "order=oldest""# : $0 }.sorted() : rows
      #expect(after[table] == expected, "\(table)")
    }
    #expect(after["preference"]?.contains(#""list/all" "order=oldest""#) == true)
    #expect(try Self.rows(path, "PRAGMA foreign_key_check").isEmpty)
  }

  @Test(arguments: ["v119.sqlite", "v101-feeds.sqlite"])
  func allThatIsDerivedAgrees(name: String) throws {
    let store = try Store(path: copy(name), now: Self.now)
    while try store.search.fill() {}
    try store.expectConsistent()
    #expect(try store.check.compareAll() == [])
    #expect(try store.check.compareSearchIndex() == [])
    #expect(try store.read { try $0.integer("PRAGMA user_version") } == Int64(Schema.version))
  }

  /// The order of the columns is compared too, because rows on whole pages of a damaged file are restored by it.
  @Test(arguments: ["v119.sqlite", "v101-feeds.sqlite"])
  func theSchemaIsThatOfANewDatabase(name: String) throws {
    let path = try copy(name)
    try Store(path: path, now: Self.now).close()
    try Store(path: directory.database, now: Self.now).close()
    let names = "SELECT type, name, tbl_name FROM sqlite_master ORDER BY 2"
    #expect(try Self.rows(path, names) == Self.rows(directory.database, names))
    for table in try Self.rows(directory.database, "SELECT name FROM sqlite_master WHERE type = 'table'") {
      let name = table.trimmingCharacters(in: ["\""])
      let columns = "SELECT cid, name, type, \"notnull\", pk, dflt_value FROM pragma_table_xinfo('\(name)')"
      #expect(try Self.rows(path, columns) == Self.rows(directory.database, columns), "\(name)")
    }
  }

  @Test func actionsAreUndoneAndTranslationsAndPanesFound() throws {
    let path = try copy()
    let translated = try Self.rows(path, "SELECT message_id FROM translated ORDER BY 1")
    let panes = try Self.rows(
      path,
      "SELECT message_id, json_extract(extras, '$.pane.key') FROM detail WHERE extras LIKE '%\"pane\":%' ORDER BY 1"
    )
    let store = try Store(path: path, now: Self.now)
    #expect(try Self.rows(path, "SELECT message_id FROM detail WHERE is_translated ORDER BY 1") == translated)
    #expect(!translated.isEmpty)
    #expect(
      try Self.rows(path, "SELECT message_id, pane FROM detail WHERE pane IS NOT NULL ORDER BY 1") == panes)
    var kinds: [UserAct.Kind] = []
    while let act = try store.acts.undo(at: Self.now) { kinds.append(act.kind) }
    #expect(kinds.count > 40 && Set(kinds).isSuperset(of: [.dismiss, .rule, .read, .snooze, .star]))
    #expect(try store.sync.unsent(limit: 1 << 22) != nil)
    try store.expectConsistent()
  }

  /// Changing a database to the earlier version and back changes no row.
  @Test func aDatabaseThatBecomesEarlierAndIsOpenedIsTheSame() throws {
    let machine = try SyncMachine("laptop", store: try Store(path: directory.database, now: noon))
    try machine.push(1, "Disk full", at: noon)
    try machine.store.poll(machine.sources[0], messages(1...30), at: noon + 1)
    try machine.store.acts.perform(.star([machine.store.id("7", of: machine.sources[0])]), at: noon + 2)
    try machine.store.acts.perform(
      .snooze([machine.store.id("8", of: machine.sources[0])], until: noon + 60), at: noon + 3)
    try machine.store.close()
    let before = try Self.content(directory.database)
    try DatabaseQueue(path: directory.database).write { db in try db.becomeEarlier() }
    #expect(try Self.rows(directory.database, "SELECT 1 FROM telling LIMIT 1").count < 2)
    let store = try Store(path: directory.database, now: noon + 4)
    #expect(try Self.content(directory.database) == before)
    #expect(try store.check.compareAll() == [])
  }

  /// 300,000 messages are found, marked and undone as before.
  @Test func aLargeDatabaseIsBroughtUpToDate() throws {
    let path = try copy()
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TEMP TABLE number AS WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 300000)
            SELECT k, k + 1000 AS id FROM n;
          INSERT INTO message (id, kind, received, title) SELECT id, 'feed', 1790000000000 + k, 'Grown ' || k FROM number;
          INSERT INTO detail (message_id, remote_id, body) SELECT id, 'grown-' || k, 'Body of ' || k FROM number;
          INSERT INTO identity (source_id, remote_id, message_id, hash) SELECT 1, 'grown-' || k, id, k FROM number;
          INSERT INTO status (message_id, source_id, standing, sort_time, priority, is_followed, is_shown, is_dismissable,
            is_read, is_starred) SELECT id, 1, 0, 1790000000000 + k, 3, 1, 1, 1, k % 3 = 0, k % 100 = 0 FROM number;
          UPDATE store SET last_message = 301000, facts_from = 301001;
          UPDATE polling SET has_facts = 0 WHERE source_id = 1;
          """)
    }
    try queue.close()
    let counts = "SELECT source_id, total, unread, starred FROM tally ORDER BY 1"
    let before = try Self.rows(path, counts)
    let store = try Store(path: path, now: Self.now)
    #expect(try Self.rows(path, counts) == before)
    #expect(try store.read { try $0.integer("SELECT count(*) FROM status") } == 300_143)
    let middle = MessageID(150_000)
    try store.acts.perform(.dismiss([middle]), at: Self.now)
    #expect(try store.messages.find(middle)?.isDismissed == true)
    #expect(try store.acts.undo(at: Self.now)?.kind == .dismiss)
    // Every third message is read: the action has 100,000 ranges of messages.
    #expect(try store.acts.perform(.readAll(InboxQuery()), at: Self.now) > 190_000)
    #expect(try store.acts.undo(at: Self.now)?.count ?? 0 > 190_000)
    #expect(try Self.rows(path, counts) == before)
    #expect(try store.check.compare(.counts) == [] && store.check.compare(.lists) == [])
  }

  /// A program of 0.2.0 would continue with tables that have other names.
  @Test func aDatabaseThatAnEarlierProgramUsesIsLeftAsItIs() throws {
    let path = try copy()
    let file = DatabaseFile(path: path)
    try file.makeLockDirectories()
    let use = try #require(try UseLock(sharing: file.useLock))
    var reports: [StoreUpdate] = []
    #expect(throws: StoreFailure.usedByEarlier(path: path, process: nil)) {
      try file.open(installed: Self.now, pageLimit: nil, patience: 0.05) { reports.append($0) }
    }
    #expect(reports == [.waiting(path: path, process: nil)])
    #expect(try Self.rows(path, "PRAGMA user_version") == ["119"])
    use.release()
    let (connections, own) = try file.open(installed: Self.now, pageLimit: nil, patience: 0.05) {
      reports.append($0)
    }
    #expect(reports == [.waiting(path: path, process: nil), .updating(path: path)])
    #expect(try UseLock(alone: file.useLock, within: 0.05) == nil, "it is used now")
    try connections.close()
    own.release()
  }

  /// Titles of several lines were stored.
  @Test func anEntryWhoseTitleWasOfSeveralLinesIsTheSame() throws {
    let (store, source) = try Store.following([message("a", "One two", at: noon)])
    try store.write { db in try db.execute(sql: "UPDATE message SET title = 'One\u{2028}two'") }
    let edited = message("a", "One\u{2028}two", body: "More", at: noon + 60)
    let recorded = try store.poll(source, [edited])
    #expect(recorded.new == 0 && recorded.updated == 1)
    #expect(try store.titles() == ["One two"])
  }

  @Test func whatIsOlderIsRefusedAndStaysAsItIs() throws {
    let path = try copy()
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA user_version = 23") }
    try queue.close()
    #expect(throws: StoreFailure.olderVersion(path: path, found: 23)) { try Store(path: path, now: Self.now) }
    #expect(try Self.rows(path, "SELECT count(*) FROM telling").count == 1)
  }
}
