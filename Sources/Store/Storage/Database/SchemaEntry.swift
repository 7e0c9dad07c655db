import Basics
import GRDB

/// An entry of `sqlite_master`.
struct SchemaEntry: Hashable {
  var type: String
  var name: String
  var table: String
  /// The SQL statement that creates the object; empty for the indexes that SQLite creates for keys.
  var sql: String

  /// The kind of object that the statement creates. SQLite writes these beginnings itself, and uses only the statement,
  /// whatever the other columns contain.
  enum Kind: String, CaseIterable {
    case table = "CREATE TABLE "
    case index = "CREATE INDEX "
    case uniqueIndex = "CREATE UNIQUE INDEX "
    case trigger = "CREATE TRIGGER "
    case view = "CREATE VIEW "
    case virtualTable = "CREATE VIRTUAL TABLE "

    var word: String {
      switch self {
      case .table: "table"
      case .index, .uniqueIndex: "index"
      case .trigger: "trigger"
      case .view: "view"
      case .virtualTable: "virtual table"
      }
    }

    /// Whether it contains rows that are nowhere else.
    var hasRows: Bool { self == .table || self == .virtualTable }
  }

  var kind: Kind? { Kind.allCases.first { sql.hasPrefix($0.rawValue) } }

  /// Whether the entry is an ordinary table or an index. Triggers, views and virtual tables run code.
  var isPlain: Bool {
    switch kind {
    case .table, .index, .uniqueIndex: true
    case .trigger, .view, .virtualTable: false
    case nil: sql.isEmpty
    }
  }

  /// The entry as a part of a sentence: `the trigger "name"`.
  var words: String { "\(kind.map { "the \($0.word)" } ?? "something called") \"\(name)\"" }

  static func all(_ db: Database) throws -> [SchemaEntry] {
    var entries: [SchemaEntry] = []
    let query = try db.prepared("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master")
    try query.forEach {
      entries.append(
        SchemaEntry(type: query.text(0), name: query.text(1), table: query.text(2), sql: query.text(3)))
    }
    return entries
  }

  /// Returns the schema of a version as this program creates it.
  static func made(_ version: Int) throws -> [SchemaEntry] {
    let connections = try Connections(inMemory: ())
    let made = try connections.write { db in
      try Schema.make(version, in: db)
      return try all(db)
    }
    try connections.close()
    return made
  }

  /// Whether it creates the same object as another entry of the same name. After tables and columns were renamed,
  /// statements have other spaces, comments and quotation marks than in a new database.
  fileprivate func isSame(as other: SchemaEntry) -> Bool {
    func bare(_ sql: String) -> String {
      Schema.withoutComments(sql).filter { !$0.isWhitespace && $0 != "\"" }
    }
    let isRenamed = kind == other.kind && [.table, .index, .uniqueIndex].contains(kind)
    return self == other || isRenamed && bare(sql) == bare(other.sql)
  }
}

/// Compares the tables, indexes and triggers of a database with those that this program creates.
struct SchemaComparison {
  /// The entries that reddot never created.
  private(set) var foreign: [SchemaEntry] = []
  /// The entries of this version, in their correct form, that differ in the database.
  private(set) var changed: [SchemaEntry] = []
  private(set) var missing: [SchemaEntry] = []

  /// Compares a database of this version.
  init(_ db: Database) throws {
    let found = try Self.named(SchemaEntry.all(db))
    let ours = try Self.named(SchemaEntry.made(Schema.version))
    for (name, entry) in ours.sorted(by: { $0.key < $1.key }) {
      switch found[name] {
      case nil: missing.append(entry)
      case .some(let other): if !other.isSame(as: entry) { changed.append(entry) }
      }
    }
    foreign = found.filter { ours[$0.key] == nil }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the entries keyed by name and type, without those that SQLite creates and the table of a
  /// backup's files.
  private static func named(_ entries: [SchemaEntry]) -> [String: SchemaEntry] {
    var named: [String: SchemaEntry] = [:]
    for entry in entries where !entry.sql.isEmpty {
      if entry.kind == .table, entry.name.hasPrefix("sqlite_stat") || entry.sql == StoreBackups.fileTable {
        continue
      }
      // A trigger may have the name of a table.
      named["\(entry.name) \(entry.kind == .trigger)"] = entry
    }
    return named
  }

  /// The first missing table, without which nothing works, or `nil` if no table is missing.
  var missingTable: SchemaEntry? { missing.first { $0.kind?.hasRows == true } }

  var problems: [String] {
    func only(_ entry: SchemaEntry) -> String {
      entry.kind?.hasRows == true ? "; it may contain data, so a repair keeps it" : ""
    }
    return foreign.map { "\($0.words) exists, which reddot never creates\(only($0))" }
      + changed.map { "\($0.words) differs from what reddot creates\(only($0))" }
      + missing.map { "\($0.words) is missing" }
  }

  /// The SQL statements that repair the differences, in groups of which each can be repeated: it drops a
  /// wrong object, and creates the correct one if there is one. Tables are left out.
  var repairs: [[String]] {
    func drop(_ entry: SchemaEntry) -> String? {
      guard let kind = entry.kind, !kind.hasRows else { return nil }
      let name = entry.name.replacingBytes("\"", with: "\"\"")
      return "DROP \(kind.word.uppercased()) IF EXISTS \"\(name)\""
    }
    let order: [SchemaEntry.Kind] = [.trigger, .view, .index, .uniqueIndex]
    func ordered(_ entries: [SchemaEntry]) -> [SchemaEntry] {
      order.flatMap { kind in entries.filter { $0.kind == kind } }
    }
    return ordered(foreign).compactMap { entry in drop(entry).map { [$0] } }
      + (ordered(changed) + ordered(missing)).compactMap { entry in drop(entry).map { [$0, entry.sql] } }
  }
}
