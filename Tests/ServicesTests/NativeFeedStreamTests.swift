import Foundation
import HangLimit
import Limits
import Messages
import Services
import Testing
import Transport

/// A large page of a native feed is stored while it is read.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct NativeFeedStreamTests {
  private static let url = "http://feeds.example/n"
  private static let count = 12_000

  /// Plain items; among them mistakes, unknown keys, in-app notifications and APNs payloads.
  private static func item(_ number: Int) -> String {
    let text = String(repeating: "word ", count: 30)
    return switch number {
    case _ where number % 3000 == 7: #"{"id": \#(number), "title": 5, "color": "red", "body": "\#(text)"}"#
    case _ where number % 10 == 3:
      #"{"notificationid": \#(number), "type": "others", "translations": [{"lang": "en", "title": "In \#(number)", "msg": "\#(text)"}]}"#
    case _ where number % 1000 == 4: #"{"id": \#(number), "aps": {"alert": "Payload", "badge": \#(number)}}"#
    default: #"{"id": \#(number), "title": "Title \#(number)", "body": "\#(text)", "tags": ["a"]}"#
    }
  }

  private static func page(
    _ items: some Sequence<String>, before: String = #""title": "Team""#,
    after: String = #""has_more": false"#
  ) -> String {
    "{\(before), \"list\": [\n\(items.joined(separator: ",\n"))\n], \(after)}"
  }

  private static let items = (1...count).map(item)

  private func outcome(
    _ text: String, asStream: Bool, from position: PollPosition = PollPosition(), address: String = url
  ) async throws -> PollOutcome {
    var context = PollContext(now: now, installed: now)
    context.takesStreams = asStream
    let since = position.cursor.map { "since_id=\($0.text)&" } ?? ""
    return try await ServicesTests.poll(
      source(address, .native), from: position, context: context,
      [.ok("\(address)?\(since)limit=1000", text, ["ETag": "\"e\""])])
  }

  private func poll(
    _ text: String, asStream: Bool, from position: PollPosition = PollPosition()
  ) async throws -> PollContent {
    try #require(try await outcome(text, asStream: asStream, from: position).content)
  }

  private func take(_ stream: any MessageStream) throws -> [[IncomingMessage]] {
    var parts: [[IncomingMessage]] = []
    while let part = try stream.next() { parts.append(part) }
    return parts
  }

  @Test func itsPartsAreTheSameAsTheWhole() async throws {
    let text = Self.page(Self.items)
    #expect(text.utf8.count > Limits.largeFeedBytes)
    let whole = try await poll(text, asStream: false)
    #expect(whole.stream == nil && whole.messages.count == Self.count && whole.problems.count == 4)
    var content = try await poll(text, asStream: true)
    let stream = try #require(content.stream)
    #expect(content.messages.isEmpty && content.title == "Team")
    let parts = try take(stream)
    #expect(parts.count > 8)
    #expect(parts.flatMap { $0 } == whole.messages)
    stream.complete(&content)
    #expect(content.problems == whole.problems && content.ignoredKeys == whole.ignoredKeys)
    #expect(content.position == whole.position && content.position.cursor == Cursor("\(Self.count)"))
    #expect(content.title == "Team" && content.badge == whole.badge && whole.badge == 11_004)
    #expect(content.stream === stream)
    #expect(try stream.next() == nil)
  }

  @Test func featuresAreKnownAtTheEnd() async throws {
    let switching =
      #"{"notificationid": "f", "type": "enable-feature", "data": {"feature": "dark-mode"}}"#
    let whole = try await poll(Self.page(Self.items + [switching]), asStream: false)
    #expect(whole.features.map(\.remoteID.text) == ["f"])
    var content = try await poll(Self.page([switching] + Self.items), asStream: true)
    let stream = try #require(content.stream)
    #expect(content.features.isEmpty)
    #expect(try take(stream).flatMap { $0 } == whole.messages)
    stream.complete(&content)
    #expect(content.features == whole.features)
  }

  @Test func aTitleBehindTheListIsKnownAtTheEnd() async throws {
    var content = try await poll(
      Self.page(Self.items, before: #""x": 1"#, after: #""title": "Late""#), asStream: true)
    let stream = try #require(content.stream)
    #expect(content.title == nil)
    _ = try take(stream)
    stream.complete(&content)
    #expect(content.title == "Late")
  }

  @Test(arguments: [
    (#""title": "a""#, #""has_more" : true"#, nil),
    (#""has_more":true"#, #""x": 1"#, nil),
    (#""last_id": 17"#, #""x": 1"#, "5"),
    (#""x": {"aps": {"content-available": 1}}"#, #""x": 1"#, nil),
  ])
  func aPageThatAnotherRequestMayFollowComesAtOnce(before: String, after: String, cursor: String?)
    async throws
  {
    var context = PollContext(now: now, installed: now)
    context.takesStreams = true
    let position = PollPosition(cursor: cursor.map(Cursor.init))
    let since = cursor.map { "since_id=\($0)&" } ?? ""
    var exchanges = [
      Exchange.ok("\(Self.url)?\(since)limit=1000", Self.page(Self.items, before: before, after: after))
    ]
    if (before + after).contains("has_more") {
      exchanges.append(.ok("\(Self.url)?since_id=\(Self.count)&limit=1000", #"{"list": []}"#))
    }
    let outcome = try await ServicesTests.poll(
      source(Self.url, .native), from: position, context: context, exchanges)
    let content = try #require(outcome.content)
    #expect(content.stream == nil && content.messages.count == Self.count)
  }

  @Test func aSmallPageComesAtOnce() async throws {
    let content = try await poll(Self.page(Self.items.prefix(10)), asStream: true)
    #expect(content.stream == nil && content.messages.count == 10)
  }

  @Test func aPageThatBreaksOffNeedsTheWhole() async throws {
    let text = String(Self.page(Self.items).dropLast(100))
    let content = try await poll(text, asStream: true)
    let stream = try #require(content.stream)
    #expect(throws: MessageStreamFailure.needsWhole) { try take(stream) }
    let whole = try #require(try stream.whole().content)
    #expect(whole.messages.count == Self.count - 1)
    #expect(whole.position.cursor == nil)
    #expect(whole.problems.contains { $0.message.contains("breaks off") })
  }

  /// Of two lists the later one counts, and what is in the first one is forgotten.
  @Test func twoListsNeedTheWhole() async throws {
    let text = Self.page(Self.items, after: #""list": [{"id": "only", "title": "t"}]"#)
    let stream = try #require(try await poll(text, asStream: true).stream)
    #expect(throws: MessageStreamFailure.needsWhole) { try take(stream) }
    #expect(try stream.whole().content?.messages.map(\.remoteID.text) == ["only"])
  }

  @Test func aListThatIsNoneInTheEndIsAFailureOfThePoll() async throws {
    let stream = try #require(
      try await poll(Self.page(Self.items, after: #""list": 5"#), asStream: true).stream)
    #expect(throws: MessageStreamFailure.needsWhole) { try take(stream) }
    guard case .failed(.notAFeed(let found, _), _) = try stream.whole() else {
      Issue.record("a page whose list is a number was taken")
      return
    }
    #expect(found == "JSON with the number 5 as its list")
  }

  /// A key that is written with an escape is seen only when it is read.
  @Test func resetIDsThatWereHiddenAreAskedForByTheNextPoll() async throws {
    let text = Self.page(Self.items, before: #""last\u005fid": 17"#)
    let stream = try #require(
      try await poll(text, asStream: true, from: PollPosition(cursor: Cursor("90000"))).stream)
    #expect(throws: MessageStreamFailure.needsWhole) { try take(stream) }
    let whole = try #require(try stream.whole().content)
    #expect(whole.hasNewIDs && whole.position.cursor == nil && whole.messages.isEmpty)
  }

  /// The schedule has the new address before the messages are stored.
  @Test func aMoveIsKnownAtOnce() async throws {
    var context = PollContext(now: now, installed: now)
    context.takesStreams = true
    let outcome = try await ServicesTests.poll(
      source(Self.url, .native), context: context,
      [.ok("\(Self.url)?limit=1000", Self.page(Self.items), movedTo: "http://new.example/n?limit=1000")])
    var content = try #require(outcome.content)
    let stream = try #require(content.stream)
    let early = content.position
    #expect(early.movedTo == "http://new.example/n" && early.movedCount == 1)
    _ = try take(stream)
    stream.complete(&content)
    #expect(content.position.movedTo == early.movedTo && content.position.movedCount == early.movedCount)
  }

  @Test func afterTheEndNothingComes() async throws {
    let stream = try #require(try await poll(Self.page(Self.items), asStream: true).stream)
    #expect(try stream.next()?.isEmpty == false)
    stream.end()
    #expect(throws: MessageStreamFailure.ended) { try stream.next() }
  }

  @Test func oneWhoWaitsIsToldOfTheEnd() async throws {
    let stream = try #require(try await poll(Self.page(Self.items), asStream: true).stream)
    async let taken: Void = {
      do { while try stream.next() != nil {} } catch MessageStreamFailure.ended {}
    }()
    stream.end()
    try await taken
    #expect(throws: MessageStreamFailure.ended) { try stream.next() }
  }
}
