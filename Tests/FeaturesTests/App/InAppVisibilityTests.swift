import Formats
import Foundation
import Messages
import Services
import Storage
import Testing

/// In-app notifications from their JSON to the list: which are visible when, to the second: the page Formats.
@Suite struct InAppVisibilityTests {
  /// 2026-11-20 12:00 UTC; the database was made a day before.
  static let noon = Date(timeIntervalSince1970: 1_795_176_000)
  static let installed = noon.addingTimeInterval(-86_400)

  let store: Store
  let source: SourceID

  init() throws {
    store = try Store.inMemory(now: Self.installed)
    let configured = ConfiguredSource(name: "team", kind: .native, address: "https://team.example/feed")
    source = try store.sources.register([configured], at: Self.installed)[0].id
  }

  /// Delivers items as a poll of the feed does.
  private func deliver(_ items: String, at now: Date = noon, language: String = "en") throws {
    let page = try NativeFeedReader.read(Data("{\"list\": [\(items)]}".utf8))
    var native = NativeMessages(
      context: PollContext(now: now, language: language, installed: try store.time.installed()))
    native.take(page.items)
    var content = PollContent(messages: native.messages, position: PollPosition())
    content.features = native.features
    try store.polls.record(
      .content(content, PollHints()), for: source, attempt: .periodic, start: now, end: now,
      state: PollState())
  }

  private func isListed(at now: Date) throws -> Bool {
    try store.time.advance(to: now)
    let snapshot = try store.lists.snapshot(InboxQuery(), InboxWindow())
    // The list, the count and the dot agree.
    #expect(snapshot.rows.count == snapshot.total && snapshot.total == snapshot.unread)
    return snapshot.total == 1
  }

  /// The item, and its visible period in seconds from its arrival at noon.
  @Test(arguments: [
    (#""epoch": "2026-11-20T13:00:00+0000", "expiry": 30"#, 3600.0, 5400.0),
    (#""epoch": "2026-11-20T13:00:00+00:00", "expiry": 30"#, 3600, 5400),
    (#""epoch": "2026-11-20T18:30:00+0530", "expiry": "30""#, 3600, 5400),
    (#""epoch": "2026-11-20T13:00:00Z", "expiry": """#, 3600, .infinity),
    (#""epoch": "2026-11-20T11:45:00Z", "expiry": 30"#, 0, 900),
    (#""epoch": "2026-11-20T11:00:00Z", "expiry": 30"#, 0, 0),
    (#""expiry": 30"#, 0, 1800),
    (#""expiry": "34646millis""#, 0, 34.646),
    (#""epoch": "2026-11-20T12:00:10Z", "expiry": "34646millis""#, 10, 34.646),
    (#""relativetime": 25"#, 3600, .infinity),
    (#""relativetime": "25", "expiry": 10"#, 3600, 4200),
    (#""relativetime": 2, "expiry": 10"#, 0, 600),
    (#""relative": 24.5"#, 1800, .infinity),
    (#""relativetime": 0"#, 0, .infinity),
    ("\"channel\": \"general\"", 0, .infinity),
  ])
  func itAppearsAndExpiresAtItsSecond(_ keys: String, from: Double, until: Double) throws {
    try deliver(#"{"id": 1, "type": 4, "actiondata": {"title": "T", "msg": "M"}, \#(keys)}"#)
    for moment in [from - 1, from, until - 1, until] where moment.isFinite && moment >= 0 {
      let expected = moment >= from && moment < until
      #expect(try isListed(at: Self.noon + moment) == expected, "\(moment) s after the arrival")
    }
    // The clock was moved back, and forth again.
    #expect(try isListed(at: Self.noon) == (from <= 0 && until > 0))
    if until > from { #expect(try isListed(at: Self.noon + from)) }
  }

  @Test func aRedeliveryKeepsTheFirstArrivalAndWhatWasRead() throws {
    let item = #"{"id": 0, "type": 4, "expiry": 30, "actiondata": {"title": "T", "msg": "M"}}"#
    try deliver(item)
    let message = try #require(try store.messages.find(RemoteID("0"), of: source))
    try store.acts.perform(.read([message.id]), at: Self.noon)
    try deliver(item, at: Self.noon + 1000)
    try store.time.advance(to: Self.noon + 1799)
    let snapshot = try store.lists.snapshot(InboxQuery(), InboxWindow())
    #expect(snapshot.total == 1 && snapshot.unread == 0)
    try store.time.advance(to: Self.noon + 1800)
    #expect(try store.lists.snapshot(InboxQuery(), InboxWindow()).total == 0)
  }

  @Test func channelsAreSubscribedAtAnyTime() throws {
    try deliver(
      #"""
      {"id": 1, "type": 4, "channel": "math", "expiry": 30, "actiondata": {"title": "Sum"}},
      {"id": 2, "type": 4, "channel": "math", "actiondata": {"title": "Root"}},
      {"id": 3, "type": 4, "channel": "general", "actiondata": {"title": "All"}}
      """#)
    func titles() throws -> [String] {
      try store.lists.snapshot(InboxQuery(), InboxWindow()).rows.map(\.title)
    }
    #expect(try titles() == ["All"])
    var configured = ConfiguredSource(name: "team", kind: .native, address: "https://team.example/feed")
    configured.channels = ["general", "math"]
    // One of them has expired by then.
    try store.sources.register([configured], at: Self.noon + 1800)
    #expect(try Set(titles()) == ["All", "Root"])
    configured.channels = ["general"]
    try store.sources.register([configured], at: Self.noon + 1900)
    #expect(try titles() == ["All"])
  }

  @Test func downtimeIsAbovePinnedMessagesAndBothAreAboveTheRest() throws {
    try deliver(
      #"""
      {"id": 1, "type": 1, "expiry": 10, "actiondata": {"title": "Down"}},
      {"id": 2, "type": "non-cancellable", "expiry": 20, "actiondata": {"title": "Terms"}},
      {"id": 3, "type": "festive", "actiondata": {"title": "Diwali"}},
      {"id": 4, "type": 3, "actiondata": {"title": "never"}}
      """#)
    func titles() throws -> [String] {
      try store.lists.snapshot(InboxQuery(), InboxWindow()).rows.map(\.title)
    }
    #expect(try titles() == ["Down", "Terms", "Diwali"])
    let terms = try #require(try store.messages.find(RemoteID("2"), of: source))
    #expect(try store.acts.perform(.dismiss([terms.id]), at: Self.noon) == 0, "it cannot be dismissed")
    try store.time.advance(to: Self.noon + 600)
    #expect(try titles() == ["Terms", "Diwali"])
    try store.time.advance(to: Self.noon + 1200)
    #expect(try titles() == ["Diwali"])
  }

  @Test func featuresAreSetAndClearedAndKeepTheirData() throws {
    try deliver(
      #"""
      {"id": 5, "type": "enable-feature", "data": {"feature": "dark-mode", "level": 3}},
      {"id": 6, "type": "enable-feature", "data": {"feature": "beta"}},
      {"id": 7, "notificationtype": "disable-feature", "data": {"feature": "beta"}}
      """#)
    let features = try store.features.all(at: Self.noon)
    #expect(features.filter(\.isEnabled).map(\.name) == ["dark-mode"])
    #expect(try store.lists.snapshot(InboxQuery(), InboxWindow()).total == 0)
  }
}
