import Foundation
import GRDB
import Messages
import Testing

@testable import Storage

/// Messages that end at their services, or are open again.
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

  /// Sends the notifications of all waiting messages.
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
    // The user has undone that: the message has the state that its end gave it.
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
    // Only the other one is waiting.
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
    // The message has its new occasion, and nothing of the earlier end is left.
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
    // A message that the user reads here stays read.
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

  @discardableResult
  private func end(_ id: String, _ isOver: Bool, at minutes: Double) throws -> RecordedPoll {
    try store.poll(source, [], at: noon + 60 * minutes) { $0.endings = [(RemoteID(id), isOver)] }
  }

  @Test func anItemThatIsNotDoneAnyMoreComesAgain() throws {
    try tell()
    try store.acts.perform(.dismiss([found().id]), at: noon)
    #expect(try end("1", true, at: 1).updated == 1)
    #expect(try !found().isUnread && found().resolved == noon + 60)
    // The message is still done, and the time is kept.
    #expect(try end("1", true, at: 2).updated == 0)
    #expect(try found().resolved == noon + 60)
    #expect(try end("1", false, at: 3).updated == 1)
    #expect(try found().isUnread && !found().isDismissed && found().resolved == nil)
    #expect(try waiting() == [found().id])
    // This happens only once.
    try store.acts.perform(.read([found().id]), at: noon + 200)
    #expect(try end("1", false, at: 4).updated == 0)
    #expect(try !found().isUnread)
    try store.expectConsistent()
  }

  private func thread(_ id: String) -> IncomingMessage {
    var thread = message(id)
    thread.kind = .service
    return thread
  }

  /// The request was opened again, and its service reports nothing else about it.
  @Test func aThreadWhoseRequestIsOpenAgainIsAsItWas() throws {
    try store.poll(source, [thread("unread"), thread("read")])
    try store.acts.perform(.read([found("read").id]), at: noon)
    try tell()
    let before = try store.titles()
    for id in ["unread", "read"] { #expect(try end(id, true, at: 1).updated == (id == "read" ? 0 : 1)) }
    #expect(try !found("unread").isUnread && found("unread").resolved == noon + 60)
    #expect(try !found("read").isUnread && found("read").resolved == noon + 60)
    for id in ["unread", "read"] { try end(id, false, at: 2) }
    #expect(try found("unread").isUnread && found("unread").resolved == nil)
    #expect(try !found("read").isUnread && found("read").resolved == nil)
    #expect(try waiting().isEmpty && store.titles() == before)
    try store.expectConsistent()
  }

  /// The end of a thread is reported before its list has been read whole.
  @Test func aThreadThatHasEndedStaysSoWhileItIsListed() throws {
    try store.poll(source, [thread("3")], at: noon + 60) { $0.endings = [(RemoteID("3"), true)] }
    #expect(try !found("3").isUnread && found("3").resolved == noon + 60)
    try say(["1", "2", "3"], at: 2, absence: .read)
    #expect(try !found("3").isUnread && found("3").resolved == noon + 60)
    #expect(try found("1").isUnread && found("2").isUnread)
    // It was read there, and is listed again.
    try say(["1", "2"], at: 3, absence: .read)
    try say(["1", "2", "3"], at: 4, absence: .read)
    #expect(try !found("3").isUnread && found("3").resolved == noon + 60)
    try end("3", false, at: 5)
    #expect(try found("3").isUnread && found("3").resolved == nil)
    try store.expectConsistent()
  }

  /// A comment after the end counts as new.
  @Test func aThreadThatHasALaterOccasionIsNews() throws {
    try say(["3"], [alert("3", startedAt: "2026-11-20T09:00:00Z")], at: 1)
    try tell()
    try end("3", true, at: 2)
    #expect(try !found("3").isUnread)
    try say(["3"], [alert("3", startedAt: "2026-11-20T10:00:00Z")], at: 3)
    #expect(try found("3").isUnread && found("3").resolved == nil)
    #expect(try waiting() == [found("3").id])
  }

  // MARK: - The query

  private func titles(_ search: String) throws -> [String] {
    var query = InboxQuery(search: search)
    query.isStrict = true
    return try store.snapshot(query).rows.map(\.title).sorted()
  }

  @Test func doneFindsWhatHasEnded() throws {
    try store.poll(source, [thread("request")])
    let question = try #require(
      try store.questions.ask(
        IncomingMessage(remoteID: RemoteID("question"), kind: .local, title: "Question"),
        ProgramQuestion(["yes"], asked: noon, until: noon + 600, asker: "nobody"), at: noon))
    #expect(try titles("is:done").isEmpty)
    #expect(try titles("-is:done") == ["Question", "Title 1", "Title 2", "Title request"])
    // An alert is resolved, a request is merged, and a question is answered. One alert is still there.
    try say(["2"], at: 1)
    try end("request", true, at: 1)
    #expect(try store.questions.end(question.id, .answered, answer: 1, at: noon + 60).isEnded)
    #expect(try titles("is:done") == ["Question", "Title 1", "Title request"])
    #expect(try titles("-is:done") == ["Title 2"])
    #expect(try titles("is:done title:request") == ["Title request"])
    #expect(try titles("is:done is:unread").isEmpty)
    // The user marks one as unread, which does not open it again.
    try store.acts.perform(.unread([found().id]), at: noon + 70)
    #expect(try titles("is:done is:unread") == ["Title 1"])
    try end("request", false, at: 2)
    #expect(try titles("is:done") == ["Question", "Title 1"])
  }

  /// A message that was only read elsewhere has no end.
  @Test func aMessageThatWasReadElsewhereIsNotDone() throws {
    try say(["2"], at: 1, absence: .read)
    #expect(try !found().isUnread)
    #expect(try titles("is:done").isEmpty)
  }

  @Test func aListOfWhatIsDoneCountsIt() throws {
    try store.savedLists.apply(lists: [SavedList(name: "Done", query: "is:done")])
    try store.countLists()
    func count() throws -> Int? { try store.savedLists.all().first?.unread }
    #expect(try count() == 0)
    try say(["2"], at: 1)
    // Its end marked it as read.
    #expect(try count() == 0)
    try store.acts.perform(.unread([found().id]), at: noon + 70)
    #expect(try count() == 1)
    try say(["1", "2"], at: 2)
    #expect(try found().isUnread && count() == 0)
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
      try db.becomeEarlier()
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
