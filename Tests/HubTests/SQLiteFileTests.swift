import Foundation
import GRDB
import TestBasics
import Testing

@testable import Hub

struct HubFileTests {
  @Test func whatIsAcknowledgedIsOnTheDisk() throws {
    let folder = try HubFolder.withFeed()
    let file = try folder.open()
    #expect(try file.isDurable())
    #expect(try file.damage() == nil && file.versionBefore == 4)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.database)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func onlyOneServesAFile() throws {
    let folder = try HubFolder.withFeed()
    let first = try SQLiteFile(path: folder.database, serves: true)
    #expect { try SQLiteFile(path: folder.database, serves: true) } throws: {
      ($0 as? HubStoreFailure)?.kind == .isServed
    }
    // Commands continue at the same time.
    #expect(try folder.open().feeds().count == 1)
    withExtendedLifetime(first) {}
  }

  @Test func otherFilesAreLeftAlone() throws {
    let folder = try HubFolder.withFeed()
    let other = "\(folder.path)/other.db"
    try DatabaseQueue(path: other).write { db in try db.execute(sql: "CREATE TABLE theirs (a)") }
    #expect { try SQLiteFile(path: other) } throws: { ($0 as? HubStoreFailure)?.kind == .notAHub }
    try Data("not a database, but a text that is long enough".utf8).write(to: URL(filePath: other))
    #expect { try SQLiteFile(path: other) } throws: { ($0 as? HubStoreFailure)?.kind == .notAHub }
    #expect { try SQLiteFile(path: "\(folder.path)/none/hub.db") } throws: {
      ($0 as? HubStoreFailure)?.kind == .away
    }
    try DatabaseQueue(path: folder.database).write { db in try db.execute(sql: "PRAGMA user_version = 99") }
    #expect { try folder.open() } throws: { ($0 as? HubStoreFailure)?.kind == .newerSchema }
  }

  @Test func aBackupIsWhole() async throws {
    let folder = try HubFolder.withFeed()
    let hub = try SQLiteHub(folder.open())
    for number in 0..<5 { _ = try await hub.one("{\"title\": \"\(number)\"}") }
    let copy = "\(folder.path)/copy.db"
    #expect(try folder.open().backUp(to: copy).items == 5)
    let restored = try SQLiteFile(path: copy)
    #expect(try restored.moveOn() == 1_000_005)
    #expect(try await SQLiteHub(restored).one(#"{"title": "A"}"#).id == 1_000_006)
  }

  /// After a crash, a backup of the file is copied next to the old -wal, and the store reports damage, or has data that
  /// never existed.
  @Test func aBackupTakesThePlaceOfAStoreWithItsWAL() async throws {
    let folder = try HubFolder.withFeed()
    let (copy, crashed) = ("\(folder.path)/copy.db", URL(filePath: folder.path).appending(path: "crashed"))
    do {
      let file = try folder.open()
      let hub = SQLiteHub(file)
      for number in 0..<5 { _ = try await hub.one("{\"title\": \"\(number)\", \"key\": \"\(number)\"}") }
      #expect(try file.backUp(to: copy).items == 5)
      for number in 5..<40 { _ = try await hub.one("{\"title\": \"\(number)\"}") }
      // This is the state after a crash: the -wal was not written back.
      try FileManager.default.createDirectory(atPath: crashed.path, withIntermediateDirectories: true)
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: folder.database + suffix, toPath: crashed.appending(path: "hub.db").path + suffix)
      }
    }
    let store = crashed.appending(path: "hub.db").path

    let restored = try SQLiteFile.restore(copy, to: store, now: Date())
    #expect(restored.items == 5 && restored.lastID == 5 && restored.replacedLastID == 40, "\(restored)")
    #expect(restored.next == 1_000_040 && restored.kept == store + ".replaced")
    let file = try SQLiteFile(path: store)
    #expect(try file.damage() == nil)
    #expect(try await SQLiteHub(file).one(#"{"title": "A"}"#).id == 1_000_041)
    let page = try await SQLiteHub(file).page(of: HubPremises.ops, since: 40, limit: 100, now: Date())
    #expect(page.items.count == 1 && page.lastID == 1_000_041)
    #expect(try SQLiteFile(path: store + ".replaced").feeds()[0].items == 40)
    let mode = try FileManager.default.attributesOfItem(atPath: store)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func whatIsNoBackupReplacesNothing() async throws {
    let folder = try HubFolder.withFeed()
    let copy = "\(folder.path)/copy.db"
    _ = try await SQLiteHub(folder.open()).one(#"{"title": "A"}"#)
    _ = try folder.open().backUp(to: copy)
    func refusal(_ backup: String) -> HubStoreFailure? {
      do throws(HubStoreFailure) {
        _ = try SQLiteFile.restore(backup, to: folder.database, now: Date())
        return nil
      } catch { return error }
    }
    do {
      let served = try SQLiteFile(path: folder.database, serves: true)
      #expect(refusal(copy)?.kind == .isServed)
      withExtendedLifetime(served) {}
    }
    #expect(refusal("\(folder.path)/none")?.kind == .refused)
    let other = "\(folder.path)/other.db"
    try await DatabaseQueue(path: other).write { db in try db.execute(sql: "CREATE TABLE theirs (a)") }
    #expect(refusal(other)?.description == "\(other) is not the store of a hub: another program made it")
    var bytes = try Data(contentsOf: URL(filePath: copy))
    for place in 8192..<16_384 where place < bytes.count { bytes[place] = 0xA5 }
    try bytes.write(to: URL(filePath: other))
    #expect(refusal(other)?.kind == .notAHub)
    try Data("pages".utf8).write(to: URL(filePath: copy + "-wal"))
    #expect(refusal(copy)?.description.contains("is not a whole backup") == true)
    #expect(try folder.open().feeds()[0].items == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.database + ".restoring"))
  }

  /// Deleting millions of old receipts in one transaction would block all publishers.
  @Test func aSweepTakesASliceAtATime() async throws {
    let folder = try HubFolder.withFeed()
    let file = try folder.open()
    for (table, values) in [
      ("receipt", "1, n, x'', '', 0"), ("audit", "n, 0, 1, NULL, NULL, NULL, NULL, 'stored'"),
    ] {
      try await file.execute(
        """
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 12000)
          INSERT INTO \(table) SELECT \(values) FROM c WHERE n > 10
        """)
    }
    func rows() throws -> [Int] {
      try DatabaseQueue(path: folder.database).read { db in
        try ["receipt", "audit"].map {
          try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0) WHERE at = 0") ?? 0
        }
      }
    }
    let hub = SQLiteHub(file)
    var left: [[Int]] = []
    while try await hub.sweep(now: Date()).hasMore { left.append(try rows()) }
    #expect(left == [[6990, 6990], [1990, 1990]])
    #expect(try rows() == [0, 0])
  }

  /// An item that an older hub kept for ever ends no sooner than a feed's days after its upgrade.
  @Test func itemsOfAnOlderHubHaveTheirDaysFromItsUpgradeOn() async throws {
    let folder = try HubFolder.withFeed()
    for title in ["A", "B", "C"] { _ = try await SQLiteHub(folder.open()).one("{\"title\": \"\(title)\"}") }
    try await DatabaseQueue(path: folder.database).write { db in
      try db.execute(
        sql: """
          DROP TABLE hook;
          DROP INDEX item_endless;
          ALTER TABLE feed DROP expires_days;
          ALTER TABLE hub DROP expires_from;
          PRAGMA user_version = 2;
          """)
    }
    let file = try SQLiteFile(path: folder.database, migrates: true)
    let hub = SQLiteHub(file)
    #expect(try file.version() == 4 && file.feeds()[0].expiresDays == 30)
    #expect(try await hub.sweep(now: Date()).ended == 0)
    #expect(try await hub.sweep(now: Date() + 29.9 * 86_400).ended == 0)
    #expect(try await hub.sweep(now: Date() + 30.1 * 86_400) == SweepCounts(ended: 3, deleted: 2))
  }

  /// The page names what deletes the rows of each table.
  @Test func everyTableHasAnOwner() throws {
    let folder = try HubFolder.withFeed()
    _ = try folder.open()
    let tables = try DatabaseQueue(path: folder.database).read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    }
    let page = try Project.text("Sources/Programs/reddot/Documentation.docc/Hub.md")
    let rows = page.components(separatedBy: "| tables | what deletes their rows |")[1]
      .components(separatedBy: "\n\n")[0].components(separatedBy: "\n").dropFirst(2)
    let named = rows.flatMap { row in
      row.components(separatedBy: " | ")[0].components(separatedBy: "`").enumerated()
        .filter { $0.offset % 2 == 1 }.map(\.element)
    }
    #expect(named.sorted() == tables.sorted())
    #expect(Set(HubTable.all.map(\.name)).isSubset(of: tables))
  }
}
