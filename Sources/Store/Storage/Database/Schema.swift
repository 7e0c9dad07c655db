import Basics
import GRDB
import Messages

/// The schema and its versions. A migration is frozen: each change is a new one. Migrations call no other code of the
/// program.
enum Schema {
  /// The program's id in the file's header (PRAGMA application_id): "rdot".
  static let applicationID: Int32 = 0x7264_6F74

  /// The number of this program's schema, which the file's header contains (PRAGMA user_version). It is 200
  /// or more; `EarlierSchema` has the versions before.
  static let version = first + migrations.count

  static let first = 200

  /// Whether a database of this version can be opened, in several steps if it is older.
  static func canBeBroughtUpToDate(_ found: Int) -> Bool {
    EarlierSchema.versions.contains(found) || (first...version).contains(found)
  }

  struct Migration: Sendable {
    /// A description for readers of the code.
    var name: String
    var apply: @Sendable (Database) throws -> Void
  }

  /// Creates the missing indexes of `tables`.
  static func makeIndexes(_ db: Database) throws {
    for statement in withoutComments(tables).split(onBytes: ";") {
      let sql = statement.drop { $0 == " " || $0 == "\n" }
      guard let kind = ["CREATE INDEX ", "CREATE UNIQUE INDEX "].first(where: sql.hasPrefix) else { continue }
      try db.execute(sql: "\(kind)IF NOT EXISTS \(sql.dropFirst(kind.count))")
    }
  }

  /// Returns SQL without its comments, which fill whole lines.
  static func withoutComments(_ sql: String) -> String {
    sql.split(onBytes: "\n").filter { line in !line.drop { $0 == " " }.hasPrefix("--") }.joined(
      separator: "\n")
  }

  /// The migrations; each creates the next version.
  static let migrations = [
    Migration(name: "each list stays as it was left", apply: keepsStatesOfLists), phone, again, questions,
    sharedQuestions,
  ]

  /// Adds a state to each list, which contains its order of messages. The order that the user chose before, for all
  /// lists, remains only that of the list of all messages.
  private static func keepsStatesOfLists(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE source ADD COLUMN list_state TEXT;
        ALTER TABLE saved_list ADD COLUMN list_state TEXT;
        INSERT INTO preference (name, value)
          SELECT 'list/all', 'order=' || value FROM preference WHERE name = 'list_order';
        DELETE FROM preference WHERE name = 'list_order';
        """)
  }

  /// Updates a database, with each step in its own transaction.
  ///
  /// - Parameters:
  ///   - installed: the time to store as that of reddot's first start, if the database is new.
  ///   - last: the version to reach.
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
    if found == 0, last < first {
      try step(to: EarlierSchema.versions.lowerBound) { db in
        try EarlierSchema.make(db, installed: installed)
      }
    } else if found == 0 {
      try step(to: first) { db in
        try db.execute(sql: tables + triggers)
        try db.prepared("INSERT INTO store (id, installed, clock) VALUES (1, ?1, ?1)").run(installed)
      }
    } else if !canBeBroughtUpToDate(found) {
      throw StoreFailure.olderVersion(path: path, found: found)
    }
    while found < min(last, EarlierSchema.versions.upperBound) {
      let migration = EarlierSchema.migrations[found - EarlierSchema.versions.lowerBound]
      try step(to: found + 1, migration.apply)
    }
    if found < first, last >= first { try step(to: first, EarlierSchema.end) }
    while found >= first, found < last {
      let migration = migrations[found - first]
      try step(to: found + 1, migration.apply)
    }
  }

  /// Creates the tables of a version in an empty database, into which rows of a database of that version are
  /// copied.
  ///
  /// - Parameter version: a version that can be updated.
  static func make(_ version: Int, in db: Database) throws {
    try bringUpToDate(db, path: "", installed: 0, through: version)
  }
}
