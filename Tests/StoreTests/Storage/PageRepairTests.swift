import Foundation
import GRDB
import Messages
import TestBasics
import Testing

@testable import Storage

/// `StoredPages` with files that are damaged in many ways: everything that could be read before is kept, and the repair
/// always ends.
@Suite struct PageRepairTests {
  private let directory: Directory
  private static let made = Result { try Made() }

  init() throws { directory = try Directory() }

  /// A database of 1,500 messages, of which the last are only in its log.
  struct Made: Sendable {
    var main: Data
    var log: Data
    var tables: [String: Int]
    var indexes: [String: Int]
    /// The pages of a long text, in their order.
    var chain: [Int]
    var size: Int { 4096 }
    var pages: Int { main.count / size }

    init() throws {
      let directory = try Directory()
      let store = try Store(path: directory.database, now: noon)
      let source = try store.follow(configured("news"))[0]
      try store.pollNothing(source)
      for start in [1, 501, 1001] {
        var new = messages(start...start + 499)
        for index in new.indices {
          new[index].body = "text \(start + index) " + String(repeating: "word ", count: index % 50)
        }
        if start == 1 { new[100].body = String(repeating: "a long text ", count: 4000) }
        try store.poll(source, new)
      }
      try store.outsideTransactions { db in _ = try db.checkpoint(.truncate) }
      try store.poll(source, messages(1501...1520))
      try store.poll(source, messages(1521...1540))
      main = try Data(contentsOf: URL(fileURLWithPath: directory.database))
      log = try Data(contentsOf: URL(fileURLWithPath: directory.database + "-wal"))
      let pages = try #require(DatabasePages(main))
      tables = pages.roots()
      indexes = try store.read { db in
        var roots: [String: Int] = [:]
        let query = try db.prepared("SELECT name, rootpage FROM sqlite_master WHERE type = 'index'")
        try query.forEach { roots[query.text(0)] = Int(query.int(1)) }
        return roots
      }
      var chain: [Int] = []
      var seen: Set<Int> = []
      pages.forEachRow(below: tables["detail"] ?? 0, seen: &seen) { row in
        if row.pages.count > chain.count { chain = row.pages }
        return true
      }
      self.chain = chain
      try store.close()
    }

    func root(_ name: String) -> Int { tables[name] ?? indexes[name] ?? 0 }
  }

  struct Damage: CustomTestStringConvertible, Sendable {
    var name: String
    var seed = 0
    var apply: @Sendable (Made, inout Data, inout Data, inout SeededRandom) -> Void
    var testDescription: String { "\(name) \(seed)" }
  }

  private static func several(
    _ name: String, _ count: Int,
    _ apply: @escaping @Sendable (Made, inout Data, inout SeededRandom) -> Void
  ) -> [Damage] {
    (1...count).map { seed in
      Damage(name: name, seed: seed) { made, main, _, random in apply(made, &main, &random) }
    }
  }

  private static func one(_ name: String, _ apply: @escaping @Sendable (Made, inout Data) -> Void) -> Damage {
    Damage(name: name) { made, main, _, _ in apply(made, &main) }
  }

  private static func log(_ name: String, _ apply: @escaping @Sendable (inout Data) -> Void) -> Damage {
    Damage(name: name) { _, _, log, _ in apply(&log) }
  }

  private static let damages: [Damage] =
    several("flipped bytes", 5) { made, main, random in
      let page = Int.random(in: 1..<made.pages, using: &random)
      for _ in 0..<20 {
        main[page * made.size + Int.random(in: 0..<made.size, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
    }
    + several("zeroed page", 3) { made, main, random in
      main.zero(Int.random(in: 1..<made.pages, using: &random) * made.size, made.size)
    }
    + several("swapped pages", 2) { made, main, random in
      let first = Int.random(in: 1..<made.pages, using: &random) * made.size
      let second = Int.random(in: 1..<made.pages, using: &random) * made.size
      let bytes = main.subdata(in: first..<first + made.size)
      main.replaceSubrange(first..<first + made.size, with: main.subdata(in: second..<second + made.size))
      main.replaceSubrange(second..<second + made.size, with: bytes)
    }
    + several("fewer cells", 2) { made, main, random in
      let page = Int.random(in: 1..<made.pages, using: &random) * made.size
      main[page + 4] = main[page + 4] / 2
    }
    + [
      one("cut in the middle") { made, main in main = main.prefix(made.pages / 2 * made.size) },
      one("cut by a page") { made, main in main = main.prefix(main.count - made.size) },
      one("cut within a page") { _, main in main = main.prefix(main.count - 1000) },
      one("no first bytes") { _, main in main.zero(0, 16) },
      one("no header") { _, main in main.zero(0, 100) },
      one("wrong page size") { _, main in main[16] = 0x20 },
      one("no schema") { made, main in main.zero(100, made.size - 100) },
      one("free pages that are used") { made, main in
        main.put(4, made.root("message"))
        main.put(32, 4)
        main.put(36, 1)
      },
      one("a list of free pages in a circle") { _, main in
        main.put(32, 5)
        main.put(36, 9)
      },
      one("a text in a circle") { made, main in main.put((made.chain[2] - 1) * made.size, made.chain[1]) },
      one("a text that ends early") { made, main in main.put((made.chain[3] - 1) * made.size, 0) },
      one("no root of the messages") { made, main in
        main.zero((made.root("message") - 1) * made.size, made.size)
      },
      one("no root of the texts") { made, main in main.zero((made.root("detail") - 1) * made.size, 8) },
      one("a tree in a circle") { made, main in
        let page = (made.root("detail") - 1) * made.size
        let count = Int(main[page + 3]) << 8 | Int(main[page + 4])
        for cell in 0..<count {
          let place = Int(main[page + 12 + cell * 2]) << 8 | Int(main[page + 13 + cell * 2])
          main.put(page + place, made.root("detail"))
        }
      },
      one("all children the same") { made, main in
        let page = (made.root("detail") - 1) * made.size
        let last = main.subdata(in: page + 8..<page + 12)
        let count = Int(main[page + 3]) << 8 | Int(main[page + 4])
        for cell in 0..<count {
          let place = Int(main[page + 12 + cell * 2]) << 8 | Int(main[page + 13 + cell * 2])
          main.replaceSubrange(page + place..<page + place + 4, with: last)
        }
      },
      one("no root of an index") { made, main in
        main.zero((made.root("listed") - 1) * made.size, made.size)
      },
      one("another index") { made, main in main[(made.root("source_listed") - 1) * made.size] = 13 },
      one("no text index") { made, main in
        main.zero((made.root("search_data") - 1) * made.size, made.size)
      },
      log("a flipped byte in the log") { log in log[32 + 24 + 100] ^= 0x55 },
      log("a flipped header of a frame") { log in log[32 + 4120 + 17] ^= 0x55 },
      log("no header of the log") { log in log.zero(0, 32) },
      log("a cut log") { log in log = log.prefix(log.count - 2000) },
    ]

  /// The rows whose ids SQLite reads before it fails, and those that the pages contain.
  private struct Readable {
    var tree: [String: Set<Int64>] = [:]
    var pages: [String: Set<Int64>] = [:]
    var titles: [Int64: String] = [:]

    static let tables = ["message": "id", "detail": "message_id", "status": "message_id", "source": "id"]

    init(_ main: Data, _ log: Data) throws {
      let directory = try Directory()
      try main.write(to: URL(fileURLWithPath: directory.database))
      try log.write(to: URL(fileURLWithPath: directory.database + "-wal"))
      if let pages = try? Store.pages(of: directory.database, aCopyOf: "").pages {
        let roots = pages.roots()
        for table in Self.tables.keys {
          guard let root = roots[table] else { continue }
          var seen: Set<Int> = []
          pages.forEachRow(below: root, seen: &seen) { row in
            self.pages[table, default: []].insert(row.rowid)
            if table == "message", case .text(let title)? = row.values.last { titles[row.rowid] = title }
            return true
          }
        }
      }
      var configuration = Configuration()
      configuration.readonly = true
      guard let queue = try? DatabaseQueue(path: directory.database, configuration: configuration) else {
        return
      }
      for (table, key) in Self.tables {
        // The number is limited, because a damaged tree may be endless.
        try? queue.unsafeRead { db in
          let query = try db.prepared("SELECT \(key) FROM \(table) NOT INDEXED LIMIT 3000")
          try query.forEach { tree[table, default: []].insert(query.int(0)) }
        }
      }
      try queue.close()
    }
  }

  @Test(arguments: damages) func nothingThatCanBeReadIsLost(damage: Damage) throws {
    let made = try Self.made.get()
    let path = directory.database
    var (main, log) = (made.main, made.log)
    var random = SeededRandom(seed: damage.seed)
    damage.apply(made, &main, &log, &random)
    try main.write(to: URL(fileURLWithPath: path))
    try log.write(to: URL(fileURLWithPath: path + "-wal"))
    let before = try Readable(main, log)

    let found = try StoredPages(path: path).look().damage
    #expect(try bytes(path) == main && bytes(path + "-wal") == log)
    guard found != nil else { return try expectRepairOfDerived(path, before, damage) }

    var repair: StoredPages.Repair?
    do throws(StoreFailure) {
      repair = try StoredPages(path: path).repair(at: noon)
    } catch {
      guard case .corrupt = error else { throw error }
    }
    if let repair { #expect(try bytes(repair.copy) == main && bytes(repair.copy + "-wal") == log) }
    if let repair, repair.missing.isEmpty {
      let after = try Readable(bytes(path), Data())
      for table in Readable.tables.keys {
        let lost = (before.tree[table] ?? []).union(before.pages[table] ?? []).subtracting(
          after.tree[table] ?? [])
        #expect(lost.isEmpty, "\(damage.testDescription): \(table)")
      }
      #expect(try StoredPages(path: path).look().damage == nil)
      let store = try Store(path: path, now: noon)
      #expect(try store.check.compareAll() == [])
      try store.close()
      return
    }
    #expect(try bytes(path) == main && bytes(path + "-wal") == log)
    let file = directory.path + "/saved.sqlite"
    do throws(StoreFailure) {
      _ = try Store.salvage(path, into: file, now: noon)
    } catch {
      guard case .corrupt = error else { throw error }
      #expect(before.pages.isEmpty && before.tree.isEmpty)
      return
    }
    let saved = try Readable(bytes(file), Data())
    let whole = (before.pages["message"] ?? []).intersection(before.pages["detail"] ?? []).intersection(
      before.pages["status"] ?? [])
    #expect(whole.subtracting(saved.tree["message"] ?? []).isEmpty, "\(damage.testDescription)")
    #expect(whole.allSatisfy { saved.titles[$0] == before.titles[$0] }, "\(damage.testDescription)")
  }

  /// Derived data on sound pages is repaired in place, if it is inconsistent.
  private func expectRepairOfDerived(_ path: String, _ before: Readable, _ damage: Damage) throws {
    let store = try Store(path: path, now: noon)
    for part in CheckPart.allCases {
      do throws(StoreFailure) {
        if try !store.check.compare(part).isEmpty { try store.check.repair(part, at: noon) }
      } catch {
        guard case .corrupt = error else { throw error }
      }
    }
    try store.close()
    let after = try Readable(bytes(path), Data())
    for table in Readable.tables.keys {
      #expect(
        (before.tree[table] ?? []).subtracting(after.tree[table] ?? []).isEmpty,
        "\(damage.testDescription): \(table)")
    }
  }

  private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  @Test func aWholeFileIsRebuiltAsItIs() throws {
    let made = try Self.made.get()
    let path = directory.database
    try made.main.write(to: URL(fileURLWithPath: path))
    try made.log.write(to: URL(fileURLWithPath: path + "-wal"))
    #expect(try StoredPages(path: path).look().damage == nil)
    let repair = try StoredPages(path: path).repair(at: noon)
    #expect(repair.missing.isEmpty)
    let store = try Store(path: path, now: noon)
    #expect(try store.snapshot().total == 1540)
    #expect(try store.check.compareAll() == [])
    #expect(try store.check.compareSearchIndex() == [])
  }

  @Test func othersAreShutOutMeanwhile() throws {
    let path = directory.database
    let store = try Store(path: path, now: noon)
    #expect(throws: StoreFailure.inUse(path: path)) {
      try StoredPages(path: path).repair(at: noon, patience: 0)
    }
    try store.close()
    let lock = try #require(try UseLock(alone: DatabaseFile(path: path).useLock, within: 0))
    #expect(throws: StoreFailure.repairing(path: path)) { try Store(path: path, now: noon) }
    lock.release()
    try Store(path: path, now: noon).close()
  }
}

extension Data {
  fileprivate mutating func zero(_ start: Int, _ count: Int) {
    replaceSubrange(start..<start + count, with: Data(count: count))
  }

  /// Writes a number of four bytes, as in the format.
  fileprivate mutating func put(_ place: Int, _ number: Int) {
    for (offset, shift) in [24, 16, 8, 0].enumerated() {
      self[place + offset] = UInt8(truncatingIfNeeded: number >> shift)
    }
  }
}
