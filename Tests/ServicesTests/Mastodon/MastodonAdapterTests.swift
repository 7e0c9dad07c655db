import Basics
import Foundation
import HTTP
import Messages
import Services
import Testing

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
      remoteID: RemoteID("34975861"), kind: .service, title: "Z sc mentioned you: @ann hello & welcome",
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
    #expect(message.title == "@ann mentioned you: Film")
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

  private static let markers = base + "/api/v1/markers?timeline%5B%5D=notifications"
  private static let noMarker = Exchange.ok(markers, "{}")

  private static func marker(_ id: String) -> Exchange {
    .ok(markers, #"{"notifications":{"last_read_id":"\#(id)","version":3}}"#)
  }

  /// Returns the position after a poll that read `recent`, of which the last is the newest.
  private static func position(
    _ recent: [String], marker: String? = nil, asked: Double? = now.timeIntervalSince1970
  ) -> PollPosition {
    let ids = recent.map { "\"\($0)\"" }.joined(separator: ",")
    let marker =
      (marker.map { #""marker":"\#($0)","# } ?? "") + (asked.map { "\"markerAt\":\(Int($0))," } ?? "")
    return PollPosition(cursor: Cursor(#"{\#(marker)"newest":"\#(recent.last ?? "")","recent":[\#(ids)]}"#))
  }

  @Test func theFirstPollReadsBackwardsAndNotForEver() async throws {
    let outcome = try await poll(
      .ok(Self.list, Self.page(["109", "108"])), .ok(Self.list + "&max_id=108", Self.page(["99", "98"])),
      .ok(Self.list + "&max_id=98", Self.page(["97"])), .ok(Self.list + "&max_id=97", Self.page(["9"])),
      .ok(Self.list + "&max_id=9", Self.page(["8"])), Self.noMarker)
    #expect(
      outcome.content?.messages.map(\.remoteID.text) == ["108", "109", "98", "99", "97", "9", "8"])
    #expect(outcome.content?.position == Self.position(["8", "9", "97", "98", "99", "108", "109"]))
  }

  @Test func aLaterPollThatReachesWhatIsKnownNeedsOnePage() async throws {
    let outcome = try await poll(
      from: Self.position(["98", "99"]), .ok(Self.list, Self.page(["101", "100", "99", "98"])), Self.noMarker)
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["100", "101"])
    #expect(outcome.content?.position == Self.position(["98", "99", "100", "101"]))
    let position = Self.position(["98", "99"])
    let quiet = try await poll(from: position, .ok(Self.list, Self.page(["99", "98"])))
    #expect(quiet.notModified == position)
  }

  @Test func laterPollsGoDownToWhatIsKnownSoThatNoGapRemains() async throws {
    let newest = Exchange.ok(Self.list, Self.page(["106", "105"]))
    let outcome = try await poll(
      from: Self.position(["99"]), newest, .ok(Self.list + "&max_id=105", Self.page(["102", "101"])),
      .ok(Self.list + "&max_id=101", Self.page(["100", "99"])), Self.noMarker)
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["105", "106", "101", "102", "100"])
    #expect(outcome.content?.position == Self.position(["99", "100", "101", "102", "105", "106"]))
    // The notifications in between are gone.
    let gone = try await poll(
      from: Self.position(["99"]), newest, .ok(Self.list + "&max_id=105", "[]"), Self.noMarker)
    #expect(gone.content?.position == Self.position(["105", "106"]))
  }

  /// The notifications before a failure are kept, and the next poll continues there.
  @Test func aListThatBreaksOffIsReadOnByTheNextPoll() async throws {
    var parts: [PollOutcome] = []
    let (source, context) = try service(.mastodon, Self.base)
    let exchanges: [Exchange] = [
      .ok(Self.list, Self.page(["106", "105"])), .ok(Self.list + "&max_id=105", "slow", status: 503),
      .ok(Self.list + "&max_id=105", Self.page(["101", "99"])), Self.noMarker,
    ]
    try await ScriptedTransport.run(exchanges) { transport in
      let adapter = try #require(SourceAdapters(transport: transport).adapter(for: .mastodon))
      _ = await adapter.pollAll(source, position: Self.position(["99"]), context: context) {
        parts.append($0)
      }
      let position = try #require(parts.first?.content?.position)
      let next = await adapter.pollAll(source, position: position, context: context)
      #expect(next.content?.messages.map(\.remoteID.text) == ["101"])
      #expect(next.content?.position == Self.position(["99", "101", "105", "106"]))
    }
    #expect(parts.map { $0.content?.messages.count } == [2, nil])
  }

  @Test func theCursorOfAnEarlierVersionIsRead() async throws {
    let outcome = try await poll(
      from: PollPosition(cursor: Cursor("99")), .ok(Self.list, Self.page(["100", "99"])), Self.noMarker)
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["100"])
  }

  @Test func aServerThatIgnoresThePlaceEndsThePoll() async throws {
    let page = Self.page(["109", "108"])
    let outcome = try await poll(
      from: Self.position(["99"]), .ok(Self.list, page), .ok(Self.list + "&max_id=108", page), Self.noMarker)
    #expect(Set(outcome.content?.messages.map(\.remoteID.text) ?? []) == ["108", "109"])
  }

  @Test func whatIsGoneFromTheNewestPageWasDismissedElsewhere() async throws {
    func marks(_ outcome: PollOutcome) -> [RemoteID: UpstreamMarks]? {
      outcome.content?.upstream.map { Dictionary($0.marks.map { ($0.remoteID, $0.marks) }) { $1 } }
    }
    func gone(_ ids: String...) -> [RemoteID: UpstreamMarks] {
      Dictionary(ids.map { (RemoteID($0), UpstreamMarks(isDone: true)) }) { $1 }
    }
    let page = (200..<220).reversed().map(String.init)
    let known = Self.position(["90", "201", "221"], asked: nil)
    // A full page may end before 90.
    let full = try await poll(
      from: known, .ok(Self.list, Self.page(page.filter { $0 != "201" } + ["199"])), Self.noMarker)
    #expect(marks(full) == gone("201", "221"))
    // A short page is the last one.
    let short = try await poll(from: known, .ok(Self.list, Self.page(["221"])), Self.noMarker)
    #expect(marks(short) == gone("90", "201"))
    #expect(short.content?.position == Self.position(["221"]))
    // An element that cannot be read may be one of them.
    let unclear = try await poll(
      from: known, .ok(Self.list, #"[{"id":"221","type":"follow"},{"type":"follow"}]"#), Self.noMarker)
    #expect(marks(unclear) == [:])
    let all = try await poll(from: known, .ok(Self.list, "[]"), Self.noMarker)
    #expect(marks(all) == gone("90", "201", "221"))
  }

  @Test func whatWasReadElsewhereIsReadWhereTheMarkerMoved() async throws {
    let page = Exchange.ok(Self.list, Self.page(["99", "98"]))
    let moved = try await poll(
      from: Self.position(["98", "99"], marker: "97", asked: nil), page, Self.marker("98"))
    #expect(moved.content?.upstream?.readThrough == RemoteID("98"))
    let position = Self.position(["98", "99"], marker: "98")
    #expect(moved.content?.position == position)
    // The marker is requested with new notifications, and from time to time.
    #expect(try await poll(from: position, page).notModified == position)
    let old = Self.position(["98", "99"], marker: "98", asked: now.timeIntervalSince1970 - 1800)
    #expect(try await poll(from: old, page, Self.marker("98")).notModified == position)
  }

  @Test func aTokenThatMayNotReadMarkersIsNamedAndAServerWithoutThemIsNot() async throws {
    let page = Exchange.ok(Self.list, Self.page(["99"]))
    let position = Self.position(["99"], asked: nil)
    let refused = try await poll(
      from: position, page,
      .ok(Self.markers, #"{"error":"This action is outside the authorized scopes"}"#, status: 403))
    #expect(refused.content?.problems.first?.message.contains("read:statuses") == true)
    let without = try await poll(from: position, page, .ok(Self.markers, "{}", status: 404))
    #expect(without.notModified == Self.position(["99"]))
  }

  @Test func filtersOfTheAddressAreKept() async throws {
    let outcome = try await poll(
      address: Self.base + "/?types%5B%5D=mention",
      .ok(Self.base + "/api/v1/notifications?types%5B%5D=mention&limit=80", "[]"), Self.noMarker)
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

  /// GoToSocial has this API without this address.
  @Test(arguments: [(200, 0), (404, 1)])
  func aServerWithoutTheAddressIsToldFromAMessageThatIsGone(status: Int, carried: Int) async throws {
    let one = Self.base + "/api/v1/notifications/7"
    let result = try await carry(
      .mastodon, Self.base, [act(1, "7", .done(true))],
      .ok(one + "/dismiss", #"{"error":"Not Found: page not found"}"#, status: 404),
      .ok(one, #"{"error":"Not Found: not found"}"#, status: status))
    #expect(result.carried.count == carried && result.failure == nil)
    let reason = FetchFailure.status(404, reason: "the server does not offer to dismiss notifications")
    #expect(result.refused == (carried == 0 ? [OutgoingID(1): reason] : [:]))
  }

  @Test func aScopeThatIsMissingIsNamed() async throws {
    let result = try await carry(
      .mastodon, Self.base, [act(1, "7", .done(true)), act(2, "8", .done(true))],
      .ok(
        Self.base + "/api/v1/notifications/7/dismiss",
        #"{"error":"This action is outside the authorized scopes"}"#, status: 403))
    #expect(result.refused.count == 2 && result.failure == nil)
  }

  private static let streamPath = "/api/v1/streaming/user/notification"

  /// Returns the stream's request if the server's response is this one.
  private func stream(at address: String = base, _ answer: String, status: Int = 200) async throws
    -> StreamRequest
  {
    var (source, context) = try service(.mastodon, address)
    let facts = try #require(SourceAdapters.facts(of: .mastodon))
    context.credentialElsewhere = { .configured(facts.scheme, token: "tk", address: $0) }
    let instance = Exchange.ok(address + "/api/v2/instance", answer, status: status)
    return try await ScriptedTransport.run([instance]) { transport in
      try #require(try await SourceAdapters(transport: transport).stream(of: source, context: context))
    }
  }

  private static func instance(_ streaming: String) -> String {
    #"{"domain":"social.example","configuration":{"urls":{"streaming":"\#(streaming)"}}}"#
  }

  /// Returns whether the token is sent to the server of an address.
  private func hasToken(_ request: TransportRequest) -> Bool {
    guard let origin = Origin(request.url) else { return false }
    return request.credential?.field(for: origin) == HeaderField("Authorization", "Bearer tk")
  }

  @Test(arguments: [
    ("https://social.example", "wss://streaming.social.example", "https://streaming.social.example"),
    ("https://social.example", "wss://Streaming.Social.Example/", "https://streaming.social.example"),
    ("https://social.example", "https://social.example:4000", "https://social.example:4000"),
    ("http://social.example", "ws://a.b.social.example/s", "http://a.b.social.example/s"),
    ("http://10.0.0.1:80", "ws://10.0.0.1:4000", "http://10.0.0.1:4000"),
  ])
  func theStreamIsWhereTheServerSays(server: String, streaming: String, expected: String) async throws {
    let stream = try await stream(at: server, Self.instance(streaming))
    #expect(stream.request.url.lowercased() == expected + Self.streamPath)
    #expect(hasToken(stream.request))
  }

  /// The token is only for the owner of the source's server.
  @Test(arguments: [
    "wss://stranger.example", "wss://evilsocial.example", "wss://social.example.stranger.example",
    "ws://streaming.social.example", "http://social.example", "wss://ann:x@streaming.social.example",
    "wss://stranger.example#.social.example", "wss://stranger.example\\\\.social.example", "file:///etc",
    "wss://",
    "streaming.social.example", "",
  ])
  func theStreamIsAtTheServerItselfWhereAnotherOwnerIsNamed(streaming: String) async throws {
    let stream = try await stream(Self.instance(streaming))
    #expect(stream.request.url == Self.base + Self.streamPath)
    #expect(hasToken(stream.request))
  }

  @Test func nothingIsBelowTheNumberOfAMachineOrANameWithoutADot() async throws {
    for (server, streaming) in [
      ("http://10.0.0.1", "ws://9.10.0.0.1"), ("http://social", "wss://evil.social"),
    ] {
      let stream = try await stream(at: server, Self.instance(streaming))
      #expect(stream.request.url == server + Self.streamPath)
    }
  }

  @Test(arguments: [
    (404, #"{"error":"Not Found"}"#), (403, "{}"), (200, "{}"), (200, "<html>"),
    (200, #"{"configuration":7}"#),
  ])
  func theStreamIsAtAServerThatDoesNotSayWhere(status: Int, answer: String) async throws {
    #expect(try await stream(answer, status: status).request.url == Self.base + Self.streamPath)
  }

  @Test func aServerThatFailsIsAskedAgainWhenTheStreamIsOpenedNext() async throws {
    await #expect(throws: FetchFailure.status(500, reason: "Internal Server Error")) {
      try await stream("", status: 500)
    }
  }

  @Test func theStreamTellsOfNotifications() async throws {
    let stream = try await stream("{}", status: 404)
    #expect(stream.form == .events)
    #expect(stream.isNews(#"{"id":"1","type":"mention"}"#))
    #expect(!stream.isNews("12345"))
  }
}
