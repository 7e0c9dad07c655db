import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

struct ActsTests {
  private func last(_ stage: Stage) -> UserAct? { stage.acts.last }

  @Test func unreadAndStarGoBothWays() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j", "u", "k")
    #expect(last(stage) == .read([MessageID(1)]))
    #expect(stage.state.shown.list.selectedRow?.isUnread == false)
    try stage.press("u", "k")
    #expect(last(stage) == .unread([MessageID(1)]))
    try stage.press("s")
    #expect(last(stage) == .star([MessageID(1)]))
    #expect(stage.lines.contains { $0.contains("★ Swift 6.3 released") })
    try stage.press("s")
    #expect(last(stage) == .unstar([MessageID(1)]))
  }

  @Test func markingUnreadGoesOnToTheNextMessage() throws {
    var stage = Stage(columns: 80, rows: 24)
    let titles = stage.state.shown.list.rows.map(\.title)
    try stage.press("u")
    #expect(stage.selectedTitle == titles[1])
    try stage.press("2", "u")
    #expect(stage.selectedTitle == titles[3])
    try stage.press("G", "u")
    #expect(stage.selectedTitle == titles.last)
    // While one is read, the next one is opened.
    try stage.press("g", "enter", "u")
    #expect(stage.state.focus.pane == .reader && stage.state.shown.reader.message?.content.title == titles[1])
  }

  @Test func theSettingsKeepItWhereItIs() throws {
    var layout = LayoutOptions()
    layout.unreadMovesOn = false
    let options = InterfaceOptions(words: .english, zone: Stage.utc, layout: layout)
    var stage = Stage(columns: 80, rows: 24, options: options)
    try stage.press("j", "j")
    let title = stage.selectedTitle
    try stage.press("u", "u")
    #expect(stage.selectedTitle == title)
    try stage.press("enter", "u")
    #expect(stage.state.shown.reader.message?.content.title == title)
    #expect(stage.acts.suffix(1) == [.unread([MessageID(2)])])
  }

  @Test func markedUnreadWhileReadItStaysUnread() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j", "enter", "u")
    stage.outside { $0.addSource("other") }
    #expect(stage.acts.prefix(2) == [.read([MessageID(1)]), .unread([MessageID(1)])])
    #expect(stage.store.messages[0].isUnread)
  }

  @Test func theListShowsWhatWasDoneBeforeTheStoreAnswers() throws {
    var stage = Stage(columns: 80, rows: 24)
    // A downtime stays until it expires.
    var snoozing = stage
    _ = update(&snoozing.state, .input(.key(KeyPress("z"))))
    #expect(snoozing.bottom.contains("This message cannot be snoozed: it stays until it expires."))
    let effects = update(&stage.state, .input(.key(KeyPress("d"))))
    #expect(effects == [.markSeen(.all)])
    #expect(stage.bottom.contains("This message cannot be dismissed: it stays until it expires."))
    _ = update(&stage.state, .input(.key(KeyPress("j"))))
    #expect(
      update(&stage.state, .input(.key(KeyPress("d")))).first
        == .journal(.perform(.dismiss([MessageID(1)]), ActID(1))))
    #expect(!stage.screen.contains("Swift 6.3 released"))
    #expect(stage.selectedTitle == "Deployment at 15:00")
  }

  @Test func aMessageIsSnoozedUntilATypedTime() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j", "z")
    #expect(stage.bottom.contains("Until: "))
    try stage.press("2", "h", "enter")
    #expect(!stage.screen.contains("Swift 6.3 released"))
    #expect(stage.bottom.contains("U brings it back now."))
    try stage.press("U")
    #expect(stage.screen.contains("Swift 6.3 released"))
    #expect(stage.bottom.contains("Undid: snoozed"))
  }

  /// The next keys belong to the answer: they must not become commands.
  @Test func aTimeThatIsNotUnderstoodKeepsThePromptOpen() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j", "z", "x", "enter")
    #expect(stage.bottom.contains("Until: x"))
    #expect(stage.bottom.contains("x is not a time in the future."))
    #expect(stage.screen.contains("Swift 6.3 released"))
    try stage.press("d")
    #expect(stage.bottom.contains("Until: xd"))
    #expect(!stage.bottom.contains("future"))
    #expect(stage.screen.contains("Swift 6.3 released"))
    try stage.press("backspace", "backspace", "2", "h", "enter")
    #expect(!stage.screen.contains("Swift 6.3 released"))
    #expect(stage.bottom.contains("U brings it back now."))
  }

  @Test func aListThatWasReadBeforeTheWriteTakesNothingBack() {
    var stage = Stage(columns: 80, rows: 24)
    _ = update(&stage.state, .input(.key(KeyPress("j"))))
    _ = update(&stage.state, .input(.key(KeyPress("u"))))
    _ = update(&stage.state, .input(.key(KeyPress("k"))))
    _ = update(&stage.state, .input(.key(KeyPress("s"))))
    stage.outside { _ in }
    #expect(stage.state.shown.list.selectedRow?.isUnread == false)
    #expect(stage.state.shown.list.selectedRow?.isStarred == true)
    _ = update(&stage.state, .input(.key(KeyPress("d"))))
    stage.outside { _ in }
    #expect(!stage.screen.contains("Swift 6.3 released"))
    #expect(stage.selectedTitle == "Deployment at 15:00")
  }

  @Test func aRefusedActIsRevertedAndReported() {
    var stage = Stage(columns: 80, rows: 24)
    _ = update(&stage.state, .input(.key(KeyPress("j"))))
    _ = update(&stage.state, .input(.key(KeyPress("s"))))
    _ = update(&stage.state, .input(.key(KeyPress("d"))))
    #expect(!stage.screen.contains("Swift 6.3 released"))
    stage.send(.journal(.refused(ActID(2), reason: "the disk is full")))
    #expect(stage.screen.contains("★ Swift 6.3 released"))
    #expect(stage.bottom.contains("Nothing was changed: the disk is full."))
    stage.send(.journal(.refused(ActID(1), reason: "the disk is full")))
    #expect(!stage.screen.contains("★ Swift 6.3 released"))
  }

  @Test func whoTypesFasterThanTheStoreTogglesWhatIsMeant() {
    var stage = Stage(columns: 80, rows: 24)
    var effects: [Effect] = []
    for key in ["j", "u", "k", "U", "u", "k", "s", "s", "d", "U"] {
      effects += update(&stage.state, .input(.key(KeyPress(Character(key)))))
    }
    let id = MessageID(1)
    // Only the store knows the messages that an undo restores.
    #expect(effects.count { if case .journal(.perform) = $0 { true } else { false } } == 1)
    stage.carryOut(effects)
    #expect(stage.acts == [.read([id]), .read([id]), .star([id]), .unstar([id]), .dismiss([id])])
    #expect(stage.screen.contains("Swift 6.3 released"))
  }

  @Test func dismissedIsSaidOnceItIsWritten() {
    var stage = Stage(columns: 80, rows: 24)
    _ = update(&stage.state, .input(.key(KeyPress("j"))))
    _ = update(&stage.state, .input(.key(KeyPress("d"))))
    #expect(!stage.bottom.contains("Dismissed."))
    stage.send(.journal(.performed(ActID(1))))
    #expect(stage.bottom.contains("Dismissed."))
    // After the user has begun something else, the act is no longer reported.
    _ = update(&stage.state, .input(.key(KeyPress("d"))))
    _ = update(&stage.state, .input(.key(KeyPress("j"))))
    stage.send(.journal(.performed(ActID(2))))
    #expect(!stage.bottom.contains("Dismissed."))
  }

  @Test func aMessageReadInTheUnreadFilterStaysInLaterLists() throws {
    var stage = Stage(columns: 150, rows: 40)
    try stage.press("f", "j")
    let before = stage.store
    try stage.press("enter")
    let id = try #require(stage.state.shown.reader.subject)
    #expect(id == MessageID(1))
    #expect(stage.selectedTitle == "Swift 6.3 released")
    // Read before the write, delivered after it; then a list without the message.
    let (query, window) = (stage.state.shown.list.query, stage.state.shown.list.window)
    stage.send(.inboxChanged(before.snapshot(query, window), including: .none))
    stage.outside { _ in }
    #expect(stage.state.shown.reader.subject == id)
    #expect(stage.selectedTitle == "Swift 6.3 released")
  }

  @Test func dismissingWhileReadingReadsTheNext() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j", "enter", "d")
    #expect(stage.state.focus.pane == .reader)
    #expect(stage.state.shown.reader.message?.content.title == "Deployment at 15:00")
    #expect(stage.store.messages[0].isDismissed)
    #expect(!stage.store.messages[1].isUnread)
  }

  @Test func dismissingTheLastOneGoesBackToTheList() throws {
    var store = ModelStore()
    store.addSource("a")
    store.add("Only", age: 1)
    var stage = Stage(store, columns: 80, rows: 24)
    try stage.press("enter", "d")
    #expect(stage.state.focus.pane == .messages)
    #expect(stage.screen.contains("No messages yet."))
  }

  @Test func undoTakesBackStepByStep() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j", "s", "d", "U")
    #expect(stage.bottom.contains("Undid: dismissed"))
    #expect(stage.selectedTitle == "Swift 6.3 released")
    #expect(stage.state.shown.list.selectedRow?.isStarred == true)
    try stage.press("U")
    #expect(stage.bottom.contains("Undid: starred"))
    #expect(stage.state.shown.list.selectedRow?.isStarred == false)
    try stage.press("U")
    #expect(stage.bottom.contains("Nothing to undo."))
  }

  @Test func anHourIsEnoughWithoutAWord() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j", "enter", "z", "enter")
    #expect(
      stage.effects.contains(
        .journal(.snooze(MessageSelection([MessageID(1)]), until: "1h", ActID(2), stage.asked))))
    #expect(stage.state.shown.reader.message?.content.title == "Deployment at 15:00")
  }

  @Test func allReadIsOfThisListOnly() throws {
    var stage = Stage(columns: 80, rows: 24, scope: .source(SourceID(2)))
    try stage.press("A")
    #expect(
      last(stage)
        == .readAll(InboxQuery(scope: .source(SourceID(2))), newest: stage.state.shown.list.newestDrawn))
    #expect(stage.state.counts.unread == 1)
    #expect(stage.bottom.contains("Marked 3 as read. U undoes it."))
    try stage.press("U")
    #expect(stage.state.counts.unread == 4)
    try stage.press("h", "k", "A")
    #expect(
      last(stage)
        == .readAll(InboxQuery(scope: .source(SourceID(1))), newest: stage.state.shown.list.newestDrawn))
  }

  @Test func whereNothingIsUnreadNothingIsMarkedRead() throws {
    var stage = Stage(columns: 80, rows: 24, scope: .source(SourceID(2)))
    try stage.press("A", "A")
    #expect(stage.bottom.contains("Nothing unread.") && !stage.bottom.contains("Marked"))
  }

  @Test func suspendRedrawAndQuitAreEffects() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("q")
    #expect(stage.effects.suffix(2) == [.markSeen(.all), .quit])
    // Nothing is done after quitting.
    try stage.press("d", "l", "s", "enter", "ctrl-l")
    #expect(stage.effects.last == .quit && stage.acts.isEmpty)
    stage = Stage(columns: 80, rows: 24)
    try stage.press("ctrl-l", "ctrl-z")
    #expect(stage.effects.suffix(3).filter { $0 != .markSeen(.all) } == [.redraw, .suspend])
    try stage.press("/", "ctrl-l")
    #expect(stage.effects.last == .redraw)
    #expect(stage.state.dialog.prompt != nil)
  }

  @Test func aCountCanBeTakenBack() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("3")
    #expect(stage.bottom.hasSuffix("3"))
    try stage.press("esc")
    #expect(stage.state.input.count == nil)
    #expect(stage.state.focus.pane == .messages)
    try stage.press("0", "3", "j")
    #expect(stage.state.shown.list.selected == 3)
  }
}
