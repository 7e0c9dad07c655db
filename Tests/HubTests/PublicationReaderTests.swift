import Basics
import Foundation
import Hub
import Testing

/// The requests of publishers, and the items that the hub makes of them.
struct PublicationReaderTests {
  private static let now = Date(timeIntervalSince1970: 1_764_200_000)
  private let reader = PublicationReader(now: now, author: "backup")

  private func one(_ json: String, lenient: Bool = false) throws -> Publication {
    var reader = reader
    reader.isLenient = lenient
    return try #require(try reader.json(Data(json.utf8)).publications.first)
  }

  private func failure(_ json: String) -> HubFailure? {
    do throws(HubFailure) {
      _ = try reader.json(Data(json.utf8))
      return nil
    } catch { return error }
  }

  @Test func theBodyKeepsOrderAndNumbers() throws {
    let item = try one(
      #"{"title": "A/B", "key": "disk", "priority": 4.0, "body": "é\n", "author": "Ann", "time": "2026-11-20"}"#
    )
    #expect(item.key == "disk")
    #expect(
      item.body == #"{"title":"A/B","priority":4.0,"body":"é\n","author":"Ann","time":"2026-11-20"}"#)
    #expect(item.ownTime == .none && item.expires == nil && item.notBefore == nil)
    #expect(
      Publication.sent(id: 7, key: "a\"b", body: item.body).hasPrefix(#"{"id":7,"key":"a\"b","title":"A/B","#)
    )
    #expect(Publication.sent(id: 7, key: "k", body: "{}") == #"{"id":7,"key":"k"}"#)
  }

  @Test func anAuthorAndATimeAreAddedToPlainMessagesOnly() throws {
    let plain = try one(#"{"title": "A"}"#)
    #expect(plain.body == #"{"title":"A","author":"backup"}"#)
    #expect(plain.body(first: Self.now, now: Self.now).hasSuffix(#","time":"2025-11-26T23:33:20Z"}"#))
    #expect(try one(#"{"title": "A", "news": true}"#).ownTime == .each)
    for other in [#"{"notificationtype": 1, "actiondata": {"title": "A"}}"#, #"{"aps": {"alert": "A"}}"#] {
      let item = try one(other)
      #expect(item.ownTime == .none && !item.body.contains("backup"))
    }
  }

  @Test(arguments: [
    ("30m", 1800), ("2h", 7200), ("7d", 604_800), ("90s", 90), ("1w", 604_800), ("1y", 31_536_000), ("0m", 0),
  ])
  func aSpanCountsFromNow(_ span: String, _ seconds: Int) throws {
    #expect(Span.seconds(span) == seconds)
    let item = try one("{\"title\": \"A\", \"expires\": \"\(span)\"}")
    let end = Self.now.addingTimeInterval(Double(seconds))
    #expect(item.expires == end)
    #expect(item.body.contains("\"expires\":\"\(ISOInstant.text(end))\""))
  }

  @Test(arguments: ["", "m", "1", "-1m", "+1m", "1.5h", "1 h", "99999999999999999999d", "101y", "٣m"])
  func otherTextsAreNoSpans(_ text: String) { #expect(Span.seconds(text) == nil) }

  @Test func anInAppExpiryAloneEndsIt() throws {
    let alone = try one(#"{"notificationtype": 1, "expiry": 30, "actiondata": {"title": "A"}}"#)
    #expect(alone.expires == Self.now.addingTimeInterval(1800))
    let dated = try one(
      #"{"epoch": "2026-11-20T10:00:00Z", "expiry": 30, "actiondata": {"title": "A"}}"#)
    #expect(dated.expires == ISOInstant.parse("2026-11-20T10:30:00Z"))
    // Only the reader's machine knows the end.
    #expect(try one(#"{"relativetime": 1, "expiry": 30, "actiondata": {"title": "A"}}"#).expires == nil)
  }

  @Test func anInAppNotificationIsSentWithItsEnd() throws {
    let item = try one(#"{"type": 1, "expires": "2h", "actiondata": {"title": "A"}}"#)
    let end = Self.now.addingTimeInterval(7200)
    #expect(item.expires == end)
    #expect(item.body.contains("\"expires\":\"\(ISOInstant.text(end))\""))
    #expect(!Publication.withdrawn(body: item.body, at: Self.now).contains("expires"))
  }

  @Test(arguments: [
    (#"{"title": 1}"#, "$.title"), (#"[{"title": "A"}, {"priority": 9}]"#, "$[1].priority"),
    (#"{"title": "A", "tags": ["a", 1]}"#, "$.tags[1]"), (#"{"id": 1, "title": "A"}"#, "$.id"),
    (#"{"title": "A", "expires": "soon"}"#, "$.expires"),
    (#"{"title": "A", "not_before": 7}"#, "$.not_before"),
    (##"{"title": "A", "key": "#1"}"##, "$.key"), (#"{"title": "A", "key": ""}"#, "$.key"),
    (#"{"title": "A\u0000"}"#, "$.title"), (#"[{"title": "A"}, 7]"#, "$[1]"), ("[]", "$"), ("7", "$"),
    (#"{"key": "k"}"#, "$"), (#"{"title": " ", "html": ""}"#, "$"),
    (#"{"title": "A", "url": "javascript:alert(1)"}"#, "$.url"), (#"{"title": "A", "url": "/x"}"#, "$.url"),
    (#"{"title": "A", "actions": [{"label": "L", "url": "file:///etc/passwd"}]}"#, "$.actions[0].url"),
    (#"{"type": 2, "poster": "data:x", "actiondata": {"title": "A"}}"#, "$.poster"),
    (#"{"title": "A", "not_before": "2h", "expires": "1h"}"#, "$.not_before"),
    (#"{"title": "A", "done": "yes"}"#, "$.done"), (#"{"title": "#, "$"),
    (#"{"epoch": "never", "type": 1, "actiondata": {}}"#, "$.epoch"),
  ])
  func aProblemHasItsPath(_ json: String, _ path: String) {
    let failure = failure(json)
    #expect(failure?.code == .invalidItem && failure?.at == path, "\(String(describing: failure))")
  }

  @Test(arguments: ["https://a.example", "HTTP://a.example/x", "mailto:ann@a.example"])
  func whatMayBeOpenedIsStored(_ url: String) throws {
    #expect(try one(#"{"title": "A", "url": "\#(url)"}"#).body.contains(url))
  }

  @Test func unknownKeysAreRefusedUnlessLenient() throws {
    let json = #"[{"title": "A", "colour": "red"}]"#
    #expect(failure(json)?.code == .unknownKey && failure(json)?.at == "$[0].colour")
    #expect(try one(json, lenient: true).body.contains("colour"))
    // The keys besides aps belong to the app.
    #expect(try one(#"{"aps": {"alert": "A"}, "game": 7}"#).body.contains("game"))
  }

  @Test func sizesAreLimited() throws {
    let most = Limits.hubItemBytes
    func item(_ bytes: Int) -> String {
      let frame = #"{"title":"","author":"a"}"#
      return #"{"title":""# + String(repeating: "x", count: bytes - frame.utf8.count) + #"","author":"a"}"#
    }
    #expect(try one(item(most)).body.utf8.count == most)
    #expect(failure(item(most + 1))?.code == .tooLarge)
    let many = Array(repeating: #"{"title":"A"}"#, count: 101).joined(separator: ",")
    #expect(failure("[\(many)]")?.at == "$")
    let deep = String(repeating: "[", count: 100_000)
    #expect(failure(deep)?.code == .invalidItem)
  }

  @Test func aTextWithAQueryIsAPlainMessage() throws {
    let reading = try reader.form(
      Data("{\"a\": 1}".utf8),
      [
        ("title", "Disk"), ("key", "disk"), ("priority", "4"), ("tags", "a,b"), ("news", ""),
        ("expires", "2h"),
      ])
    let item = try #require(reading.publications.first)
    #expect(item.key == "disk" && item.ownTime == .each && !reading.isList)
    #expect(
      item.body.hasPrefix(#"{"title":"Disk","priority":4,"tags":["a","b"],"news":true,"expires":"2025-"#))
    #expect(item.body.contains(#""body":"{\"a\": 1}","author":"backup""#))
    #expect(reading.note?.contains("application/json") == true)
    for (name, value, code) in [
      ("priority", "9", HubFailure.Code.invalidItem), ("colour", "red", .unknownKey),
      ("done", "x", .invalidItem),
    ] {
      #expect {
        try reader.form(Data(), [(name, value)])
      } throws: {
        ($0 as? HubFailure)?.code == code && ($0 as? HubFailure)?.at == name
      }
    }
    #expect(throws: HubFailure.self) { try reader.form(Data([0xFF]), []) }
  }

  @Test func whatIsWithdrawnIsOver() {
    #expect(
      Publication.withdrawn(body: #"{"title":"A"}"#, at: Self.now)
        == #"{"title":"A","expires":"2025-11-26T23:33:20Z"}"#)
    let inApp = Publication.withdrawn(
      body: #"{"relativetime":2,"actiondata":{"title":"A"}}"#, at: Self.now)
    #expect(inApp == #"{"actiondata":{"title":"A"},"epoch":"2025-11-26T23:33:20Z","expiry":0}"#)
  }
}

struct HubNamesTests {
  @Test(arguments: ["a", "0", "ops", "team-2", String(repeating: "a", count: 63)])
  func aFeedName(_ text: String) { #expect(FeedName(text)?.text == text) }

  @Test(arguments: ["", "-a", "Ops", "a.b", "a/b", "é", "a b", String(repeating: "a", count: 64)])
  func notAFeedName(_ text: String) { #expect(FeedName(text) == nil) }

  @Test func aTokenIsKnownByItsDigest() throws {
    let text = HubToken.make(number: 17, secret: [UInt8](repeating: 0xfb, count: 32))
    #expect(text == "rdh_17_\(String(repeating: "-_v7", count: 10))-_s")
    let token = try #require(HubToken(text))
    #expect(token.number == 17 && token.matches(token.hash))
    let other = try #require(HubToken(HubToken.make(number: 17, secret: [UInt8](repeating: 0xfa, count: 32))))
    #expect(!token.matches(other.hash) && !token.matches([]) && !token.matches(Array(token.hash.dropLast())))
  }

  @Test(arguments: [
    "", "rdh_", "rdh_1_", "rdh_0_" + String(repeating: "a", count: 43),
    "rdh_01_" + String(repeating: "a", count: 43), "rdh_+1_" + String(repeating: "a", count: 43),
    "rdh_99999999999999999999_" + String(repeating: "a", count: 43),
    "rdh_1_" + String(repeating: "a", count: 44),
  ])
  func notAToken(_ text: String) { #expect(HubToken(text) == nil) }

  @Test func everyFailureHasItsCodeAndNoSecret() {
    #expect(HubFailure.Code.allCases.count == 16)
    #expect(
      HubFailure(.invalidItem, "must be 1 to 5", at: "$[2].priority").json
        == #"{"error":{"code":"invalid_item","message":"must be 1 to 5","at":"$[2].priority"}}"#)
  }
}
