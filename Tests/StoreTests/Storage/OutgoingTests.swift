import Foundation
import Messages
import Testing

@testable import Storage

@Suite struct OutgoingTests {
  let store: Store
  let source: SourceID

  init() throws {
    store = try Store.fresh()
    source = try store.follow(
      configured("hub", kind: .github) {
        $0.settings.writableMarks = [.read, .unread, .star, .unstar, .snooze]
      })[0]
    try store.pollNothing(source)
    try store.poll(source, messages(1...4))
  }

  private func marks() throws -> [String] {
    try store.outgoing.acts(of: source).map { "\($0.remoteID.text) \($0.mark)" }
  }

  private func carried(_ acts: [OutgoingAct], at now: Date = noon, start: Date? = nil) throws {
    var result = WriteBackResult()
    result.carried = Set(acts.map(\.id))
    try store.outgoing.record(result, sent: acts, of: source, start: start ?? now, end: now)
  }

  @Test func anActWaitsForItsServiceInTheOrderOfTheActs() throws {
    let ids = try ["2", "1"].map { try store.id($0, of: source) }
    try store.acts.perform(.read([ids[0]]), at: noon)
    try store.acts.perform(.star([ids[1]]), at: noon)
    #expect(try marks() == ["2 read(true)", "1 starred(true)"])
    #expect(try store.outgoing.waiting(at: noon).keys.contains(source))
    try carried(store.outgoing.acts(of: source))
    #expect(try marks().isEmpty)
    #expect(try store.outgoing.waiting(at: noon).isEmpty)
    #expect(try store.polls.attempts(of: source).first?.result == .carried(count: 2))
  }

  @Test func ofSeveralMarksOfOneFieldOnlyTheLastIsSent() throws {
    let id = try store.id("1", of: source)
    try store.acts.perform(.read([id]), at: noon)
    try store.acts.perform(.unread([id]), at: noon)
    try store.acts.perform(.star([id]), at: noon)
    try store.acts.perform(.read([id]), at: noon)
    #expect(try marks() == ["1 starred(true)", "1 read(true)"])
    _ = try store.acts.undo(at: noon)
    #expect(try marks() == ["1 starred(true)", "1 read(false)"])
  }

  @Test func aMarkThatChangesWhileItIsSentIsSentAgain() throws {
    let id = try store.id("1", of: source)
    try store.acts.perform(.read([id]), at: noon)
    let sending = try store.outgoing.acts(of: source)
    try store.acts.perform(.unread([id]), at: noon)
    try carried(sending)
    #expect(try marks() == ["1 read(false)"])
  }

  @Test func whatTheServiceCannotTakeBackIsTakenOutOfTheQueue() throws {
    let plain = try store.follow(
      configured("hub", kind: .github) { $0.settings.writableMarks = [.read, .done] })[0]
    let id = try store.id("1", of: plain)
    try store.acts.perform(.dismiss([id]), at: noon)
    #expect(try store.outgoing.acts(of: plain).map(\.mark) == [.done(true)])
    try store.acts.perform(.undismiss([id]), at: noon)
    #expect(try store.outgoing.acts(of: plain).isEmpty)
  }

  @Test func dismissingIsSentAsReadingWhereTheServiceHasNothingElse() throws {
    let id = try store.id("1", of: source)
    try store.acts.perform(.dismiss([id]), at: noon)
    #expect(try marks() == ["1 read(true)"])
  }

  @Test func aSourceThatDoesNotWriteBackSendsNothing() throws {
    let other = try store.follow(configured("quiet", kind: .github))[0]
    try store.pollNothing(other)
    try store.poll(other, messages(1...2))
    try store.acts.perform(.read([store.id("1", of: other)]), at: noon)
    #expect(try store.outgoing.waiting(at: noon).isEmpty)
  }

  @Test func markingEverythingReadSendsEachMessage() throws {
    try store.acts.perform(.readAll(InboxQuery()), at: noon)
    #expect(try marks() == (1...4).map { "\($0) read(true)" })
  }

  @Test func aFailureDoublesTheWaitAndRetryAfterIsKept() throws {
    try store.acts.perform(.read([store.id("1", of: source)]), at: noon)
    var result = WriteBackResult()
    result.failure = .nameNotFound(host: "hub.example")
    try store.outgoing.record(
      result, sent: store.outgoing.acts(of: source), of: source, start: noon, end: noon)
    #expect(try store.outgoing.waiting(at: noon)[source] == noon + 30)
    try store.outgoing.record(
      result, sent: store.outgoing.acts(of: source), of: source, start: noon, end: noon)
    #expect(try store.outgoing.waiting(at: noon)[source] == noon + 60)
    result.hints.retryAfter = noon + 500
    try store.outgoing.record(
      result, sent: store.outgoing.acts(of: source), of: source, start: noon, end: noon)
    #expect(try store.outgoing.waiting(at: noon)[source] == noon + 500)
    #expect(try marks() == ["1 read(true)"])
    #expect(
      try store.polls.attempts(of: source).first?.result
        == .carryFailed(.nameNotFound(host: "hub.example"), waiting: 1))
    try carried(store.outgoing.acts(of: source))
    #expect(try store.outgoing.waiting(at: noon).isEmpty)
  }

  @Test func aRefusalIsSaidAndUndoesNothingHere() throws {
    let id = try store.id("1", of: source)
    try store.acts.perform(.read([id]), at: noon)
    var result = WriteBackResult()
    let refusal = FetchFailure.status(422, reason: "no such thread")
    result.refused = [try #require(try store.outgoing.acts(of: source).first).id: refusal]
    try store.outgoing.record(
      result, sent: store.outgoing.acts(of: source), of: source, start: noon, end: noon)
    #expect(try marks().isEmpty)
    #expect(try store.messages.find(id)?.isUnread == false)
    #expect(try store.polls.attempts(of: source).first?.result == .refused(count: 1, refusal))
  }

  // MARK: What the service says

  private func say(_ change: (inout UpstreamState) -> Void, start: Date = noon, end: Date = noon) throws {
    var state = UpstreamState()
    change(&state)
    var content = PollContent(messages: [])
    content.upstream = state
    try store.polls.record(
      .content(content, PollHints()), for: source, attempt: .periodic, start: start, end: end,
      state: PollState())
  }

  private func isUnread(_ id: String) throws -> Bool? {
    try store.messages.find(store.id(id, of: source))?.isUnread
  }

  @Test func whatIsReadElsewhereIsReadHereAndIsNotSentBack() throws {
    try say { $0.marks = [.init(RemoteID("2"), UpstreamMarks(isRead: true, isStarred: true))] }
    let message = try store.messages.find(store.id("2", of: source))
    #expect(message?.isUnread == false && message?.isStarred == true)
    #expect(try marks().isEmpty)
    #expect(try store.acts.undo(at: noon) == nil)
    try store.expectConsistent()
  }

  @Test func aPollDoesNotRevertAnActThatIsOnItsWayOrWasWhenThePollBegan() throws {
    let id = try store.id("1", of: source)
    try store.acts.perform(.read([id]), at: noon)
    let unread: (inout UpstreamState) -> Void = {
      $0.marks = [.init(RemoteID("1"), UpstreamMarks(isRead: false))]
    }
    try say(unread)
    #expect(try isUnread("1") == false)
    // The poll begins, the act is sent, and the poll's response is stored.
    try carried(store.outgoing.acts(of: source), at: noon + 2)
    try say(unread, start: noon + 1, end: noon + 3)
    #expect(try isUnread("1") == false)
    // This poll began after the service had the act: the message became unread elsewhere.
    try say(unread, start: noon + 4, end: noon + 5)
    #expect(try isUnread("1") == true)
    try store.expectConsistent()
  }

  @Test func whatIsNotOpenAnyMoreIsReadOrResolved() throws {
    try say {
      $0.open = ["1", "2", "3", "unknown"].reduce(into: []) { $0.insert(RemoteID($1)) }
    }
    #expect(try isUnread("1") == true)
    // Without the list, nothing is concluded.
    try say { $0.marks = [] }
    #expect(try isUnread("1") == true)
    try say {
      $0.open = [RemoteID("2")]
      $0.absence = .resolved
    }
    #expect(try isUnread("1") == false)
    #expect(try isUnread("2") == true)
    #expect(try isUnread("4") == true)
    #expect(try store.messages.find(store.id("1", of: source))?.resolved == noon)
    try store.expectConsistent()
  }

  @Test func theSameTroubleAgainIsNewsOfTheSameMessage() throws {
    func alert(_ occasion: String, _ text: String) -> IncomingMessage {
      var alert = message("disk", text)
      var extras = MessageExtras()
      extras.occasion = occasion
      alert.extras = extras
      return alert
    }
    func open(_ content: inout PollContent, _ ids: [String]) {
      var state = UpstreamState()
      state.open = Set(ids.map { RemoteID($0) })
      state.absence = .resolved
      content.upstream = state
    }
    try store.poll(source, [alert("10:00", "disk full")]) { open(&$0, ["disk"]) }
    let id = try store.id("disk", of: source)
    try store.acts.perform(.read([id]), at: noon)
    try store.acts.perform(.dismiss([id]), at: noon)
    try store.poll(source, [alert("10:00", "disk full (98 %)")], at: noon + 60) { open(&$0, ["disk"]) }
    var found = try store.messages.find(id)
    #expect(found?.isUnread == false && found?.isDismissed == true)
    try store.poll(source, [], at: noon + 120) { open(&$0, []) }
    #expect(try store.messages.find(id)?.resolved == noon + 120)
    try store.poll(source, [alert("11:00", "disk full")], at: noon + 180) { open(&$0, ["disk"]) }
    found = try store.messages.find(id)
    #expect(found?.isUnread == true && found?.isDismissed == false && found?.resolved == nil)
    #expect(try store.outgoing.acts(of: source).isEmpty)
    try store.expectConsistent()
  }

  @Test func aFirstPollOfAServiceKeepsItsOwnMarks() throws {
    let other = try store.follow(configured("hub", kind: .github), configured("mini", kind: .miniflux))[1]
    try store.poll(other, messages(1...40)) {
      var state = UpstreamState()
      state.marks = [.init(RemoteID("40"), UpstreamMarks(isRead: true))]
      $0.upstream = state
    }
    #expect(try store.sources.statuses().first { $0.source.id == other }?.unread == 39)
  }

  @Test func theQuotaOfTheServerIsKept() throws {
    var hints = PollHints()
    hints.quota = RequestQuota(remaining: 3, limit: 60, resets: noon + 600)
    try store.polls.record(
      .failed(.heldBack(status: 403), hints), for: source, attempt: .periodic, start: noon, end: noon,
      state: PollState())
    #expect(try store.sources.statuses().first?.quota == hints.quota)
  }

  @Test func anActionOfAMessageIsSentToItsService() throws {
    let id = try store.id("1", of: source)
    #expect(try store.outgoing.request(action: "mute", of: id, at: noon))
    #expect(try marks() == ["1 named(\"mute\")"])
    #expect(try !store.outgoing.request(action: "mute", of: MessageID(999), at: noon))
  }

  @Test func whatAServiceCallsAChannelHidesNothing() throws {
    var entry = message("channelled")
    entry.channel = "Some feed"
    try store.poll(source, [entry])
    #expect(try store.titles().contains("Title channelled"))
    try store.expectConsistent()
  }
}
