import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Refreshing, adding, the timeline, the welcome.
struct SourcesTests {
  private func asked(_ stage: Stage) -> [Effect] {
    stage.effects.filter {
      switch $0 {
      case .polling(.scheduleSecond): false
      case .polling, .sources(.add): true
      default: false
      }
    }
  }

  // MARK: Names

  @Test(arguments: [
    ("en", "Inbox"), ("zh-CN", "消息中心"), ("zh-TW", "訊息中心"), ("hi", "इनबॉक्स"), ("fi", "Inbox"),
  ])
  func anInboxThatNoServerHasNamedIsCalledSoInTheReadersLanguage(_ language: String, _ name: String) {
    func status(_ id: Int64, _ kind: SourceKind, _ title: String?) -> SourceStatus {
      let source = Source(
        id: SourceID(id), name: "source\(id)", kind: kind, address: "https://a.example/\(id)")
      return SourceStatus(source: source, title: title, isUnseen: false, unread: 0, total: 0)
    }
    let words = Words.named(language)
    let one = [status(1, .native, nil), status(2, .native, "Team"), status(3, .feed, nil)]
    #expect(
      words.titles(of: one).mapValues(\.text) == [
        SourceID(1): name, SourceID(2): "Team", SourceID(3): "source3",
      ])
    let two = [status(1, .native, nil), status(2, .native, nil)]
    #expect(
      words.titles(of: two).mapValues(\.text) == [
        SourceID(1): "\(name) (source1)", SourceID(2): "\(name) (source2)",
      ])
  }

  // MARK: Rows of the pane

  /// Rows that are left free would push Snoozed out of the pane.
  @Test(arguments: [(16, true), (18, true), (19, false), (20, false), (21, true)])
  func aRowIsLeftFreeWhereAllListsStayOnScreen(sources: Int, isFree: Bool) {
    var list = SourceList()
    list.change { $0.putAway = [.snoozed] }
    let statuses = (1...Int64(sources)).map { id in
      let source = Source(
        id: SourceID(id), name: "source\(id)", kind: .feed, address: "https://a.example/\(id)")
      return SourceStatus(source: source, title: nil, isUnseen: false, unread: 0, total: 0)
    }
    list.apply(statuses, words: Words.named("en"), shown: .all)
    list.fit(visible: 23, hasGaps: true)
    let shown = list.linesOnScreen(visible: 23)
    #expect(shown.contains { $0.row != $0.index } == isFree)
    // All, Starred, the sources and Snoozed.
    #expect((shown.count == sources + 3) == (sources <= 20))
  }

  // MARK: Refreshes

  @Test func theFirstPollIsThePollersWhenTheInboxOpens() {
    var state = AppState(
      options: InterfaceOptions(zone: Stage.utc), size: Size(columns: 80, rows: 24), now: ModelStore.start,
      timeline: true)
    #expect(
      update(&state, .started) == [
        .load(InboxQuery(), InboxWindow(anchor: .start, before: 0, after: MessageList.chunk)),
        .polling(.loadTimeline(nil)),
      ])
  }

  @Test func theHeaderCountsDownToTheFirstPoll() {
    var stage = Stage(columns: 80, rows: 24)
    let first = ModelStore.start + 2.5
    for id in [SourceID(1), SourceID(2)] {
      stage.send(.polling(.changed([id: SourcePolling(next: first, rule: .initialDelay)])))
    }
    #expect(stage.lines[0].contains("first poll in 3 s"))
    #expect(stage.effects.filter { $0 == .polling(.scheduleSecond) }.count == 1)
    stage.send(.timeChanged(ModelStore.start + 1))
    stage.send(.polling(.secondPassed))
    #expect(stage.lines[0].contains("first poll in 2 s"))
    #expect(stage.effects.filter { $0 == .polling(.scheduleSecond) }.count == 2)
    stage.send(.polling(.changed([SourceID(1): SourcePolling(phase: .polling)])))
    stage.send(.polling(.changed([SourceID(2): SourcePolling(next: first + 600)])))
    #expect(!stage.lines[0].contains("first poll"))
    stage.effects = []
    stage.send(.polling(.secondPassed))
    #expect(!stage.effects.contains(.polling(.scheduleSecond)))
  }

  @Test func choosingASourceIsASoftRefreshOfIt() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("h", "j", "j", "enter")
    #expect(asked(stage) == [.polling(.refresh([SourceID(1)]))])
  }

  @Test func refreshingIsOfTheListThatTheKeysAreOn() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("r", "R", "h", "j", "j", "r", "j", "j", "r")
    #expect(
      asked(stage) == [
        .polling(.refreshNow(nil)), .polling(.refreshNow(nil)), .polling(.refreshNow([SourceID(1)])),
      ])
    // The last one is filled by scripts.
    #expect(stage.bottom.contains("Nothing here is polled: programs fill it."))
  }

  @Test(arguments: [
    ([RefreshResult.new(count: 3), .nothingNew], "3 new"), ([.nothingNew, .nothingNew], "Nothing new"),
    ([.new(count: 3), .new(count: 2)], "5 new"),
    (
      [.heldBack(until: ModelStore.start + 1200, rule: .retryAfter(host: "h")), .nothingNew],
      "Held back until 14:20: the server asked to wait (h)"
    ),
    (
      [.failed(.nameNotFound(host: "h")), .new(count: 1)],
      "1 new · Swift Blog: No server named h was found."
    ),
    (
      [.failed(.gone), .failed(.cancelled)],
      "2 sources failed · Swift Blog: The source is gone for good (410)"
    ),
  ])
  func newMessagesAreReportedWhenAllPollsHaveEnded(results: [RefreshResult], text: String) throws {
    var stage = Stage(columns: 100, rows: 24)
    try stage.press("R")
    stage.send(.polling(.refreshEnded(SourceID(1), results[0])))
    #expect(stage.state.statusLine.toast == nil)
    stage.send(.polling(.refreshEnded(SourceID(2), results[1])))
    #expect(stage.bottom.contains(text))
    // It stays until the next key.
    stage.send(.polling(.refreshEnded(SourceID(1), .nothingNew)))
    #expect(stage.bottom.contains(text))
    // A failure stays until it could be read.
    stage.send(.timeChanged(stage.state.now + 3))
    try stage.press("j")
    #expect(!stage.bottom.contains(text))
  }

  @Test func aSourceThatIsRemovedIsNotWaitedFor() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("R")
    stage.send(.polling(.refreshEnded(SourceID(1), .new(count: 1))))
    stage.outside { $0.sources.remove(at: 1) }
    #expect(stage.bottom.contains("1 new"))
  }

  @Test func softRefreshesAreQuiet() {
    var stage = Stage(columns: 80, rows: 24)
    stage.send(.polling(.refreshEnded(SourceID(1), .new(count: 9))))
    #expect(stage.state.statusLine.toast == nil)
  }

  // MARK: The state of polls, in the header

  @Test func theSpinnerTurnsOnlyWhileSomethingIsPolled() {
    var stage = Stage(columns: 80, rows: 24)
    stage.send(.polling(.changed([SourceID(1): SourcePolling(phase: .polling)])))
    #expect(asked(stage) == [.polling(.scheduleTick)])
    #expect(stage.lines[0].contains("⠋ polling · "))
    stage.send(.timeChanged(ModelStore.start + 1))
    #expect(asked(stage).count == 1)
    stage.send(.polling(.ticked))
    #expect(stage.lines[0].contains("⠙ polling · "))
    stage.send(.polling(.changed([SourceID(1): SourcePolling(phase: .idle, next: ModelStore.start + 600)])))
    stage.send(.polling(.ticked))
    #expect(asked(stage).count == 2)
  }

  @Test func aSourceThatIsRemovedWhileItIsPolledTurnsNoSpinner() {
    var stage = Stage(columns: 80, rows: 24)
    stage.send(.polling(.changed([SourceID(1): SourcePolling(phase: .polling)])))
    stage.outside { $0.sources.removeFirst() }
    stage.effects = []
    stage.send(.polling(.ticked))
    #expect(stage.effects.isEmpty)
  }

  @Test func whatIsOutOfSightTurnsNoSpinner() {
    var stage = Stage(columns: 40, rows: 10, scope: .source(SourceID(1)))
    stage.send(.polling(.changed([SourceID(2): SourcePolling(phase: .polling)])))
    #expect(asked(stage).isEmpty)
    stage.send(.polling(.changed([SourceID(1): SourcePolling(phase: .polling)])))
    #expect(asked(stage) == [.polling(.scheduleTick)])
  }

  @Test func withoutAnimationsNothingTicks() {
    var stage = Stage(
      columns: 80, rows: 24, options: InterfaceOptions(zone: Stage.utc, animations: false))
    stage.send(.polling(.changed([SourceID(1): SourcePolling(phase: .polling)])))
    #expect(asked(stage).isEmpty)
    #expect(stage.lines[0].contains("… polling · "))
  }

  /// When it was polled, and is polled next, is on the page of polls.
  @Test func theHeaderSaysWhatFailedAndNoTimes() {
    var stage = Stage(columns: 80, rows: 24, scope: .source(SourceID(1)))
    let next = SourcePolling(phase: .idle, next: ModelStore.start + 600)
    stage.send(.polling(.changed([SourceID(1): next])))
    #expect(stage.lines[0].hasSuffix("newest first" + String(repeating: " ", count: 35) + "1 of 4"))
    stage.outside {
      $0.sources[0].state.failures = 1
      $0.sources[0].state.lastFailure = .nameNotFound(host: "x")
    }
    #expect(stage.lines[0].hasSuffix("  ✗ server not found · 1 of 4"))
    stage.resize(40, 10)
    #expect(stage.lines[0].hasSuffix("✗ server not found"))
    stage.send(.polling(.changed([SourceID(1): SourcePolling(phase: .queued)])))
    #expect(stage.lines[0].contains("waiting to poll"))
    stage.send(.polling(.changed([SourceID(1): SourcePolling()])))
    stage.outside { $0.sources[0].state.isGone = true }
    #expect(stage.lines[0].contains("✗ gone for good"))
  }

  @Test func theHeaderSaysHowManyOfARoundArePolled() throws {
    var store = ModelStore.sample
    for name in ["one", "two"] { store.addSource(name, kind: .feed, in: "Dev") }
    var stage = Stage(store, columns: 80, rows: 24)
    let polled = [1, 2, 4, 5].map { SourceID($0) }
    func send(_ phase: SourcePolling.Phase, _ sources: ArraySlice<SourceID>) {
      for source in sources { stage.send(.polling(.changed([source: SourcePolling(phase: phase)]))) }
    }
    send(.queued, polled[...])
    #expect(!stage.lines[0].contains("polling"))
    send(.polling, polled[..<2])
    #expect(stage.lines[0].contains("polling 2 of 4 · "))
    send(.idle, polled[..<1])
    #expect(stage.lines[0].contains("polling 2 of 4 · "))
    send(.polling, polled[2..<3])
    #expect(stage.lines[0].contains("polling 3 of 4 · "))
    // The sources of the list alone.
    try stage.press("h", "j", "j", "j", "j", "j", "enter")
    #expect(stage.lines[0].contains("Dev") && stage.lines[0].contains("polling 1 of 2"))
    try stage.press("h", "g", "enter")
    send(.polling, polled[3...])
    #expect(stage.lines[0].contains("polling 4 of 4 · "))
    send(.idle, polled[...])
    #expect(!stage.lines[0].contains("polling"))
    // The next round counts from the beginning, and a single source needs no number.
    send(.polling, polled[1..<2])
    #expect(stage.lines[0].contains("polling · "))
  }

  // MARK: The timeline

  @Test func anAttemptsEndTakesThePlaceOfItsBeginning() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("p")
    #expect(asked(stage) == [.polling(.loadTimeline(nil))])
    stage.send(.polling(.timelineLoaded(nil, [])))
    #expect(stage.screen.contains("Nothing was polled yet."))
    var attempt = PollAttempt(
      source: SourceID(1), trigger: .forced, start: ModelStore.start, end: ModelStore.start, result: .started)
    stage.send(.polling(.attempted(attempt)))
    #expect(stage.screen.contains("14:00:00  Swift Blog  at once   … polling"))
    attempt.end += 2
    attempt.result = .new(count: 3, updated: 0)
    stage.send(.polling(.attempted(attempt)))
    #expect(stage.screen.contains("14:00:02  Swift Blog  at once   ● 3 new"))
    #expect(!stage.screen.contains("… polling"))
    try stage.press("p")
    #expect(!stage.screen.contains("Polls"))
    #expect(stage.state.focus.pane == .messages)
  }

  @Test func itFollowsTheListToItsSource() throws {
    var stage = Stage(columns: 80, rows: 24, timeline: true)
    try stage.press("h", "j", "j", "enter")
    #expect(asked(stage).contains(.polling(.loadTimeline(SourceID(1)))))
    let other = PollAttempt(
      source: SourceID(2), trigger: .soft, start: ModelStore.start, end: ModelStore.start, result: .nothingNew
    )
    stage.send(.polling(.timelineLoaded(nil, [other])))
    stage.send(.polling(.attempted(other)))
    #expect(stage.state.shown.timeline.attempts.isEmpty)
  }

  @Test func itsHistoryIsBounded() {
    var timeline = Timeline()
    for index in 0..<1000 {
      let start = ModelStore.start + Double(index)
      timeline.add(
        PollAttempt(source: SourceID(1), trigger: .periodic, start: start, end: start, result: .notModified))
    }
    #expect(timeline.attempts.count == Timeline.mostShown)
    #expect(timeline.attempts.first?.start == ModelStore.start + 999)
  }

  // MARK: Adding

  @Test func anAddressIsAddedAndItsListOpens() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("a")
    stage.send(.input(.paste(" https://new.example/feed\n")))
    try stage.press("enter")
    #expect(asked(stage).contains(.sources(.add("https://new.example/feed", stage.asked))))
    // While the address is checked, typing changes nothing.
    stage.type("x")
    stage.send(.sources(.addAnswered(stage.asked, .added(name: "new", title: "New things"))))
    #expect(stage.state.dialog.prompt == nil)
    #expect(stage.bottom.contains("Added New things."))
    stage.outside { $0.addSource("new", title: "New things") }
    #expect(stage.state.shown.list.query.scope == .source(SourceID(4)))
    #expect(stage.lines[0].contains("New things"))
  }

  @Test func anAddressThatFailsCanBeCorrected() throws {
    var stage = Stage(columns: 100, rows: 24)
    try stage.press("a")
    stage.type("x.example")
    try stage.press("enter")
    stage.send(.sources(.addAnswered(stage.asked, .failed(.nameNotFound(host: "x.example")))))
    #expect(stage.bottom.contains("Address: x.example  ✗ No server named x.example was found."))
    try stage.press("backspace")
    #expect(stage.bottom == " Address: x.exampl  enter accept  esc cancel")
    try stage.press("esc")
    #expect(stage.state.dialog.prompt == nil)
    stage.send(.sources(.addAnswered(stage.asked, .refused(reason: "read-only"))))
    #expect(stage.bottom.contains("✗ Not added: read-only"))
  }

  @Test func ofSeveralFeedsOneIsChosen() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("a")
    stage.type("a.example")
    try stage.press("enter")
    let choices = [
      FeedChoice(title: "Posts", url: "https://a.example/posts"),
      FeedChoice(title: "", url: "https://a.example/comments"),
    ]
    stage.send(.sources(.addAnswered(stage.asked, .choices(choices))))
    #expect(stage.screen.contains("This page offers several feeds"))
    #expect(stage.lines.contains { $0.contains("1  Posts  https://a.example/posts") })
    try stage.press("j", "j", "enter")
    #expect(asked(stage).suffix(2).contains(.sources(.add("https://a.example/comments", stage.asked))))
    stage.send(.sources(.addAnswered(stage.asked, .choices(choices))))
    try stage.press("1")
    #expect(asked(stage).contains(.sources(.add("https://a.example/posts", stage.asked))))
    try stage.press("esc")
    stage.send(.sources(.addAnswered(stage.asked, .choices(choices))))
    #expect(stage.state.dialog.overlay == nil)
  }

  @Test func anAddressPastedIntoTheInboxIsOffered() {
    var stage = Stage(columns: 80, rows: 24)
    stage.send(.input(.paste("https://a.example/feed\n")))
    #expect(stage.bottom == " Address: https://a.example/feed  enter accept  esc cancel")
    #expect(asked(stage).isEmpty)
    var other = Stage(columns: 80, rows: 24)
    other.send(.input(.paste("q\nj")))
    #expect(other.effects == [.markSeen(.all)])
    #expect(other.state.dialog.prompt == nil)
  }

  // MARK: Welcome

  @Test func withNothingConfiguredAWelcomeExplains() throws {
    var stage = Stage(ModelStore(), columns: 80, rows: 24)
    #expect(
      stage.state.shown.list.rows.map(\.title).first
        == "Welcome to reddot: feeds, builds and scripts in one list")
    #expect(stage.bottom.contains("a add"))
    try stage.press("enter")
    #expect(stage.screen.contains("a follows something: the address of a feed"))
    try stage.press("space", "space", "space", "space", "space", "h")
    // It isn't in the store, which gets no act.
    #expect(
      stage.effects.allSatisfy {
        switch $0 {
        case .load, .polling(.refresh): true
        default: false
        }
      })
    #expect(stage.state.shown.list.rows.allSatisfy { !$0.isUnread })
    try stage.press("d", "s", "A", "u", "f", "f")
    #expect(stage.state.shown.list.rows.count == 3)
    stage.outside { $0.addSource("first") }
    #expect(stage.screen.contains("No messages yet."))
    #expect(!stage.screen.contains("Welcome"))
  }

  @Test func aLocalSourceEndsTheWelcome() {
    var store = ModelStore()
    store.addSource("scripts", kind: .local)
    var stage = Stage(store, columns: 80, rows: 24)
    #expect(stage.screen.contains("Welcome to reddot"))
    stage.outside { $0.add("Tests done", age: 0) }
    #expect(!stage.screen.contains("Welcome"))
    #expect(stage.screen.contains("Tests done"))
  }

  @Test func aFailureOfTheStoreIsReported() {
    var stage = Stage(columns: 80, rows: 24)
    stage.send(.failed(.store(.storage(reason: "disk full"))))
    #expect(stage.bottom.contains("✗ The messages cannot be stored: disk full."))
    stage.send(.settings(.keymapProblems([.unknownCommand("x")])))
    #expect(stage.bottom.contains("[keys] names x, which is not a command."))
  }

  /// A line that appears before the response to an undo need not be the restored one.
  @Test func aLineThatAppearsDuringAnUndoIsNotSelected() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("h", "g", "j", "j", "j")
    let scope = stage.state.shown.sources.scope
    #expect(scope == .source(SourceID(2)))
    let effects = update(&stage.state, .input(.key(KeyPress("U"))))
    let undo = try #require(
      effects.compactMap { if case .journal(.undo(let id)) = $0 { id } else { nil } }.first)
    stage.outside { $0.addSource("another") }
    #expect(stage.state.shown.sources.scope == scope)
    stage.send(.journal(.undone(undo, .star([MessageID(1)]))))
    stage.outside { $0.addSource("third") }
    #expect(stage.state.shown.sources.scope == scope)
  }
}
