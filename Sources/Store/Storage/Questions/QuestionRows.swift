import Basics
import Foundation
import GRDB
import Messages

/// The table of questions: messages in which a program asks the user, and waits for the answer.
struct QuestionRows {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// The SQL condition on `question q` and `status t` that a program still waits for the user. A question without a
  /// choice of answers is answered in its program, so it no longer waits once its message is read.
  static let waits = "q.ended IS NULL AND (q.answers <> '[]' OR NOT t.is_read)"

  func find(_ message: Int64) throws -> ProgramQuestion? {
    let query = try db.prepared("\(Self.select) WHERE message_id = ?")
    query.bind(1, message)
    return try query.first { Self.question(query) }
  }

  private static let select = """
    SELECT answers, is_permission, is_title_whole, asked, until, asker, ended, ending, answer, machine FROM question
    """

  private static func question(_ row: Prepared) -> ProgramQuestion {
    var question = ProgramQuestion(
      (try? JSONDecoder().decode([String].self, from: Data(row.text(0).utf8))) ?? [],
      isPermission: row.bool(1), isTitleWhole: row.bool(2), asked: Date(milliseconds: row.int(3)),
      until: Date(milliseconds: row.int(4)), asker: row.optionalText(5))
    question.ended = row.optionalInt(6).map(Date.init(milliseconds:))
    question.ending = row.optionalInt(7).flatMap(ProgramQuestion.Ending.init)
    question.answer = row.optionalInt(8).map { Int($0) }
    question.machine = row.optionalText(9)
    return question
  }

  /// Stores a question, replacing an earlier one of its message.
  func add(_ question: ProgramQuestion, of message: Int64) throws {
    let insert = try db.prepared(
      """
      INSERT OR REPLACE INTO question (message_id, answers, is_permission, is_title_whole, asked, until, asker)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    insert.bind(1, message)
    try insert.bind(2, StoredJSON.text(question.answers))
    insert.bind(3, question.isPermission)
    insert.bind(4, question.isTitleWhole)
    insert.bind(5, question.asked.milliseconds)
    insert.bind(6, question.until.milliseconds)
    try insert.bind(7, question.asker)
    try insert.run()
  }

  /// Ends a question if it is open. An answer is accepted only in time.
  ///
  /// - Returns: whether the question was open.
  func end(
    _ message: Int64, _ ending: ProgramQuestion.Ending, answer: Int? = nil, on machine: String? = nil,
    at now: Milliseconds
  ) throws -> Bool {
    let update = try db.prepared(
      """
      UPDATE question SET ended = ?2, ending = ?3, answer = ?4, machine = ?5
      WHERE message_id = ?1 AND ended IS NULL
        AND (?4 IS NULL OR until > ?2 AND ?4 BETWEEN 1 AND json_array_length(answers))
      """)
    update.bind(1, message)
    update.bind(2, now)
    update.bind(3, ending.rawValue)
    update.bind(4, answer.map { Int64($0) })
    try update.bind(5, machine)
    try update.run()
    guard db.changesCount > 0 else { return false }
    try markEnded(message, ending, at: now)
    return true
  }

  private func markEnded(_ message: Int64, _ ending: ProgramQuestion.Ending, at now: Milliseconds) throws {
    // The queries of saved lists may select waiting questions.
    if try SavedLists(db).exist() { try SavedLists(db).judgeLater([message]) }
    // The user was away, so the message stays unread.
    if ending == .timedOut { return }
    try MarkWriter(db, by: .service, at: now).set(.read(true), on: IDRanges([message]))
  }

  /// Stores the end of a question of another machine's program, which replaces an earlier end.
  func replace(_ question: ProgramQuestion, of message: Int64, at now: Milliseconds) throws {
    guard let ending = question.ending, try find(message) != question else { return }
    let update = try db.prepared(
      "UPDATE question SET ended = ?2, ending = ?3, answer = ?4, machine = ?5 WHERE message_id = ?1")
    update.bind(1, message)
    update.bind(2, question.ended?.milliseconds)
    update.bind(3, ending.rawValue)
    update.bind(4, question.answer.map { Int64($0) })
    try update.bind(5, question.machine)
    try update.run()
    try markEnded(message, ending, at: now)
  }

  /// Returns the open questions of other machines' programs whose time has passed.
  func overdue(at now: Milliseconds) throws -> [Int64] {
    let query = try db.prepared(
      "SELECT message_id FROM question WHERE ended IS NULL AND asker IS NULL AND answers <> '[]' AND until < ?"
    )
    query.bind(1, now - Milliseconds(Limits.overdueQuestionSeconds * 1000))
    var messages: [Int64] = []
    try query.forEach { messages.append(query.int(0)) }
    return messages
  }

  /// Returns the open questions of processes on this machine, oldest first.
  func open() throws -> [OpenQuestion] {
    let query = try db.prepared(
      """
      SELECT q.message_id, d.remote_id, q.asker FROM question q CROSS JOIN detail d ON d.message_id = q.message_id
      WHERE q.ended IS NULL AND q.asker IS NOT NULL ORDER BY q.asked, q.message_id
      """)
    var open: [OpenQuestion] = []
    try query.forEach {
      open.append(
        OpenQuestion(
          message: MessageID(query.int(0)), remoteID: RemoteID(query.text(1)), asker: query.text(2)))
    }
    return open
  }

  /// Returns the messages of questions that wait for an answer in the inbox.
  func answerable() throws -> IDRanges {
    let query = try db.prepared(
      "SELECT message_id FROM question WHERE ended IS NULL AND answers <> '[]' ORDER BY message_id")
    var ids = IDRanges()
    try query.forEach { ids.append(query.int(0)) }
    return ids
  }

  /// Returns the number of waiting programs.
  func count() throws -> Int {
    Int(try db.integer("SELECT count(*) FROM \(Self.waiting)") ?? 0)
  }

  /// Returns the message and the pane of the program in a terminal pane that has waited longest.
  func firstWithPane(_ columns: Columns) throws -> (message: MessageID, pane: TerminalPane)? {
    let query = try db.prepared(
      """
      SELECT q.message_id, d.extras FROM question q CROSS JOIN status t ON t.message_id = q.message_id
        CROSS JOIN detail d ON d.message_id = q.message_id
      WHERE \(Self.waits) AND d.pane IS NOT NULL ORDER BY q.asked, q.message_id LIMIT 1
      """)
    return try query.first {
      query.optionalText(1).flatMap(columns.extras.value)?.pane.map { (MessageID(query.int(0)), $0) }
    } ?? nil
  }

  private static let waiting = "question q CROSS JOIN status t ON t.message_id = q.message_id WHERE \(waits)"
}
