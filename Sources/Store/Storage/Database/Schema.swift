import GRDB
import Messages

/// The schema and its versions. A migration is frozen: a change is a new one. Migrations call no live code.
enum Schema {
  /// In the file's header (PRAGMA application_id): "rdot".
  static let applicationID: Int32 = 0x7264_6F74

  /// In the file's header (PRAGMA user_version): 100 and more. Numbers below are those of the databases before the first
  /// version, of which `earlier` are taken over.
  static let version = first + migrations.count

  private static let first = 100

  /// Databases before the first version that are taken over; older ones are for a program in between.
  static let earlier = 22...23

  /// Whether a database of that version can be opened, in several steps where it is older.
  static func canBeBroughtUpToDate(_ found: Int) -> Bool {
    earlier.contains(found) || (first...version).contains(found)
  }

  struct Migration: Sendable {
    /// What it does, for whoever reads the code.
    var name: String
    var apply: @Sendable (Database) throws -> Void
  }

  /// Each makes the next version.
  static let migrations = [
    Migration(name: "the unread are counted by what writes that mark", apply: countsByTheWriter),
    Migration(
      name: "which sources repeat their ids, and when each last had content", apply: remembersRepeatedIDs),
    Migration(name: "why the push channel of a source can't be opened", apply: remembersStreamFailures),
    Migration(name: "search in scripts without spaces, and without accents in all", apply: indexesAllScripts),
    Migration(name: "reminders that are still to come are snoozed until then", apply: snoozesReminders),
    Migration(name: "several machines have one inbox", apply: synchronises),
    Migration(name: "the messages of a pane are found by it", apply: findsPanes),
    Migration(name: "entries of feeds are known by their facts", apply: knowsEntriesByFacts),
    Migration(name: "a message that is open again becomes as it was", apply: remembersEndings),
    Migration(name: "the clock is compared with what servers said", apply: remembersServerTimes),
    Migration(name: "notices that are to be sent are found by their index", apply: findsNoticesToSend),
    Migration(name: "hidden messages are counted as they are listed", apply: countsHiddenAsListed),
    Migration(name: "repeated notifications and banners have a time, and days a count", apply: boundsGrowth),
    Migration(name: "objects of machines are known by their names", apply: knowsObjects),
    Migration(name: "an undo knows whose marks it gives back", apply: remembersFormerActs),
    Migration(name: "machines that keep a source in their settings are known", apply: knowsWrittenSources),
    Migration(name: "the journal has all edits of the settings, without secrets", apply: remembersEdits),
    Migration(name: "kana are found in each of their spellings", apply: indexesKana),
    Migration(name: "edits of the settings are found by an index", apply: findsEdits),
  ]

  /// Brings a database up to date, each step in a transaction of its own.
  ///
  /// - Parameters:
  ///   - installed: when reddot first started on this database, if that is now.
  ///   - last: the version that it ends with.
  static func bringUpToDate(
    _ db: Database, path: String, installed: Milliseconds, through last: Int = version
  ) throws {
    var found = Int(try db.integer("PRAGMA user_version") ?? 0)
    func step(to version: Int, _ body: (Database) throws -> Void) throws {
      try db.inTransaction("BEGIN IMMEDIATE") { db in
        // Another process may have been first.
        guard Int(try db.integer("PRAGMA user_version") ?? 0) == found else { return }
        try body(db)
        try db.execute(sql: "PRAGMA user_version = \(version)")
      }
      found = Int(try db.integer("PRAGMA user_version") ?? 0)
    }
    if found == 0 {
      try step(to: first) { db in
        try db.execute(sql: tables)
        try db.execute(sql: triggers)
        try db.prepared("INSERT INTO store (id, installed, clock) VALUES (1, ?1, ?1)").run(installed)
      }
    } else if earlier.contains(found) {
      try step(to: first) { db in try TakeOver(db).run() }
    } else if found < first {
      throw StoreFailure.olderVersion(path: path, found: found)
    }
    while found < last {
      let migration = migrations[found - first]
      try step(to: found + 1, migration.apply)
    }
  }

  /// Makes an empty database of an older version, for the rows that another one of that version has.
  ///
  /// - Parameter version: one that can be brought up to date.
  static func make(_ version: Int, in db: Database) throws {
    guard earlier.contains(version) else {
      return try bringUpToDate(db, path: "", installed: 0, through: version)
    }
    try db.inTransaction("BEGIN IMMEDIATE") { db in
      try db.execute(sql: earlierTables(of: version))
      try db.execute(sql: "PRAGMA user_version = \(version)")
    }
  }
}
