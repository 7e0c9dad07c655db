import Basics
import Foundation
import GRDB
import Messages
import Sync

/// Questions of programs in a source that several machines share.
///
/// The machine whose program asks decides how the question ends, and sends that as a write of the field `ending`. The
/// other machines send their answers as writes of the field `answer`, of which the first counts. Until the ending
/// arrives, they show the first answer that they know.
struct SharedQuestions {
  private let db: Database
  private let now: Milliseconds

  init(_ db: Database, at now: Milliseconds) { (self.db, self.now) = (db, now) }

  private var cells: EarlyCells { EarlyCells(db, at: now) }

  /// How a question ended, in the form that is sent.
  private struct Ending: Codable {
    /// The raw value of `ProgramQuestion.Ending`.
    var ending: Int64
    var answer: Int?
    /// The id and the name of the machine on which the user answered, or `nil` for the machine that asks.
    var device: [UInt8]?
    var machine: String?
    /// Milliseconds since 1970.
    var at: Milliseconds
  }

  // MARK: - This machine's writes

  /// Sends an answer to the machine whose program asks.
  ///
  /// - Returns: `false` if the source is not synchronised any more.
  func send(answer: Int, to message: Int64) throws -> Bool {
    try send(.answer, .integer(Int64(answer)), about: message)
  }

  /// Sends how a question of a program on this machine ended, if other machines have the question.
  ///
  /// - Parameter act: the act of another machine that contains the answer, or `nil` if it was given here.
  func sendEnding(of message: Int64, answeredBy act: Int64?) throws {
    guard let question = try QuestionRows(db).find(message), question.asker != nil, !question.isPermission,
      let ended = question.ended, let ending = question.ending, let name = try WireKeys(db).name(of: message),
      try WireSources(db).rows(of: name.source).contains(where: {
        try cells.find(.push, of: name.target.key, in: $0) != nil
      })
    else { return }
    let device = try act.map { try Writers(db).writer(of: $0).device }
    let sent = Ending(
      ending: ending.rawValue, answer: question.answer, device: device?.bytes, machine: question.machine,
      at: ended.milliseconds)
    _ = try send(.ending, .bytes(StoredJSON.bytes(sent)), about: message)
  }

  private func send(_ field: Act.Field, _ value: Act.Value, about message: Int64) throws -> Bool {
    let sources = WireSources(db)
    guard let name = try WireKeys(db).name(of: message), let uid = try sources.uid(of: name.source) else {
      return false
    }
    let (target, stamp) = (Act.Target(key: name.target.key), Stamp(milliseconds: now))
    let group = Act.Group(source: uid, field: field, value: value, targets: [target])
    let seq = try OwnActs(db).add(.question, stamp: stamp, [group])
    let act = try Journal(db).append(sent: seq, Journal.question, stamp: stamp, at: now)
    try cells.add(
      EarlyCells.Write(field: field, value: value, act: act), of: target, in: sources.row(of: uid))
    return true
  }

  // MARK: - Other machines' writes

  /// Adds the question that another machine has pushed, and applies the writes about it that arrived earlier.
  func add(_ question: ProgramQuestion, of key: UInt64, in source: Int64) throws {
    for (message, _) in try WireKeys(db).messages(of: key, in: source) {
      // The database may be a copy of the one in which a program of this machine asked.
      guard try QuestionRows(db).find(message) == nil else { continue }
      try QuestionRows(db).add(question, of: message)
      try storeEnding(of: message)
    }
  }

  /// Applies a write about questions.
  ///
  /// - Parameter source: the source on this machine, or `nil` if it isn't followed here.
  func merge(
    _ write: EarlyCells.Write, of targets: [Act.Target], in row: Int64, _ source: Int64?
  ) throws {
    guard Self.isValid(write) else { return }
    for target in targets.map({ Act.Target(key: $0.key) }) {
      // A copy of the asking machine's database cannot see the program, and writes that it is gone.
      if write.field == .ending, let known = try cells.find(.ending, of: target.key, in: row),
        Self.isAnswered(known) != Self.isAnswered(write)
      {
        if Self.isAnswered(known) { continue }
        try cells.remove(.ending, of: target, in: row)
      }
      try cells.add(write, of: target, in: row)
      guard let source else { continue }
      for (message, _) in try WireKeys(db).messages(of: target.key, in: source) {
        try storeEnding(of: message)
      }
    }
  }

  private static func isValid(_ write: EarlyCells.Write) -> Bool {
    switch write.value {
    case .integer(let number):
      write.field == .answer && (1...Int64(ProgramQuestion.mostAnswers)).contains(number)
    case .bytes: write.field == .ending && ending(write) != nil
    case .none: false
    }
  }

  private static func isAnswered(_ write: EarlyCells.Write) -> Bool {
    ending(write)?.ending == ProgramQuestion.Ending.answered.rawValue
  }

  private static func ending(_ write: EarlyCells.Write) -> Ending? {
    guard case .bytes(let bytes) = write.value, bytes.count <= Limits.contentBytes else { return nil }
    return try? JSONDecoder().decode(Ending.self, from: Data(bytes))
  }

  /// Stores how a question of another machine's program ended, according to the writes about it, so that the
  /// inbox shows that.
  private func storeEnding(of message: Int64) throws {
    let rows = QuestionRows(db)
    guard let question = try rows.find(message), question.asker == nil, !question.answers.isEmpty else {
      return
    }
    if let (ending, act) = try ending(of: message) {
      var ended = question
      ended.ended = Date(milliseconds: min(max(0, ending.at), now))
      ended.ending = ProgramQuestion.Ending(rawValue: ending.ending) ?? .gone
      ended.answer = ended.ending == .answered ? ending.answer : nil
      ended.machine = nil
      if ended.ending == .answered, ending.device.flatMap({ DeviceID(bytes: $0) }) != (try device) {
        ended.machine = try ending.device == nil ? machine(of: act) : ending.machine
      }
      try rows.replace(ended, of: message, at: now)
    } else if let (number, act) = try firstAnswer(to: message), question.answers.indices.contains(number - 1)
    {
      var ended = question
      ended.ended = Date(milliseconds: min(try Writers(db).writer(of: act).stamp.milliseconds, now))
      (ended.ending, ended.answer, ended.machine) = (.answered, number, try machine(of: act))
      try rows.replace(ended, of: message, at: now)
    }
  }

  private func ending(of message: Int64) throws -> (ending: Ending, act: Int64)? {
    guard let cell = try cell(.ending, about: message), let ending = Self.ending(cell) else { return nil }
    return (ending, cell.act)
  }

  private func firstAnswer(to message: Int64) throws -> (number: Int, act: Int64)? {
    guard let cell = try cell(.answer, about: message), case .integer(let number) = cell.value else {
      return nil
    }
    return (Int(clamping: number), cell.act)
  }

  /// Returns a stored write of a field about a message, or `nil` if there is none.
  private func cell(_ field: Act.Field, about message: Int64) throws -> EarlyCells.Write? {
    guard let name = try WireKeys(db).name(of: message) else { return nil }
    for row in try WireSources(db).rows(of: name.source) {
      if let cell = try cells.find(field, of: name.target.key, in: row) { return cell }
    }
    return nil
  }

  private var device: DeviceID? { get throws { try SyncedMachine.find(db)?.device } }

  // MARK: - Answers for programs of this machine

  /// Returns the open questions of programs on this machine that were answered on other machines, with the first
  /// answers and their acts.
  func answered() throws -> [(question: OpenQuestion, answer: Int, act: Int64)] {
    let rows = QuestionRows(db)
    return try rows.open().compactMap { open in
      guard let question = try rows.find(open.message.rawValue), question.isAnswerableElsewhere,
        let (number, act) = try firstAnswer(to: open.message.rawValue)
      else { return nil }
      return (open, number, act)
    }
  }

  /// Returns the name of the machine of an act, or `nil` if it is this one or the name is not known.
  func machine(of act: Int64) throws -> String? {
    let query = try db.prepared(
      "SELECT d.name FROM journal j CROSS JOIN device d ON d.id = j.device WHERE j.id = ? AND j.device > 0")
    query.bind(1, act)
    return try query.first { query.optionalText(0) } ?? nil
  }
}
