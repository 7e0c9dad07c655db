import Basics
import Foundation
import Messages
import Queries
import Testing

@testable import Storage

/// The notifications that a user gets, from the arrival to the end.
struct NoticeTests {
  /// Notifies of everything except first polls, by the desktop and the bell.
  struct Everything: ArrivalJudging {
    var channels: Set<NoticeChannel> = [.desktop, .bell]

    struct Judge: ArrivalJudge {
      var channels: Set<NoticeChannel>

      func verdict(on facts: @autoclosure () -> Facts, _ arrival: Arrival) -> Verdict {
        var verdict = Verdict()
        if arrival == .firstPoll || arrival == .moment { return verdict }
        verdict.channels = channels
        verdict.isUrgent = facts().priority == Priority(5)
        return verdict
      }
    }

    func judge(_ tokenizer: any QueryTokenizer, at now: Date) -> any ArrivalJudge {
      Judge(channels: channels)
    }
  }

  let store: Store
  let source: SourceID

  init() throws {
    (store, source) = try Store.following()
    store.judgeArrivals(with: Everything())
  }

  private func waiting(_ channel: NoticeChannel = .desktop) throws -> [MessageID] {
    try store.notices.waiting(for: channel).map(\.message)
  }

  private func claimAll(_ form: NoticeForm = .digest) throws -> StoredNotice? {
    try store.notices.claim(waiting(), as: form, for: .desktop, at: noon)
  }

  @Test func whatArrivesWaitsForEachChannelAndIsToldOnce() throws {
    try store.poll(source, [message("1"), message("2", at: noon)])
    let ids = try [store.id("1", of: source), store.id("2", of: source)]
    #expect(try waiting() == ids && waiting(.bell) == ids && waiting(.command).isEmpty)
    #expect(try store.notices.channelsWithNews() == [.desktop, .bell])
    let notice = try #require(try claimAll(.source))
    #expect(notice.unread == ids && notice.form == .source && notice.name == nil)
    #expect(try waiting().isEmpty && waiting(.bell) == ids)
    #expect(try store.notices.claim(ids, as: .message, for: .desktop, at: noon) == nil)
    try store.notices.confirm(notice.id, named: "7")
    #expect(try store.notices.standing(on: .desktop).map(\.name) == ["7"])
    // The same message once more, and with other text: the user was already notified.
    try store.poll(source, [message("1"), message("2", "Other", at: noon)])
    #expect(try waiting().isEmpty)
    try store.expectConsistent()
  }

  @Test func aFirstPollTellsOfNothing() throws {
    let second = try store.follow(configured("news"), configured("other"))[1]
    try store.poll(second, [message("1")])
    #expect(try store.notices.channelsWithNews().isEmpty)
  }

  /// The service reports which messages are read, and may need several polls to list them.
  @Test func theFirstPollsOfAServiceTellOfNothing() throws {
    let hub = try store.follow(configured("news"), configured("hub", kind: .miniflux))[1]
    func poll(_ messages: [IncomingMessage], hasMore: Bool) throws {
      var content = PollContent(messages: messages)
      content.upstream = UpstreamState()
      var hints = PollHints()
      if hasMore { hints.leaveMore(until: noon + 5) }
      try store.polls.record(
        .content(content, hints), for: hub, attempt: .initial, start: noon, end: noon, state: PollState())
    }
    try poll([message("1")], hasMore: true)
    try poll([message("2")], hasMore: false)
    #expect(try waiting().isEmpty)
    #expect(try store.status(hub).unread == 2)
    try poll([message("3")], hasMore: true)
    #expect(try waiting() == [store.id("3", of: hub)])
  }

  @Test func whatIsReadOrPutAwayIsNotToldOf() throws {
    try store.poll(source, (1...5).map { message("\($0)") })
    let ids = try waiting()
    try store.acts.perform(.read([ids[0]]), at: noon)
    try store.acts.perform(.dismiss([ids[1]]), at: noon)
    try store.acts.perform(.snooze([ids[2]], until: noon + 60), at: noon)
    #expect(try waiting() == [ids[3], ids[4]])
    let notice = try #require(try store.notices.claim(ids, as: .digest, for: .desktop, at: noon))
    #expect(notice.unread == [ids[3], ids[4]])
    // A message that becomes unread again causes no notification.
    try store.acts.perform(.unread([ids[0]]), at: noon)
    #expect(try waiting().isEmpty)
    // The end of a snooze does.
    try store.time.advance(to: noon + 60)
    #expect(try waiting() == [ids[2]])
    try store.expectConsistent()
  }

  @Test func aMessageWhoseTimeIsAheadIsToldOfWhenItAppears() throws {
    var later = message("later")
    later.visibleFrom = noon + 3600
    try store.poll(source, [later])
    #expect(try waiting().isEmpty)
    #expect(
      try store.notices.claim([store.id("later", of: source)], as: .message, for: .bell, at: noon) != nil)
    try store.time.advance(to: noon + 3600)
    #expect(try store.notices.waiting(for: .desktop).map(\.at) == [noon + 3600])
  }

  @Test func aStandingNoticeKnowsWhatIsStillUnread() throws {
    try store.poll(source, [message("1"), message("2")])
    let notice = try #require(try claimAll())
    try store.notices.confirm(notice.id, named: ":1.5/7")
    try store.acts.perform(.read([notice.unread[0]]), at: noon)
    #expect(try store.notices.standing(on: .desktop).first?.unread == [notice.unread[1]])
    try store.acts.perform(.dismiss([notice.unread[1]]), at: noon)
    #expect(try store.notices.standing(on: .desktop).first?.unread == [])
    try store.notices.end([notice.id])
    #expect(try store.notices.standing(on: .desktop).isEmpty)
    try store.expectConsistent()
  }

  @Test func aDigestGoesOnAsTheSameNotice() throws {
    try store.poll(source, [message("1")])
    let first = try #require(try claimAll())
    try store.notices.confirm(first.id, named: "7")
    try store.poll(source, [message("2")])
    let second = try #require(
      try store.notices.claim(waiting(), as: .digest, for: .desktop, replacing: first.id, at: noon + 5))
    #expect(second.id == first.id && second.name == "7" && second.unread.count == 2)
    #expect(try store.notices.times(on: .desktop, after: noon, to: noon + 5) == [noon + 5])
    #expect(try store.notices.times(on: .desktop, after: noon + 5, to: noon + 6).isEmpty)
  }

  @Test func whatCannotBeTakenBackDoesNotStand() throws {
    try store.poll(source, [message("1")])
    let notice = try #require(try store.notices.claim(waiting(.bell), as: .message, for: .bell, at: noon))
    try store.notices.confirm(notice.id, named: nil)
    #expect(try store.notices.standing(on: .bell).isEmpty && waiting(.bell).isEmpty)
    try store.expectConsistent()
  }

  @Test func whatWasNotShownWaitsAgain() throws {
    try store.poll(source, [message("1")])
    let notice = try #require(try claimAll())
    try store.notices.giveBack(notice.id)
    #expect(try waiting() == notice.unread)
    try store.expectConsistent()
  }

  @Test func aClaimOfAProcessThatEndedIsFound() throws {
    let directory = try Directory()
    let mine = try Store(path: directory.database, now: noon)
    mine.judgeArrivals(with: Everything())
    let source = try mine.follow(configured("news"))[0]
    try mine.pollNothing(source)
    try mine.poll(source, [message("1")])
    let theirs = try Store(path: directory.database, now: noon)
    let lock = try #require(try theirs.tryLock(.notices(.desktop)))
    #expect(try mine.tryLock(.notices(.desktop)) == nil && mine.tryLock(.notices(.bell)) != nil)
    let notice = try #require(
      try theirs.notices.claim(
        mine.notices.waiting(for: .desktop).map(\.message), as: .message, for: .desktop, at: noon))
    lock.release()
    #expect(try mine.tryLock(.notices(.desktop)) != nil)
    #expect(try mine.notices.unconfirmed(on: .desktop).map(\.id) == [notice.id])
    #expect(try mine.notices.waiting(for: .desktop).isEmpty)
  }

  @Test func onlyOneOfTwoProcessesGetsAMessage() throws {
    let directory = try Directory()
    let stores = try (0..<2).map { _ in try Store(path: directory.database, now: noon) }
    stores[0].judgeArrivals(with: Everything())
    let source = try stores[0].follow(configured("news"))[0]
    try stores[0].pollNothing(source)
    try stores[0].poll(source, (1...20).map { message("\($0)") })
    let ids = try stores[0].notices.waiting(for: .desktop).map(\.message)
    #expect(ids.count == 20)
    let claimed = try ids.enumerated().flatMap { index, id in
      try stores.flatMap { store in
        try store.notices.claim([id], as: .message, for: .desktop, at: noon + Double(index))?.unread ?? []
      }
    }
    #expect(claimed == ids)
  }

  @Test func rowsGoWithTheirMessages() throws {
    try store.poll(source, [message("1"), message("2")])
    let notice = try #require(try claimAll())
    try store.notices.confirm(notice.id, named: "7")
    try store.sources.forget(source)
    #expect(try store.notices.standing(on: .desktop).map(\.unread) == [[]])
    #expect(try store.notices.channelsWithNews().isEmpty)
    try store.expectConsistent()
  }

  @Test func whatStaysUntoldForDaysIsNotToldOfAnyMore() throws {
    try store.poll(source, [message("1")])
    try store.poll(source, [message("2")], at: noon + 4 * 86_400)
    let ids = try waiting()
    let notice = try store.notices.claim(ids, as: .digest, for: .desktop, at: noon + 4 * 86_400)
    #expect(notice?.unread == [ids[1]])
  }

  @Test func whatThePersonSeesAnywayIsNotToldOf() throws {
    try store.poll(source, [message("1"), message("2")])
    let ids = try waiting()
    try store.notices.dropWaiting([ids[0]])
    #expect(try waiting() == [ids[1]] && waiting(.bell) == [ids[1]])
    try store.notices.endWaiting(on: [.bell], before: noon + 1)
    #expect(try waiting() == [ids[1]] && waiting(.bell).isEmpty)
  }

  @Test func aPushedMessageThatWasReadIsNewsAgain() throws {
    let first = try store.pushes.add(message("disk", "Disk full"), at: noon)
    #expect(try waiting() == [first.id])
    let notice = try #require(try claimAll(.message))
    try store.notices.confirm(notice.id, named: nil)
    try store.pushes.add(message("disk", "Disk full"), at: noon)
    #expect(try waiting().isEmpty, "it is still unread")
    try store.acts.perform(.read([first.id]), at: noon)
    try store.pushes.add(message("disk", "Disk full"), at: noon + 60)
    #expect(try waiting() == [first.id])
  }

  @Test func aQueryChoosesAmongMessages() throws {
    try store.poll(source, [message("1", "Build failed"), message("2", "Build passed")])
    let query = try Query.parse("title:failed", .strict).get()
    let found = try store.search.matching(query, among: waiting(), at: noon, in: .gmt)
    #expect(found == [try store.id("1", of: source)])
  }

  @Test func quietHoldsForAllProcessesAndRemembersItsStart() throws {
    #expect(try store.notices.quiet() == nil)
    try store.notices.setQuiet(until: noon + 3600, at: noon)
    try store.notices.setQuiet(until: noon + 7200, at: noon + 60)
    #expect(try store.notices.quiet() == DateInterval(start: noon, end: noon + 7200))
    try store.notices.endQuiet(at: noon + 120)
    try store.notices.endQuiet(at: noon + 500)
    #expect(try store.notices.quiet() == DateInterval(start: noon, end: noon + 120))
    try store.notices.setQuiet(until: noon + 900, at: noon + 600)
    #expect(try store.notices.quiet() == DateInterval(start: noon + 600, end: noon + 900))
  }
}
