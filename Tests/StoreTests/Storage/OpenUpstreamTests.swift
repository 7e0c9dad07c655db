import Foundation
import Messages
import Queries
import Testing

@testable import Storage

/// The conclusions of a poll about a message while acts of the user are being sent to its service.
@Suite struct OpenUpstreamTests {
  let store: Store
  /// A service that accepts all acts.
  let all: SourceID
  /// A service that cannot make a message unread.
  let source: SourceID

  init() throws {
    store = try Store.fresh()
    let sources = try store.follow(
      configured("all", kind: .gitea) { $0.settings.writableMarks = [.read, .unread, .done] },
      configured("hub", kind: .github) { $0.settings.writableMarks = [.read, .done] })
    (all, source) = (sources[0], sources[1])
    for source in sources {
      try store.pollNothing(source)
      try store.poll(source, messages(1...2))
    }
  }

  private func say(
    _ open: [String]?, read: [String] = [], of source: SourceID? = nil, from start: Double, to end: Double
  ) throws {
    var state = UpstreamState()
    state.open = open.map { Set($0.map { RemoteID($0) }) }
    state.marks = read.map { .init(RemoteID($0), UpstreamMarks(isRead: true)) }
    try say(state, of: source ?? self.source, from: start, to: end)
  }

  private func carry(_ acts: [OutgoingAct]? = nil, of source: SourceID? = nil, at seconds: Double) throws {
    let source = source ?? self.source
    let acts = try acts ?? store.outgoing.acts(of: source)
    var result = WriteBackResult()
    result.carried = Set(acts.map(\.id))
    try store.outgoing.record(
      result, sent: acts, of: source, start: noon + seconds, end: noon + seconds)
  }

  private func isUnread(_ source: SourceID? = nil) throws -> Bool? {
    try store.messages.find(store.id("1", of: source ?? self.source))?.isUnread
  }

  private func act(_ act: (MessageID) -> UserAct, _ source: SourceID? = nil, at seconds: Double) throws {
    try store.acts.perform(act(try store.id("1", of: source ?? self.source)), at: noon + seconds)
  }

  @Test func whatIsUnreadThereAgainIsBack() throws {
    try act({ .read([$0]) }, at: 1)
    func poll(_ change: (inout UpstreamState) -> Void, at seconds: Double) throws -> Int {
      var content = PollContent(messages: [])
      var state = UpstreamState()
      change(&state)
      content.upstream = state
      return try store.polls.record(
        .content(content, PollHints()), for: source, attempt: .periodic, start: noon + seconds,
        end: noon + seconds, state: PollState()
      ).back
    }
    let unread = UpstreamState.Mark(RemoteID("1"), UpstreamMarks(isRead: false))
    // The user's act is still being sent, and has precedence.
    #expect(try poll({ $0.marks = [unread] }, at: 2) == 0)
    try carry(at: 3)
    #expect(try poll({ $0.marks = [unread] }, at: 4) == 1)
    #expect(try isUnread() == true)
    #expect(try poll({ $0.marks = [unread] }, at: 5) == 0)
    // A message that has just arrived was not here before.
    #expect(
      try store.polls.record(
        {
          var content = PollContent(messages: [message("9", "New")])
          content.upstream = UpstreamState()
          content.upstream?.marks = [.init(RemoteID("9"), UpstreamMarks(isRead: false))]
          return .content(content, PollHints())
        }(), for: source, attempt: .periodic, start: noon + 6, end: noon + 6, state: PollState()
      ).back == 0)
  }

  @Test func whatWasMadeUnreadThereFromHereIsOpenThere() throws {
    try say(["1"], of: all, from: 0, to: 1)
    try say([], of: all, from: 2, to: 3)
    #expect(try isUnread(all) == false)
    try act({ .unread([$0]) }, all, at: 4)
    try carry(of: all, at: 5)
    // The message was read elsewhere before a poll saw it open.
    try say([], of: all, from: 6, to: 7)
    #expect(try isUnread(all) == false)
    try store.expectConsistent()
  }

  private func say(_ state: UpstreamState, of source: SourceID, from start: Double, to end: Double) throws {
    var content = PollContent(messages: [])
    content.upstream = state
    try store.polls.record(
      .content(content, PollHints()), for: source, attempt: .periodic, start: noon + start, end: noon + end,
      state: PollState())
  }

  @Test func whatIsReadUpToAPlaceElsewhereIsRead() throws {
    try store.poll(all, messages(9...11))
    var state = UpstreamState()
    state.readThrough = RemoteID("9")
    try say(state, of: all, from: 0, to: 1)
    for (id, isUnread) in [("1", false), ("2", false), ("9", false), ("10", true), ("11", true)] {
      #expect(try store.messages.find(store.id(id, of: all))?.isUnread == isUnread)
    }
    // A message that the user has just made unread stays unread.
    try act({ .unread([$0]) }, all, at: 4)
    try say(state, of: all, from: 5, to: 6)
    #expect(try isUnread(all) == true)
    #expect(try isUnread(source) == true)
    try store.expectConsistent()
  }

  @Test func aSilenceThatEndedElsewhereEndsTheSnoozeUnlessItIsANewerOne() throws {
    let alerts = try store.sources.register(
      [configured("alerts", kind: .alertmanager) { $0.settings.writableMarks = [.snooze] }], at: noon)[0].id
    try store.pollNothing(alerts)
    try store.poll(alerts, messages(1...1))
    let id = try store.id("1", of: alerts)
    var state = UpstreamState()
    state.marks = [.init(RemoteID("1"), UpstreamMarks(isSnoozed: false))]
    try store.acts.perform(.snooze([id], until: noon + 3600), at: noon + 1)
    try say(state, of: alerts, from: 2, to: 3)
    #expect(try store.messages.find(id)?.snoozedUntil != nil, "it is on its way")
    try carry(of: alerts, at: 4)
    try say(state, of: alerts, from: 5, to: 6)
    #expect(try store.messages.find(id)?.snoozedUntil == nil)
    #expect(try store.messages.find(id)?.isUnread == true)
    try store.expectConsistent()
  }

  @Test func aPollThatBeganBeforeAnActTakesNothingFromWhatIsKnownToBeOpen() throws {
    try say([], of: all, from: 0, to: 1)
    try act({ .read([$0]) }, all, at: 2)
    try carry(of: all, at: 3)
    try say([], of: all, from: 4, to: 5)
    try act({ .unread([$0]) }, all, at: 6)
    try carry(of: all, at: 8)
    try say([], of: all, from: 7, to: 9)
    #expect(try isUnread(all) == true)
    try say([], of: all, from: 10, to: 11)
    #expect(try isUnread(all) == false)
  }

  @Test func ourOwnActThatComesBackDoesNotRevertALaterOne() throws {
    try act({ .read([$0]) }, at: 0)
    try carry(at: 1)
    try act({ .unread([$0]) }, at: 2)
    #expect(try store.outgoing.acts(of: source).isEmpty)
    try say(nil, read: ["1"], from: 3, to: 4)
    #expect(try isUnread() == true)
    // This read state is from elsewhere.
    try say(nil, read: ["1"], from: 5, to: 6)
    #expect(try isUnread() == false)
  }

  @Test func anActThatIsTakenBackWhileItIsSentDoesNotComeBackEither() throws {
    try act({ .read([$0]) }, at: 0)
    let sending = try store.outgoing.acts(of: source)
    try act({ .unread([$0]) }, at: 1)
    try carry(sending, at: 2)
    try say(nil, read: ["1"], from: 3, to: 4)
    #expect(try isUnread() == true)
    try say(nil, read: ["1"], from: 5, to: 6)
    #expect(try isUnread() == false)
    try store.expectConsistent()
  }

  @Test func thatAMessageIsNotOpenSinceWeReadItMeansNothing() throws {
    try say(["1"], from: 0, to: 1)
    try act({ .read([$0]) }, at: 2)
    try carry(at: 3)
    try act({ .unread([$0]) }, at: 4)
    for start in [5.0, 7] { try say([], from: start, to: start + 1) }
    #expect(try isUnread() == true)
    try say(["1"], from: 9, to: 10)
    try say([], from: 11, to: 12)
    #expect(try isUnread() == false)
  }

  /// Registers a service to which a dismissal is sent as reading, with the message 1.
  private func reader() throws -> SourceID {
    let reader = try store.sources.register(
      [configured("reader", kind: .miniflux) { $0.settings.writableMarks = [.read, .unread] }], at: noon)[0]
      .id
    try store.pollNothing(reader)
    try store.poll(reader, messages(1...1))
    return reader
  }

  /// A dismissal is sent as reading if the service has nothing else.
  @Test func whatADismissalReadAtItsServiceIsUnreadWhereTheDismissalIsUndone() throws {
    let reader = try reader()
    try act({ .dismiss([$0]) }, reader, at: 1)
    #expect(try store.outgoing.acts(of: reader).map(\.mark) == [.read(true)])
    try carry(of: reader, at: 2)
    // More than one poll reports it: the act is forgotten after the first.
    for start in [3.0, 5, 7] { try say(nil, read: ["1"], of: reader, from: start, to: start + 1) }
    #expect(try store.acts.undo(at: noon + 9)?.count == 1)
    #expect(try isUnread(reader) == true)
    #expect(try store.outgoing.acts(of: reader).map(\.mark) == [.read(false)])
    try carry(of: reader, at: 10)
    // Now the message was read elsewhere.
    try say(nil, read: ["1"], of: reader, from: 11, to: 12)
    #expect(try isUnread(reader) == false)
    try store.expectConsistent()
  }

  /// Acts of rules are not sent to services.
  @Test func whatARuleDismissedAndSomebodyReadElsewhereIsRead() throws {
    let rules = try RuleTests.ByRules(("off", "source:reader", [.dismiss]))
    store.judgeArrivals(with: rules)
    try store.rules.apply(rules: rules.texts, at: noon)
    let reader = try reader()
    #expect(try store.messages.find(store.id("1", of: reader))?.isDismissed == true)
    try say(nil, read: ["1"], of: reader, from: 1, to: 2)
    #expect(try isUnread(reader) == false)
  }

  @Test func thatAMessageIsNotOpenSinceWeDismissedItMeansNothing() throws {
    try say(["1"], from: 0, to: 1)
    try act({ .dismiss([$0]) }, at: 3)
    try carry(at: 4)
    // This poll began before the dismissal, and its answer is older.
    try say(["1"], from: 2, to: 5)
    try say([], from: 6, to: 7)
    #expect(try store.acts.undo(at: noon + 8)?.count == 1)
    try say([], from: 9, to: 10)
    #expect(try isUnread() == true)
    try store.expectConsistent()
  }

  @Test func aDismissalThatIsBeingSentMeansNothingToAPollEither() throws {
    try say(["1"], from: 0, to: 1)
    try act({ .dismiss([$0]) }, at: 2)
    let sending = try store.outgoing.acts(of: source)
    try say([], from: 3, to: 4)
    try carry(sending, at: 5)
    #expect(try store.acts.undo(at: noon + 6)?.count == 1)
    for start in [7.0, 9] { try say([], from: start, to: start + 1) }
    #expect(try isUnread() == true)
    try store.expectConsistent()
  }

  /// The service also applied the act to the new occasion, which the user has not seen here.
  @Test(arguments: [true, false])
  func newsThatCameWhileAnActWasSentStaysUnread(isCarriedFirst: Bool) throws {
    func news(_ occasion: String, from start: Double, to end: Double, open: [String]) throws {
      var message = message("1", "news \(occasion)")
      message.kind = .service
      var extras = MessageExtras()
      extras.occasion = occasion
      message.extras = extras
      var content = PollContent(messages: [message])
      var state = UpstreamState()
      state.open = Set(open.map { RemoteID($0) })
      content.upstream = state
      try store.polls.record(
        .content(content, PollHints()), for: source, attempt: .periodic, start: noon + start, end: noon + end,
        state: PollState())
    }
    try news("a", from: 0, to: 1, open: ["1"])
    try act({ .read([$0]) }, at: 3)
    let sending = try store.outgoing.acts(of: source)
    if isCarriedFirst { try carry(sending, at: 4) }
    try news("b", from: 2, to: 5, open: ["1"])
    #expect(try isUnread() == true)
    if !isCarriedFirst { try carry(sending, at: 6) }
    try say([], from: 7, to: 8)
    #expect(try isUnread() == true)
    try act({ .read([$0]) }, at: 9)
    #expect(try store.outgoing.acts(of: source).map(\.mark) == [.read(true)])
    try store.expectConsistent()
  }
}
