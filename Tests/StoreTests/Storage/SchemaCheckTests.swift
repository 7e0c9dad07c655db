import Foundation
import GRDB
import Messages
import Testing

@testable import Storage

/// The changes of other programs in a database: `check` names them, and a repair reverts them.
@Suite struct SchemaCheckTests {
  private let directory: Directory
  private let store: Store

  init() throws {
    directory = try Directory()
    store = try Store(path: directory.database, now: noon)
    for number in 1...3 { try push(number) }
  }

  private func push(_ number: Int) throws {
    try store.pushes.add(
      IncomingMessage(remoteID: RemoteID("\(number)"), kind: .local, title: "Title \(number)"), at: noon)
  }

  private func change(_ sql: String) throws {
    try store.outsideTransactions { db in try db.execute(sql: sql) }
  }

  private func schema() throws -> Set<SchemaEntry> { Set(try store.read { db in try SchemaEntry.all(db) }) }

  @Test func whatAnotherProgramMadeIsNamedAndUndone() throws {
    let before = try schema()
    #expect(try store.check.compareAll() == [])
    try change(
      """
      CREATE TRIGGER "of ""another" AFTER INSERT ON message BEGIN DELETE FROM status; DELETE FROM message; END;
      CREATE VIEW titles AS SELECT title FROM message;
      CREATE UNIQUE INDEX one_title ON message(title);
      DROP INDEX source_listed;
      DROP TRIGGER status_is_starred;
      CREATE TRIGGER status_is_starred AFTER UPDATE OF is_starred ON status BEGIN DELETE FROM tally; END;
      """)
    #expect(
      Set(try store.check.compare(.schema)) == [
        #"the trigger "of "another" exists, which reddot never creates"#,
        #"the view "titles" exists, which reddot never creates"#,
        #"the index "one_title" exists, which reddot never creates"#,
        #"the trigger "status_is_starred" differs from what reddot creates"#,
        #"the index "source_listed" is missing"#,
      ])
    try store.check.repair(.schema, at: noon)
    #expect(try schema() == before)
    try push(4)
    #expect(try store.snapshot().total == 4)
    for part in CheckPart.allCases { #expect(try store.check.compare(part) == [], "\(part)") }
  }

  /// A table may contain data: of the three objects, only the index is removed.
  @Test func tablesAreOnlyNamed() throws {
    try change(
      """
      CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('kept');
      CREATE INDEX notes_text ON notes(text);
      ALTER TABLE message ADD COLUMN colour TEXT;
      """)
    #expect(try store.check.compare(.schema).count == 3)
    try store.check.repair(.schema, at: noon)
    #expect(
      try store.check.compare(.schema) == [
        #"the table "notes" exists, which reddot never creates; it may contain data, so a repair keeps it"#,
        #"the table "message" differs from what reddot creates; it may contain data, so a repair keeps it"#,
      ])
    #expect(try store.read { try $0.integer("SELECT count(*) FROM notes WHERE text = 'kept'") } == 1)
  }

  /// A table from which others are derived is created again in a copy; one with messages is not.
  @Test(arguments: [("search", []), ("tally", []), ("detail", ["the table detail"])] as [(String, [String])])
  func aMissingTableIsDamage(table: String, missing: [String]) throws {
    try store.check.repair(.search, at: noon)
    try change("DROP TABLE \(table)")
    try store.close()
    let pages = StoredPages(path: directory.database)
    #expect(try pages.look().damage?.hasSuffix("\"\(table)\" is missing") == true)
    let repair = try pages.repair(at: noon)
    #expect(Set(missing).isSubset(of: repair.missing) && repair.missing.isEmpty == missing.isEmpty)
    guard missing.isEmpty else { return }
    let repaired = try Store(path: directory.database, now: noon)
    #expect(try repaired.snapshot().total == 3)
    for part in CheckPart.allCases { #expect(try repaired.check.compare(part) == [], "\(part)") }
  }

  @Test(arguments: ["v119.sqlite", "v101-feeds.sqlite"])
  func aDatabaseOfAnOlderVersionHasOurs(name: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Databases")
    let path = directory.path + "/" + name
    try FileManager.default.copyItem(atPath: folder.appending(path: name).path, toPath: path)
    let upgraded = try Store(path: path, now: noon)
    #expect(try upgraded.check.compare(.schema) == [])
  }

  /// A backup has an additional table, and SQLite's statistics are its own matter.
  @Test func filesOfABackupAndStatisticsAreOurs() throws {
    let backup = directory.path + "/backup"
    try store.backups.write(to: backup, [BackupFile(name: "a", mode: 0o600, bytes: Data("a".utf8))], at: noon)
    let opened = try Store(path: backup, now: noon)
    #expect(try opened.check.compare(.schema) == [])
    try change("ANALYZE")
    #expect(try store.check.compare(.schema) == [])
  }

  /// A page's content that SQLite would not write again is in the copy too.
  @Test func theCopyBeforeARepairHasThePagesAsTheyAre() throws {
    try change(
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'source_listed'; PRAGMA writable_schema = RESET"
    )
    let pages = try store.read { try $0.integer("PRAGMA page_count") }
    let copy = try #require(try store.check.copyBeforeRepair(at: noon))
    var file = stat()
    #expect(stat(copy, &file) == 0 && file.st_mode & 0o777 == 0o600)
    #expect(Int64(file.st_size) == pages.map { $0 * 4096 })
    // These are the pages of the index, which is no longer in the schema.
    #expect(try StoredPages(path: copy).look().damage?.contains("never used") == true)
    let second = try #require(try store.check.copyBeforeRepair(at: noon))
    #expect(second != copy)
  }

  @Test func aLogThatCannotBeReadIsAnError() throws {
    try store.close()
    let pages = StoredPages(path: directory.database)
    #expect(try !pages.hasDamagedLog())
    try FileManager.default.createDirectory(
      atPath: directory.database + "-wal", withIntermediateDirectories: true)
    #expect(throws: StoreFailure.self) { try pages.hasDamagedLog() }
  }

  /// Rows that an index lacks are found by the one check of the pages, and are no damage.
  @Test func whatAnIndexLacksIsNoDamage() throws {
    try change(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = sql || ' AND 0' WHERE name = 'source_listed';
      PRAGMA writable_schema = RESET;
      """)
    try push(4)
    try change(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, ' AND 0', '') WHERE name = 'source_listed';
      PRAGMA writable_schema = RESET;
      """)
    let look = try StoredPages(path: directory.database).look()
    #expect(look.damage == nil)
    #expect(look.indexes?.contains { $0.contains("missing from index source_listed") } == true)
    #expect(try store.check.compare(.file) == look.indexes)
    try store.check.repair(.file, at: noon)
    #expect(try StoredPages(path: directory.database).look() == StoredPages.Look(indexes: []))
  }
}
