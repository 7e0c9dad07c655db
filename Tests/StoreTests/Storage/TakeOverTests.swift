import Foundation
import GRDB
import Messages
import Testing

@testable import Storage

/// Databases that a reddot from before the first version wrote. They were made by using it: feeds, rules, services, acts.
struct TakeOverTests {
  private let directory: Directory
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Databases")
  /// After the databases were made.
  private static let now = Date(timeIntervalSince1970: 1_796_000_000)

  init() throws { directory = try Directory() }

  private func copy(_ name: String) throws -> String {
    let path = directory.path + "/" + name
    try FileManager.default.copyItem(atPath: Self.folder.appending(path: name).path, toPath: path)
    return path
  }

  /// One text for each row.
  private static func rows(_ path: String, _ sql: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { db in
      try Row.fetchAll(db, sql: sql).map { row in row.databaseValues.map(\.description).joined(separator: " ")
      }
    }
  }

  private static let oldMarks = """
    SELECT m.id, m.source_id, m.standing, m.sort_time, m.priority, m.is_shown, t.is_read, t.is_starred, t.is_dismissed,
      -- What a script pushed for a later time is a reminder, and snoozed until then.
      coalesce(t.snoozed_until, CASE WHEN NOT t.is_dismissed AND m.visible_from > (SELECT clock FROM store)
        AND m.source_id IN (SELECT id FROM source WHERE kind = 'local') THEN m.visible_from END),
      t.hidden_by, t.first_id, m.title, m.received FROM message m JOIN status t ON t.message_id = m.id
    ORDER BY m.id
    """
  private static let newMarks = """
    SELECT m.id, t.source_id, t.standing, t.sort_time, t.priority, t.is_shown, t.is_read, t.is_starred,
      t.dismissed_at IS NOT NULL, t.snoozed_until, t.hidden_by, t.first_id, m.title, m.received
    FROM message m JOIN status t ON t.message_id = m.id ORDER BY m.id
    """
  /// What is there in both under the same names.
  private static let same = [
    "SELECT source_id, total, unread, starred FROM tally ORDER BY 1",
    "SELECT * FROM copy_tally WHERE total > 0 ORDER BY 1, 2",
    "SELECT message_id FROM listed ORDER BY standing, sort_time, message_id",
    "SELECT message_id FROM starred_unread ORDER BY standing, sort_time, message_id",
    "SELECT id, message_id, field, value, made, carried FROM outgoing ORDER BY id",
    "SELECT source_id, cursor, etag, moved_to, failures, round((next_poll + 978307200) * 1000) FROM polling ORDER BY 1",
    "SELECT id, name, place, uid, folder, options FROM source ORDER BY id",
    "SELECT * FROM rule ORDER BY name",
    "SELECT * FROM touched ORDER BY 1, 2", "SELECT * FROM telling ORDER BY 1, 2",
    "SELECT * FROM preference ORDER BY 1",
    "SELECT * FROM moment ORDER BY 1", "SELECT * FROM told ORDER BY 1",
    """
    SELECT id, source_id, remote_id, is_enabled, data, channel, is_subscribed, visible_from, expires, arrived, said, place,
      hash FROM notice ORDER BY 1
    """,
    "SELECT * FROM call ORDER BY 1",
    "SELECT source_id, remote_id, message_id, hash FROM identity ORDER BY 1, 2",
    "SELECT id, name, query, unread, unseen FROM saved_list ORDER BY id",
    "SELECT * FROM list_member ORDER BY 1, 2",
    "SELECT id, at, act, undone FROM journal WHERE act <> 'removal' ORDER BY id",
    "SELECT count(*) FROM detail",
    "SELECT count(*) FROM attempt",
    "SELECT * FROM document ORDER BY 1", "SELECT * FROM article ORDER BY 1",
    "SELECT source_id, message_id FROM unseen ORDER BY 1, 2",
    "SELECT rowid FROM search WHERE search MATCH 'a*' ORDER BY 1",
    "SELECT facet, message_id FROM facet ORDER BY 1, 2",
  ]

  private static func inNew(_ sql: String) -> String {
    sql.replacingOccurrences(of: "message_id FROM listed ", with: "message_id FROM status WHERE is_one ")
      .replacingOccurrences(
        of: "message_id FROM starred_unread ",
        with: "message_id FROM status WHERE is_one AND is_starred AND NOT is_read "
      )
      .replacingOccurrences(of: "FROM unseen ", with: "FROM status WHERE is_unseen ")
      .replacingOccurrences(of: "round((next_poll + 978307200) * 1000)", with: "CAST(next_poll AS REAL)")
      .replacingOccurrences(of: "FROM told ", with: "FROM feature ").replacingOccurrences(
        of: " act,", with: " kind,"
      ).replacingOccurrences(of: " act <> 'removal'", with: " kind <> 'settings'")
  }

  @Test(arguments: ["v22.sqlite", "v23.sqlite"])
  func everythingIsTakenOver(name: String) throws {
    let path = try copy(name)
    let marks = try Self.rows(path, Self.oldMarks)
    #expect(marks.count == 143)
    let before = try Self.same.map { try Self.rows(path, $0) }
    // What is due by now is for a later look.
    let store = try Store(path: path, now: Self.now)
    #expect(try Self.rows(path, Self.newMarks) == marks)
    // The text index is made anew.
    while try store.search.fill() {}
    for (sql, rows) in zip(Self.same, before) {
      #expect(try Self.rows(path, Self.inNew(sql)) == rows, "\(sql)")
    }
    try store.expectConsistent()
    #expect(try store.check.compareSearchIndex() == [])
    #expect(try store.read { try $0.integer("PRAGMA user_version") } == Int64(Schema.version))
    #expect(try Self.rows(path, "SELECT name FROM sqlite_master WHERE name LIKE 'old%'").isEmpty)
    #expect(try Self.rows(path, "PRAGMA foreign_key_check").isEmpty)
  }

  /// A database that was taken over has what a new one has.
  @Test func theSchemaIsThatOfANewDatabase() throws {
    let path = try copy("v22.sqlite")
    _ = try Store(path: path, now: Self.now)
    _ = try Store(path: directory.database, now: Self.now)
    let names = "SELECT type, name, tbl_name FROM sqlite_master ORDER BY 2"
    #expect(try Self.rows(path, names) == Self.rows(directory.database, names))
    for table in try Self.rows(directory.database, "SELECT name FROM sqlite_master WHERE type = 'table'") {
      let name = table.trimmingCharacters(in: ["\""])
      let columns = "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo('\(name)') ORDER BY name"
      #expect(try Self.rows(path, columns) == Self.rows(directory.database, columns), "\(name)")
    }
  }

  @Test func whatWasDoneCanStillBeUndone() throws {
    let path = try copy("v23.sqlite")
    let store = try Store(path: path, now: Self.now)
    var kinds: [UserAct.Kind] = []
    while let act = try store.acts.undo(at: Self.now) {
      kinds.append(act.kind)
    }
    #expect(kinds.count == 33 && Set(kinds).isSuperset(of: [.dismiss, .rule, .read, .snooze]))
    try store.expectConsistent()
    #expect(try store.check.compareSearchIndex() == [])
  }

  @Test func aLargeDatabaseIsTakenOverWhole() throws {
    let path = try copy("v22.sqlite")
    let queue = try DatabaseQueue(path: path)
    let script = try String(contentsOf: Self.folder.appending(path: "grow.sql"), encoding: .utf8)
    try queue.writeWithoutTransaction { db in try db.execute(sql: script) }
    try queue.close()
    let counts = "SELECT source_id, total, unread, starred FROM tally ORDER BY 1"
    let before = try Self.rows(path, counts)
    let store = try Store(path: path, now: Self.now)
    #expect(try Self.rows(path, counts) == before)
    #expect(try store.read { try $0.integer("SELECT count(*) FROM status") } == 300_143)
    let act = try #require(try store.acts.undo(at: Self.now))
    #expect(act.kind == .readAll && act.count > 2000)
    #expect(try store.check.compareAll() == [])
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
    let path = try copy("v22.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA user_version = 21") }
    try queue.close()
    #expect(throws: StoreFailure.olderVersion(path: path, found: 21)) { try Store(path: path, now: Self.now) }
    #expect(try Self.rows(path, Self.oldMarks).count == 143)
  }
}
