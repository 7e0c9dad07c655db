package import Foundation
import GRDB
import Messages

/// The result of a recovery of data from a damaged database.
package struct Salvage: Hashable, Sendable {
  package var messages = 0
  /// The number of messages that lost a part: their title, their text or their marks.
  package var partial = 0
  /// The number of rows that were left out, since another row of their message, for example that with its
  /// source, could not be recovered.
  package var lost = 0
  /// The reason why the last changes, which are in the database's log, are not included, or `nil` if they are.
  package var logFailure: String?
}

extension Store {
  /// Writes the rows on a damaged database's intact pages into a new database. The damaged file stays
  /// unchanged.
  ///
  /// - Parameters:
  ///   - path: the path of the damaged database.
  ///   - file: the path of the new database, which must not exist.
  package static func salvage(_ path: String, into file: String, now: Date) throws(StoreFailure) -> Salvage {
    guard access(file, F_OK) != 0 else {
      throw .cannotOpen(
        path: file, reason: "the file already exists; give the new database another name")
    }
    // A file with the requested name is always complete.
    let unfinished = file + ".unfinished"
    do {
      let folder = try TemporaryFolder("reddot-salvage").path
      defer {
        do {
          try FileManager.default.removeItem(atPath: folder)
        } catch {
          // The copy is in the system's folder for temporary files, which the system clears.
        }
      }
      // Other processes may write to the file meanwhile.
      let copy = folder + "/copy"
      for suffix in ["-wal", ""] where access(path + suffix, F_OK) == 0 || suffix.isEmpty {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
      }
      let (pages, isLogDamaged) = try pages(of: copy, aCopyOf: path)
      try removeDatabase(unfinished)
      var salvage = try rebuild(pages, into: unfinished, now: now).salvage
      if isLogDamaged { salvage.logFailure = "a part of it is damaged" }
      try FileManager.default.moveItem(atPath: unfinished, toPath: file)
      try removeDatabase(unfinished)
      return salvage
    } catch {
      // A file that cannot be removed is removed by the next salvage.
      try? removeDatabase(unfinished)
      throw StoreFailure(error, path: path)
    }
  }

  /// Removes a database that never got its final name, with its log and its locks.
  static func removeDatabase(_ path: String) throws {
    for file in ["", "-wal", "-shm", ".locks"].map({ path + $0 })
    where FileManager.default.fileExists(atPath: file) { try FileManager.default.removeItem(atPath: file) }
  }

  /// Returns the pages of a copied database that no other process writes to, and whether its log is damaged.
  /// Newer pages in the log replace those of the file.
  ///
  /// - Parameter path: the path of the original database, for errors.
  static func pages(of file: String, aCopyOf path: String) throws -> (
    pages: DatabasePages, isLogDamaged: Bool
  ) {
    func bytes(_ path: String) throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    }
    let main = try bytes(file)
    let log = access(file + "-wal", F_OK) == 0 ? LogFrames(try bytes(file + "-wal"), pageSize: 4096) : nil
    guard let pages = DatabasePages.reading(main, log: log) else {
      throw StoreFailure.corrupt(path: path, reason: "its first page is not that of an SQLite database")
    }
    return (pages, log?.isDamaged ?? false)
  }

  /// Creates a database at `file` with the rows on the given pages, and derives the other tables from them.
  static func rebuild(
    _ pages: DatabasePages, into file: String, now: Date
  ) throws -> (salvage: Salvage, missing: [String]) {
    var rows = SalvagedRows(pages)
    // Rows of an earlier version match that version's tables, which are then updated.
    if let version = pages.schemaVersion, Schema.canBeBroughtUpToDate(version), version != Schema.version {
      try DatabaseFile(path: file).make(version) { db in try rows.write(db) }
    }
    let store = try Store(path: file, now: now)
    let result = try store.write { db in
      if !rows.areWritten { try rows.write(db) }
      let salvage = try rows.complete(db)
      return (salvage, rows.missing)
    }
    let check = StoreCheck(store: store, isAlone: true)
    for part in CheckPart.allCases where part != .file { try check.repair(part, at: now) }
    try store.close()
    return result
  }
}

/// Copies rows from a damaged database into a new one, except those of derived tables.
private struct SalvagedRows {
  private let pages: DatabasePages
  private let roots: [String: Int]
  /// Descriptions of the parts that the new database lacks, or in which placeholders replace lost values.
  private(set) var missing: [String] = []
  private(set) var areWritten = false
  private var seen: Set<Int> = []

  /// The tables that are not copied: those derived from others, and those no longer needed.
  private static let left: Set<String> = [
    "tally", "duplicate_tally", "copy_tally", "hidden_tally", "duplicate_pending", "copy_pending", "facet",
    "facet_name", "list_member", "list_pending", "list_due", "list_moment", "list_scan", "entry_key",
    "sqlite_sequence", "notification_shown", "shown_notice", "notification", "telling",
    "notification_again",
  ]

  init(_ pages: DatabasePages) {
    self.pages = pages
    roots = pages.roots()
  }

  /// Inserts the rows into `db`, whose tables have the same version as the damaged database.
  mutating func write(_ db: Database) throws {
    areWritten = true
    var tables: [String] = []
    let query = try db.prepared(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    try query.forEach { tables.append(query.text(0)) }
    let kept = Set(tables.filter { !Self.left.contains($0) && !$0.hasPrefix("search") })
    for (table, root) in roots.sorted(by: { $0.value < $1.value }) {
      let isWanted = kept.contains(table)
      let insertion = isWanted ? try CopiedRows(table, db) : nil
      var refused = 0
      let isWhole = try pages.forEachRow(below: root, seen: &seen) { row in
        // The name or root of a table may be damaged. Pages of messages belong to no other table.
        guard let insertion else { return !row.isLikeAMessage }
        guard try insertion.insert(row) else { return false }
        if db.changesCount == 0 { refused += 1 }
        return true
      }
      if isWanted, !isWhole || refused > 0 { missing.append("rows of the table \(table)") }
    }
    for table in kept.subtracting(roots.keys).sorted() { missing.append("the table \(table)") }
    // These are pages of the largest tables if the path to them is damaged. Their number of columns shows the table. If
    // the path is intact, such pages contain only deleted rows. A damaged page may look intact and lead to fewer rows;
    // then one of the three tables has fewer.
    let names = ["message", "detail", "status"]
    let counts = try names.map { try db.integer("SELECT count(*) FROM \($0)") }
    if !missing.isEmpty || Set(counts).count > 1 {
      let largest = try names.map { try CopiedRows($0, db) }
      try pages.forEachOrphan(besides: seen) { row in
        guard row.isLikeAMessage else { return }
        _ = try largest.first { $0.canHave(row) }?.insert(row)
      }
    }
    try continueNumbers(db)
  }

  /// Makes AUTOINCREMENT columns continue after the last numbers of the damaged database, so that the numbers
  /// of deleted rows are never used again.
  private mutating func continueNumbers(_ db: Database) throws {
    guard let root = roots["sqlite_sequence"] else { return }
    let raise = try db.prepared(
      "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1 RETURNING 1")
    let begin = try db.prepared("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)")
    var numbers: [(table: String, last: Int64)] = []
    let isWhole = pages.forEachRow(below: root, seen: &seen) { row in
      guard row.values.count == 2, case .text(let table) = row.values[0],
        case .integer(let last) = row.values[1], last >= 0, last < 1 << 50
      else { return false }
      numbers.append((table, last))
      return true
    }
    if !isWhole { missing.append("the last numbers of its tables") }
    for (table, last) in numbers {
      try raise.bind(1, table)
      raise.bind(2, last)
      if try raise.first({ true }) != nil { continue }
      try begin.bind(1, table)
      begin.bind(2, last)
      try begin.run()
    }
  }

  /// Restores lost parts of messages from their other parts or with placeholders, and deletes messages that
  /// stay incomplete.
  mutating func complete(_ db: Database) throws -> Salvage {
    var salvage = Salvage()
    func run(_ sql: String) throws -> Int {
      try db.prepared(sql).run()
      return db.changesCount
    }
    // A row from a damaged page may still look valid.
    for (table, column, value) in [
      ("detail", "extras", "NULL"), ("detail", "tags", "NULL"), ("source", "options", "'{}'"),
      ("source", "channels", "'[]'"), ("source", "type_names", "'{}'"),
    ] {
      let lost = try run(
        "UPDATE \(table) SET \(column) = \(value) WHERE \(column) IS NOT NULL AND NOT json_valid(\(column))")
      if lost > 0 { missing.append("\(lost) values of \(table).\(column)") }
    }
    // Without its source, it is unknown where a message belongs.
    salvage.partial += try run(
      """
      INSERT OR IGNORE INTO status (message_id, source_id, rank, sort_time, priority, is_followed, is_shown, is_dismissable)
      SELECT i.message_id, i.source_id, 0, coalesce(m.received, (SELECT clock FROM store)), 3, 1, 1, 1
      FROM identity i LEFT JOIN message m ON m.id = i.message_id
      WHERE i.message_id > 0 AND NOT EXISTS (SELECT 1 FROM status t WHERE t.message_id = i.message_id)
        AND (m.id IS NOT NULL OR EXISTS (SELECT 1 FROM detail d WHERE d.message_id = i.message_id))
      """)
    salvage.partial += try run(
      """
      INSERT OR IGNORE INTO message (id, kind, received, title)
      SELECT t.message_id, 'feed', t.sort_time, '(the title was lost)' FROM status t
      WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.id = t.message_id)
        AND EXISTS (SELECT 1 FROM detail d WHERE d.message_id = t.message_id)
      """)
    // `identity` has no index of its numbers, so it is read once.
    for rows in [
      """
      SELECT m.id, i.remote_id, '(the text was lost)' FROM identity i CROSS JOIN message m ON m.id = i.message_id
        CROSS JOIN status t ON t.message_id = m.id AND t.source_id = i.source_id
      """,
      """
      SELECT m.id, 'salvaged-' || m.id, '(the text was lost)' FROM message m
        CROSS JOIN status t ON t.message_id = m.id
      """,
    ] {
      salvage.partial += try run(
        """
        INSERT OR IGNORE INTO detail (message_id, remote_id, body)
        \(rows) WHERE NOT EXISTS (SELECT 1 FROM detail d WHERE d.message_id = m.id)
        """)
    }
    let unnamed = try run(
      """
      INSERT OR IGNORE INTO source (id, name, kind, address, position, initial_delay, interval, grace, request_timeout,
        poll_deadline, response_limit, is_unread_on_change, channels, type_names)
      SELECT DISTINCT source_id, 'salvaged ' || source_id, 'local', '', source_id + \(RegisteredSources.firstUnnamedPlace),
        0, 0, 0, 0, 0, 0, 0, '[]', '{}' FROM status
      """)
    if unnamed > 0 { missing.append("\(unnamed) sources") }
    let unpolled = try run("INSERT OR IGNORE INTO polling (source_id) SELECT id FROM source")
    if unpolled > 0 { missing.append("how \(unpolled) sources were polled") }
    for table in ["message", "status", "detail"] {
      let key = table == "message" ? "id" : "message_id"
      salvage.lost += try run(
        """
        DELETE FROM \(table) WHERE \(key) NOT IN (
          SELECT m.id FROM message m JOIN status t ON t.message_id = m.id JOIN detail d ON d.message_id = m.id)
        """)
    }
    _ = try run(
      "UPDATE store SET last_message = max(last_message, coalesce((SELECT max(id) FROM message), 0))")
    // The facts of all messages are derived again when they are needed.
    _ = try run("UPDATE store SET facts_from = last_message + 1")
    _ = try run("UPDATE polling SET has_facts = 0")
    if salvage.partial > 0 { missing.append("parts of messages in \(salvage.partial) places") }
    if salvage.lost > 0 { missing.append("the messages of \(salvage.lost) rows") }
    salvage.messages = Int(try db.integer("SELECT count(*) FROM message") ?? 0)
    return salvage
  }
}

extension DatabasePages.Row {
  /// Whether its values have the types of a row of `message`, `detail` or `status`.
  fileprivate var isLikeAMessage: Bool {
    guard values.count >= 4, values[0] == .null else { return false }
    return switch (values[1], values[2], values[3]) {
    case (.text, .integer, .text): values.count == 4
    case (.text, .text, .text), (.text, .text, .null): (11...13).contains(values.count)
    case (.integer, .integer, .integer): values.count >= 20
    default: false
    }
  }
}
