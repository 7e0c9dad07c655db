import Basics
import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// The digits that answer a question: only while all of it is on the screen, and never if they were typed before.
struct QuestionTests {
  /// Two messages around a question of a program; the question is selected.
  private static func stage(
    columns: Int = 80, rows: Int = 24, title: String = "Deploy 4.2?", body: String = "", isWhole: Bool = true,
    answers: [String] = ["yes", "no"], signs: Signs = .unicode
  ) throws -> Stage {
    var store = ModelStore()
    store.addSource("local", kind: .local)
    store.addSource("news")
    store.add("Before", age: 60)
    store.add(title, age: 120, body: body) { message in
      message.content.priority = Priority(4)
      message.question = ProgramQuestion(
        answers, isTitleWhole: isWhole, asked: ModelStore.start - 120, until: ModelStore.start + 600,
        asker: "ask-1")
    }
    store.add("After", source: 2, age: 180)
    var stage = Stage(
      store, columns: columns, rows: rows,
      options: InterfaceOptions(words: .english, signs: signs, zone: Stage.utc))
    try stage.press("j")
    return stage
  }

  private static func given(_ stage: Stage) -> [QuestionEffect] {
    stage.effects.compactMap { if case .questions(let effect) = $0 { effect } else { nil } }
  }

  /// Draws the frame, and leaves it on the screen for some time.
  private static func rest(_ stage: inout Stage, _ time: TimeInterval = 0.31) {
    if let number = drawn(&stage.state, size: stage.state.terminal.size, at: stage.state.now) {
      stage.send(.timeChanged(stage.state.now + time))
      if time >= 0.3 { stage.send(.questions(.stood(number))) }
    } else {
      stage.send(.timeChanged(stage.state.now + time))
    }
  }

  private static var question: MessageID { MessageID(2) }

  @Test func aDigitAnswersTheSelectedQuestion() throws {
    var stage = try Self.stage()
    #expect(stage.selectedTitle == "Deploy 4.2?")
    #expect(stage.screen.contains("Deploy 4.2?") && stage.screen.contains("1 yes  2 no"))
    Self.rest(&stage)
    try stage.press("2")
    #expect(Self.given(stage) == [.answer(Self.question, 2)])
    #expect(stage.state.input.count == nil)
    let ended = {
      var question = stage.store.messages.first { $0.id == Self.question }?.question
      question?.ended = stage.state.now
      question?.ending = .answered
      question?.answer = 2
      return question
    }()
    stage.send(.questions(.answered(Self.question, isGiven: true, ended)))
    #expect(stage.lastLines.contains("answered: no, "))
    #expect(stage.lastLines.contains("An answer cannot be undone"))
  }

  /// Three rows: the one in the middle shows how its question ended, and nothing answers it any more.
  @Test(arguments: [
    (ProgramQuestion.Ending.answered, nil, "answered: no, 13:59"),
    (.answered, "laptop", "answered on laptop: no, 13:59"),
    (.timedOut, nil, "no answer in time, 13:59"), (.gone, nil, "over, 13:59: its program has ended"),
    (.withdrawn, nil, "withdrawn, 13:59"),
  ])
  func aRowSaysHowItsQuestionEnded(_ ending: ProgramQuestion.Ending, _ machine: String?, _ text: String)
    throws
  {
    var stage = try Self.stage()
    stage.outside { store in
      for index in store.messages.indices where store.messages[index].id == Self.question {
        store.messages[index].question?.ended = ModelStore.start - 60
        store.messages[index].question?.ending = ending
        store.messages[index].question?.answer = ending == .answered ? 2 : nil
        store.messages[index].question?.machine = machine
      }
    }
    let ended = stage.lines.filter { $0.contains(text) }
    #expect(ended.count == 1 && ended[0].contains("Deploy 4.2?"), "\(stage.screen)")
    #expect(!stage.screen.contains("1 yes"))
    Self.rest(&stage)
    try stage.press("1")
    #expect(Self.given(stage) == [] && stage.state.input.count == 1)
    // The reader has room for it.
    stage.send(.input(.key(try #require(KeyPress(parsing: "esc")))))
    try stage.press("enter")
    #expect(stage.screen.contains(text))
  }

  @Test func elsewhereADigitIsACount() throws {
    var stage = try Self.stage()
    Self.rest(&stage)
    try stage.press("k", "2")
    #expect(Self.given(stage) == [] && stage.state.input.count == 2)
    try stage.press("j")
    #expect(stage.selectedTitle == "After")
    try stage.press("1")
    #expect(Self.given(stage) == [] && stage.state.input.count == 1)
  }

  @Test func aNumberBegunElsewhereGoesOn() throws {
    var stage = try Self.stage()
    Self.rest(&stage)
    try stage.press("3")
    #expect(Self.given(stage) == [])
    #expect(stage.bottom.contains("There is no answer 3."))
  }

  @Test(arguments: [0, 0.1, 0.299])
  func aKeyThatWasTypedTooEarlyAnswersNothing(_ time: TimeInterval) throws {
    var stage = try Self.stage()
    Self.rest(&stage, time)
    try stage.press("1")
    #expect(Self.given(stage) == [] && stage.state.input.count == nil)
    #expect(stage.bottom.contains("press the digit again"))
  }

  /// A key that was typed ahead is too early, and opens nothing.
  @Test func beforeItIsDrawnNothingIsAnswered() throws {
    var stage = try Self.stage()
    stage.send(.timeChanged(stage.state.now + 10))
    try stage.press("1")
    #expect(Self.given(stage) == [])
    #expect(stage.bottom.contains("press the digit again") && stage.state.focus.pane == .messages)
    // The selection moved to it after the last frame.
    try stage.press("j")
    Self.rest(&stage)
    try stage.press("k", "1")
    #expect(Self.given(stage) == [])
    #expect(stage.bottom.contains("press the digit again") && stage.state.focus.pane == .messages)
    Self.rest(&stage)
    try stage.press("1")
    #expect(Self.given(stage) == [.answer(Self.question, 1)])
  }

  /// The end of the rest of an earlier drawing is not that of this one.
  @Test func anotherTextRestsAnew() throws {
    var stage = try Self.stage()
    Self.rest(&stage)
    stage.outside { store in
      for index in store.messages.indices where store.messages[index].id == Self.question {
        store.messages[index].content.title = "Deploy 4.3?"
      }
    }
    try stage.press("1")
    #expect(Self.given(stage) == [])
    let number = try #require(drawn(&stage.state, size: stage.state.terminal.size, at: stage.state.now))
    stage.send(.questions(.stood(number - 1)))
    stage.send(.timeChanged(stage.state.now + 1))
    try stage.press("1")
    #expect(Self.given(stage) == [])
    stage.send(.questions(.stood(number)))
    try stage.press("1")
    #expect(Self.given(stage) == [.answer(Self.question, 1)])
  }

  @Test func theScreenOfAnotherProgramWasBetween() throws {
    var stage = try Self.stage()
    Self.rest(&stage)
    drawnAgain(&stage.state)
    try stage.press("1")
    #expect(Self.given(stage) == [])
    Self.rest(&stage)
    try stage.press("1")
    #expect(Self.given(stage) == [.answer(Self.question, 1)])
  }

  /// A frame of another size does not show the current state.
  @Test func aFrameOfAnotherSizeAnswersNothing() throws {
    var stage = try Self.stage()
    #expect(drawn(&stage.state, size: Size(columns: 20, rows: 5), at: stage.state.now) == nil)
    stage.send(.timeChanged(stage.state.now + 1))
    try stage.press("1")
    #expect(Self.given(stage) == [])
  }

  @Test func aCutQuestionIsOpenedFirst() throws {
    let command = (1...6).map { "line \($0) of the command" }.joined(separator: "\n")
    var stage = try Self.stage(title: "shop: ? line 1", body: command, isWhole: false)
    Self.rest(&stage)
    try stage.press("1")
    #expect(Self.given(stage) == [])
    #expect(stage.state.focus.pane == .reader)
    #expect(stage.screen.contains("line 6 of the command"))
    try stage.press("1")
    #expect(Self.given(stage) == [])
    Self.rest(&stage)
    try stage.press("1")
    #expect(Self.given(stage) == [.answer(Self.question, 1)])
  }

  @Test func whatDoesNotFitTheReaderIsNotAnswered() throws {
    let command = (1...60).map { "line \($0)" }.joined(separator: "\n")
    var stage = try Self.stage(title: "shop: ? line 1", body: command, isWhole: false)
    try stage.press("enter")
    Self.rest(&stage)
    try stage.press("1")
    #expect(Self.given(stage) == [])
    #expect(stage.lastLines.contains("enlarge the window"))
    // At the end of the message, the digit answers nothing either.
    try stage.press("G")
    Self.rest(&stage)
    try stage.press("1")
    #expect(Self.given(stage) == [])
    stage.resize(80, 90)
    try stage.press("g", "g")
    Self.rest(&stage)
    try stage.press("1")
    #expect(Self.given(stage) == [.answer(Self.question, 1)])
  }

  /// A question that can be answered in its row is completely visible, with its answers, at every width.
  @Test func aRowThatAnswersShowsAll() throws {
    var answered = 0
    for columns in 10...140 {
      for title in ["Deploy 4.2 to production?", "要把 4.2 部署到生产环境吗？", "x"] {
        var stage = try Self.stage(
          columns: columns, rows: 8, title: title, answers: ["allow", "deny it now"])
        Self.rest(&stage)
        guard stage.state.answers.shown != nil, stage.state.layout.reader == nil else { continue }
        answered += 1
        let line = try #require(stage.lines.first { $0.contains("2 deny it now") })
        #expect(line.contains(title), "\(columns): \(line)")
        #expect(line.contains("1 allow  2 deny it now"))
        try stage.press("1")
        #expect(Self.given(stage).count == 1)
      }
    }
    #expect(answered > 50)
  }

  @Test func screenReadersOpenItFirst() throws {
    var stage = try Self.stage(signs: .fitting(isASCII: false, areWords: true, words: .english))
    Self.rest(&stage)
    try stage.press("1")
    #expect(Self.given(stage) == [])
    #expect(stage.state.focus.pane == .reader)
  }

  @Test func allReadLeavesIt() throws {
    var stage = try Self.stage()
    stage.state.shown.list.rememberDrawn()
    _ = update(&stage.state, .input(.key(try #require(KeyPress(parsing: "A")))))
    let unread = stage.state.shown.list.rows.filter(\.isUnread).map(\.id)
    #expect(unread == [Self.question])
  }

  @Test func whatWaitsHasAListOnTop() throws {
    var stage = try Self.stage(columns: 150)
    #expect(stage.screen.contains("Waiting"))
    let lines = stage.lines.filter { $0.contains("Waiting") || $0.contains("Starred") }
    #expect(lines.first?.contains("Waiting") == true)
    stage.outside { store in
      for index in store.messages.indices { store.messages[index].question?.ended = ModelStore.start }
    }
    #expect(!stage.screen.contains("Waiting"))
  }
}
