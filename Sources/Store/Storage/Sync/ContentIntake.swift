import GRDB
import Messages
import Sync

/// Stores messages whose content other machines sent: starred ones that aren't here, and pushes into shared sources.
struct ContentIntake {
  /// A write of `waiting` that has a content.
  private struct Cell {
    var row: Int64
    var key: UInt64
    var act: Int64
    var source: Int64
  }

  typealias Content = (message: IncomingMessage, isUnread: Bool)

  private let db: Database
  private let columns: Columns
  private let judges: ArrivalJudges
  private let now: Milliseconds

  init(_ db: Database, _ columns: Columns, _ judges: ArrivalJudges, at now: Milliseconds) {
    (self.db, self.columns, self.judges, self.now) = (db, columns, judges, now)
  }

  /// Stores what waits for sources that are followed here. To be called once acts were applied, or sources were named.
  func store() throws {
    try storeStarred()
    try storePushes()
  }

  private func cells(_ field: Act.Field) throws -> [Cell] {
    let query = try db.prepared(
      """
      SELECT w.wire_source, w.key, w.act, s.id
      FROM waiting w INDEXED BY waiting_content CROSS JOIN wire_source r ON r.id = w.wire_source
        CROSS JOIN source s ON s.id = r.source_id
      WHERE w.field >= 32 AND w.value IS NOT NULL AND w.field = ? AND s.place IS NOT NULL
      """)
    query.bind(1, Int64(field.rawValue))
    var cells: [Cell] = []
    try query.forEach {
      cells.append(
        Cell(
          row: query.int(0), key: UInt64(bitPattern: query.int(1)), act: query.int(2), source: query.int(3)))
    }
    return cells
  }

  private func message(_ cell: Cell, _ field: Act.Field) throws -> Content? {
    let query = try db.prepared("SELECT value FROM waiting WHERE wire_source = ? AND key = ? AND field = ?")
    query.bind(1, cell.row)
    query.bind(2, Int64(bitPattern: cell.key))
    query.bind(3, Int64(field.rawValue))
    return try query.first { MessageContent.message(query.blob(0), key: cell.key) } ?? nil
  }

  // MARK: - Starred messages

  private func storeStarred() throws {
    let waiting = Waiting(db, at: now)
    var missing: [Int64: [Content]] = [:]
    for cell in try cells(.content) {
      let target = Act.Target(key: cell.key)
      let isHere = try !WireKeys(db).messages(of: cell.key, in: cell.source).isEmpty
      // The star may still be on its way.
      guard let isStarred = try isHere ? false : waiting.isStarred(target, in: cell.row) else { continue }
      if isStarred, let content = try message(cell, .content) {
        missing[cell.source, default: []].append(content)
      }
      try waiting.remove(.content, of: target, in: cell.row)
    }
    for (source, messages) in missing.sorted(by: { $0.key < $1.key }) {
      try store(messages, of: SourceRow.find(SourceID(source), db, columns).source)
    }
  }

  /// Stores them without notifications.
  private func store(_ contents: [Content], of source: Source) throws {
    // What isn't kept any more here is wanted again.
    let table = EntryTable(db, of: source.id)
    for (message, _) in contents {
      if let row = try table.row(message.remoteID), row.message <= 0, !row.isDoubted { try table.forget(row) }
    }
    let title = try StorePolls.serverTitle(of: source, db)
    let intake = try Intake(
      db, columns, source, judges: judges, serverTitle: title, as: .firstPoll, at: now)
    try intake.store(
      starred: contents.sorted { $0.message.sortTime(received: now) < $1.message.sortTime(received: now) })
    _ = try intake.finish()
  }

  // MARK: - Pushes

  private func storePushes() throws {
    let waiting = Waiting(db, at: now)
    for cell in try cells(.push) {
      let source = try SourceRow.find(SourceID(cell.source), db, columns).source
      // Until the settings say that it is shared.
      guard source.kind == .local, source.isShared else { continue }
      if let (message, _) = try message(cell, .push) {
        try PushIntake(db, columns, judges, at: now).store(
          message, in: source, stamp: Writers(db).writer(of: cell.act).stamp)
      }
      // The cell stays: an older push doesn't come back.
      try waiting.empty(.push, of: Act.Target(key: cell.key), in: cell.row)
    }
  }
}
