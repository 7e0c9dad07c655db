import GRDB
import Messages
import Sync

/// Stores messages whose content other machines sent: starred ones that aren't on this machine, and pushes into shared
/// sources.
struct ContentIntake {
  /// A write of `early_cell` that contains a message.
  private struct Cell {
    var row: Int64
    var key: UInt64
    var act: Int64
    var source: Int64
  }

  typealias Content = (message: IncomingMessage, isUnread: Bool, question: ProgramQuestion?)

  private let db: Database
  private let columns: Columns
  private let judges: ArrivalJudges
  private let now: Milliseconds

  init(_ db: Database, _ columns: Columns, _ judges: ArrivalJudges, at now: Milliseconds) {
    (self.db, self.columns, self.judges, self.now) = (db, columns, judges, now)
  }

  /// Stores the waiting contents of sources that are followed here. Call it after acts were applied, or sources got
  /// their shared ids.
  func store() throws {
    try storeStarred()
    try storePushes()
  }

  private func cells(_ field: Act.Field) throws -> [Cell] {
    let query = try db.prepared(
      """
      SELECT w.wire_source, w.key, w.act, s.id
      FROM early_cell w INDEXED BY early_cell_content CROSS JOIN wire_source r ON r.id = w.wire_source
        CROSS JOIN source s ON s.id = r.source_id
      WHERE w.field >= 32 AND w.value IS NOT NULL AND w.field = ? AND s.position IS NOT NULL
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
    let query = try db.prepared(
      "SELECT value FROM early_cell WHERE wire_source = ? AND key = ? AND field = ?")
    query.bind(1, cell.row)
    query.bind(2, Int64(bitPattern: cell.key))
    query.bind(3, Int64(field.rawValue))
    return try query.first { MessageContent.message(query.blob(0), key: cell.key) } ?? nil
  }

  // MARK: - Starred messages

  private func storeStarred() throws {
    let waiting = EarlyCells(db, at: now)
    var missing: [Int64: [Content]] = [:]
    for cell in try cells(.content) {
      let target = Act.Target(key: cell.key)
      let isHere = try !WireKeys(db).messages(of: cell.key, in: cell.source).isEmpty
      // The star may not have arrived yet.
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

  /// Stores the messages without notifications.
  private func store(_ contents: [Content], of source: Source) throws {
    // A message that is no longer kept here is wanted again.
    let table = EntryTable(db, of: source.id)
    for message in contents.map(\.message) {
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
    let waiting = EarlyCells(db, at: now)
    for cell in try cells(.push) {
      let source = try SourceRow.find(SourceID(cell.source), db, columns).source
      // Its content waits until the settings mark the source as shared.
      guard source.kind == .local, source.isShared else { continue }
      if let content = try message(cell, .push) {
        var message = content.message
        let question = content.question
        (message.isQuestion, message.isWaiting) = (question != nil, question != nil)
        try PushIntake(db, columns, judges, at: now).store(
          message, in: source, stamp: Writers(db).writer(of: cell.act).stamp)
        if let question {
          try SharedQuestions(db, at: now).add(question, of: cell.key, in: cell.source)
        }
      }
      // The row stays, so that an older push is not restored.
      try waiting.empty(.push, of: Act.Target(key: cell.key), in: cell.row)
    }
  }
}
