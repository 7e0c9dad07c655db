import Basics
import Foundation
import Messages
import Queries
import Testing

@testable import Storage

/// Questions of programs: each ends exactly once, and waits whatever is done with its message.
@Suite struct QuestionTests {
  let store: Store

  init() throws { store = try Store.fresh() }

  private func message(_ id: String, _ title: String) -> IncomingMessage {
    IncomingMessage(remoteID: RemoteID(id), kind: .local, title: title)
  }

  private func ask(
    _ id: String, _ answers: [String] = ["yes", "no"], for seconds: Double = 600, asker: String? = "nobody"
  ) throws -> Message {
    let question = ProgramQuestion(answers, asked: noon, until: noon + seconds, asker: asker)
    return try #require(try store.questions.ask(message(id, "Question \(id)"), question, at: noon))
  }

  /// Three messages with the question in the middle.
  private func three() throws -> MessageID {
    try store.pushes.add(message("before", "Before"), at: noon - 60)
    let asked = try ask("deploy")
    try store.pushes.add(message("after", "After"), at: noon + 60)
    return asked.id
  }

  private func waiting() throws -> [MessageID] {
    let list = try store.snapshot(InboxQuery(scope: .waiting)).rows.map(\.id)
    var query = InboxQuery(search: "is:waiting in:all")
    query.isStrict = true
    #expect(try store.snapshot(query).rows.map(\.id) == list)
    #expect(try store.questions.waitingCount() == list.count)
    #expect(try store.snapshot().waiting == list.count)
    return list
  }

  @Test func itEndsOnce() throws {
    let id = try three()
    #expect(try waiting() == [id])
    #expect(try store.messages.find(id)?.question?.answers == ["yes", "no"])
    let given = try store.questions.end(id, .answered, answer: 2, at: noon + 30)
    #expect(given.isEnded && given.question?.answerText == "no" && given.question?.ended == noon + 30)
    for ending in ProgramQuestion.Ending.allCases {
      let again = try store.questions.end(id, ending, answer: ending == .answered ? 1 : nil, at: noon + 40)
      #expect(!again.isEnded && again.question == given.question)
    }
    #expect(try waiting() == [])
    #expect(try store.messages.find(id)?.isUnread == false)
    #expect(try store.titles().count == 3)
    #expect(try store.snapshot().unread == 2)
    try store.expectConsistent()
  }

  @Test func anAnswerComesInTimeAndIsOneOfThem() throws {
    let id = try three()
    for number in [0, 3, -1] {
      #expect(try !store.questions.end(id, .answered, answer: number, at: noon).isEnded)
    }
    #expect(try !store.questions.end(id, .answered, answer: 1, at: noon + 600).isEnded)
    #expect(try waiting() == [id])
    #expect(try store.questions.end(id, .timedOut, at: noon + 600).isEnded)
    // Nobody has seen it.
    #expect(try store.messages.find(id)?.isUnread == true)
    #expect(try waiting() == [])
  }

  /// Three questions: the end of the one in the middle is its own, and its row keeps it.
  @Test(arguments: ProgramQuestion.Ending.allCases)
  func theEndOfOneLeavesTheOthers(_ ending: ProgramQuestion.Ending) throws {
    let ids = try ["first", "second", "third"].map { try ask($0).id }
    let answer = ending == .answered ? 1 : nil
    #expect(try store.questions.end(ids[1], ending, answer: answer, at: noon + 30).isEnded)
    #expect(try waiting() == [ids[2], ids[0]])
    let rows = try store.snapshot().rows
    #expect(rows.map(\.id) == [ids[2], ids[1], ids[0]])
    #expect(rows.map { $0.question?.ending } == [nil, ending, nil])
    #expect(rows.map { $0.question?.answerText } == [nil, ending == .answered ? "yes" : nil, nil])
    // If no answer came in time, it stays unread.
    #expect(rows.map(\.isUnread) == [true, ending == .timedOut, true])
    try store.expectConsistent()
  }

  @Test func whatIsDoneWithTheMessageDoesNotEndIt() throws {
    let id = try three()
    try store.acts.perform(.readAll(InboxQuery()), at: noon + 61)
    #expect(try store.snapshot(InboxQuery(isUnreadOnly: true)).rows.map(\.id) == [id])
    try store.acts.perform(.read([id]), at: noon + 62)
    #expect(try waiting() == [id])
    try store.acts.perform(.dismiss([id]), at: noon + 63)
    #expect(try waiting() == [id])
    #expect(try store.titles() == ["After", "Before"])
    try store.acts.perform(.undismiss([id]), at: noon + 64)
    try store.acts.perform(.snooze([id], until: noon + 3600), at: noon + 65)
    #expect(try waiting() == [id])
    try store.expectConsistent()
  }

  @Test func aProgramThatIsAnsweredElsewhereWaitsUntilItsMessageIsRead() throws {
    let id = try three()
    let other = try ask("hook", [], asker: nil)
    #expect(try waiting() == [other.id, id])
    try store.acts.perform(.read([other.id]), at: noon)
    #expect(try waiting() == [id])
  }

  @Test func theQuestionOfAProcessThatIsGoneEnds() throws {
    let folder = NSTemporaryDirectory() + "reddot-questions-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try Store(path: folder + "/reddot.sqlite", now: noon)
    let question = ProgramQuestion(["yes"], asked: noon, until: noon + 600, asker: "ask-gone")
    let asked = try #require(try store.questions.ask(message("1", "Gone?"), question, at: noon))
    #expect(try store.questions.endAbandoned(at: noon + 1) == 1)
    #expect(try store.questions.find(asked.id)?.ending == .gone)
    #expect(try store.questions.endAbandoned(at: noon + 2) == 0)
    try store.close()
  }

  @Test func theNumberOfQuestionsIsLimited() throws {
    for number in 1...Limits.openQuestions { _ = try ask("\(number)") }
    let question = ProgramQuestion(["yes"], asked: noon, until: noon + 600, asker: "x")
    #expect(try store.questions.ask(message("more", "More"), question, at: noon) == nil)
    let first = try #require(try store.questions.open().first)
    _ = try store.questions.end(first.message, .withdrawn, at: noon)
    #expect(try store.questions.ask(message("more", "More"), question, at: noon) != nil)
  }
}
