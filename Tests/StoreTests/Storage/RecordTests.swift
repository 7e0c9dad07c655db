import Basics
import Foundation
import Messages
import TestBasics
import Testing

@testable import Storage

@Suite struct RecordTests {
  let store: Store
  let source: SourceID

  init() throws {
    store = try Store.fresh()
    source = try store.follow(configured("news"))[0]
  }

  @Test func theNewestTwentyOfAFirstPollArriveUnreadAndTheOthersRead() throws {
    let recorded = try store.poll(source, messages(1...50))
    #expect(recorded.new == 50)
    let rows = try store.snapshot().rows
    #expect(rows.prefix(20).allSatisfy { $0.isUnread })
    #expect(rows.dropFirst(20).allSatisfy { !$0.isUnread })
    #expect(try store.status(source).unread == 20)
    #expect(try store.status(source).isUnseen)
    try store.expectConsistent()
  }

  @Test func theNewestOfAFirstPollAreThoseOfTheLatestDateNotOfTheLastPlace() throws {
    try store.poll(source, messages(1...30).reversed())
    #expect(try store.snapshot().rows.filter(\.isUnread).map(\.title).contains("Title 30"))
    #expect(try store.snapshot().rows.filter { !$0.isUnread }.map(\.title).contains("Title 1"))
  }

  @Test func newMessagesOfALaterPollAreUnread() throws {
    try store.poll(source, [])
    try store.poll(source, messages(1...50))
    #expect(try store.status(source).unread == 50)
  }

  @Test func aFailedFirstPollDoesNotCountAsTheFirst() throws {
    try store.polls.record(
      .failed(.refused(host: "h", port: 1), PollHints()), for: source, attempt: .initial, start: noon,
      end: noon,
      state: PollState())
    try store.poll(source, messages(1...50))
    #expect(try store.status(source).unread == 20)
  }

  @Test func anEmptyIncrementLeavesTheDotAsItIs() throws {
    try store.poll(source, messages(1...3), at: noon + 15)
    try store.poll(source, [], at: noon + 30)
    #expect(try store.status(source).isUnseen)
    try store.acts.markSeen(.source(source))
    try store.poll(source, [], at: noon + 45)
    #expect(try !store.status(source).isUnseen)
    #expect(try store.status(source).unread == 3)
  }

  @Test func theSameDeliveryAgainChangesNothing() throws {
    try store.poll(source, messages(1...30))
    try store.acts.markSeen(.all)
    let before = try store.snapshot()
    let recorded = try store.poll(source, messages(1...30), at: noon + 10)
    #expect(recorded == RecordedPoll())
    #expect(try store.snapshot().rows == before.rows)
    #expect(try !store.snapshot().isUnseen)
    let attempt = try #require(try store.polls.attempts(of: source).first)
    #expect(attempt.result == .nothingNew)
  }

  @Test func aMessageThatComesAgainChangedIsUpdatedInPlaceAndStaysRead() throws {
    try store.poll(source, [message("a", "Old", at: noon)])
    let id = try store.id("a", of: source)
    try store.acts.perform(.read([id]), at: noon)
    try store.acts.perform(.star([id]), at: noon)
    let recorded = try store.poll(source, [message("a", "New", body: "More", at: noon)], at: noon + 10)
    #expect(recorded.new == 0)
    #expect(recorded.updated == 1)
    let stored = try #require(try store.messages.find(id))
    #expect(stored.content.title == "New")
    #expect(stored.content.body == "More")
    #expect(!stored.isUnread)
    #expect(stored.isStarred)
    #expect(stored.received == noon)
    #expect(try store.titles() == ["New"])
    try store.expectConsistent()
  }

  @Test func linesOfEarlierVersionsHaveNoMessagesThatAreBack() throws {
    let result = try JSONDecoder().decode(
      PollAttempt.Result.self, from: Data(#"{"new":{"count":2,"updated":1}}"#.utf8))
    #expect(result == .new(count: 2, updated: 1))
  }

  @Test func aSourceCanAskThatAChangedMessageIsUnreadAgain() throws {
    let source = try store.follow(configured("news") { $0.isUnreadOnChange = true })[0]
    try store.poll(source, [message("a", "Old", at: noon)])
    try store.acts.perform(.read([try store.id("a", of: source)]), at: noon)
    try store.acts.markSeen(.all)
    let recorded = try store.poll(source, [message("a", "New", at: noon)])
    #expect(recorded.new == 0 && recorded.updated == 1 && recorded.back == 1)
    #expect(
      try store.polls.attempts(of: source, limit: 1).first?.result == .new(count: 0, updated: 1, back: 1))
    #expect(try store.poll(source, [message("a", "Newer", at: noon)]).back == 0)
    #expect(try store.status(source).unread == 1)
    #expect(try !store.status(source).isUnseen, "nothing came that was not there before")
    try store.expectConsistent()
  }

  /// The state of a request is a tag. A change of its title counts, as the source wants.
  @Test func otherTagsOfAThreadMakeItNoNews() throws {
    let source = try store.follow(
      configured("hub", kind: .github) { $0.settings.isUnreadOnChange = true })[0]
    func thread(_ title: String, _ tags: String...) -> IncomingMessage {
      var thread = message("a", title, body: "Pull request", at: noon)
      thread.kind = .service
      thread.tags = tags
      thread.url = "https://github.com/octo/hello/pull/7"
      thread.extras = MessageExtras()
      thread.extras?.actions = [MessageAction(label: "Mute", url: "", upstream: MessageAction.mute)]
      thread.extras?.occasion = "2027-01-15T08:00:00Z"
      return thread
    }
    try store.poll(source, [thread("Fix", "open", "draft")])
    let id = try store.id("a", of: source)
    try store.acts.perform(.read([id]), at: noon)
    let recorded = try store.poll(source, [thread("Fix", "merged")])
    #expect(recorded.updated == 1 && recorded.back == 0)
    #expect(try store.messages.find(id)?.content.tags == ["merged"])
    #expect(try store.messages.find(id)?.isUnread == false)
    #expect(try store.poll(source, [thread("Fix it", "merged")]).back == 1)
    #expect(try store.messages.find(id)?.isUnread == true)
    try store.expectConsistent()
  }

  @Test func remoteIDsAreComparedByteByByte() throws {
    try store.pollNothing(source)
    let ids = ["é", "e\u{301}", "a\u{0}b", "a\u{0}c", "a", "A", "a ", ""]
    #expect(try store.poll(source, ids.map { message($0) }).new == ids.count)
    for id in ids {
      let stored = try store.messages.find(RemoteID(id), of: source)
      #expect(stored?.content.remoteID == RemoteID(id))
    }
    #expect(try store.poll(source, ids.map { message($0) }).new == 0)
  }

  @Test func oneRemoteIDTwiceInADeliveryIsOneMessageTheLaterOne() throws {
    var sent = [message("a", "1"), message("b", "2"), message("a", "3")]
    for place in sent.indices { sent[place].kind = .native }
    let recorded = try store.poll(source, sent)
    #expect(recorded.new == 2)
    #expect(try Set(store.titles()) == ["2", "3"])
    try store.expectConsistent()
  }

  @Test func ofEachIDInADeliveryTheLastMessageIsStored() throws {
    let pieces = ["", "a", "b", "\u{0}", "é", "e\u{301}", "消", "https://example.org/item/", "0", "12345678"]
    var generator = SeededRandom(seed: 5)
    for _ in 0..<40 {
      let store = try Store.fresh()
      let source = try store.follow(configured("news"))[0]
      let sent = (0..<Int.random(in: 0...40, using: &generator)).map { place in
        var message = message(
          (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            pieces[Int.random(in: 0..<pieces.count, using: &generator)]
          }.joined(), "\(place)")
        message.kind = .native
        return message
      }
      var last: [RemoteID: String] = [:]
      for message in sent { last[message.remoteID] = message.title }
      #expect(try store.poll(source, sent).new == last.count)
      #expect(try Set(store.titles()) == Set(last.values))
    }
  }

  @Test func textsOfAnyLengthAreKept() throws {
    try store.pollNothing(source)
    let lengths = [0, 1, 15, 16, 65_535, 65_536, 65_537, 300_000]
    for length in lengths {
      var sent = message(
        "\(length)", String(repeating: "t", count: min(1000, length)),
        body: String(repeating: "b", count: length))
      sent.html = String(repeating: "h", count: length)
      try store.poll(source, [sent])
      let stored = try #require(try store.messages.find(RemoteID("\(length)"), of: source))
      #expect(stored.content == sent)
    }
    #expect(try store.check.compareSearchIndex() == [])
  }

  // MARK: - Ids that start over

  @Test func whereIDsStartOverNothingStoredIsOverwritten() throws {
    try store.pollNothing(source)
    try store.poll(source, [message("1", "Old one"), message("2", "Old two")], cursor: "2")
    try store.acts.perform(.read([store.id("1", of: source)]), at: noon)
    try store.acts.perform(.dismiss([store.id("2", of: source)]), at: noon)
    try store.acts.markSeen(.all)
    let again = [message("1", "New one"), message("2", "Old two")]
    let recorded = try store.poll(source, again, cursor: "2") { $0.hasNewIDs = true }
    #expect(recorded.new == 1 && recorded.updated == 0)
    #expect(try store.titles() == ["New one", "Old one"])
    #expect(try store.snapshot().rows.map(\.isUnread) == [true, false])
    #expect(try store.status(source).isUnseen)
    // The same response has nothing new, even later.
    #expect(try store.poll(source, again, cursor: "2").new == 0)
    let later = try store.poll(
      source, again + [message("3", "New three"), message("1", "Newer one")], cursor: "3")
    #expect(later.new == 2 && later.updated == 0)
    #expect(try Set(store.titles()) == ["New one", "Old one", "New three", "Newer one"])
    try store.expectConsistent()
    #expect(try store.check.compareSearchIndex() == [])
  }

  // MARK: - Ids that a service gives again

  private func notification(_ id: String, _ title: String, at published: Date) -> IncomingMessage {
    var message = message(id, title, at: published)
    message.kind = .service
    return message
  }

  private func isOpen(_ ids: RemoteID...) -> (inout PollContent) -> Void {
    { content in
      content.reusedID = .date
      content.upstream = UpstreamState()
      content.upstream?.open = Set(ids)
    }
  }

  @Test func anIDThatBelongsToAnotherMessageNowKeepsBothApart() throws {
    let hub = try store.follow(configured("hub", kind: .gotify) { $0.settings.writableMarks = [.done] })[0]
    try store.pollNothing(hub)
    let id = RemoteID("7")
    try store.poll(hub, [notification("7", "Backup", at: noon)], isOpen(id))
    let old = try store.id("7", of: hub)
    try store.acts.perform(.dismiss([old]), at: noon)
    #expect(try store.outgoing.acts(of: hub).count == 1)
    let again = notification("7", "Backup", at: noon + 60)
    let recorded = try store.poll(hub, [again], at: noon + 70, isOpen(id))
    #expect(recorded.new == 1 && recorded.updated == 0)
    let new = try store.id("7", of: hub)
    #expect(new != old)
    // Acts on the old message would change the new one.
    #expect(try store.outgoing.acts(of: hub).isEmpty)
    #expect(try store.messages.find(old)?.isDismissed == true)
    // The same response has nothing new, and an edit is a change.
    #expect(try store.poll(hub, [again], at: noon + 80, isOpen(id)).new == 0)
    let edited = notification("7", "Backup finished", at: noon + 60)
    let changed = try store.poll(hub, [edited], at: noon + 90, isOpen(id))
    #expect(changed.new == 0 && changed.updated == 1)
    // The id now belongs to the new message.
    try store.poll(hub, [], at: noon + 100, isOpen())
    #expect(try store.messages.find(new)?.isUnread == false)
    try store.expectConsistent()
    #expect(try store.check.compareSearchIndex() == [])
  }

  @Test func anEntryWithAnotherTitleAndDateIsAnotherMessage() throws {
    let reader = try store.follow(configured("reader", kind: .miniflux))[0]
    try store.pollNothing(reader)
    try store.poll(reader, [notification("7", "Old", at: noon), notification("8", "Old", at: noon)])
    let again = [notification("7", "New", at: noon + 60), notification("8", "Old", at: noon + 60)]
    let recorded = try store.poll(reader, again) { $0.reusedID = .titleAndDate }
    #expect(recorded.new == 1 && recorded.updated == 1)
    #expect(try store.titles().sorted() == ["New", "Old", "Old"])
    try store.expectConsistent()
  }

  @Test func withoutAResetAKnownIDIsAnEdit() throws {
    try store.pollNothing(source)
    try store.poll(source, [message("1", "Old", at: noon)])
    #expect(try store.poll(source, [message("1", "Edited", at: noon)]).updated == 1)
    #expect(try store.titles() == ["Edited"])
  }

  @Test func theSameRemoteIDOfTwoSourcesIsTwoMessages() throws {
    let ids = try store.follow(configured("news"), configured("other"))
    try store.poll(ids[0], [message("a")])
    try store.poll(ids[1], [message("a")])
    #expect(try store.snapshot().total == 2)
  }

  @Test func laterInTheDeliveryIsNewerAmongEqualTimes() throws {
    try store.poll(source, [message("1"), message("2"), message("3")])
    #expect(try store.titles() == ["Title 3", "Title 2", "Title 1"])
  }

  @Test func aDateThatLiesAheadSortsByArrival() throws {
    try store.poll(source, [message("future", at: noon + 10_000)], at: noon)
    try store.poll(source, [message("later", at: noon + 1)], at: noon + 2)
    #expect(try store.titles() == ["Title later", "Title future"])
    let stored = try store.messages.find(RemoteID("future"), of: source)
    #expect(stored?.content.published == noon + 10_000)
  }

  @Test func absurdDatesDoNotTrap() throws {
    let dates = [1e300, -1e300, .infinity, -.infinity, .nan].map { Date(timeIntervalSince1970: $0) }
    for (index, date) in dates.enumerated() {
      var message = message("\(index)", at: date)
      message.updated = date
      message.expires = date
      message.visibleFrom = date
      try store.poll(source, [message])
    }
    _ = try store.snapshot()
    try store.expectConsistent()
  }

  @Test func allFieldsOfAMessageAreStored() throws {
    var sent = message("id", "Títle \u{1F680}", body: "line\nline \u{0} end", at: noon)
    sent.kind = .inapp
    sent.html = "<p>"
    sent.url = "https://example.org/?a=1&b"
    sent.author = "名前"
    sent.updated = noon + 1
    sent.priority = Priority(5)
    sent.tags = ["a", "with \"quotes\"", "back\\slash", "new\nline", ""]
    sent.channel = "general"
    sent.language = "pt-BR"
    sent.visibleFrom = noon
    sent.expires = noon + 60
    sent.isDismissable = false
    sent.rank = .pinned
    var extras = MessageExtras()
    extras.translations = [LocalizedText(language: "de", title: "T", body: "B")]
    extras.actions = [MessageAction(label: "Open", url: "https://example.org")]
    extras.enclosures = [
      Enclosure(url: "https://example.org", type: "audio/mpeg", length: 5_000_000_000, duration: 7)
    ]
    extras.unknownKeys = "{\"k\":1}"
    sent.extras = extras
    try store.poll(source, [sent], at: noon)
    let stored = try #require(try store.messages.find(try store.id("id", of: source)))
    #expect(stored.content == sent)
    #expect(stored.sourceName == "news")
    #expect(stored.received == noon)
  }

  /// A program that didn't know enclosures stored the same message without them.
  @Test func whatIsKnownOfEnclosuresChangesNoMessage() throws {
    var sent = message("1")
    sent.extras = MessageExtras()
    sent.extras?.actions = [MessageAction(label: "Song", url: "https://example.org/s")]
    try store.poll(source, [sent], at: noon)
    sent.extras?.enclosures = [Enclosure(url: "https://example.org/s", length: 7)]
    let again = try store.poll(source, [sent], at: noon + 60)
    #expect(again.updated == 0 && again.new == 0)
  }

  @Test func aFailureTouchesNeitherListCursorTitleNorDot() throws {
    try store.poll(source, messages(1...3), cursor: "3") { $0.title = "Team news" }
    try store.acts.markSeen(.all)
    let before = try store.snapshot()
    var state = PollState()
    state.failures = 1
    state.lastFailure = .timedOut(.reading, seconds: 60)
    try store.polls.record(
      .failed(.timedOut(.reading, seconds: 60), PollHints()), for: source, attempt: .forced, start: noon + 1,
      end: noon + 2, state: state)
    var after = try store.snapshot()
    #expect(after.sources[0].state == state)
    after.sources[0].state = before.sources[0].state
    #expect(after == before)
    #expect(try store.polls.position(of: source).cursor == Cursor("3"))
    let attempt = try #require(try store.polls.attempts(of: source).first)
    #expect(attempt.result == .failed(.timedOut(.reading, seconds: 60)))
    #expect(attempt.trigger == .forced)
    #expect(attempt.start == noon + 1 && attempt.end == noon + 2)
  }

  @Test func notModifiedMovesThePositionAndNothingElse() throws {
    try store.poll(source, messages(1...3), cursor: "3") { $0.title = "Team news" }
    let position = PollPosition(
      cursor: Cursor("other"), validators: Validators(etag: "W/\"1\"", lastModified: "yesterday"),
      movedTo: "x",
      movedCount: 2)
    try store.polls.record(
      .notModified(position, PollHints()), for: source, attempt: .soft, start: noon, end: noon,
      state: PollState())
    let stored = try store.polls.position(of: source)
    #expect(stored.cursor == Cursor("other"))
    #expect(stored.validators == position.validators)
    #expect(stored.movedCount == 2)
    #expect(try store.status(source).title == "Team news")
  }

  /// A server may report by mistake that nothing is new.
  @Test func afterAWeekOfNothingNewTheWholeIsAskedForOnce() throws {
    let day: TimeInterval = 86_400
    let validators = Validators(etag: "\"1\"", lastModified: "yesterday")
    func poll(at time: TimeInterval, isNew: Bool = false) throws -> Validators {
      var position = try store.polls.position(of: source)
      if isNew { position.validators = validators }
      let outcome: PollOutcome =
        isNew
        ? .content(PollContent(messages: [], position: position), PollHints())
        : .notModified(position, PollHints())
      try store.polls.record(
        outcome, for: source, attempt: .soft, start: noon + time, end: noon + time, state: PollState())
      return try store.polls.position(of: source).validators
    }
    #expect(try poll(at: 0, isNew: true) == validators)
    #expect(try poll(at: 6.9 * day) == validators)
    #expect(try poll(at: 7 * day).isEmpty)
    #expect(try poll(at: 7.1 * day, isNew: true) == validators)
    #expect(try poll(at: 8 * day) == validators)
    #expect(try poll(at: 14 * day) == validators)
    #expect(try poll(at: 14.1 * day).isEmpty)
  }

  @Test func aControlFileIsAskedForWholeAfterAWeekToo() throws {
    let source = try store.follow(configured("banners", kind: .banners, address: "https://example.org/b"))[0]
    let validators = Validators(etag: "\"1\"")
    try store.poll(source, []) {
      $0.position.validators = validators
      $0.document = SourceDocument(address: "https://example.org/b", bytes: Data("{}".utf8))
    }
    for (days, expected) in [(6.0, validators), (7, Validators())] {
      let time = noon + days * 86_400
      try store.polls.record(
        .notModified(try store.polls.position(of: source), PollHints()), for: source, attempt: .soft,
        start: time,
        end: time, state: PollState())
      #expect(try store.polls.position(of: source).validators == expected)
    }
  }

  @Test func theTitleIsTheServersFromThenOn() throws {
    #expect(try store.status(source).title == nil)
    try store.poll(source, []) { $0.title = "Team news" }
    try store.poll(source, [])
    #expect(try store.status(source).title == "Team news")
  }

  @Test(arguments: [(Int?.none, Int?.some(4)), (0, nil), (7, 7)])
  func aBadgeIsSetClearedOrLeft(sent: Int?, expected: Int?) throws {
    try store.poll(source, []) { $0.badge = 4 }
    try store.poll(source, []) { $0.badge = sent }
    #expect(try store.status(source).badge == expected)
  }

  @Test func thePollStateIsStoredUnchanged() throws {
    var state = PollState()
    state.lastAttemptStart = Date(timeIntervalSince1970: 1_800_000_000.123)
    state.lastAttemptEnd = noon + 1
    state.lastSuccess = noon
    state.failures = 3
    state.lastFailure = .notAFeed(found: "text/html", alternates: ["https://example.org/feed"])
    state.minimumWait = .milliseconds(1500)
    state.minimumWaitRule = .ttl
    state.skipHours = [0, 23]
    state.skipDays = [1, 7]
    state.isGone = true
    state.jitter = 0.0321
    try store.polls.record(
      .failed(.gone, PollHints()), for: source, attempt: .initial, start: noon, end: noon, state: state)
    #expect(try store.polls.state(of: source) == state)
    #expect(try store.status(source).state == state)
  }

  @Test func theTimelineIsBoundedPerSource() throws {
    let other = try store.follow(configured("news"), configured("other"))[1]
    try store.pollNothing(other)
    for minute in 0..<StorePolls.attemptsKept + 50 { try store.poll(source, [], at: noon + Double(minute)) }
    let attempts = try store.polls.attempts(of: source, limit: 1000)
    #expect(attempts.count == StorePolls.attemptsKept)
    #expect(attempts[0].start == noon + Double(StorePolls.attemptsKept + 49))
    #expect(try store.polls.attempts(of: other).count == 1)
    #expect(try store.polls.attempts(of: nil, limit: 10).map(\.source) == Array(repeating: source, count: 10))
  }

  @Test func aHeldHostStaysHeldUntilTheLaterTime() throws {
    try store.polls.hold("example.org", until: noon + 10, at: noon)
    try store.polls.hold("example.org", until: noon + 5, at: noon)
    #expect(try store.polls.holds() == ["example.org": noon + 10])
    try store.polls.hold("other", until: noon + 60, at: noon + 11)
    #expect(try store.polls.holds() == ["other": noon + 60])
  }

  /// The clock was 60 days fast for one response. The hold lasts an hour from the first look with the right clock, and
  /// later looks don't extend it.
  @Test func aHoldOfAWrongClockIsAsLongAsItWas() throws {
    let ahead = noon + 60 * 86_400
    try store.polls.hold("example.org", until: ahead + 3600, at: ahead)
    try store.polls.hold("other", until: noon + 600, at: noon)
    try store.time.catchUp(to: noon)
    #expect(try store.polls.holds() == ["example.org": noon + 3600, "other": noon + 600])
    try store.time.catchUp(to: noon + 1800)
    #expect(try store.polls.holds() == ["example.org": noon + 3600, "other": noon + 600])
  }

  @Test func theLastSwitchOfAFeatureCountsAndARepetitionIsNotAChange() throws {
    let on = FeatureNotice(remoteID: RemoteID("1"), names: ["dark"], isEnabled: true, data: "{\"a\":1}")
    let off = FeatureNotice(remoteID: RemoteID("2"), names: ["dark"], isEnabled: false)
    let first = try store.poll(source, []) { $0.features = [on] }
    #expect(
      first.features == [
        FeatureChange(name: "dark", isEnabled: true, remoteID: RemoteID("1"), data: "{\"a\":1}")
      ])
    #expect(try store.poll(source, [], { $0.features = [on] }).features == [])
    #expect(
      try store.poll(source, [], { $0.features = [on, off] }).features == [
        FeatureChange(name: "dark", isEnabled: false, remoteID: RemoteID("2"))
      ])
    #expect(try store.poll(source, [], { $0.features = [on, off] }).features == [])
    #expect(try store.features.all(at: noon).map(\.isEnabled) == [false])
  }

  @Test func aForgottenSourceCannotBeRecorded() throws {
    try store.sources.forget(source)
    #expect(throws: StoreFailure.unknownSource(source)) { try store.poll(source, messages(1...2)) }
  }

  @Test func whyAStreamCannotBeOpenedIsKeptSinceItsFirstFailure() throws {
    let store = try Store.fresh()
    let source = try store.follow(configured("a"), configured("b"))
    func known() throws -> StreamFailure? { try store.polls.streamFailure(of: source[0]) }
    #expect(try known() == nil)
    let refused = FetchFailure.status(404, reason: "Not Found")
    try store.polls.record(stream: refused, of: source[0], at: noon)
    #expect(try known() == StreamFailure(since: noon, failure: refused))
    let unreachable = FetchFailure.unreachable(host: "a.example", reason: "no route")
    try store.polls.record(stream: unreachable, of: source[0], at: noon + 60)
    #expect(try known() == StreamFailure(since: noon, failure: unreachable))
    #expect(try store.polls.streamFailure(of: source[1]) == nil)
    try store.polls.record(stream: nil, of: source[0], at: noon + 120)
    #expect(try known() == nil)
    try store.polls.record(stream: refused, of: source[0], at: noon + 180)
    #expect(try known()?.since == noon + 180)
    // Another address is another server.
    _ = try store.follow(configured("a", address: "https://other.example/"), configured("b"))
    #expect(try known() == nil)
  }
}
