import Basics
import Formats
import Foundation
import HTTP
import Messages
import Services
import TestBasics
import Testing

/// A large feed is stored while it is read.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct WebFeedStreamTests {
  private static let url = "http://feeds.example/a"
  private static let count = 12_000

  private static func item(_ number: Int) -> String {
    """
    <item><guid isPermaLink="false">id-\(number)</guid><title>Title \(number)</title><link>/p/\(number)</link>\
    <pubDate>\(number % 5000 == 0 ? "some day" : "Fri, 20 Nov 2026 08:00:00 GMT")</pubDate>\
    <description>&lt;p&gt;\(String(repeating: "word ", count: 30)) &lt;a href="x"&gt;\(number)&lt;/a&gt;</description></item>

    """
  }

  private static func feed(_ items: some Sequence<String>) -> String {
    "<rss version=\"2.0\"><channel><title>Large</title><link>http://site.example/</link><ttl>90</ttl>\n"
      + items.joined() + "</channel></rss>\n"
  }

  private static let large = feed((0..<count).lazy.map(item))

  private func poll(_ text: String, asStream: Bool) async throws -> (PollContent, PollHints) {
    var context = PollContext(now: now)
    context.takesStreams = asStream
    let outcome = try await ServicesTests.poll(
      source(Self.url), context: context, [.ok(Self.url, text, ["ETag": "\"e\""])])
    return (try #require(outcome.content), outcome.hints)
  }

  private func take(_ stream: any MessageStream) throws -> [[IncomingMessage]] {
    var parts: [[IncomingMessage]] = []
    while let part = try stream.next() { parts.append(part) }
    return parts
  }

  @Test func itsPartsHaveTheSameMessagesInTheSameOrder() async throws {
    #expect(Self.large.utf8.count > Limits.largeFeedBytes)
    let (whole, wholeHints) = try await poll(Self.large, asStream: false)
    #expect(whole.stream == nil && whole.messages.count == Self.count)
    let (content, hints) = try await poll(Self.large, asStream: true)
    #expect(content.messages.isEmpty)
    #expect(content.title == "Large" && content.link == "http://site.example/" && hints == wholeHints)
    #expect(content.position == whole.position)
    let stream = try #require(content.stream)
    let parts = try take(stream)
    #expect(parts.count > 3)
    #expect(parts.flatMap { $0 } == whole.messages)
    #expect(whole.problems.count == 3)
    #expect(content.problems + stream.problems == whole.problems)
    #expect(try stream.next() == nil)
  }

  @Test(arguments: [0, 1, 100]) func itIsReadAgainFromTheBeginning(parts: Int) async throws {
    let (content, _) = try await poll(Self.large, asStream: true)
    let stream = try #require(content.stream)
    for _ in 0..<parts { if try stream.next() == nil { break } }
    try stream.restart()
    #expect(try take(stream).flatMap { $0 } == (try await poll(Self.large, asStream: false)).0.messages)
    #expect(stream.problems.count == 3)
    stream.end()
    #expect(throws: MessageStreamFailure.ended) { try stream.restart() }
  }

  @Test func aSmallFeedComesAtOnce() async throws {
    let (content, _) = try await poll(Self.feed((0..<10).map(Self.item)), asStream: true)
    #expect(content.stream == nil && content.messages.count == 10)
  }

  /// The store distinguishes entries that share an id.
  @Test func anIdOfTwoLinksIsReadInPartsToo() async throws {
    let twin = Self.item(7).replacingOccurrences(of: "/p/7", with: "/p/other")
    let text = Self.feed([Self.item(7), twin] + (8..<Self.count).map(Self.item))
    let (content, _) = try await poll(text, asStream: true)
    let messages = try take(try #require(content.stream)).flatMap { $0 }
    #expect(
      messages.suffix(2).map(\.url) == ["http://site.example/p/other", "http://site.example/p/7"])
    #expect(messages.suffix(2).map(\.remoteID.text) == ["id-7", "id-7"])
  }

  @Test func aMistakeInTheMiddleNeedsTheWholeWhichIsRepaired() async throws {
    let text = Self.feed(
      (0..<Self.count).map { $0 == 5000 ? "<item><guid>x</guid><title>a & b</title></item>" : Self.item($0) })
    let (content, _) = try await poll(text, asStream: true)
    let stream = try #require(content.stream)
    #expect(throws: MessageStreamFailure.needsWhole) { try take(stream) }
    let whole = try #require(try stream.whole().content)
    #expect(whole.messages.count == Self.count)
    #expect(whole.messages.contains { $0.title == "a & b" })
    #expect(whole.problems.contains { $0.message.contains("not well-formed") })
  }

  @Test func afterTheEndNothingComes() async throws {
    let stream = try #require(try await poll(Self.large, asStream: true).0.stream)
    #expect(try stream.next()?.isEmpty == false)
    stream.end()
    #expect(throws: MessageStreamFailure.ended) { try stream.next() }
  }

  /// The end wakes a waiting thread, even if it comes from another thread.
  @Test func oneWhoWaitsIsToldOfTheEnd() async throws {
    let stream = try #require(try await poll(Self.large, asStream: true).0.stream)
    async let taken: Void = {
      do { while try stream.next() != nil {} } catch MessageStreamFailure.ended {}
    }()
    stream.end()
    try await taken
    #expect(throws: MessageStreamFailure.ended) { try stream.next() }
  }
}
