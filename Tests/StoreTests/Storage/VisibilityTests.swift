import Foundation
import Messages
import Testing

@testable import Storage

@Suite struct VisibilityTests {
  let store: Store
  let source: SourceID

  init() throws { (store, source) = try Store.following() }

  private func timed(_ id: String, from: Date? = nil, until: Date? = nil) -> IncomingMessage {
    var message = message(id)
    message.visibleFrom = from
    message.expires = until
    return message
  }

  @Test func whatIsForLaterCountsNowhereUntilItsMoment() throws {
    let recorded = try store.poll(source, [timed("a", from: noon + 10)])
    #expect(recorded.new == 0 && recorded.hidden == 1)
    #expect(try store.snapshot().total == 0)
    #expect(try !store.snapshot().isUnseen)
    #expect(try store.titles(search: "title") == [])
    #expect(try store.time.advance(to: noon + 9) == noon + 10)
    #expect(try store.snapshot().total == 0)
    #expect(try store.time.advance(to: noon + 10) == nil)
    #expect(try store.titles() == ["Title a"])
    #expect(try store.status(source).unread == 1)
    #expect(try store.snapshot().isUnseen)
    try store.expectConsistent()
  }

  @Test func whatExpiresTakesCountAndDotWithIt() throws {
    try store.poll(source, [message("old")])
    try store.acts.markSeen(.all)
    try store.poll(source, [timed("a", until: noon + 30)])
    #expect(try store.status(source).isUnseen)
    #expect(try store.time.advance(to: noon + 29) == noon + 30)
    #expect(try store.status(source).unread == 2)
    #expect(try store.time.advance(to: noon + 30) == nil)
    #expect(try store.titles() == ["Title old"])
    #expect(try store.status(source).unread == 1)
    #expect(try !store.status(source).isUnseen, "what is left has been seen")
    try store.expectConsistent()
  }

  @Test func whatHadExpiredOnArrivalIsStoredAndNotShown() throws {
    #expect(try store.poll(source, [timed("a", until: noon)]).hidden == 1)
    #expect(try store.snapshot().total == 0)
    #expect(try !store.snapshot().isUnseen)
    #expect(try store.messages.find(RemoteID("a"), of: source) != nil)
  }

  @Test func aClockMovedBackUndoesWhatTimeDid() throws {
    try store.poll(source, [timed("late", from: noon + 10), timed("short", until: noon + 20)])
    try store.time.advance(to: noon + 30)
    #expect(try store.titles() == ["Title late"])
    #expect(try store.time.advance(to: noon) == noon + 10)
    #expect(try store.titles() == ["Title short"])
    try store.expectConsistent()
  }

  @Test func aPollAtATimeMovedBackLosesNoMoment() throws {
    try store.poll(source, [timed("x", until: noon + 100)], at: noon)
    try store.time.advance(to: noon + 101)
    try store.poll(source, [timed("y", from: noon + 50)], at: noon + 40)
    #expect(try store.titles() == ["Title x"])
    try store.time.advance(to: noon + 51)
    #expect(try Set(store.titles()) == ["Title x", "Title y"])
    try store.expectConsistent()
  }

  @Test func anAdvanceWithNothingDueWritesNothing() async throws {
    try store.poll(source, [timed("a", from: noon + 10)])
    var changes = store.changes().makeAsyncIterator()
    #expect(await changes.next() == .current)
    for minute in 0..<10 { try store.time.advance(to: noon + Double(minute)) }
    try store.time.advance(to: noon + 10)
    #expect(await changes.next() == .here)
    #expect(try store.snapshot().total == 1)
  }

  /// Only in-app notifications have channels that may be hidden: a plain message is shown unless the settings name
  /// other channels.
  @Test func aPlainMessageIsShownWhateverItsChannelUnlessTheSettingsNameOthers() throws {
    func inChannel(_ id: String, _ channel: String, _ kind: MessageKind) -> IncomingMessage {
      var message = timed(id, until: nil)
      (message.channel, message.kind) = (channel, kind)
      return message
    }
    try store.poll(
      source,
      [
        inChannel("plain", "disks", .native), inChannel("feed", "disks", .feed),
        inChannel("other", "backups", .native), inChannel("app", "disks", .inapp),
        inChannel("all", "general", .inapp),
      ])
    #expect(try Set(store.titles()) == ["Title plain", "Title feed", "Title other", "Title all"])
    #expect(try store.sources.inOtherChannels(of: source).map(\.channel) == ["disks"])
    try store.expectConsistent()
    try store.sources.register([configured("news") { $0.channels = ["disks"] }], at: noon + 1)
    #expect(try Set(store.titles()) == ["Title plain", "Title feed", "Title app"])
    let others = try store.sources.inOtherChannels(of: source)
    #expect(others.map(\.channel) == ["backups", "general"] && others.map(\.count) == [1, 1])
    try store.expectConsistent()
    // An ended message isn't left out because of its channel.
    var over = inChannel("over", "backups", .native)
    over.expires = noon
    try store.poll(source, [over], at: noon + 2)
    #expect(try store.sources.inOtherChannels(of: source).map(\.count) == [1, 1])
    try store.sources.register([configured("news")], at: noon + 3)
    #expect(try Set(store.titles()) == ["Title plain", "Title feed", "Title other", "Title all"])
    #expect(try store.status(source).isUnseen)
    try store.expectConsistent()
  }

  @Test func onlySubscribedChannelsAreShownAndStoredOnesAppear() throws {
    func inChannel(_ id: String, _ channel: String?, until: Date? = nil) -> IncomingMessage {
      var message = timed(id, until: until)
      (message.channel, message.kind) = (channel, .inapp)
      return message
    }
    try store.poll(
      source,
      [
        inChannel("none", nil), inChannel("general", "general"), inChannel("beta", "beta"),
        inChannel("short", "beta", until: noon + 5),
      ])
    #expect(try Set(store.titles()) == ["Title none", "Title general"])
    try store.acts.markSeen(.all)
    try store.sources.register([configured("news") { $0.channels = ["general", "beta"] }], at: noon + 10)
    #expect(try Set(store.titles()) == ["Title none", "Title general", "Title beta"])
    #expect(try store.status(source).total == 3)
    #expect(try store.status(source).isUnseen)
    try store.expectConsistent()
    try store.sources.register([configured("news") { $0.channels = ["beta"] }], at: noon + 10)
    #expect(try Set(store.titles()) == ["Title none", "Title beta"])
    try store.expectConsistent()
  }

  @Test func aChangedExpiryTakesEffectAtOnce() throws {
    try store.poll(source, [timed("a", until: noon + 10)])
    try store.poll(source, [timed("a", until: noon + 60)], at: noon + 5)
    #expect(try store.time.advance(to: noon + 11) == noon + 60)
    #expect(try store.snapshot().total == 1)
    try store.poll(source, [timed("a", until: noon + 12)], at: noon + 13)
    #expect(try store.snapshot().total == 0)
    try store.expectConsistent()
  }

  @Test func higherStandingsStayAboveRegardlessOfTime() throws {
    var downtime = timed("down", until: noon + 60)
    downtime.rank = .downtime
    var pinned = message("pinned", at: noon + -90)
    pinned.rank = .pinned
    try store.poll(source, [downtime, pinned, message("new", at: noon)])
    #expect(try store.titles() == ["Title down", "Title pinned", "Title new"])
    try store.time.advance(to: noon + 60)
    #expect(try store.titles() == ["Title pinned", "Title new"])
  }

  @Test func whatIsForLaterOnAFirstPollIsStillNewsThen() throws {
    let other = try store.follow(configured("news"), configured("other"))[1]
    try store.poll(other, [timed("later", from: noon + 10)] + messages(1...30))
    try store.time.advance(to: noon + 10)
    #expect(try store.status(other).unread == 21)
  }
}
