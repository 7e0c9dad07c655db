import Basics
import Formats
import Foundation
import HTTP
import Messages
import Services
import Testing

struct NativeFeedAdapterTests {
  private static let base = "http://feeds.example/n"

  private func poll(
    address: String = base, from position: PollPosition = PollPosition(),
    context: PollContext = PollContext(now: now, installed: now), typeNames: [Int: String] = [:],
    _ exchanges: Exchange...
  ) async throws -> PollOutcome {
    var native = source(address, .native)
    native.typeNames = typeNames
    return try await ServicesTests.poll(native, from: position, context: context, exchanges)
  }

  private static func page(since cursor: String?, _ address: String = base) -> String {
    let separator = address.contains("?") ? "&" : "?"
    return address + separator + (cursor.map { "since_id=\($0)&" } ?? "") + "limit=1000"
  }

  private func at(_ cursor: String, _ validators: Validators = Validators()) -> PollPosition {
    PollPosition(cursor: Cursor(cursor), validators: validators)
  }

  @Test func anItemWithoutMarksIsNotDone() async throws {
    let outcome = try await poll(
      .ok(
        Self.page(since: nil),
        #"{"list": [{"id": 1, "done": true}, {"id": 2}, {"id": 3, "key": "disk", "done": false}, {"id": 4, "key": "x", "done": true}]}"#
      ))
    let endings = try #require(outcome.content?.endings)
    #expect(endings.map(\.message.text) == ["1", "2", "disk", "x"])
    #expect(endings.map(\.isOver) == [true, false, false, true])
  }

  @Test func theFirstPollFetchesEverythingAndStoresTheGreatestID() async throws {
    let outcome = try await poll(
      .ok(
        Self.page(since: nil),
        #"""
        {"title": "Team", "list": [
          {"id": 3, "title": "Three", "body": "b", "url": "http://x/", "time": "2026-11-20T08:00:00Z",
           "author": "Ann", "priority": 5, "tags": ["t"], "channel": "c", "group": "g", "expires": "2026-12-01T00:00:00Z",
           "actions": [{"label": "Go", "url": "http://go/"}]},
          {"id": 10, "html": "<p>Ten &amp; <b>more</b></p>"}, {"id": 9, "title": "Nine"}]}
        """#))
    let content = try #require(outcome.content)
    #expect(content.title == "Team")
    #expect(content.position.cursor == Cursor("10"))
    #expect(content.messages.map(\.remoteID.text) == ["3", "10", "9"])
    let first = content.messages[0]
    #expect(first.kind == .native)
    #expect(first.title == "Three" && first.body == "b" && first.url == "http://x/" && first.author == "Ann")
    #expect(first.published == now.addingTimeInterval(-3600))
    #expect(first.priority == Priority(5) && first.tags == ["t"] && first.channel == "c")
    #expect(first.extras?.group == "g")
    #expect(first.expires == Date(timeIntervalSince1970: 1_796_083_200))
    #expect(first.extras?.actions == [MessageAction(label: "Go", url: "http://go/")])
    #expect(content.messages[1].body == "Ten & more")
    #expect(content.messages[1].html == "<p>Ten &amp; <b>more</b></p>")
    #expect(content.messages[1].title == "Ten & more")
    #expect(content.messages[2].published == nil)
  }

  @Test(arguments: [
    ("http://h/n?a=b&c=%26%20d&e", "http://h/n?a=b&c=%26%20d&e&since_id=17&limit=1000"),
    ("http://h/n?since_id=1&a=b&limit=5", "http://h/n?a=b&since_id=17&limit=1000"),
    ("http://h/n?q=a+b", "http://h/n?q=a+b&since_id=17&limit=1000"),
    ("http://h", "http://h?since_id=17&limit=1000"),
    ("http://h/n#top", "http://h/n?since_id=17&limit=1000"),
  ])
  func otherQueryItemsStayAsTheyAre(address: String, asked: String) async throws {
    var exchange = Exchange.ok(asked, #"{"list": []}"#)
    if address.hasSuffix("#top") { exchange.url = "http://h/n?since_id=17&limit=1000#top" }
    let outcome = try await poll(address: address, from: at("17"), exchange)
    #expect(outcome.content?.messages.isEmpty == true)
    #expect(outcome.content?.position.cursor == Cursor("17"))
  }

  @Test func aStringCursorIsTheLastOfTheListAndIsEscaped() async throws {
    let outcome = try await poll(
      from: at("a&b=c d+ü"),
      .ok(Self.page(since: "a%26b%3Dc%20d%2B%C3%BC"), #"{"list": [{"id": "z"}, {"id": "m"}]}"#))
    #expect(outcome.content?.position.cursor == Cursor("m"))
  }

  @Test func pagesFollowAtOnceAndMakeOneOutcome() async throws {
    let validators = Validators(etag: "\"1\"")
    let outcome = try await poll(
      from: at("5", validators),
      .ok(Self.page(since: "5"), #"{"title": "A", "list": [{"id": 6}, {"id": 7}], "has_more": true}"#) {
        #expect($0.etag == "\"1\"")
      },
      .ok(Self.page(since: "7"), #"{"list": [{"id": 8}, 5], "has_more": true}"#, ["ETag": "\"2\""]) {
        #expect($0.etag == nil)
      },
      .ok(Self.page(since: "8"), #"{"list": [{"id": 9}], "has_more": false}"#))
    let content = try #require(outcome.content)
    #expect(content.messages.map(\.remoteID.text) == ["6", "7", "8", "9"])
    #expect(content.title == "A")
    #expect(content.position.cursor == Cursor("9"))
    #expect(content.problems.map(\.at) == ["$.list[1]"])
    // The validators belong to the address with the old cursor.
    #expect(content.position.validators.isEmpty)
  }

  @Test func anEmptyIncrementKeepsCursorAndValidators() async throws {
    let outcome = try await poll(
      from: at("5"), .ok(Self.page(since: "5"), #"{"list": []}"#, ["ETag": "\"n\""]))
    #expect(outcome.content?.position == at("5", Validators(etag: "\"n\"")))
    let unchanged = try await poll(
      from: at("5", Validators(etag: "\"n\"")),
      .ok(Self.page(since: "5"), "", status: 304) { #expect($0.etag == "\"n\"") })
    #expect(unchanged.notModified == at("5", Validators(etag: "\"n\"")))
  }

  @Test(arguments: [
    #"{"list": [{"id": 7}], "has_more": true}"#, #"{"list": [{"id": 3}], "has_more": true}"#,
    #"{"list": [], "has_more": true}"#,
  ])
  func aPageThatDoesNotMoveTheCursorEndsThePollWithAnError(second: String) async throws {
    let outcome = try await poll(
      .ok(Self.page(since: nil), #"{"list": [{"id": 7}], "has_more": true}"#),
      .ok(Self.page(since: "7"), second))
    #expect(outcome.failure == .cursorStuck(page: 1))
  }

  @Test func fiftyPagesAreEnoughForOnePoll() async throws {
    let exchanges = (1...50).map { number in
      Exchange.ok(
        Self.page(since: number == 1 ? nil : "\(number - 1)"),
        #"{"list": [{"id": \#(number)}], "has_more": true}"#)
    }
    let outcome = try await ServicesTests.poll(source(Self.base, .native), exchanges)
    #expect(outcome.content?.messages.count == 50)
    #expect(outcome.content?.position.cursor == Cursor("50"))
  }

  @Test func aFailureInTheMiddleChangesNothing() async throws {
    let outcome = try await poll(
      .ok(Self.page(since: nil), #"{"list": [{"id": 7}], "has_more": true}"#),
      .failing(Self.page(since: "7"), .cutOff(received: 3)))
    #expect(outcome.failure == .cutOff(received: 3))
  }

  @Test func idsThatWereResetAreFetchedFromTheStart() async throws {
    let outcome = try await poll(
      from: at("900", Validators(etag: "\"x\"")),
      .ok(Self.page(since: "900"), #"{"list": [], "last_id": 3}"#, ["ETag": "\"y\""]),
      .ok(Self.page(since: nil), #"{"list": [{"id": 1}, {"id": 2}], "last_id": 3, "has_more": true}"#),
      .ok(Self.page(since: "2"), #"{"list": [{"id": 3}], "last_id": 3}"#))
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["1", "2", "3"])
    #expect(outcome.content?.position.cursor == Cursor("3"))
    #expect(outcome.content?.position.validators.isEmpty == true)
  }

  @Test func aServerThatWasEmptiedStartsAgainToo() async throws {
    let outcome = try await poll(
      from: at("900"), .ok(Self.page(since: "900"), #"{"list": [], "last_id": 0}"#),
      .ok(Self.page(since: nil), #"{"list": [], "last_id": 0}"#))
    #expect(outcome.content?.messages.isEmpty == true)
    #expect(outcome.content?.position == PollPosition())
  }

  @Test func aDocumentThatBreaksOffIsReadButDoesNotMoveTheCursor() async throws {
    let outcome = try await poll(
      from: at("5", Validators(etag: "\"x\"")),
      .ok(Self.page(since: "5"), #"{"list": [{"id": 9, "title": "Nine"}, {"id": 8, "ti"#, ["ETag": "\"y\""]))
    let content = try #require(outcome.content)
    #expect(content.messages.map(\.title) == ["Nine"])
    #expect(!content.problems.isEmpty)
    // The missing items may come before the received ones.
    #expect(content.position.cursor == Cursor("5"))
    #expect(content.position.validators.isEmpty)
  }

  @Test func pagesBeforeTheOneThatBrokeOffCount() async throws {
    let outcome = try await poll(
      from: at("5"), .ok(Self.page(since: "5"), #"{"list": [{"id": 6}], "has_more": true}"#),
      .ok(Self.page(since: "6"), #"{"list": [{"id": 9}, {"id": 8"#))
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["6", "9"])
    #expect(outcome.content?.position.cursor == Cursor("6"))
  }

  @Test func aPermanentRedirectIsRememberedWithoutTheCursor() async throws {
    var position = PollPosition()
    for id in 1...3 {
      let asked = Self.page(since: id == 1 ? nil : "\(id - 1)")
      let outcome = try await poll(
        from: position,
        .ok(
          asked, #"{"list": [{"id": \#(id)}]}"#,
          movedTo: asked.replacingOccurrences(of: "feeds.example", with: "new.example")))
      position = try #require(outcome.content?.position)
    }
    #expect(position.permanentAddress == "http://new.example/n")
    _ = try await poll(
      from: position, .ok("http://new.example/n?since_id=3&limit=1000", #"{"list": []}"#))
  }

  @Test(arguments: [
    ("<!doctype html><html><body>hi</body></html>", "a web page"), ("", "an empty document"),
    ("<rss version=\"2.0\"><channel><title>T</title></channel></rss>", "a web feed; its kind is feed"),
    (#"{"items": []}"#, "JSON without a list"), (#"{"list": {}}"#, "JSON with an object as its list"),
  ])
  func otherDocumentsAreNamed(body: String, found: String) async throws {
    let outcome = try await poll(.ok(Self.page(since: nil), body))
    #expect(outcome.failure == .notAFeed(found: found, alternates: []))
  }

  @Test func brokenJSONSaysWhere() async throws {
    let outcome = try await poll(.ok(Self.page(since: nil), "{\n\"title\": oops}"))
    guard case .malformed(line: 2, _)? = outcome.failure else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test(arguments: [nil, "0"]) func unknownKeysAreHandedOverAtAnyPoll(cursor: String?) async throws {
    let pages = [
      #"{"list": [{"id": 1, "color": "red"}], "version": 2, "has_more": true}"#,
      #"{"list": [{"id": 2, "color": "red", "size": 3}]}"#,
    ]
    let outcome = try await poll(
      from: cursor.map { at($0) } ?? PollPosition(), .ok(Self.page(since: cursor), pages[0]),
      .ok(Self.page(since: "1"), pages[1]))
    // The store decides which of them are new.
    #expect(outcome.content?.ignoredKeys.sorted() == ["$.list[*].color", "$.list[*].size", "$.version"])
    #expect(outcome.content?.problems == [])
  }

  // MARK: In-app notifications

  @Test func inAppNotificationsBecomeMessages() async throws {
    let outcome = try await poll(
      context: PollContext(
        now: now, language: "de-AT", installed: now.addingTimeInterval(-86_400), application: "Acme"),
      typeNames: [7: "downtime"],
      .ok(
        Self.page(since: nil),
        #"""
        {"list": [
          {"id": 1, "type": 1, "epoch": "2026-11-20T10:00:00+0000", "expiry": 30, "actiondata":
            {"translations": {"en": {"title": "Down", "msg": "{{%s}} sleeps"}, "de": {"title": "Wartung", "msg": "{{%s}} schläft"}}}},
          {"id": 2, "type": "non-cancellable", "relativetime": 2, "channel": "beta",
           "actiondata": {"title": "Stay", "msg": "put", "poster": "http://p/x.png"}},
          {"id": 3, "type": 7, "expiry": 10, "actiondata": {"title": "Own number"}},
          {"id": 4, "type": 2, "expiry": "60000millis", "actiondata": {"title": "Hi"}},
          {"id": 5, "type": "enable-feature", "data": {"feature": "dark-mode", "level": 3}},
          {"id": 6, "type": "disable-feature", "data": {"feature": "old-ui"}},
          {"id": 7, "type": 3, "actiondata": {"title": "never shown"}}]}
        """#))
    let content = try #require(outcome.content)
    #expect(content.messages.map(\.remoteID.text) == ["1", "2", "3", "4"])
    #expect(content.messages.allSatisfy { $0.kind == .inapp })

    let downtime = content.messages[0]
    #expect(downtime.title == "Wartung" && downtime.body == "Acme schläft" && downtime.language == "de")
    #expect(downtime.rank == .downtime)
    #expect(downtime.visibleFrom == now.addingTimeInterval(3600))
    #expect(downtime.expires == now.addingTimeInterval(3600 + 1800))
    #expect(
      downtime.extras?.translations == [
        LocalizedText(language: "en", title: "Down", body: "Acme sleeps"),
        LocalizedText(language: "de", title: "Wartung", body: "Acme schläft"),
      ])
    #expect(downtime.extras?.unknownKeys == nil)

    let pinned = content.messages[1]
    #expect(!pinned.isDismissable && pinned.rank == .pinned)
    #expect(pinned.visibleFrom == now.addingTimeInterval(-86_400 + 7200))
    #expect(pinned.channel == "beta" && pinned.extras?.poster == "http://p/x.png")
    #expect(content.messages[2].rank == .downtime)
    #expect(content.messages[2].lifetime == .afterAppearance(600))
    #expect(content.messages[3].lifetime == .afterArrival(60))

    #expect(content.features.map(\.names) == [["dark-mode"], ["old-ui"], []])
    #expect(content.features.map(\.isEnabled) == [true, false, false])
    #expect(content.features.map(\.remoteID.text) == ["5", "6", "7"])
    #expect(content.features.first?.data == #"{"feature":"dark-mode","level":3}"#)
    #expect(content.position.cursor == Cursor("7"))
  }

  // MARK: APNs payloads

  @Test func payloadsBecomeMessagesBadgesAndRefreshes() async throws {
    let outcome = try await poll(
      .ok(
        Self.page(since: nil),
        #"""
        {"list": [
          {"id": 1, "aps": {"alert": {"title": "T", "subtitle": "S", "body": "B"}, "badge": 4, "sound": "ping.aiff",
            "category": "MAIL", "interruption-level": "critical"}, "thread": {"a": [1]}},
          {"id": 2, "aps": {"alert": "only text", "badge": 2}},
          {"id": 3, "aps": {"content-available": 1}, "why": "silent"}]}
        """#))
    let content = try #require(outcome.content)
    #expect(content.badge == 2)
    #expect(content.wantsRefresh)
    #expect(content.messages.map(\.kind) == [.apns, .apns])
    let first = content.messages[0]
    #expect(first.title == "T" && first.body == "S\n\nB" && first.priority == Priority(5))
    #expect(first.extras?.category == "MAIL" && first.extras?.sound == "ping.aiff")
    #expect(first.extras?.unknownKeys == #"{"thread":{"a":[1]}}"#)
    #expect(content.messages[1].title == "only text")
    #expect(content.position.cursor == Cursor("3"))
  }

  @Test func keysBecomeTheTextOfEveryLanguageThatHasStrings() async throws {
    var context = PollContext(now: now, language: "de-AT")
    context.strings.add(
      try LocalizableStrings.read(Data(#""HI" = "Hello %@"; "T" = "News";"#.utf8)), language: "en")
    context.strings.add(try LocalizableStrings.read(Data(#""HI" = "Hallo %@";"#.utf8)), language: "de")
    let outcome = try await poll(
      context: context,
      .ok(
        Self.page(since: nil),
        #"""
        {"list": [
          {"id": 1, "aps": {"alert": {"title-loc-key": "T", "loc-key": "HI", "loc-args": ["%@ Ann"]}}},
          {"id": 2, "aps": {"alert": {"title": "Same", "body": "in all"}}}]}
        """#))
    let messages = try #require(outcome.content?.messages)
    #expect(messages[0].title == "News" && messages[0].body == "Hallo %@ Ann")
    #expect(
      messages[0].extras?.translations == [
        LocalizedText(language: "de", title: "News", body: "Hallo %@ Ann"),
        LocalizedText(language: "en", title: "News", body: "Hello %@ Ann"),
        LocalizedText(language: "default", title: "News", body: "Hello %@ Ann"),
      ])
    #expect(messages[1].extras?.translations.isEmpty != false)
  }

  @Test func aBadgeOfZeroClearsAndNoneLeaves() async throws {
    let zero = try await poll(.ok(Self.page(since: nil), #"{"list": [{"id": 1, "aps": {"badge": 0}}]}"#))
    #expect(zero.content?.badge == 0)
    #expect(zero.content?.messages.isEmpty == true)
    let none = try await poll(.ok(Self.page(since: nil), #"{"list": [{"id": 1, "aps": {"alert": "x"}}]}"#))
    #expect(none.content?.badge == nil)
    #expect(none.content?.wantsRefresh == false)
  }

  @Test func whereverAPageWasCutTheNextPollBringsTheRest() async throws {
    let text =
      #"{"list": [{"id": 3, "title": "c"}, {"id": 1, "title": "a"}], "has_more": false, "last_id": 3}"#
    let expected = try #require(try await poll(.ok(Self.page(since: nil), text)).content)
    for length in 0..<text.utf8.count {
      let cut = String(decoding: text.utf8.prefix(length), as: UTF8.self)
      let first = try await poll(.ok(Self.page(since: nil), cut, ["ETag": "\"1\""]))
      let position = first.content?.position ?? PollPosition()
      #expect(position == PollPosition(), "cut to \(length) bytes")
      #expect(first.failure != nil || first.content?.problems.isEmpty == false, "cut to \(length) bytes")
      let second = try await poll(
        from: position, .ok(Self.page(since: nil), text) { #expect($0.etag == nil) })
      #expect(second.content?.messages == expected.messages, "cut to \(length) bytes")
    }
  }

  private static let farIDs: [String] = [
    "-9223372036854775808", "9223372036854775807", "-9223372036854775809", "9223372036854775808",
    "18446744073709551616", "-1\(String(repeating: "0", count: 300))",
  ]

  /// Ids of any size are compared by value, without conversion to a machine integer.
  @Test(arguments: farIDs)
  func idsAtTheEndsOfTheNumbersAreIds(_ id: String) async throws {
    let page = "{\"list\": [{\"id\": \(id), \"title\": \"a\"}], \"last_id\": \(id), \"has_more\": false}"
    let first = try #require(try await poll(.ok(Self.page(since: nil), page)).content)
    #expect(first.messages.map(\.remoteID.text) == [id])
    #expect(first.position.cursor?.text == id)
    #expect(first.problems == [])
    // The same page again: ids were not reset, and the cursor is kept.
    let again = try await poll(from: first.position, .ok(Self.page(since: id), page))
    #expect(again.content?.position.cursor?.text == id)
    #expect(again.content?.hasNewIDs == false)
    // A server that has reset its ids, with negative numbers.
    let other = id.hasPrefix("-") ? String(id.dropFirst()) : "-\(id)"
    let far = "{\"list\": [{\"id\": \(other), \"title\": \"b\"}], \"last_id\": \(other)}"
    let start = try #require(
      try await ServicesTests.poll(
        source(Self.base, .native), from: first.position,
        id.hasPrefix("-")
          ? [.ok(Self.page(since: id), far)]
          : [.ok(Self.page(since: id), far), .ok(Self.page(since: nil), far)]
      ).content)
    #expect(start.position.cursor?.text == other)
    #expect(start.hasNewIDs == !id.hasPrefix("-"))
  }

  @Test func featuresHaveANumberAndTheirDataASize() async throws {
    let names = (0..<3000).map { "\"f\($0)\"" }.joined(separator: ",")
    let large = String(repeating: "x", count: 70_000)
    let outcome = try await ServicesTests.poll(
      source(Self.base, .native),
      [
        .ok(
          Self.page(since: nil),
          """
          {"list": [{"id": 1, "type": "enable-feature", "data": {"features": ["a", "a"]}},
          {"id": 2, "type": "enable-feature", "data": {"features": ["b"], "x": "\(large)"}},
          {"id": 3, "type": "enable-feature", "data": {"features": [\(names)]}}]}
          """)
      ])
    let content = try #require(outcome.content)
    #expect(content.features.map(\.names.count) == [1, 0, 199])
    #expect(content.features.last?.names.first == "f0")
    #expect(content.features[1].data == nil)
    #expect(content.problems.count == 2)
  }
}
