import Foundation
import GRDB
import Messages
import Testing

@testable import Storage

/// Rows of databases from outside, older ones too, in a new database.
@Suite struct RestoreTests {
  private let directory: Directory
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Databases")
  private static let now = Date(timeIntervalSince1970: 1_796_000_000)

  init() throws { directory = try Directory() }

  private func copy(_ name: String, as other: String) throws -> String {
    let path = "\(directory.path)/\(other)"
    try FileManager.default.copyItem(atPath: Self.folder.appending(path: name).path, toPath: path)
    return path
  }

  private static func rows(_ path: String, _ sql: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { db in
      try Row.fetchAll(db, sql: sql).map { row in row.databaseValues.map(\.description).joined(separator: " ")
      }
    }
  }

  private func restore(_ path: String, into store: Store) throws {
    let content = try StoreBackups.content(of: path, for: directory.database, at: Self.now)
    defer { content.discard() }
    try store.backups.replace(by: content)
  }

  /// All that isn't derived.
  private static let tables = [
    "source", "polling", "attempt", "host_rest", "ignored_key", "message", "status", "identity", "journal",
    "mark_change",
    "sending", "banner", "document", "detail", "article", "outgoing", "upstream_open", "ending", "rule",
    "touched", "rule_due", "rule_run", "notification", "notification_shown", "feature_switch",
    "feature_switch_name", "feature", "feature_call", "preference",
    "entry_facts", "entry_key", "own_act", "wire_source", "wire_key", "early_cell",
  ]

  @Test(arguments: ["v119.sqlite", "v101-feeds.sqlite"])
  func anOlderDatabaseBecomesWhatItBecomesWhenItIsOpened(name: String) throws {
    let opened = try copy(name, as: "opened")
    try Store(path: opened, now: Self.now).close()
    let archive = try copy(name, as: "archive")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: archive))
    let store = try Store(path: directory.database, now: Self.now)
    try restore(archive, into: store)
    for table in Self.tables {
      let sql = "SELECT * FROM \(table) ORDER BY 1, 2"
      #expect(try Self.rows(directory.database, sql) == Self.rows(opened, sql), "\(table)")
    }
    let sequences = "SELECT * FROM sqlite_sequence WHERE name NOT IN ('saved_list') ORDER BY 1"
    #expect(try Self.rows(directory.database, sequences) == Self.rows(opened, sequences))
    let lists = "SELECT name, position, query, problem FROM saved_list ORDER BY name"
    #expect(try Self.rows(directory.database, lists) == Self.rows(opened, lists))
    try store.expectConsistent()
    #expect(try store.check.compareSearchIndex() == [])
    #expect(try Data(contentsOf: URL(fileURLWithPath: archive)) == bytes)
  }

  /// Other parts of its schema are not restored.
  @Test func theSchemaIsThatOfANewDatabase() throws {
    let archive = "\(directory.path)/archive"
    let made = try Store(path: archive, now: Self.now)
    try made.close()
    let queue = try DatabaseQueue(path: archive)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE other (x);
          CREATE INDEX other_index ON message(title || 'x');
          """)
    }
    try queue.close()
    let new = "\(directory.path)/new"
    try Store(path: new, now: Self.now).close()
    let store = try Store(path: directory.database, now: Self.now)
    try restore(archive, into: store)
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2"
    #expect(try Self.rows(directory.database, sql) == Self.rows(new, sql))
  }

  /// A trigger is refused in each version; otherwise the files are the same.
  @Test(arguments: ["v119.sqlite", "v101-feeds.sqlite"])
  func aTriggerOfSomebodyElseIsRefused(name: String) throws {
    let archive = try copy(name, as: "archive")
    let queue = try DatabaseQueue(path: archive)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TRIGGER more AFTER INSERT ON message BEGIN DELETE FROM message; END")
    }
    try queue.close()
    let reason = "it contains the trigger \"more\", which reddot never writes"
    #expect(throws: StoreFailure.badBackup(path: archive, reason: reason)) {
      try StoreBackups.content(of: archive, for: directory.database, at: Self.now)
    }
    #expect(throws: StoreFailure.badBackup(path: archive, reason: reason)) {
      try StoreBackups.files(of: archive)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["archive"])
  }

  /// The damaged page is one that SQLite doesn't read for the rows.
  @Test func aDamagedDatabaseIsRefused() throws {
    let archive = try copy("v119.sqlite", as: "archive")
    let root = try #require(
      try Self.rows(archive, "SELECT rootpage FROM sqlite_master WHERE name = 'touched_by'").first)
    let page = try #require(Int(root))
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: archive))
    try handle.seek(toOffset: UInt64((page - 1) * 4096))
    try handle.write(contentsOf: Data(repeating: 0xFF, count: 64))
    try handle.close()
    do {
      _ = try StoreBackups.files(of: archive)
      Issue.record("it was read")
    } catch {
      guard case .badBackup(archive, _) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}
