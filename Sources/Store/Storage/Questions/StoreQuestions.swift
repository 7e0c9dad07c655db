import Basics
package import Foundation
import GRDB
package import Messages
package import Platform

/// The questions that programs ask the user. Each ends exactly once: with an answer, after its time, or when its
/// process ends.
package struct StoreQuestions: StorePart {
  let store: Store

  /// Stores a question in a local source. A new source is created in the same transaction. Other machines receive the
  /// question if the source is shared; a permission stays on this machine.
  ///
  /// - Returns: the message, or `nil` if too many questions are waiting.
  package func ask(
    _ message: IncomingMessage, _ question: ProgramQuestion, into local: ConfiguredSource? = nil, at now: Date
  ) throws(StoreFailure) -> Message? {
    try write(.system) { db in
      let rows = QuestionRows(db)
      if !question.answers.isEmpty, try rows.answerable().count >= Limits.openQuestions { return nil }
      let source = try store.sources.localSource(local, db)
      var message = message
      (message.isQuestion, message.isWaiting) = (!question.answers.isEmpty, true)
      let shared = SharedPushes(db, at: now.milliseconds)
      let stamp =
        question.isAnswerableElsewhere
        ? try shared.nextStamp(of: message.remoteID.fitting, known: nil, in: source) : nil
      try PushIntake(db, columns, arrivals, at: now.milliseconds).store(message, in: source, stamp: stamp)
      guard let stored = try store.messages.find(message.remoteID, of: source.id, db) else {
        throw StoreFailure.unexpected(path: path ?? "", reason: "the message is not there")
      }
      try rows.add(question, of: stored.id.rawValue)
      if let stamp { try shared.send(message, question, stamp: stamp, in: source) }
      return try store.messages.find(stored.id, db)
    }
  }

  /// Ends a question, if it is open. The machines that have the question receive its end.
  ///
  /// - Parameter answer: the number of the answer, from 1, which is accepted only in time.
  /// - Returns: whether this call ended the question, and the current question, or `nil` if its message was deleted.
  package func end(
    _ message: MessageID, _ ending: ProgramQuestion.Ending, answer: Int? = nil, at now: Date
  ) throws(StoreFailure) -> (isEnded: Bool, question: ProgramQuestion?) {
    try end(message, ending, answer: answer, by: nil, at: now)
  }

  private func end(
    _ message: MessageID, _ ending: ProgramQuestion.Ending, answer: Int?, by act: Int64?, at now: Date
  ) throws(StoreFailure) -> (isEnded: Bool, question: ProgramQuestion?) {
    try write(.system) { db in
      let (rows, shared) = (QuestionRows(db), SharedQuestions(db, at: now.milliseconds))
      let isAllowed = try act == nil || rows.find(message.rawValue)?.isAnswerableElsewhere == true
      let isEnded =
        try isAllowed
        && rows.end(
          message.rawValue, ending, answer: answer, on: act.flatMap(shared.machine), at: now.milliseconds)
      if isEnded { try shared.sendEnding(of: message.rawValue, answeredBy: act) }
      return (isEnded, try rows.find(message.rawValue))
    }
  }

  package func find(_ message: MessageID) throws(StoreFailure) -> ProgramQuestion? {
    try read { db in try QuestionRows(db).find(message.rawValue) }
  }

  /// Returns the open questions of waiting processes, oldest first.
  package func open() throws(StoreFailure) -> [OpenQuestion] {
    try read { db in try QuestionRows(db).open() }
  }

  /// Returns the number of programs that wait for the user.
  package func waitingCount() throws(StoreFailure) -> Int { try read { db in try QuestionRows(db).count() } }

  /// Returns the message and the pane of the program in a terminal pane that has waited longest.
  package func firstWithPane() throws(StoreFailure) -> (message: MessageID, pane: TerminalPane)? {
    try read { db in try QuestionRows(db).firstWithPane(columns) }
  }

  /// The folder of the sockets on which processes wait, or `nil` if the database is in memory.
  package var folder: String? { locks }

  private var locks: String? { store.locks.directory }
}

extension Store {
  /// Returns the folder of a database's locks, even if the database does not exist.
  package static func lockFolder(ofDatabase path: String) -> String { DatabaseFile(path: path).lockDirectory }
}

/// Connections to the processes that wait for answers.
extension StoreQuestions {
  /// Connects to the process that asks a question.
  package func connect(to question: OpenQuestion) -> WaitingSocket.Answer { connect(asker: question.asker) }

  private func connect(asker: String) -> WaitingSocket.Answer {
    guard let folder else { return .gone }
    return WaitingSocket.connect(folder: folder, name: asker)
  }

  /// Ends the questions whose processes have ended, and those of other machines whose time has passed. It writes only
  /// if there is such a question.
  ///
  /// - Returns: the number of ended questions.
  @discardableResult
  package func endAbandoned(at now: Date) throws(StoreFailure) -> Int {
    var count = 0
    for question in try open() {
      switch connect(to: question) {
      case .waits(let connection): close(connection)
      case .unknown: break
      case .gone:
        // A killed process leaves its file.
        if let folder { unlink("\(folder)/\(question.asker)") }
        if try end(question.message, .gone, at: now).isEnded { count += 1 }
      }
    }
    for message in try read({ db in try QuestionRows(db).overdue(at: now.milliseconds) }) {
      if try end(MessageID(message), .timedOut, at: now).isEnded { count += 1 }
    }
    return count
  }

  /// Stores the user's answer, and wakes the process that waits for it, or sends the answer to the machine of that
  /// process.
  ///
  /// - Parameter answer: the number of the answer, from 1.
  /// - Returns: whether the answer was accepted, and the current question, or `nil` if its message was deleted.
  package func answer(
    _ message: MessageID, _ answer: Int, at now: Date
  ) throws(StoreFailure) -> (isGiven: Bool, question: ProgramQuestion?) {
    guard let question = try find(message) else { return (false, nil) }
    if let asker = question.asker { return try give(answer, to: message, of: asker, by: nil, at: now) }
    return try write(.system) { db in
      let (rows, shared) = (QuestionRows(db), SharedQuestions(db, at: now.milliseconds))
      let isGiven = try rows.end(message.rawValue, .answered, answer: answer, at: now.milliseconds)
      // The ending from its machine is on its way.
      if !isGiven, !question.answers.isEmpty, question.until <= now {
        _ = try rows.end(message.rawValue, .timedOut, at: now.milliseconds)
      }
      if isGiven, try !shared.send(answer: answer, to: message.rawValue) {
        // It never reaches the program.
        throw StoreFailure.unexpected(
          path: path ?? "", reason: "the question is of a machine that is unknown here")
      }
      return (isGiven, try rows.find(message.rawValue))
    }
  }

  /// Gives the first answers of other machines to the programs of this one. A synchronisation calls it when it has
  /// read everything, so that the first of several answers counts.
  ///
  /// Permissions are given on this machine only.
  package func takeAnswers(at now: Date) throws(StoreFailure) {
    for (question, number, act) in try read({ db in try SharedQuestions(db, at: now.milliseconds).answered() }
    ) {
      _ = try give(number, to: question.message, of: question.asker, by: act, at: now)
    }
  }

  /// Stores an answer, and wakes the process that waits for it.
  ///
  /// The connection is opened before the answer is stored. If this process is killed in between, the waiting process
  /// notices the end of the connection, and finds the answer.
  private func give(
    _ answer: Int, to message: MessageID, of asker: String, by act: Int64?, at now: Date
  ) throws(StoreFailure) -> (isGiven: Bool, question: ProgramQuestion?) {
    switch connect(asker: asker) {
    case .waits(let connection):
      defer { close(connection) }
      let result = try end(message, .answered, answer: answer, by: act, at: now)
      WaitingSocket.wake(connection)
      return (result.isEnded, result.question)
    case .gone: return (false, try end(message, .gone, at: now).question)
    case .unknown: return (false, try find(message))
    }
  }
}
