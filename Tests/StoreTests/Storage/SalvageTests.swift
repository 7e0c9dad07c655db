import Foundation
import GRDB
import Messages
import TestBasics
import Testing

@testable import Storage

/// `Store.salvage`: restores the data on whole pages of a damaged database.
@Suite struct SalvageTests {
  private let directory: Directory
  private static let now = Date(timeIntervalSince1970: 1_796_000_000)

  init() throws { directory = try Directory() }

  /// Returns a database of one file with everything in it.
  private func made() throws -> String {
    let path = directory.database
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Databases")
    try FileManager.default.copyItem(atPath: folder.appending(path: "v119.sqlite").path, toPath: path)
    let store = try Store(path: path, now: Self.now)
    try store.close()
    return path
  }

  private struct Kept {
    var titles: [Int64: String] = [:]
    var bodies: [Int64: String] = [:]
    var read: [Int64: Int64] = [:]
  }

  /// Returns the data on pages that are not among `damaged`.
  private func kept(_ path: String, besides damaged: Set<Int>) throws -> Kept {
    let pages = try #require(DatabasePages(try Data(contentsOf: URL(fileURLWithPath: path))))
    var roots: [String: Int] = [:]
    var seen: Set<Int> = []
    pages.forEachRow(below: 1, seen: &seen) { row in
      if case .text(let name) = row.values[1], case .integer(let root) = row.values[3] {
        roots[name] = Int(root)
      }
      return true
    }
    var kept = Kept()
    func each(_ table: String, _ body: (DatabasePages.Row) -> Void) {
      guard let root = roots[table] else { return }
      pages.forEachRow(below: root, seen: &seen) { row in
        if damaged.isDisjoint(with: row.pages) { body(row) }
        return true
      }
    }
    each("message") { row in if case .text(let title) = row.values[3] { kept.titles[row.rowid] = title } }
    each("detail") { row in if case .text(let body) = row.values[2] { kept.bodies[row.rowid] = body } }
    each("status") { row in if case .integer(let isRead) = row.values[8] { kept.read[row.rowid] = isRead } }
    return kept
  }

  @Test func pagesAreReadAsSQLiteReadsThem() throws {
    let path = try made()
    let kept = try kept(path, besides: [])
    #expect(kept.titles.count == 143)
    let queue = try DatabaseQueue(path: path)
    try queue.read { db in
      for row in try Row.fetchAll(
        db,
        sql:
          "SELECT m.id, m.title, d.body, t.is_read FROM message m JOIN detail d ON d.message_id = m.id JOIN status t ON t.message_id = m.id"
      ) {
        let id: Int64 = row[0]
        #expect(kept.titles[id] == row[1] && kept.bodies[id] == row[2] && kept.read[id] == row[3])
      }
    }
  }

  @Test func whatIsWholeIsSavedWhole() throws {
    let path = try made()
    let file = directory.path + "/saved.sqlite"
    let before = try Store(path: path, now: Self.now).lists.snapshot(InboxQuery(), InboxWindow(after: 1000))
    let salvage = try Store.salvage(path, into: file, now: Self.now)
    #expect(salvage == Salvage(messages: 143))
    let saved = try Store(path: file, now: Self.now)
    try saved.expectConsistent()
    #expect(try saved.check.compareSearchIndex() == [])
    let after = try saved.lists.snapshot(InboxQuery(), InboxWindow(after: 1000))
    #expect(after.rows == before.rows && after.total == before.total && after.starred == before.starred)
    #expect(try saved.acts.undo(at: Self.now) != nil)
    #expect(throws: StoreFailure.self) { try Store.salvage(path, into: file, now: Self.now) }
  }

  /// Rows that were written before a table got a column have fewer values.
  @Test func whatIsOlderThanAColumnIsSavedWhole() throws {
    let path = try made()
    try DatabaseQueue(path: path).write { db in
      try db.becomeEarlier()
      try db.execute(sql: FileTests.withoutSynchronisation + "PRAGMA user_version = 105;")
    }
    let before = try Store(path: path, now: Self.now)
    let titles = try before.lists.snapshot(InboxQuery(), InboxWindow(after: 1000)).rows.map(\.title)
    try before.close()
    let file = directory.path + "/saved.sqlite"
    #expect(try Store.salvage(path, into: file, now: Self.now) == Salvage(messages: 143))
    let saved = try Store(path: file, now: Self.now)
    #expect(try saved.lists.snapshot(InboxQuery(), InboxWindow(after: 1000)).rows.map(\.title) == titles)
    try saved.expectConsistent()
  }

  @Test func theNewDatabaseIsWholeOrNotThere() throws {
    let path = try made()
    let (file, manager) = (directory.path + "/saved.sqlite", FileManager.default)
    // The file of a run that was killed.
    try Data("left over".utf8).write(to: URL(fileURLWithPath: file + ".unfinished"))
    #expect(try Store.salvage(path, into: file, now: Self.now).messages == 143)
    let other = directory.path + "/other.sqlite"
    try Data("no database".utf8).write(to: URL(fileURLWithPath: directory.path + "/text"))
    #expect(throws: StoreFailure.self) {
      try Store.salvage(directory.path + "/text", into: other, now: Self.now)
    }
    let names = try manager.contentsOfDirectory(atPath: directory.path)
    #expect(names.contains("saved.sqlite") && !names.contains("other.sqlite"))
    #expect(!names.contains { $0.contains("unfinished") })
  }

  /// Random bytes in random pages, 50 times: it never traps, and all data on whole pages is restored.
  @Test(arguments: 0..<50) func whateverIsDamagedTheRestIsSaved(seed: Int) throws {
    let path = try made()
    var random = SeededRandom(seed: seed + 7)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let size = 4096
    var damaged: Set<Int> = []
    // The first page contains the positions of the tables.
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let page = Int.random(in: 2...bytes.count / size, using: &random)
      damaged.insert(page)
      for _ in 0..<Int.random(in: 1...300, using: &random) {
        bytes[(page - 1) * size + Int.random(in: 0..<size, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
    }
    let expected = try kept(path, besides: damaged)
    let broken = directory.path + "/broken.sqlite"
    try bytes.write(to: URL(fileURLWithPath: broken))
    let file = directory.path + "/saved.sqlite"
    _ = try Store.salvage(broken, into: file, now: Self.now)
    let saved = try Store(path: file, now: Self.now)
    let problems = try saved.check.compareAll()
    #expect(problems == [])
    try saved.read { db in
      let query = try db.prepared(
        "SELECT m.title, d.body, t.is_read FROM message m JOIN detail d ON d.message_id = m.id JOIN status t ON t.message_id = m.id WHERE m.id = ?"
      )
      // The messages whose parts are all on whole pages.
      for (id, title) in expected.titles {
        guard let body = expected.bodies[id], let isRead = expected.read[id] else { continue }
        query.bind(1, id)
        let found = try query.first {
          query.text(0) == title && query.text(1) == body && query.int(2) == isRead
        }
        #expect(found == true, "seed \(seed), message \(id)")
      }
    }
  }
}
