import Foundation
import Messages
import Screen
import Testing

@testable import Interface

/// Keys wait while the place that an earlier key led to is being read, and answers belong to their questions.
struct WaitingTests {
  /// Types without an answer to anything; returns what is to be carried out.
  private func type(_ keys: String..., in stage: inout Stage) throws -> [Effect] {
    try keys.flatMap { name in
      update(&stage.state, .input(.key(try #require(KeyPress(parsing: name)))))
    }
  }

  @Test func aKeyAfterTheEndOfALongListIsDoneToItsLastMessage() throws {
    var stage = Stage(.long(1000), columns: 80, rows: 24)
    let effects = try type("G", "d", in: &stage)
    #expect(!effects.contains { if case .perform = $0 { true } else { false } })
    stage.carryOut(effects)
    #expect(stage.acts == [.dismiss([MessageID(1000)])])
  }

  @Test func aStepAfterTheEndIsNotLost() throws {
    var stage = Stage(.long(1000), columns: 80, rows: 24)
    stage.carryOut(try type("G", "k", in: &stage))
    #expect(stage.selectedTitle == "Message 998")
  }

  @Test func aKeyAfterASearchIsDoneToWhatItFinds() throws {
    var stage = Stage(.long(1000), columns: 80, rows: 24)
    stage.carryOut(try type("/", "0", "7", "7", "7", "enter", "d", in: &stage))
    #expect(stage.acts.isEmpty)
    stage = Stage(.long(1000), columns: 80, rows: 24)
    stage.carryOut(try type("/", "7", "7", "7", "enter", "d", in: &stage))
    #expect(stage.acts == [.dismiss([MessageID(778)])])
  }

  @Test func aStarAfterTheNextUnreadMessageIsGivenToIt() throws {
    var store = ModelStore()
    store.addSource("log")
    for index in 0..<1000 {
      store.add("Message \(index)", age: Double(index) * 60, unread: index == 900)
    }
    var stage = Stage(store, columns: 80, rows: 24)
    stage.carryOut(try type("n", "s", in: &stage))
    #expect(stage.acts == [.star([MessageID(901)])])
  }

  @Test func afterASecondWhatWaitsIsDroppedWithAWord() throws {
    var stage = Stage(.long(1000), columns: 80, rows: 24)
    let effects = try type("G", "d", "d", in: &stage)
    let wait = try #require(
      effects.compactMap { if case .scheduleWaitEnd(let wait) = $0 { wait } else { nil } }.last)
    #expect(update(&stage.state, .waitEnded(wait - 1)).isEmpty)
    _ = update(&stage.state, .waitEnded(wait))
    #expect(stage.bottom.contains("2 keys were ignored"))
    stage.carryOut(effects)
    #expect(stage.acts.isEmpty)
    // The selection stays where it is, and keys work.
    #expect(stage.selectedTitle != "Message 999")
    let id = try #require(stage.state.shown.list.selectedRow?.id)
    try stage.press("s")
    #expect(stage.acts == [.star([id])] && id > MessageID(100))
  }

  @Test func escapeGivesUpWhatWaits() throws {
    var stage = Stage(.long(1000), columns: 80, rows: 24)
    let effects = try type("G", "d", "esc", in: &stage)
    #expect(stage.bottom.contains("1 key was ignored"))
    stage.carryOut(effects)
    #expect(stage.acts.isEmpty && stage.state.focus.pane == .messages)
  }

  @Test func aListThatIsNeverReadKeepsNobodyFromQuitting() throws {
    var stage = Stage(.long(1000), columns: 80, rows: 24)
    _ = try type("G", "q", in: &stage)
    _ = update(&stage.state, .waitEnded(stage.state.waiting.wait))
    #expect(try type("q", in: &stage).last == .quit)
  }

  @Test func aClickMeansTheScreenAsItIs() throws {
    var stage = Stage(.long(1000), columns: 80, rows: 24)
    var effects = try type("G", in: &stage)
    let row = try #require(stage.lines.firstIndex { $0.contains("Message 190") })
    let column = try #require(stage.state.layout.messages).origin.column + 3
    effects += update(&stage.state, .input(.mouse(Mouse(kind: .click, at: Point(column: column, row: row)))))
    stage.carryOut(effects)
    #expect(stage.selectedTitle == "Message 190")
  }

  // MARK: Marking all as read

  @Test func whatCameInBehindTheReaderIsNotMarkedRead() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j", "enter")
    stage.outside { $0.add("Came in behind the reader", age: -5) }
    try stage.press("A")
    #expect(stage.store.messages.filter(\.isUnread).map(\.content.title) == ["Came in behind the reader"])
  }

  // MARK: Answers to questions that are gone

  @Test func aSourceThatIsAddedTooLateIsSaidOnly() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("a")
    stage.type("https://new.example/feed")
    try stage.press("enter")
    let request = stage.asked
    try stage.press("esc", "a")
    stage.type("https://other.example")
    stage.send(.addAnswered(request, .added(name: "swift", title: "Swift Blog")))
    #expect(stage.state.shown.list.query.scope == .all)
    #expect(stage.state.dialog.prompt?.editor.text == "https://other.example")
    stage.send(.addAnswered(request, .choices([FeedChoice(title: "A", url: "https://a.example")])))
    #expect(stage.state.dialog.overlay == nil && stage.state.dialog.prompt != nil)
  }

  @Test func aFormThatComesTooLateIsNotOpened() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("e")
    let request = stage.asked
    let effects = try type("j", in: &stage)
    _ = update(&stage.state, .waitEnded(stage.state.waiting.wait))
    stage.carryOut(effects)
    stage.send(.formLoaded(request, SourceFields(.source(SourceID(1)), entries: [])))
    #expect(stage.state.dialog.form == nil)
    #expect(stage.bottom.contains("too late"))
  }

  @Test func anAnswerToAnotherPromptOfTheSameKindChangesNothing() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("Q")
    stage.type("whenever")
    try stage.press("enter")
    let request = stage.asked
    try stage.press("esc", "Q")
    stage.type("2h")
    try stage.press("enter")
    stage.send(.quietRefused(request, text: "whenever"))
    #expect(stage.state.dialog.prompt?.editor.text == "2h")
    stage.send(.quieted(stage.asked, until: ModelStore.start + 7200))
    #expect(stage.state.dialog.prompt == nil)
  }

  @Test func whatIsPastedIntoASearchIsNotLostByTab() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("/")
    stage.type("so")
    try stage.press("tab")
    stage.send(.input(.paste("pasted")))
    try stage.press("tab")
    #expect(stage.state.dialog.prompt?.editor.text.contains("pasted") == true)
  }
}
