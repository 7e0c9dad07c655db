import Foundation
import Messages
import Testing

@testable import Storage

/// A clock is trusted unless servers report another time: messages that a wrong clock deletes are lost.
@Suite struct ServerClockTests {
  private static let day: TimeInterval = 86_400

  let store: Store
  let sources: [SourceID]

  init() throws {
    store = try Store.fresh()
    sources = try store.follow(
      configured("a", address: "https://a.example/feed"), configured("b", address: "https://b.example/feed"),
      configured("c", address: "https://c.example/feed"))
  }

  /// Stores a poll whose response has the server's time.
  private func poll(
    _ source: Int, _ messages: [IncomingMessage] = [], server: Date?, clock: Date = noon
  ) throws {
    var hints = PollHints()
    hints.serverDate = server
    try store.polls.record(
      .content(PollContent(messages: messages), hints), for: sources[source], attempt: .periodic,
      start: clock, end: clock, state: PollState())
  }

  /// Deletes all read messages that are older than a day.
  private func prune(at now: Date) throws -> Int {
    let followed = try store.sources.statuses().map { status in
      var source = status.source
      source.retention = Retention(age: .seconds(Self.day))
      return source
    }
    let limits = try store.retention.limits(of: followed, at: now)
    let count = try store.retention.pruneAll(limits).values.reduce(0, +)
    try store.retention.endPruning(at: now)
    return count
  }

  private func lead(at now: Date) throws -> Duration? {
    try store.retention.limits(of: [], at: now).clockLead
  }

  @Test func aClockThatIsAYearAheadDeletesNothing() throws {
    try poll(0, messages(1...3), server: noon)
    try store.acts.perform(.readAll(InboxQuery()), at: noon)
    let ahead = noon + 365 * Self.day
    // With such a clock, no certificate is valid, and so no server reports a time.
    try poll(1, server: nil, clock: ahead)
    #expect(try prune(at: ahead) == 0)
    #expect(try lead(at: ahead) == .seconds(365 * Self.day))
    // The clock is the same, but a server confirms it.
    try poll(0, server: ahead, clock: ahead)
    #expect(try prune(at: ahead) == 3)
  }

  /// A deleted message is remembered for half a year after it was listed last: a wrong clock must not shorten that.
  @Test func aWrongClockForgetsNoDeletedMessage() throws {
    try poll(0, messages(1...3), server: noon)
    try store.acts.perform(.readAll(InboxQuery()), at: noon)
    let later = noon + 2 * Self.day
    try poll(0, server: later, clock: later)
    #expect(try prune(at: later) == 3)
    #expect(try prune(at: later + 365 * Self.day) == 0)
    try poll(0, messages(1...3), server: later, clock: later)
    #expect(try store.titles() == [])
    // With a right clock, they are forgotten by then.
    let end = later + 365 * Self.day
    try poll(1, server: end, clock: end)
    _ = try prune(at: end)
    try poll(0, messages(1...3), server: end, clock: end)
    #expect(try store.titles().count == 3)
  }

  @Test func whoAnsweredLastDecidesNothing() throws {
    let late = noon - 3 * Self.day
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]] {
      // The third server is three days behind.
      for source in order { try poll(source, server: source == 2 ? late : noon) }
      #expect(try lead(at: noon) == nil, "\(order)")
      #expect(try lead(at: noon + 3 * Self.day) != nil, "\(order)")
    }
  }

  @Test func oneServerThatIsAheadPermitsNothing() throws {
    let ahead = noon + 400 * Self.day
    try poll(0, server: noon)
    try poll(1, server: ahead)
    try poll(2, server: noon)
    #expect(try lead(at: ahead) == .seconds(400 * Self.day))
  }

  @Test func onlyOneServerCountsWhileNoOtherComes() throws {
    try poll(0, server: noon)
    let weekLater = noon + 7 * Self.day
    try poll(1, server: weekLater, clock: weekLater)
    #expect(try lead(at: weekLater) == nil)
  }

  @Test func aClockIsBelievedUntilAServerHasSaidATime() throws {
    #expect(try lead(at: noon + 4000 * Self.day) == nil)
    try poll(0, server: noon)
    #expect(try lead(at: noon + Self.day) == nil)
    #expect(try lead(at: noon + Self.day + 1) == .seconds(Self.day + 1))
    // A slow clock is never too slow.
    #expect(try lead(at: noon - 4000 * Self.day) == nil)
  }
}
