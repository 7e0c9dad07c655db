import Basics
import Foundation
import HTTP
import Messages
import Services
import Testing

struct WebFeedAdapterTests {
  private static let url = "http://feeds.example/a"
  private static let rss = """
    <rss version="2.0"><channel><title>News &amp; more</title><link>http://site.example/</link>
    <item><guid>2</guid><title>Second</title><pubDate>Fri, 20 Nov 2026 08:00:00 GMT</pubDate></item>
    <item><guid>1</guid><title>First</title><pubDate>Thu, 19 Nov 2026 08:00:00 GMT</pubDate></item>
    </channel></rss>
    """

  private func poll(
    from position: PollPosition = PollPosition(), _ exchanges: Exchange...
  ) async throws -> PollOutcome {
    try await ServicesTests.poll(source(Self.url), from: position, exchanges)
  }

  @Test func aFeedBecomesMessagesOldestFirst() async throws {
    let outcome = try await poll(
      .ok(Self.url, Self.rss, ["ETag": "W/\"odd  tag\"", "Last-Modified": "yesterday"]) { request in
        #expect(request.etag == nil && request.lastModified == nil)
        #expect(request.requestTimeout == .seconds(60))
        #expect(request.responseLimit == 64 << 20)
        #expect(request.headers.contains { $0.name == "Accept" })
      })
    let content = try #require(outcome.content)
    #expect(content.messages.map(\.title) == ["First", "Second"])
    #expect(content.messages.map(\.remoteID.text) == ["1", "2"])
    #expect(content.title == "News & more")
    #expect(content.link == "http://site.example/")
    #expect(content.problems.isEmpty)
    #expect(
      content.position
        == PollPosition(validators: Validators(etag: "W/\"odd  tag\"", lastModified: "yesterday")))
  }

  @Test func validatorsGoBackAndA304IsNothingNew() async throws {
    let position = PollPosition(validators: Validators(etag: "W/\"x\"", lastModified: "then"))
    let outcome = try await poll(
      from: position,
      .ok(Self.url, "", ["Cache-Control": "max-age=900"], status: 304) { request in
        #expect(request.etag == "W/\"x\"")
        #expect(request.lastModified == "then")
      })
    #expect(outcome.notModified == position)
    #expect(outcome.hints.minimumWait == .seconds(900))
    #expect(outcome.hints.minimumWaitRule == .maxAge)
  }

  /// Until then, the server would answer that nothing changed.
  @Test(arguments: [
    ("Fri, 20 Nov 2026 08:59:59 GMT", true), ("Fri, 20 Nov 2026 09:00:30 GMT", true),
    ("Sat, 20 Nov 2027 09:00:00 GMT", false), ("some day", true),
  ])
  func aDateInTheFutureIsNotKept(date: String, isKept: Bool) async throws {
    let headers: HeaderFields = [
      "ETag": "\"1\"", "Last-Modified": date, "Date": "Fri, 20 Nov 2026 09:01:00 GMT",
    ]
    let outcome = try await poll(.ok(Self.url, Self.rss, headers))
    #expect(
      outcome.content?.position.validators == Validators(etag: "\"1\"", lastModified: isKept ? date : nil))
  }

  @Test func aFeedThatWasCutKeepsNoValidators() async throws {
    let cut = String(Self.rss.prefix { $0 != "3" }.prefix(200))
    let outcome = try await poll(.ok(Self.url, cut, ["ETag": "\"e\"", "Last-Modified": "yesterday"]))
    let content = try #require(outcome.content)
    #expect(content.messages.map(\.title) == ["Second"])
    #expect(content.position.validators.isEmpty)
    #expect(content.problems.contains { $0.message.contains("is cut off") })
  }

  @Test func theSettingsOfTheSourceReachTheRequest() async throws {
    var slow = source(Self.url)
    slow.polling.requestTimeout = .seconds(7)
    slow.polling.responseLimit = 12_345
    let credential = Credential.configured(token: "secret", address: Self.url)
    let context = PollContext(now: now, credential: credential)
    let exchange = Exchange.ok(Self.url, Self.rss) { request in
      #expect(request.requestTimeout == .seconds(7))
      #expect(request.responseLimit == 12_345)
      #expect(request.credential != nil && request.credential == credential)
    }
    _ = try await ServicesTests.poll(slow, context: context, [exchange])
  }

  @Test(arguments: [
    (429, "120", 120.0), (503, "Fri, 20 Nov 2026 09:02:00 GMT", 120), (503, "0", 0),
  ])
  func retryAfterIsReported(status: Int, retryAfter: String, seconds: Double) async throws {
    let outcome = try await poll(.ok(Self.url, "", ["Retry-After": retryAfter], status: status))
    #expect(outcome.failure == .heldBack(status: status))
    #expect(outcome.hints.retryAfter == now.addingTimeInterval(seconds))
  }

  @Test(arguments: [400, 401, 403, 404, 418, 429, 500, 502, 503])
  func aStatusIsAFailureWithItsNumber(status: Int) async throws {
    let outcome = try await poll(.ok(Self.url, "", ["Cache-Control": "max-age=86400"], status: status))
    guard case .status(status, _)? = outcome.failure else {
      Issue.record("\(outcome)")
      return
    }
    #expect(outcome.hints.retryAfter == nil)
    // The cache lifetime of an error page does not apply to the feed.
    #expect(outcome.hints.minimumWait == nil)
  }

  @Test func theTitleOfAnErrorPageIsSaid() async throws {
    let page = "<html><head><title>400 No required SSL certificate was sent</title></head></html>"
    let outcome = try await poll(
      .ok(Self.url, page, status: 400, check: { #expect($0.keepsErrorBody) }))
    #expect(
      outcome.failure
        == .status(
          400,
          reason: "Bad Request; the response is a web page, “400 No required SSL certificate was sent”"))
  }

  @Test func retryAfterOnOtherStatusesIsIgnored() async throws {
    let outcome = try await poll(.ok(Self.url, "", ["Retry-After": "86400"], status: 404))
    #expect(outcome.hints.retryAfter == nil)
  }

  @Test func goneIsForEver() async throws {
    let outcome = try await poll(.ok(Self.url, "", status: 410))
    #expect(outcome.failure == .gone)
    #expect(outcome.hints.isGone)
  }

  @Test func anExpiredJSONFeedIsReadOnceMoreAndThenGone() async throws {
    let feed =
      #"{"version":"https://jsonfeed.org/version/1.1","title":"T","expired":true,"items":[{"id":1,"content_text":"last"}]}"#
    let outcome = try await poll(.ok(Self.url, feed))
    #expect(outcome.hints.isGone)
    #expect(outcome.content?.messages.map(\.body) == ["last"])
  }

  @Test func aWebPageOffersItsFeeds() async throws {
    let page = """
      <!doctype html><html><head><title>Blog</title>
      <link rel="alternate" type="application/atom+xml" href="/atom.xml"></head><body>Hi</body></html>
      """
    let outcome = try await poll(.ok(Self.url, page, ["Content-Type": "application/rss+xml"]))
    #expect(
      outcome.failure == .notAFeed(found: "a web page, “Blog”", alternates: ["http://feeds.example/atom.xml"])
    )
  }

  @Test(arguments: [
    "", " \n ", "hello", "{\"a\":1}", "\u{89}PNG\r\n", "<opml/>",
    "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
  ])
  func otherDocumentsThanFeedsAreNamed(body: String) async throws {
    let outcome = try await poll(.ok(Self.url, body))
    guard case .notAFeed(let found, let alternates)? = outcome.failure else {
      Issue.record("\(outcome)")
      return
    }
    #expect(!found.isEmpty)
    #expect(alternates.isEmpty)
  }

  @Test func aMalformedFeedYieldsWhatCanBeReadAndAProblem() async throws {
    let half = String(Self.rss.prefix(Self.rss.utf8.count - 120))
    let outcome = try await poll(.ok(Self.url, half))
    let content = try #require(outcome.content)
    #expect(content.messages.contains { $0.title == "Second" })
    #expect(!content.problems.isEmpty)
  }

  @Test(arguments: [
    ("max-age=60", 10, 600, MinimumWaitRule.ttl), ("max-age=7200", 10, 7200, .maxAge),
    ("no-cache", 10, 600, .ttl),
  ])
  func theLongerOfMaxAgeAndTTLSetsTheWait(cache: String, ttl: Int, seconds: Int, rule: MinimumWaitRule)
    async throws
  {
    let feed = """
      <rss version="2.0"><channel><title>T</title><ttl>\(ttl)</ttl><skipHours><hour>3</hour><hour>4</hour></skipHours>
      <skipDays><day>Sunday</day></skipDays></channel></rss>
      """
    let outcome = try await poll(.ok(Self.url, feed, ["Cache-Control": cache]))
    #expect(outcome.hints.minimumWait == .seconds(seconds))
    #expect(outcome.hints.minimumWaitRule == rule)
    #expect(outcome.hints.skipHours == [3, 4])
    #expect(outcome.hints.skipDays == [7])
  }

  @Test func aMonstrousTTLDoesNotOverflow() async throws {
    let feed = "<rss version=\"2.0\"><channel><title>T</title><ttl>9223372036854775807</ttl></channel></rss>"
    let wait = try await poll(.ok(Self.url, feed)).hints.minimumWait
    #expect(wait.map { $0 <= .seconds(86_400) } ?? true)
  }

  @Test func aPermanentRedirectCountsAfterThreePollsInARow() async throws {
    let new = "http://new.example/a"
    var position = PollPosition()
    for count in 1...3 {
      let outcome = try await poll(from: position, .ok(Self.url, Self.rss, movedTo: new))
      position = try #require(outcome.content?.position)
      #expect(position.movedTo == new)
      #expect(position.movedCount == count)
      #expect(position.permanentAddress == (count < 3 ? nil : new))
    }
    // The new address is used from now on.
    position.validators = Validators(etag: "x")
    for _ in 0..<2 {
      let outcome = try await poll(from: position, .ok(new, "", status: 304))
      position = try #require(outcome.notModified)
      #expect(position.permanentAddress == new)
    }
  }

  @Test func aRedirectThatStopsOrChangesBreaksTheRow() async throws {
    let two = PollPosition(movedTo: "http://new.example/a", movedCount: 2)
    let stopped = try await poll(from: two, .ok(Self.url, Self.rss))
    #expect(stopped.content?.position.movedCount == 0)
    #expect(stopped.content?.position.movedTo == nil)
    let changed = try await poll(from: two, .ok(Self.url, Self.rss, movedTo: "http://other.example/"))
    #expect(changed.content?.position.movedCount == 1)
    #expect(changed.content?.position.movedTo == "http://other.example/")
  }

  @Test func relativeLinksStandOnTheAddressThatAnswered() async throws {
    let feed = "<rss version=\"2.0\"><channel><title>T</title><item><link>/post</link></item></channel></rss>"
    let redirected = try await poll(.ok(Self.url, feed, movedTo: "https://moved.example/x/feed"))
    #expect(redirected.content?.messages.first?.url == "https://moved.example/post")
    let located = try await poll(.ok(Self.url, feed, ["Content-Location": "http://c.example/d"]))
    #expect(located.content?.messages.first?.url == "http://c.example/post")
    let hostile = try await poll(.ok(Self.url, feed, ["Content-Location": "javascript:alert(1)"]))
    #expect(hostile.content?.messages.first?.url == "http://feeds.example/post")
  }

  @Test func theCharsetOfTheHeaderIsUsed() async throws {
    var exchange = Exchange.ok(Self.url, "", ["Content-Type": "text/xml; Charset=\"ISO-8859-1\""])
    let bytes =
      Data("<rss version=\"2.0\"><channel><title>caf".utf8) + [0xe9] + Data("</title></channel></rss>".utf8)
    exchange.answer = exchange.answer.map {
      var response = $0
      response.body = bytes
      return response
    }
    #expect(try await poll(exchange).content?.title == "café")
  }

  @Test(arguments: [
    (RequestFailure.invalidAddress("x"), FetchFailure.invalidAddress("x")),
    (.nameNotFound(host: "h"), .nameNotFound(host: "h")),
    (.refused(host: "h", port: 1), .refused(host: "h", port: 1)),
    (.unreachable(host: "h", reason: "r"), .unreachable(host: "h", reason: "r")),
    (.timedOut(.connecting, seconds: 1), .timedOut(.connecting, seconds: 1)),
    (.timedOut(.handshake, seconds: 1), .timedOut(.handshake, seconds: 1)),
    (.timedOut(.waiting, seconds: 1), .timedOut(.waiting, seconds: 1)),
    (.timedOut(.reading, seconds: 1), .timedOut(.reading, seconds: 1)),
    (.tls(host: "h", reason: "r"), .tls(host: "h", reason: "r")), (.tooLarge(limit: 5), .tooLarge(limit: 5)),
    (.cutOff(received: 5), .cutOff(received: 5)), (.redirectLoop(limit: 10), .redirectLoop(limit: 10)),
    (.badRedirect("x"), .badRedirect("x")), (.insecureRedirect("x"), .insecureRedirect("x")),
    (.malformed(reason: "r"), .malformed(line: nil, reason: "r")),
    (.cancelled, .cancelled),
  ])
  func everyFailureOfTheNetworkKeepsItsCase(failure: RequestFailure, expected: FetchFailure) async throws {
    #expect(try await poll(.failing(Self.url, failure)).failure == expected)
  }

  private static let wholeDocuments = [
    "<rss version=\"2.0\"><channel><title>T</title><item><guid>1</guid><title>One</title></item></channel></rss>\n",
    "<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>f</id><title>T</title><entry><id>1</id><title>One</title></entry></feed>",
    "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\"items\":[{\"id\":\"1\",\"content_text\":\"One\"}]}",
  ]

  /// Some servers announce a wrong length for years, or leave the last chunk out.
  @Test(arguments: wholeDocuments, [false, true])
  func aFeedWhoseTransferEndedWronglyCountsWhereItIsWhole(document: String, asStream: Bool) async throws {
    var context = PollContext(now: now)
    context.takesStreams = asStream
    func poll(_ text: String) async throws -> PollOutcome {
      var exchange = Exchange.ok(Self.url, text) { #expect($0.acceptsBrokenEnd) }
      exchange.answer = exchange.answer.map {
        var response = $0
        response.end = .broken(.cutOff(received: text.utf8.count))
        return response
      }
      return try await ServicesTests.poll(source(Self.url), context: context, [exchange])
    }
    let content = try #require(try await poll(document).content)
    #expect(content.messages.count == 1)
    #expect(
      content.problems.map(\.message) == ["the transfer ended wrongly, but the document is whole"])
    // The end is in the middle, after the only entry, and before the last byte that completes it.
    let end = document.utf8.count - (document.hasSuffix("\n") ? 2 : 1)
    for length in [document.utf8.count / 2, document.utf8.count - 8, end] {
      let cut = String(decoding: document.utf8.prefix(length), as: UTF8.self)
      let outcome = try await poll(cut)
      #expect(outcome.failure == .cutOff(received: length))
      #expect(outcome.content == nil)
    }
  }

  @Test(arguments: [("http://feeds.example/b", true), ("https://feeds.example/b", false)])
  func aMovedAddressIsRequestedWithTheConfiguredPassword(moved: String, isSent: Bool) async throws {
    let address = "http://ann:pw@feeds.example/a"
    let context = PollContext(now: now, credential: .configured(address: address))
    let exchange = Exchange.ok(moved, "", status: 401) { request in
      #expect(request.credential?.origin == Origin(address))
      #expect((request.credential?.origin == Origin(request.url)) == isSent)
    }
    let outcome = try await ServicesTests.poll(
      source(address), from: PollPosition(movedTo: moved, movedCount: 3), context: context, [exchange])
    guard case .status(401, let reason)? = outcome.failure else {
      Issue.record("\(outcome)")
      return
    }
    #expect(
      reason.contains(
        "the response is from https://feeds.example, but the token or password is only for http://feeds.example;"
      )
        == !isSent)
  }

  private static let whole = [
    """
    <?xml version="1.0"?>
    <rss version="2.0"><channel><title>N</title><item><guid>2</guid><title>Two &amp; more</title><description><![CDATA[<p>b]]>\
    </description></item><item><guid>1</guid><title>One</title><link>http://h/1</link></item></channel></rss>

    """,
    """
    <feed xmlns="http://www.w3.org/2005/Atom"><title>N</title><entry><id>urn:2</id><title type="html">Two</title><content \
    type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>b</p></div></content></entry><entry><id>urn:1</id></entry></feed>

    """,
    """
    {"version": "https://jsonfeed.org/version/1.1", "title": "N", "items": [
      {"id": "2", "title": "Two", "content_html": "<p>b</p>"}, {"id": 1, "content_text": "One"}]}

    """,
  ]

  @Test(arguments: whole)
  func whereverAFeedWasCutTheNextPollBringsTheRest(feed: String) async throws {
    let expected = try #require(try await poll(.ok(Self.url, feed, ["ETag": "\"1\""])).content)
    #expect(expected.messages.count == 2 && expected.position.validators.etag == "\"1\"")
    let bytes = Data(feed.utf8)
    for length in 0..<bytes.count {
      var cut = Exchange.ok(Self.url, "", ["ETag": "\"1\"", "Last-Modified": "then"])
      cut.answer = cut.answer.map { response in
        var response = response
        response.body = bytes.prefix(length)
        response.end = .unmarked
        return response
      }
      let first = try await poll(cut)
      let position = first.content?.position ?? PollPosition()
      let isAll = first.content?.messages == expected.messages
      guard position.validators.isEmpty else {
        #expect(isAll, "cut to \(length) bytes")
        continue
      }
      #expect(first.failure != nil || first.content?.problems.isEmpty == false, "cut to \(length) bytes")
      let second = try await poll(
        from: position,
        .ok(Self.url, feed, ["ETag": "\"1\""]) { #expect($0.etag == nil && $0.lastModified == nil) })
      #expect(second.content?.messages == expected.messages, "cut to \(length) bytes")
    }
  }

  // MARK: What comes instead of a feed

  @Test func nothingNewIsAFailureIfNothingWasKnown() async throws {
    let outcome = try await poll(.ok(Self.url, "", status: 304))
    guard case .status(304, let reason)? = outcome.failure else {
      Issue.record("304 is taken for success")
      return
    }
    #expect(reason.hasPrefix("Not Modified"))
  }

  @Test(arguments: [
    ("<html><head><title>Just a moment...</title></head></html>", "a web page, “Just a moment...”", []),
    (
      "<html><head><meta http-equiv='Refresh' content='0; url=/new.xml'></head></html>", "a web page",
      ["http://feeds.example/new.xml"]
    ),
    (
      "<html><head><meta http-equiv=refresh content='0;URL=\"http://b.example/f\"'></head></html>",
      "a web page", ["http://b.example/f"]
    ),
    ("<html><head><meta http-equiv=refresh content='300; url=/other'></head></html>", "a web page", []),
    ("<html><head><meta http-equiv=refresh content='0; url=/a'></head></html>", "a web page", []),
    ("<html><head><meta http-equiv=refresh content=5></head></html>", "a web page", []),
  ])
  func aPageIsNamedAndWhereItLeads(page: String, found: String, alternates: [String]) async throws {
    let outcome = try await poll(.ok(Self.url, page, ["Content-Type": "text/html"]))
    #expect(outcome.failure == .notAFeed(found: found, alternates: alternates))
  }

  @Test func aStatusWithoutANameHasOne() async throws {
    let page = "<html><head><title>Down</title></head></html>"
    let outcome = try await poll(.ok(Self.url, page, status: 520))
    #expect(outcome.failure == .status(520, reason: "Server Error; the response is a web page, “Down”"))
  }

  // MARK: New addresses

  private func podcast(_ address: String) -> String {
    """
    <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>P</title>
    <itunes:new-feed-url>\(address)</itunes:new-feed-url><item><guid>1</guid><title>a</title></item></channel></rss>
    """
  }

  @Test func aNewAddressIsTakenAfterThreePolls() async throws {
    let new = "https://new.example/feed"
    var position = PollPosition()
    for count in 1...3 {
      #expect(position.permanentAddress == nil)
      position = try #require(try await poll(from: position, .ok(Self.url, podcast(new))).content).position
      #expect(position.movedTo == new && position.movedCount == count)
    }
    #expect(position.permanentAddress == new)
    // The new address names the old one, which is kept.
    let back = try #require(try await poll(from: position, .ok(new, podcast(Self.url))).content).position
    #expect(back.permanentAddress == new)
  }

  @Test(arguments: [url, "feed", "javascript:x()"]) func anAddressThatIsNoneOrItsOwnMovesNothing(
    address: String
  ) async throws {
    let outcome = try await poll(.ok(Self.url, podcast(address)))
    #expect(outcome.content?.position.movedTo == nil)
  }
}
