import Foundation
import GRDB
import Messages
import Testing

@testable import Storage

/// Messages that end at their services, and that are open again.
struct EndingTests {
  let store: Store
  let source: SourceID

  init() throws {
    store = try Store.fresh()
    store.judgeArrivals(with: NoticeTests.Everything(channels: [.desktop]))
    source = try store.follow(configured("alerts", kind: .alertmanager))[0]
    try store.pollNothing(source)
    try say(["1", "2"], messages(1...2), at: 0)
  }

  private func say(
    _ open: [String], _ messages: [IncomingMessage] = [], at minutes: Double,
    absence: UpstreamState.Absence = .resolved, _ change: (inout UpstreamState) -> Void = { _ in }
  ) throws {
    try store.poll(source, messages, at: noon + 60 * minutes) {
      var state = UpstreamState()
      state.open = Set(open.map { RemoteID($0) })
      state.absence = absence
      change(&state)
      $0.upstream = state
    }
  }

  private func alert(_ id: String, startedAt start: String, _ title: String = "Disk") -> IncomingMessage {
    var message = message(id, title)
    message.kind = .service
    var extras = MessageExtras()
    extras.occasion = start
    message.extras = extras
    return message
  }

  private func found(_ id: String = "1") throws -> Message {
    try #require(try store.messages.find(RemoteID(id), of: source))
  }

  private func waiting() throws -> [MessageID] { try store.notices.waiting(for: .desktop).map(\.message) }

  /// Notifications of all messages that wait are sent.
  private func tell() throws {
    let notice = try store.notices.claim(waiting(), as: .digest, for: .desktop, at: noon)
    if let notice { try store.notices.confirm(notice.id, named: "1") }
  }

  @Test func anUnreadAlertThatIsBackIsUnreadAgainAndNotToldAgain() throws {
    try tell()
    let before = try store.titles()
    try say(["2"], at: 1)
    #expect(try !found().isUnread && found().resolved == noon + 60)
    try say(["1", "2"], at: 2)
    #expect(try found().isUnread && found().resolved == nil)
    #expect(try waiting().isEmpty)
    #expect(try store.dots() == [source])
    #expect(try store.titles() == before)
    try store.expectConsistent()
  }

  @Test func aSeenAlertThatIsBackLightsNoDot() throws {
    try store.acts.markSeen(.all)
    try say(["2"], at: 1)
    try say(["1", "2"], at: 2)
    #expect(try found().isUnread && store.dots().isEmpty)
    try store.expectConsistent()
  }

  @Test func aReadAlertThatIsBackStaysRead() throws {
    try store.acts.perform(.read([found().id]), at: noon)
    try say(["2"], at: 1)
    try say(["1", "2"], at: 2)
    #expect(try !found().isUnread && found().resolved == nil)
  }

  @Test func aDismissedAlertThatIsBackStaysDismissed() throws {
    try store.acts.perform(.dismiss([found().id]), at: noon)
    try say(["2"], at: 1)
    try say(["1", "2"], at: 2)
    #expect(try found().isDismissed && found().resolved == nil)
    #expect(try store.titles() == ["Title 2"])
    try store.expectConsistent()
  }

  @Test func anAlertThatTheUserReadAfterItsEndStaysRead() throws {
    try say(["2"], at: 1)
    try store.acts.perform(.unread([found().id]), at: noon + 70)
    try store.acts.perform(.read([found().id]), at: noon + 80)
    try say(["1", "2"], at: 2)
    #expect(try !found().isUnread)
    // The user undid that: the message is as its end left it.
    try say(["2"], at: 3)
    try say(["1", "2"], at: 4)
    #expect(try !found().isUnread)
  }

  @Test func anActAfterTheEndThatWasUndoneChangesNothing() throws {
    try say(["2"], at: 1)
    try store.acts.perform(.unread([found().id]), at: noon + 70)
    _ = try store.acts.undo(at: noon + 80)
    #expect(try !found().isUnread)
    try say(["1", "2"], at: 2)
    #expect(try found().isUnread)
  }

  @Test func aNotificationThatWasStillToBeSentIsSentOnceTheAlertIsBack() throws {
    try say(["2"], at: 1)
    // The other one alone.
    #expect(try waiting() == [found("2").id])
    try tell()
    try say(["1", "2"], at: 2)
    #expect(try waiting() == [found().id])
    try store.expectConsistent()
  }

  @Test func anAlertThatFiresLaterIsToldAgainUnreadAndNotDismissed() throws {
    try say(["3"], [alert("3", startedAt: "2026-11-20T09:00:00Z")], at: 1)
    try store.acts.perform(.dismiss([found("3").id]), at: noon)
    try tell()
    try say([], at: 2)
    try say(["3"], [alert("3", startedAt: "2026-11-20T10:00:00Z")], at: 3)
    #expect(try found("3").isUnread && !found("3").isDismissed && found("3").resolved == nil)
    #expect(try waiting() == [found("3").id])
    // It has its new occasion, and nothing of the earlier end is left.
    try tell()
    try store.acts.perform(.read([found("3").id]), at: noon + 200)
    try say(["3"], at: 4)
    #expect(try !found("3").isUnread)
    try store.expectConsistent()
  }

  @Test func aChangedTextOfAnAlertThatIsBackIsNoNews() throws {
    try say(["3"], [alert("3", startedAt: "2026-11-20T09:00:00Z")], at: 1)
    try tell()
    try store.acts.perform(.read([found("3").id]), at: noon + 61)
    try say([], at: 2)
    try say(["3"], [alert("3", startedAt: "2026-11-20T09:00:00Z", "Disk (98 %)")], at: 3)
    #expect(try !found("3").isUnread && found("3").content.title == "Disk (98 %)")
    #expect(try waiting().isEmpty)
  }

  @Test func anAnswerThatIsNotCompleteEndsNothing() throws {
    try say([], at: 1) { $0.isComplete = false }
    #expect(try found().isUnread && found("2").isUnread)
    try say([], at: 2)
    #expect(try !found().isUnread && !found("2").isUnread)
  }

  @Test func anUnreadableElementSaysNothingOfItsMessage() throws {
    try say([], at: 1) { $0.unreadable = [RemoteID("1")] }
    #expect(try found().resolved == nil && found("2").resolved == noon + 60)
    try say([], at: 2)
    #expect(try found().resolved == noon + 120)
    try say(["1"], at: 3) { $0.unreadable = [RemoteID("1")] }
    #expect(try found().resolved == noon + 120)
  }

  @Test func aToDoThatWasReadElsewhereAndIsOpenAgainIsUnreadAgain() throws {
    try say(["2"], at: 1, absence: .read)
    #expect(try !found().isUnread && found().resolved == nil)
    try say(["1", "2"], at: 2, absence: .read)
    #expect(try found().isUnread)
    // What the user reads here stays read.
    try store.acts.perform(.read([found().id]), at: noon + 130)
    try say(["2"], at: 3, absence: .read)
    try say(["1", "2"], at: 4, absence: .read)
    #expect(try !found().isUnread)
    try store.expectConsistent()
  }

  @Test func copiesEndAndAreRestoredWithTheirFirst() throws {
    let other = try store.follow(
      configured("alerts", kind: .alertmanager), configured("feed"))[1]
    var post = message("9", "Shared", body: String(repeating: "long ", count: 40), at: noon)
    post.url = "https://example.org/posts/9"
    try say(["1", "2", "9"], [post], at: 1)
    post.remoteID = RemoteID("copy")
    try store.pollNothing(other)
    try store.poll(other, [post])
    let copy = try store.id("copy", of: other)
    try say(["1", "2"], at: 2)
    #expect(try store.messages.find(copy)?.isUnread == found("9").isUnread)
    try say(["1", "2", "9"], at: 3)
    #expect(try store.messages.find(copy)?.isUnread == true && found("9").isUnread)
    try store.expectConsistent()
  }

  // MARK: - Items that are done

  private func end(_ id: String, _ isOver: Bool, at minutes: Double) throws -> RecordedPoll {
    try store.poll(source, [], at: noon + 60 * minutes) { $0.endings = [(RemoteID(id), isOver)] }
  }

  @Test func anItemThatIsNotDoneAnyMoreComesAgain() throws {
    try tell()
    try store.acts.perform(.dismiss([found().id]), at: noon)
    #expect(try end("1", true, at: 1).updated == 1)
    #expect(try !found().isUnread && found().resolved == noon + 60)
    // Still done: the time stays.
    #expect(try end("1", true, at: 2).updated == 0)
    #expect(try found().resolved == noon + 60)
    #expect(try end("1", false, at: 3).updated == 1)
    #expect(try found().isUnread && !found().isDismissed && found().resolved == nil)
    #expect(try waiting() == [found().id])
    // Only once.
    try store.acts.perform(.read([found().id]), at: noon + 200)
    #expect(try end("1", false, at: 4).updated == 0)
    #expect(try !found().isUnread)
    try store.expectConsistent()
  }

  @Test func theLastOfSeveralEndingsOfAMessageApplies() throws {
    try store.poll(source, []) { $0.endings = [(RemoteID("1"), true), (RemoteID("1"), false)] }
    #expect(try found().isUnread && found().resolved == nil)
    try store.poll(source, []) { $0.endings = [(RemoteID("1"), false), (RemoteID("1"), true)] }
    #expect(try !found().isUnread && found().resolved == noon)
  }

  @Test func anEventThatIsBackInItsCalendarIsAsItWas() throws {
    try tell()
    var event = message("event")
    event.kind = .calendar
    try store.poll(source, [event])
    try tell()
    #expect(try end("event", true, at: 1).updated == 1)
    #expect(try !found("event").isUnread)
    #expect(try end("event", false, at: 2).updated == 1)
    #expect(try found("event").isUnread && found("event").resolved == nil)
    #expect(try waiting().isEmpty)
  }

  // MARK: - Earlier versions

  @Test func anAlertOfAnEarlierVersionThatTheUserNeverMarkedIsUnreadAgain() throws {
    let directory = try Directory()
    let alerts: SourceID
    func say(_ store: Store, _ open: [String], _ messages: [IncomingMessage] = []) throws {
      try store.poll(alerts, messages) {
        $0.upstream = UpstreamState()
        $0.upstream?.open = Set(open.map { RemoteID($0) })
        $0.upstream?.absence = .resolved
      }
    }
    do {
      let store = try Store(path: directory.database, now: noon)
      alerts = try store.follow(configured("alerts", kind: .alertmanager))[0]
      try say(store, ["1", "2"], messages(1...2))
      try store.acts.perform(.read([store.id("1", of: alerts)]), at: noon)
      try say(store, [])
    }
    try DatabaseQueue(path: directory.database).write { db in
      try db.execute(
        sql: FileTests.withoutServerTimes + FileTests.withoutStatesOfEndings
          + "ALTER TABLE wire_key DROP published; PRAGMA user_version = 108;")
    }
    let store = try Store(path: directory.database, now: noon)
    #expect(try store.messages.find(store.id("1", of: alerts))?.resolved == noon)
    try say(store, ["1", "2"])
    #expect(try store.messages.find(store.id("1", of: alerts))?.isUnread == false)
    #expect(try store.messages.find(store.id("2", of: alerts))?.isUnread == true)
    try store.expectConsistent()
  }
}
