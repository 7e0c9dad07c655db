import Basics
import Foundation
import GRDB
import Messages

/// A backup, or a copy of a database, from an untrusted source.
///
/// It is only read. No program of its schema runs, and only rows of tables that reddot knows are read from it.
struct OutsideDatabase {
  private let path: String
  private let connections: Connections
  private let version: Int
  /// The names of the tables whose rows are copied, sorted so that rows follow those they refer to.
  private let tables: [String]

  /// The file type bits of a regular file in the `mode` column of an SQLite Archive (stat(2)).
  static let regular: Int64 = 0o100000

  /// The tables that are derived from others; their rows are created again.
  private static let derived: Set<String> = [
    "tally", "duplicate_tally", "copy_tally", "hidden_tally", "duplicate_pending", "copy_pending", "facet",
    "facet_name", "link_key", "list_member", "list_pending", "list_due", "list_moment", "list_scan",
  ]

  /// The columns with ids, which must not be greater than `largest`.
  private static let ids: Set<String> = [
    "id", "message_id", "source_id", "original_id", "first_id", "shown_id", "notice_id",
  ]

  /// The greatest id or number, and the latest instant, that reddot writes.
  private static let largest: Int64 = 1 << 53

  /// Opens and checks the database.
  init(_ path: String) throws {
    self.path = path
    var status = stat()
    guard stat(path, &status) == 0 else { throw DatabaseFile.failureToOpen(path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreFailure.badBackup(path: path, reason: "it is not a regular file")
    }
    do {
      connections = try Connections(outside: URL(fileURLWithPath: path).path)
      version = try connections.read { db in try Self.version(db, path) }
      let ours = try SchemaEntry.made(version)
      tables = Self.copied(ours)
      try connections.read { [tables] db in
        try Self.refusePrograms(db, path, ours)
        let check = try db.prepared("PRAGMA quick_check(1)")
        guard try check.first({ check.text(0) }) == "ok" else {
          throw StoreFailure.badBackup(path: path, reason: "its pages are damaged")
        }
        for table in tables + ["sqlite_sequence"] where try Self.columns(of: table, db).isEmpty {
          throw StoreFailure.badBackup(path: path, reason: "the table \"\(table)\" is missing in it")
        }
      }
    } catch {
      throw Self.failure(error, path)
    }
  }

  func close() throws { try connections.close() }

  /// Returns the failure with the backup's path. Damage and unexpected errors of SQLite become `badBackup`.
  private static func failure(_ error: any Error, _ path: String) -> StoreFailure {
    let failure = StoreFailure(error, path: path)
    switch failure {
    case .corrupt(path, let reason): return .badBackup(path: path, reason: reason)
    case .unexpected(path, let reason): return .badBackup(path: path, reason: reason)
    default: return failure
    }
  }

  // MARK: - Judging

  private static func version(_ db: Database, _ path: String) throws -> Int {
    guard try db.integer("PRAGMA application_id") == Int64(Schema.applicationID) else {
      throw StoreFailure.badBackup(path: path, reason: "reddot did not write it")
    }
    let version = Int(try db.integer("PRAGMA user_version") ?? 0)
    try DatabaseFile.refuseNewer(version, path: path)
    guard Schema.canBeBroughtUpToDate(version) else {
      throw StoreFailure.olderVersion(path: path, found: version)
    }
    return version
  }

  /// Returns the names of the tables whose rows are copied, in the order of copying.
  ///
  /// - Parameter ours: the schema of the same version as this program creates it.
  private static func copied(_ ours: [SchemaEntry]) -> [String] {
    var names = ours.filter { $0.type == "table" && $0.isPlain }.map(\.name)
    // This removes the tables of the search index too.
    names.removeAll {
      $0.hasPrefix("sqlite_") || $0.hasPrefix("search") || derived.contains($0)
    }
    // Other tables refer to sources. Saved lists are last, since each new message would otherwise be tested for them.
    let (first, last) = ("source", "saved_list")
    return [first] + names.filter { $0 != first && $0 != last } + [last]
  }

  /// Rejects views, triggers and virtual tables, which run code, unless this version of the database has the
  /// same ones.
  private static func refusePrograms(_ db: Database, _ path: String, _ ours: [SchemaEntry]) throws {
    let known = Set(ours)
    for entry in try SchemaEntry.all(db) where !entry.isPlain && !known.contains(entry) {
      throw StoreFailure.badBackup(
        path: path, reason: "it contains \(entry.words), which reddot never writes")
    }
  }

  /// Returns the names of a table's stored columns, without computed ones.
  private static func columns(of table: String, _ db: Database) throws -> Set<String> {
    var names: Set<String> = []
    let query = try db.prepared("SELECT name FROM pragma_table_info('\(table)')")
    try query.forEach { names.insert(query.text(0)) }
    return names
  }

  // MARK: - Files

  /// Returns the files of a backup after checking each. A plain copy of a database has none.
  func files() throws -> [BackupFile] {
    do {
      return try connections.read(files)
    } catch {
      throw Self.failure(error, path)
    }
  }

  private func files(_ db: Database) throws -> [BackupFile] {
    guard try !Self.columns(of: "sqlar", db).isEmpty else { return [] }
    let count = try db.integer("SELECT count(*) FROM sqlar") ?? 0
    let size = try db.integer("SELECT sum(length(data)) FROM sqlar") ?? 0
    guard count <= Limits.backupFiles, size <= Limits.backupBytes else {
      throw bad(
        "it contains \(count) files of \(size >> 20) MiB, and may contain \(Limits.backupFiles) of "
          + "\(Limits.backupBytes >> 20) MiB")
    }
    var files: [BackupFile] = []
    var names: Set<String> = []
    let query = try db.prepared(
      "SELECT CAST(name AS TEXT), CAST(mode AS INT), CAST(sz AS INT), CAST(data AS BLOB) FROM sqlar ORDER BY rowid"
    )
    try query.forEach {
      let name = query.text(0)
      let mode = query.int(1)
      guard BackupFile.isSafe(name) else { throw bad("a file in it has the invalid name \"\(name)\"") }
      guard names.insert(name).inserted else { throw bad("two files in it have the name \"\(name)\"") }
      guard mode & Int64(S_IFMT) == Self.regular else {
        throw bad("\"\(name)\" in it is not a regular file, but a link, a folder or a device")
      }
      let bytes = Data(query.blob(3))
      guard Int64(bytes.count) == query.int(2) else { throw bad("\"\(name)\" in it is compressed") }
      files.append(BackupFile(name: name, mode: Int(mode & 0o777), bytes: bytes))
    }
    return files
  }

  private func bad(_ reason: String) -> StoreFailure { .badBackup(path: path, reason: reason) }

  // MARK: - Rows

  /// Creates a new database of the same version, and copies all rows into it that are not derived.
  ///
  /// - Parameter file: an empty file.
  func copyRows(into file: String) throws {
    let new = try Connections(file: file, pageLimit: nil)
    try new.write { db in
      // A copy that a power failure interrupts is created again.
      try new.setSynchronous(Store.Durability.process.pragma, db)
      try db.setCache(forLargeWrites: true)
      try Schema.make(version, in: db)
    }
    for table in tables {
      try new.write { db in
        try db.inTransaction("BEGIN IMMEDIATE") { db in try copy(table, into: db, of: file) }
      }
    }
    try new.write { db in try copySequences(into: db, of: file) }
    try new.close()
  }

  private func copy(_ table: String, into db: Database, of file: String) throws {
    let rows = try CopiedRows(table, db)
    let names = rows.columns.map(\.name)
    let numbers = names.indices.filter { table == "store" || Self.ids.contains(names[$0]) }
    var count = 0
    try read { own in
      let missing = Set(names).subtracting(try Self.columns(of: table, own))
      if let column = missing.sorted().first {
        throw bad("the column \"\(column)\" of the table \"\(table)\" is missing in it")
      }
      // An index may differ from its table.
      let query = try own.prepared("SELECT \(names.joined(separator: ", ")) FROM \(table) NOT INDEXED")
      try query.forEach {
        let values = names.indices.map { query.value(Int32($0)) }
        for index in numbers {
          if case .integer(let number) = values[index], number.magnitude > Self.largest.magnitude {
            throw bad("\(names[index]) in the table \"\(table)\" is \(number), which reddot never writes")
          }
        }
        guard try insert(DatabasePages.Row(rowid: 0, values: values, pages: []), rows, db, of: file) else {
          throw bad("a row of the table \"\(table)\" in it does not fit the others")
        }
        count += 1
      }
    }
    if table == "store", count != 1 { throw bad("the table \"store\" in it has \(count) rows") }
  }

  /// Inserts a row, or returns `false` if the table rejects it.
  private func insert(
    _ row: DatabasePages.Row, _ rows: CopiedRows, _ db: Database, of file: String
  ) throws -> Bool {
    do {
      return try rows.insert(row) && db.changesCount > 0
    } catch {
      throw StoreFailure(error, path: file)
    }
  }

  /// Copies the last numbers of AUTOINCREMENT columns, so that a used number is never used again.
  private func copySequences(into db: Database, of file: String) throws {
    var last: [String: Int64] = [:]
    try read { own in
      let query = try own.prepared("SELECT name, seq FROM sqlite_sequence")
      try query.forEach { last[query.text(0)] = query.int(1) }
    }
    for (table, number) in last where tables.contains(table) {
      guard (0...Self.largest).contains(number) else {
        throw bad("the numbers of \"\(table)\" in it are used up")
      }
      let update = try db.prepared("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1")
      try update.bind(1, table)
      update.bind(2, number)
      try update.run()
      if db.changesCount > 0 { continue }
      let insertion = try db.prepared("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)")
      try insertion.bind(1, table)
      insertion.bind(2, number)
      try insertion.run()
    }
  }

  private func read(_ body: (Database) throws -> Void) throws {
    do {
      try connections.read(body)
    } catch {
      throw Self.failure(error, path)
    }
  }
}
