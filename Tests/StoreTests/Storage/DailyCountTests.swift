import Foundation
import Messages
import Testing

@testable import Storage

/// The amount that a source adds within a day: see `daily_limit`.
@Suite struct DailyCountTests {
  private static let day: TimeInterval = 86_400

  @Test func newMessagesOfADayAreCountedAndNothingElse() throws {
    let store = try Store.fresh()
    let ids = try store.follow(configured("app", kind: .native), configured("news"))
    func day(_ place: Int) throws -> PollDay? { try store.polls.state(of: ids[place]).day }
    // A first document with all messages of the server does not count.
    for source in ids { try store.poll(source, [message("a"), message("b")]) }
    #expect(try day(0) == nil)
    for source in ids { try store.poll(source, [message("1"), message("2"), message("3")]) }
    let bytes = 3 * "Title 1".utf8.count
    #expect(try day(0) == PollDay(start: noon, messages: 3, bytes: bytes))
    #expect(try day(1) == nil, "a feed has no limit")
    // Messages that were already there, and a changed one.
    #expect(
      try store.poll(ids[0], [message("1"), message("2", body: "Other"), message("3")], at: noon + 60).updated
        == 1)
    #expect(try day(0)?.messages == 3)
    try store.poll(ids[0], [message("4", "12345")], at: noon + Self.day - 1)
    #expect(try day(0) == PollDay(start: noon, messages: 4, bytes: bytes + 5))
    // The next poll begins another day, and so does one after the clock was set back.
    try store.poll(ids[0], [message("5", "1")], at: noon + Self.day)
    #expect(try day(0) == PollDay(start: noon + Self.day, messages: 1, bytes: 1))
    try store.poll(ids[0], [message("6", "1")], at: noon - Self.day)
    #expect(try day(0) == PollDay(start: noon - Self.day, messages: 1, bytes: 1))
  }
}
