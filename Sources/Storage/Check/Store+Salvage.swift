package import Foundation
import GRDB
import Messages

/// What was saved of a damaged database.
package struct Salvage: Hashable, Sendable {
  package var messages = 0
  /// Messages of which a part was lost: their title, their text or their marks.
  package var partial = 0
  /// Rows of messages whose source nobody knows any more.
  package var lost = 0
  /// Why what the database's log had, the last changes, is not among it.
  package var logFailure: String?
}

extension Store {
  /// Writes what the whole pages of a damaged database hold into a new one; the damaged file stays as it is.
  ///
  /// - Parameters:
  ///   - path: of the damaged database.
  ///   - file: of the new one, which must not be there yet.
  package static func salvage(_ path: String, into file: String, now: Date) throws(StoreFailure) -> Salvage {
    guard access(file, F_OK) != 0 else {
      throw .cannotOpen(
        path: file, reason: "there is a file already; the new database needs a name of its own")
    }
    // Under the wished name it is whole or not there.
    let unfinished = file + ".unfinished"
    func removeUnfinished() throws {
      for path in ["", "-wal", "-shm", ".locks"].map({ unfinished + $0 })
      where FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
    do {
      let (pages, logFailure) = try pages(of: path)
      try removeUnfinished()
      let store = try Store(path: unfinished, now: now)
      var salvage = try store.write { db in
        var rows = SalvagedRows(pages)
        return try rows.write(db)
      }
      salvage.logFailure = logFailure
      for part in CheckPart.allCases where part != .file { try store.check.repair(part, at: now) }
      try store.close()
      try FileManager.default.moveItem(atPath: unfinished, toPath: file)
      try removeUnfinished()
      return salvage
    } catch {
      // What cannot be removed is removed by the next salvage.
      try? removeUnfinished()
      throw StoreFailure(error, path: path)
    }
  }

  /// With what its log has, where SQLite can write that into a copy.
  private static func pages(of path: String) throws -> (pages: DatabasePages, logFailure: String?) {
    let folder = try TemporaryFolder("reddot-salvage").path
    let manager = FileManager.default
    defer {
      do {
        try manager.removeItem(atPath: folder)
      } catch {
        // In the system's folder for temporary files, which is cleared by the system.
      }
    }
    let copy = folder + "/copy"
    try manager.copyItem(atPath: path, toPath: copy)
    var logFailure: String?
    if manager.fileExists(atPath: path + "-wal") {
      try manager.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
      do {
        let queue = try DatabaseQueue(path: copy)
        try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        try queue.close()
      } catch {
        logFailure = (error as? DatabaseError)?.message ?? "\(error)"
      }
    }
    guard let pages = DatabasePages(try Data(contentsOf: URL(fileURLWithPath: copy), options: .alwaysMapped))
    else {
      throw StoreFailure.corrupt(path: path, reason: "its first page is not that of an SQLite database")
    }
    return (pages, logFailure)
  }
}

/// The rows of all tables that are not derived, from a damaged database into a new one.
private struct SalvagedRows {
  private let pages: DatabasePages
  private var roots: [String: Int] = [:]
  private var seen: Set<Int> = []

  /// Those that other tables are the source of, and what counts for nothing later.
  private static let left: Set<String> = [
    "tally", "copy_tally", "hidden_tally", "copy_pending", "facet", "facet_name", "list_member",
    "list_pending",
    "list_moment", "list_scan", "entry_facts", "entry_key", "sqlite_sequence", "shown_notice", "telling",
  ]

  init(_ pages: DatabasePages) {
    self.pages = pages
    var roots: [String: Int] = [:]
    pages.forEachRow(below: 1, seen: &seen) { row in
      guard row.values.count == 5, case .text("table") = row.values[0], case .text(let name) = row.values[1],
        case .integer(let root) = row.values[3]
      else { return false }
      roots[name] = Int(clamping: root)
      return true
    }
    self.roots = roots
  }

  mutating func write(_ db: Database) throws -> Salvage {
    var tables: [String] = []
    let query = try db.prepared(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    try query.forEach { tables.append(query.text(0)) }
    for (table, root) in roots.sorted(by: { $0.value < $1.value }) {
      let isWanted = tables.contains(table) && !Self.left.contains(table) && !table.hasPrefix("search")
      let insertion = isWanted ? try CopiedRows(table, db) : nil
      try pages.forEachRow(below: root, seen: &seen) { row in try insertion?.insert(row) ?? true }
    }
    // Pages of the largest tables whose way there is damaged: their numbers of columns tell which they are.
    let largest = try ["message", "detail", "status"].map { try CopiedRows($0, db) }
    try pages.forEachOrphan(besides: seen) { row in
      guard row.isLikeAMessage else { return }
      _ = try largest.first { $0.canHave(row) }?.insert(row)
    }
    return try complete(db)
  }

  /// Gives a message what was lost of it, as far as the rest tells.
  private func complete(_ db: Database) throws -> Salvage {
    var salvage = Salvage()
    func run(_ sql: String) throws -> Int {
      try db.prepared(sql).run()
      return db.changesCount
    }
    // Of a damaged page a row may still look like one.
    for (table, column, value) in [
      ("detail", "extras", "NULL"), ("detail", "tags", "NULL"), ("source", "options", "'{}'"),
      ("source", "channels", "'[\"general\"]'"), ("source", "type_names", "'{}'"),
    ] {
      _ = try run("UPDATE \(table) SET \(column) = \(value) WHERE NOT json_valid(\(column))")
    }
    // Without its source nobody can say where a message belongs.
    salvage.partial += try run(
      """
      INSERT OR IGNORE INTO status (message_id, source_id, standing, sort_time, priority, is_followed, is_shown, is_dismissable)
      SELECT i.message_id, i.source_id, 0, coalesce(m.received, (SELECT clock FROM store)), 3, 1, 1, 1
      FROM identity i LEFT JOIN message m ON m.id = i.message_id
      WHERE i.message_id > 0 AND (m.id IS NOT NULL OR EXISTS (SELECT 1 FROM detail d WHERE d.message_id = i.message_id))
      """)
    salvage.partial += try run(
      """
      INSERT OR IGNORE INTO message (id, kind, received, title)
      SELECT t.message_id, 'feed', t.sort_time, '(the title was lost)' FROM status t
      WHERE EXISTS (SELECT 1 FROM detail d WHERE d.message_id = t.message_id)
      """)
    salvage.partial += try run(
      """
      INSERT OR IGNORE INTO detail (message_id, remote_id, body)
      SELECT m.id, coalesce((SELECT i.remote_id FROM identity i WHERE i.source_id = t.source_id AND i.message_id = m.id),
        'salvaged-' || m.id), '(the text was lost)' FROM message m JOIN status t ON t.message_id = m.id
      """)
    _ = try run(
      """
      INSERT OR IGNORE INTO source (id, name, kind, address, place, initial_delay, interval, grace, request_timeout,
        poll_deadline, response_limit, is_unread_on_change, channels, type_names)
      SELECT DISTINCT source_id, 'salvaged ' || source_id, 'local', '', source_id + \(RegisteredSources.firstUnnamedPlace),
        0, 0, 0, 0, 0, 0, 0, '["general"]', '{}' FROM status
      """)
    _ = try run("INSERT OR IGNORE INTO polling (source_id) SELECT id FROM source")
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
    // The facts of all messages are made again when they are needed.
    _ = try run("UPDATE store SET facts_from = last_message + 1")
    _ = try run("UPDATE polling SET has_facts = 0")
    salvage.messages = Int(try db.integer("SELECT count(*) FROM message") ?? 0)
    return salvage
  }
}

extension DatabasePages.Row {
  /// Whether its values are of the kinds that a row of `message`, `detail` or `status` has.
  fileprivate var isLikeAMessage: Bool {
    guard values.count >= 4, values[0] == .null else { return false }
    return switch (values[1], values[2], values[3]) {
    case (.text, .integer, .text): values.count == 4
    case (.text, .text, .text), (.text, .text, .null): values.count == 11
    case (.integer, .integer, .integer): values.count >= 20
    default: false
    }
  }
}
