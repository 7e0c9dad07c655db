import Foundation
import Messages
import Services
import Testing
import Transport

struct MastodonAdapterTests {
  private static let base = "https://social.example"
  private static let list = base + "/api/v1/notifications?limit=80"

  private func poll(
    address: String = base, from position: PollPosition = PollPosition(), _ exchanges: Exchange...
  ) async throws -> PollOutcome {
    let (source, context) = try service(.mastodon, address)
    return try await ServicesTests.poll(source, from: position, context: context, exchanges)
  }

  private static func page(_ ids: [String]) -> String {
    "[" + ids.map { #"{"id":"\#($0)","type":"follow"}"# }.joined(separator: ",") + "]"
  }

  @Test func aMentionHasItsFields() throws {
    let message = try readOne(
      .mastodon,
      #"""
      {"id":"34975861","type":"mention","created_at":"2019-11-23T07:49:02.064Z","account":{"id":"971724","username":"zsc","acct":"zsc@x.example","display_name":"Z\nsc","url":"https://x.example/@zsc"},"status":{"id":"103186126728896492","created_at":"2019-11-23T07:49:01.940Z","language":"en","url":"https://x.example/@zsc/103186126728896492","uri":"https://x.example/users/zsc/statuses/103186126728896492","spoiler_text":"","content":"<p><span>@ann</span> hello &amp; welcome</p>","media_attachments":[{"id":"1","type":"image","url":"https://x.example/1.png"}]}}
      """#)
    var expected = IncomingMessage(
      remoteID: RemoteID("34975861"), kind: .service, title: "Z sc mentioned you",
      body: "@ann hello & welcome")
    expected.html = "<p><span>@ann</span> hello &amp; welcome</p>"
    expected.author = "Z sc (@zsc@x.example)"
    expected.published = Date(timeIntervalSince1970: 1_574_495_342.064)
    expected.tags = ["mention"]
    expected.url = "https://x.example/@zsc/103186126728896492"
    expected.language = "en"
    var extras = MessageExtras()
    extras.enclosures = [Enclosure(url: "https://x.example/1.png")]
    extras.actions = [MessageAction(label: "Attachment", url: "https://x.example/1.png")]
    expected.extras = extras
    #expect(message == expected)
  }

  @Test func aWarningComesBeforeTheText() throws {
    let message = try readOne(
      .mastodon,
      #"{"id":"1","type":"mention","account":{"acct":"ann"},"status":{"spoiler_text":"Film","content":"<p>He dies</p>"}}"#
    )
    #expect(message.body == "Film\n\nHe dies")
    #expect(message.html == nil)
    #expect(message.title == "@ann mentioned you")
    #expect(message.author == "ann")
  }

  @Test(arguments: [
    ("status", "Ben posted"), ("reblog", "Ben boosted your post"), ("follow", "Ben follows you"),
    ("follow_request", "Ben asks to follow you"), ("favourite", "Ben likes your post"),
    ("poll", "A poll of Ben has ended"), ("update", "Ben edited a post"), ("quote", "Ben quoted you"),
    ("quoted_update", "Ben edited a post that you quoted"), ("admin.sign_up", "Ben signed up"),
    ("admin.report", "Ben filed a report"), ("severed_relationships", "Some of your follows have ended"),
    ("moderation_warning", "The moderators have warned you"), ("something_new", "Ben: something_new"),
  ])
  func everyTypeHasItsTitle(type: String, title: String) throws {
    let message = try readOne(
      .mastodon,
      #"{"id":"1","type":"\#(type)","account":{"acct":"ben","display_name":"Ben","url":"https://x/@ben"},"status":null}"#
    )
    #expect(message.title == title)
    #expect(message.url == "https://x/@ben")
    #expect(message.tags == [type])
  }

  @Test func theFirstPollReadsBackwardsAndNotForEver() async throws {
    let outcome = try await poll(
      .ok(Self.list, Self.page(["109", "108"])), .ok(Self.list + "&max_id=108", Self.page(["99", "98"])),
      .ok(Self.list + "&max_id=98", Self.page(["97"])), .ok(Self.list + "&max_id=97", Self.page(["9"])),
      .ok(Self.list + "&max_id=9", Self.page(["8"])))
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["8", "9", "97", "98", "99", "108", "109"])
    #expect(outcome.content?.position.cursor == Cursor("109"))
  }

  @Test func laterPollsGoForwardsSoThatNoGapRemains() async throws {
    let outcome = try await poll(
      from: PollPosition(cursor: Cursor("99")),
      .ok(Self.list + "&min_id=99", Self.page(["101", "100"])),
      .ok(Self.list + "&min_id=101", Self.page(["102"])), .ok(Self.list + "&min_id=102", "[]"))
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["100", "101", "102"])
    #expect(outcome.content?.position.cursor == Cursor("102"))
    let quiet = try await poll(
      from: PollPosition(cursor: Cursor("102")), .ok(Self.list + "&min_id=102", "[]"))
    #expect(quiet.notModified == PollPosition(cursor: Cursor("102")))
  }

  @Test func aServerThatIgnoresThePlaceEndsThePoll() async throws {
    let outcome = try await poll(
      from: PollPosition(cursor: Cursor("99")), .ok(Self.list + "&min_id=99", Self.page(["99", "98"])))
    #expect(outcome.content?.position.cursor == Cursor("99"))
  }

  @Test func filtersOfTheAddressAreKept() async throws {
    let outcome = try await poll(
      address: Self.base + "/?types%5B%5D=mention",
      .ok(Self.base + "/api/v1/notifications?types%5B%5D=mention&limit=80", "[]"))
    #expect(outcome.failure == nil)
  }

  @Test func aLimitEndsWithItsReset() async throws {
    let outcome = try await poll(
      .ok(
        Self.list, #"{"error":"Too many requests"}"#,
        ["X-RateLimit-Reset": "2026-11-20T09:01:30.000000Z", "X-RateLimit-Remaining": "0"], status: 429))
    #expect(outcome.failure == .heldBack(status: 429))
    #expect(outcome.hints.retryAfter == now.addingTimeInterval(90))
  }

  @Test func aDismissedNotificationIsDismissedThere() async throws {
    let result = try await carry(
      .mastodon, Self.base, [act(1, "7", .done(true)), act(2, "8", .starred(true))],
      .ok(Self.base + "/api/v1/notifications/7/dismiss", "{}") { #expect($0.method == .post) })
    #expect(result.carried == [OutgoingID(1)])
    #expect(result.refused.count == 1)
  }

  @Test func theStreamTellsOfNotifications() throws {
    let (source, context) = try service(.mastodon, Self.base)
    let adapter = try #require(SourceAdapters(transport: NoTransport()).service(for: .mastodon))
    let stream = try #require(adapter.stream(source, context: context))
    #expect(stream.request.url == Self.base + "/api/v1/streaming/user/notification")
    #expect(stream.form == .events)
    #expect(stream.isNews(#"{"id":"1","type":"mention"}"#))
    #expect(!stream.isNews("12345"))
  }
}
