import Foundation
import Messages
import Screen
import Testing

@testable import Interface

/// Keys wait while the place that an earlier key led to is being read, and answers belong to their questions.
struct WaitingTests {
  /// Types keys without any responses, and returns the effects to carry out.
  private func type(_ keys: String..., in stage: inout Stage) throws -> [Effect] {
    try keys.flatMap { name in
      update(&stage.state, .input(.key(try #require(KeyPress(parsing: name)))))
    }
  }

  @Test func aKeyAfterTheEndOfALongListIsDoneToItsLastMessage() throws {
    var stage = Stage(.long(1000), columns: 80, rows: 24)
    let effects = try type("G", "d", in: &stage)
    #expect(!effects.contains { if case .journal(.perform) = $0 { true } else { false } })
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
      effects.compactMap { if case .keys(.scheduleWaitEnd(let wait)) = $0 { wait } else { nil } }.last)
    #expect(update(&stage.state, .keys(.waitEnded(wait - 1))).isEmpty)
    _ = update(&stage.state, .keys(.waitEnded(wait)))
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

  /// Three messages with links, the middle one selected.
  private func three() throws -> Stage {
    var store = ModelStore()
    store.addSource("team")
    for number in 1...3 {
      store.add("Message \(number)", age: Double(number) * 60, body: "See https://a.example/\(number)") {
        $0.content.url = "https://b.example/\(number)"
      }
    }
    var stage = Stage(store, columns: 80, rows: 24)
    try stage.press("j")
    stage.effects = []
    return stage
  }

  /// A form or a page that Escape leaves before it is there does not open afterwards.
  @Test(arguments: ["W", "e", "L"]) func escapeLeavesWhatHasNotOpenedYet(key: String) throws {
    var stage = try three()
    let before = stage.lines
    var effects = try type(key, in: &stage)
    let request = stage.state.pending.form
    effects += try type("esc", in: &stage)
    stage.carryOut(effects)
    if let request { stage.send(.forms(.loaded(request, SourceFields(.source(SourceID(1)), entries: [])))) }
    #expect(!stage.state.dialog.coversPanes && stage.state.focus.pane == .messages)
    #expect(stage.lines == before, "\(stage.screen)")
    // Later keys are no text of the form.
    try stage.press("d")
    #expect(stage.acts == [.dismiss([MessageID(2)])])
  }

  /// A message that is being searched for is not opened after Escape has left the reader.
  @Test func escapeOpensNoMessageAfterwards() throws {
    var store = ModelStore()
    store.addSource("log")
    for index in 0..<1000 { store.add("Message \(index)", age: Double(index) * 60, unread: index == 900) }
    var stage = Stage(store, columns: 80, rows: 24)
    try stage.press("j", "enter")
    let effects = try type("n", "esc", in: &stage)
    stage.carryOut(effects)
    #expect(stage.state.focus.pane == .messages && stage.acts.isEmpty && stage.selectedTitle == "Message 1")
    // Also if it was found, but its rows are not there yet.
    try stage.press("enter")
    var waiting = try type("n", in: &stage)
    let search = try #require(
      waiting.compactMap { if case .search(.findUnread(_, _, _, let request)) = $0 { request } else { nil } }
        .last)
    let key = try #require(store.rows(InboxQuery()).first { $0.id == MessageID(901) }).key
    waiting = update(&stage.state, .search(.unreadFound(search, key)))
    waiting += try type("esc", in: &stage)
    stage.carryOut(waiting)
    #expect(stage.state.focus.pane == .messages && stage.acts.isEmpty && stage.selectedTitle == "Message 900")
  }

  /// Whether a motion extends an act depends on the times at which both were typed, not on how long they waited.
  @Test(arguments: [(0.6, 1.4, [2]), (0.6, 0.4, [2, 3])])
  func aMotionExtendsAnActByTheTimesOfTheirKeys(first: Double, second: Double, ids: [Int64]) throws {
    var stage = try three()
    func wait(_ seconds: Double) { stage.send(.timeChanged(stage.state.now + seconds)) }
    try stage.press("e")
    let request = stage.asked
    wait(first)
    try stage.press("d")
    wait(second)
    try stage.press("G")
    #expect(stage.acts.isEmpty)
    stage.send(.forms(.answered(request, reason: "scripts made it")))
    let dismissed = stage.acts.flatMap(\.messages.ids)
    #expect(Set(dismissed) == Set(ids.map { MessageID($0) }), "\(stage.acts)")
  }

  /// Whether keys are the text of a refused prompt depends on the times of the keys, too.
  @Test func textOfARefusedPromptIsKnownByTheTimesOfItsKeys() throws {
    var stage = try three()
    try stage.press("e")
    let request = stage.asked
    // `S` has nothing to ask; it waits for the form.
    stage.send(.timeChanged(ModelStore.start + 0.6))
    try stage.press("S")
    stage.send(.timeChanged(ModelStore.start + 1.4))
    stage.send(.forms(.answered(request, reason: "scripts made it")))
    try stage.press("d")
    #expect(stage.acts == [.dismiss([MessageID(2)])])
  }

  /// If the beginning of what was typed into a form is dropped, because the form was not there in time, the rest does
  /// nothing.
  @Test func theRestOfATextThatWasDroppedDoesNothing() throws {
    var stage = try three()
    func type(_ key: String, at seconds: Double) throws {
      stage.send(.timeChanged(ModelStore.start + seconds))
      try stage.press(key)
    }
    try type("e", at: 0)
    for seconds in [0.4, 0.8] { try type("d", at: seconds) }
    stage.send(.keys(.waitEnded(stage.state.waiting.wait)))
    #expect(stage.bottom.contains("2 keys were ignored"))
    try type("d", at: 1.2)
    #expect(stage.acts.isEmpty)
    try type("d", at: 2)
    #expect(stage.acts == [.dismiss([MessageID(2)])])
  }

  @Test func aListThatIsNeverReadKeepsNobodyFromQuitting() throws {
    var stage = Stage(.long(1000), columns: 80, rows: 24)
    _ = try type("G", "q", in: &stage)
    _ = update(&stage.state, .keys(.waitEnded(stage.state.waiting.wait)))
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
    stage.send(.sources(.addAnswered(request, .added(name: "swift", title: "Swift Blog"))))
    #expect(stage.state.shown.list.query.scope == .all)
    #expect(stage.state.dialog.prompt?.editor.text == "https://other.example")
    stage.send(.sources(.addAnswered(request, .choices([FeedChoice(title: "A", url: "https://a.example")]))))
    #expect(stage.state.dialog.overlay == nil && stage.state.dialog.prompt != nil)
  }

  @Test func aFormThatComesTooLateIsNotOpened() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("e")
    let request = stage.asked
    let effects = try type("j", in: &stage)
    _ = update(&stage.state, .keys(.waitEnded(stage.state.waiting.wait)))
    stage.carryOut(effects)
    stage.send(.forms(.loaded(request, SourceFields(.source(SourceID(1)), entries: []))))
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
    stage.send(.quiet(.refused(request, text: "whenever")))
    #expect(stage.state.dialog.prompt?.editor.text == "2h")
    stage.send(.quiet(.set(stage.asked, until: ModelStore.start + 7200)))
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
