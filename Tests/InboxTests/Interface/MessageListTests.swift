import Foundation
import Messages
import Screen
import Testing

@testable import Interface

struct MessageListTests {
  /// The rows on screen, by their titles.
  private func inSight(_ stage: Stage) -> [String] {
    let list = stage.state.shown.list
    let visible = stage.state.layout.rows(of: .messages)
    return list.rows[list.top..<min(list.rows.count, list.top + visible)].map(\.title)
  }

  private func arrive(_ count: Int, in stage: inout Stage) {
    stage.outside { store in
      for index in 0..<count { store.add("Fresh \(index)", age: -Double(index) - 1) }
    }
  }

  // MARK: Windows

  @Test func onlyAWindowOfALongListIsHeld() throws {
    var stage = Stage(.long(3000), columns: 84, rows: 24)
    #expect(stage.state.shown.list.rows.count == MessageList.chunk)
    for _ in 0..<100 { try stage.press("pgdn") }
    // 21 rows are visible, and a page keeps one of them.
    #expect(stage.selectedTitle == "Message 2000")
    #expect(stage.state.shown.list.rows.count <= 3 * MessageList.chunk)
    let loads = stage.effects.count { if case .load = $0 { true } else { false } }
    #expect(loads < 20)
  }

  @Test func endAndStartAreOneLoadAway() throws {
    var stage = Stage(.long(3000), columns: 84, rows: 24)
    try stage.press("G")
    #expect(stage.selectedTitle == "Message 2999")
    #expect(inSight(stage).last == "Message 2999")
    #expect(stage.effects.filter { if case .load = $0 { true } else { false } }.count == 1)
    try stage.press("g")
    #expect(stage.selectedTitle == "Message 0")
    #expect(inSight(stage).first == "Message 0")
  }

  @Test func countsReachBeyondTheWindow() throws {
    var stage = Stage(.long(3000), columns: 84, rows: 24)
    stage.type("1500j")
    #expect(stage.selectedTitle == "Message 1500")
    stage.type("1200k")
    #expect(stage.selectedTitle == "Message 300")
    stage.type("99999j")
    #expect(stage.selectedTitle == "Message 2999")
    stage.type("99999k")
    #expect(stage.selectedTitle == "Message 0")
  }

  @Test func stepsTakenWhileRowsAreOnTheirWayAreNotLost() throws {
    var state = AppState(
      options: InterfaceOptions(zone: Stage.utc), size: Size(columns: 84, rows: 24), now: ModelStore.start)
    let store = ModelStore.long(1000)
    var effects = update(&state, .started)
    _ = update(&state, .inboxChanged(store.snapshot(state.shown.list.query, state.shown.list.window)))
    for character in "300j" { effects = update(&state, .input(.key(KeyPress(character)))) }
    guard case .load(let query, let window)? = effects.first else {
      Issue.record("nothing is loaded: \(effects)")
      return
    }
    #expect(update(&state, .input(.key(KeyPress("j")))) == [.keys(.scheduleWaitEnd(1))])
    for _ in 0..<4 { #expect(update(&state, .input(.key(KeyPress("j")))).isEmpty) }
    _ = update(&state, .inboxChanged(store.snapshot(query, window)))
    #expect(state.shown.list.selectedRow?.title == "Message 305")
  }

  @Test func rowsOfAnotherListOrWindowAreDropped() {
    var stage = Stage(columns: 84, rows: 24)
    let before = stage.state.shown.list
    var stale = stage.store.snapshot(InboxQuery(scope: .starred), InboxWindow())
    stale.unread = 77
    stage.send(.inboxChanged(stale))
    #expect(stage.state.shown.list.rows == before.rows)
    // The counts of such a snapshot are used anyway.
    #expect(stage.state.counts.unread == 77)
  }

  // MARK: Arrivals

  /// Before the first key: otherwise the first polls would move the selection, and new messages would not be visible.
  @Test func untilTheFirstKeyTheSelectionStaysAtTheTop() throws {
    var stage = Stage(.long(100), columns: 84, rows: 24)
    for _ in 0..<3 { arrive(30, in: &stage) }
    #expect(inSight(stage).first == "Fresh 29")
    #expect(stage.selectedTitle == "Fresh 29")
    #expect(stage.state.shown.list.selected == 0)
    try stage.press("?", "?")
    arrive(40, in: &stage)
    #expect(inSight(stage).first == "Fresh 39")
    #expect(stage.selectedTitle == "Fresh 29")
    #expect(stage.state.shown.list.selected > 0)
  }

  @Test func atTheTopNewMessagesComeIntoSight() throws {
    var stage = Stage(.long(100), columns: 84, rows: 24)
    try stage.press("j", "k")
    arrive(2, in: &stage)
    #expect(inSight(stage).prefix(3) == ["Fresh 1", "Fresh 0", "Message 0"])
    #expect(stage.selectedTitle == "Message 0")
  }

  @Test func furtherDownTheViewDoesNotJump() throws {
    var stage = Stage(.long(100), columns: 84, rows: 24)
    try stage.press("4", "0", "j", "3", "k")
    let before = inSight(stage)
    arrive(5, in: &stage)
    #expect(inSight(stage) == before)
    #expect(stage.selectedTitle == "Message 37")
  }

  @Test func evenManyArrivalsDoNotTakeTheSelectionAway() throws {
    var stage = Stage(.long(1000), columns: 84, rows: 24)
    try stage.press("3", "0", "j")
    let before = inSight(stage)
    arrive(400, in: &stage)
    #expect(stage.selectedTitle == "Message 30")
    #expect(inSight(stage) == before)
    // The list can be scrolled up.
    try stage.press("g")
    #expect(stage.selectedTitle == "Fresh 399")
  }

  @Test func aMessageWhoseTimeChangesTakesTheSelectionAlong() throws {
    var stage = Stage(.long(50), columns: 84, rows: 24)
    try stage.press("5", "j")
    stage.outside { $0.messages[5].content.published = ModelStore.start - 1e6 }
    #expect(stage.selectedTitle == "Message 5")
    #expect(stage.state.shown.list.selected == 49)
  }

  @Test func theNeighbourTakesTheSelectionOfAVanishedMessage() throws {
    var stage = Stage(.long(50), columns: 84, rows: 24)
    try stage.press("5", "j")
    stage.outside { $0.messages.removeAll { $0.content.title == "Message 5" } }
    #expect(stage.selectedTitle == "Message 6")
    try stage.press("G")
    stage.outside { $0.messages.removeAll { $0.content.title == "Message 49" } }
    #expect(stage.selectedTitle == "Message 48")
    stage.outside { $0.messages = [] }
    #expect(stage.selectedTitle == nil)
    try stage.press("j", "k", "G", "g", "enter", "d", "u", "s", "o", "space", "n")
    #expect(stage.state.focus.pane == .messages)
  }

  // MARK: Unread only

  @Test func whatIsReadStaysInSightUntilTheListIsLeft() throws {
    var stage = Stage(.long(30), columns: 84, rows: 24)
    try stage.press("f")
    #expect(stage.state.shown.list.rows.map(\.title).prefix(3) == ["Message 0", "Message 3", "Message 6"])
    try stage.press("j", "enter", "h")
    #expect(inSight(stage).prefix(3) == ["Message 0", "Message 3", "Message 6"])
    #expect(stage.state.shown.list.selectedRow?.isUnread == false)
    // An arrival does not take it away either.
    arrive(1, in: &stage)
    #expect(inSight(stage).prefix(4) == ["Fresh 0", "Message 0", "Message 3", "Message 6"])
    try stage.press("f", "f")
    #expect(!stage.state.shown.list.rows.map(\.title).contains("Message 3"))
  }

  @Test func aDismissedMessageDisappearsAtOnce() throws {
    var stage = Stage(.long(30), columns: 84, rows: 24)
    try stage.press("f", "j", "enter", "h", "d")
    #expect(stage.state.shown.list.rows.prefix(2).map(\.title) == ["Message 0", "Message 6"])
  }

  @Test func theSelectionSurvivesTheFilter() throws {
    var stage = Stage(.long(600), columns: 84, rows: 24)
    stage.type("300jf")
    #expect(stage.selectedTitle == "Message 300")
    stage.type("jf")
    #expect(stage.selectedTitle == "Message 303")
    // A read one is replaced by the next unread one.
    stage.type("jf")
    #expect(stage.selectedTitle == "Message 306")
  }
}
