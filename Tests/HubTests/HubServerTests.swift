import Basics
import Foundation
import Hub
import StandIns
import TestBasics
import Testing

/// A hub over HTTP, on loopback.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubServerTests {
  @Test func whatIsPublishedIsReadUntilItIsWithdrawn() async throws {
    try await RunningHub.with { hub in
      let stored = try await hub.publish(#"{"title": "Disk 80 %", "key": "disk/root"}"#)
      #expect(stored.status == 201 && stored.body == #"{"id":1,"key":"disk/root","state":"stored"}"#)
      let same = try await hub.publish(#"{"title": "Disk 80 %", "key": "disk/root"}"#)
      #expect(same.status == 200 && same.body.contains("unchanged"))
      #expect(try await hub.publish(#"{"title": "Disk 90 %", "key": "disk/root"}"#).body.contains("updated"))
      let list = try await hub.publish(#"[{"title": "A"}, {"title": "B", "not_before": "1h"}]"#)
      #expect(list.status == 200)
      #expect(
        list.body.hasPrefix(##"{"results":[{"id":3,"key":"#3","state":"stored"},{"id":null,"key":null,"##))
      let page = try await hub.read()
      #expect(page.status == 200 && page.fields["content-type"] == "application/json")
      #expect(page.body.hasPrefix(#"{"title":"Ops","list":[{"id":2,"key":"disk/root","title":"Disk 90 %","#))
      #expect(page.body.contains(#""author":"backup""#))
      #expect(page.body.hasSuffix(#"],"has_more":false,"last_id":3}"#))
      let gone = try await hub.client.answer(
        "DELETE", "/v1/feeds/ops/items/disk%2Froot", ["Authorization: Bearer \(hub.publisher)"])
      #expect(gone.status == 200 && gone.body.contains(#""id":4"#))
      let after = try await hub.read("?since_id=3")
      #expect(after.body.contains(#"{"id":4,"key":"disk/root""#) && after.body.contains("expires"))
      #expect(try await !hub.read().body.contains("disk/root"))
    }
  }

  @Test func aTextIsAMessage() async throws {
    try await RunningHub.with { hub in
      let answer = try await hub.client.answer(
        "POST", "/v1/feeds/ops?title=Disk+is%20full&key=disk&priority=4",
        ["Authorization: Basic \(Data("any:\(hub.publisher)".utf8).base64EncodedString())"], body: "{}")
      #expect(answer.status == 201 && answer.body.contains("note"))
      #expect(
        try await hub.read().body.contains(#""key":"disk","title":"Disk is full","priority":4,"body":"{}""#))
    }
  }

  @Test func headerFieldsSayWhatAMessageIs() async throws {
    try await RunningHub.with { hub in
      let bearer = "Authorization: Bearer \(hub.publisher)"
      let full = try await hub.client.answer(
        "POST", "/v1/feeds/ops",
        [
          bearer, "Title: Größe", "X-Priority: high", "Tags: disk, äh", "Click: https://a.example/1",
          "Key: disk",
          "Channel: disks", "Content-Type: application/x-www-form-urlencoded", "Priority: u=1, i",
        ], body: "90 % of /var")
      #expect(full.status == 201, "\(full)")
      let page = try await hub.read().body
      #expect(
        page.contains(
          #"""
          "key":"disk","title":"Größe","priority":4,"tags":["disk","äh"],"url":"https://a.example/1","channel":"disks"
          """#), "\(page)")
      let encoded = try await hub.client.answer(
        "POST", "/v1/feeds/ops", [bearer, "X-Title: =?UTF-8?B?R3LDtsOfZQ==?=", "In: 2 hours"], body: "later")
      #expect(encoded.status == 202, "\(encoded)")
      // If a value is given twice or is not allowed, the request is refused.
      let twice = try await hub.client.answer(
        "POST", "/v1/feeds/ops?title=A", [bearer, "Title: B"], body: "x")
      #expect(twice.status == 400 && twice.body.contains("twice"))
      let json = try await hub.publish(#"{"title": "A"}"#, to: "ops", "Title: B")
      #expect(json.status == 422 && json.body.contains("with JSON, use its keys instead"))
      let wrong = try await hub.client.answer("POST", "/v1/feeds/ops", [bearer, "Priority: 9"], body: "x")
      #expect(wrong.status == 422 && wrong.body.contains("must be 1 to 5"))
    }
  }

  /// This is the form that curl sends: `curl "…?title=Größe"`.
  @Test func anAddressMayHaveRawUTF8() async throws {
    try await RunningHub.with { hub in
      func request(_ title: String, _ body: String, _ more: String = "") -> String {
        "POST /v1/feeds/ops?title=\(title) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(hub.publisher)\r\n\(more)"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
      }
      // All requests use one connection; a body has such bytes too, and no byte of it changes.
      let first = try await hub.client.talk([
        (request("Größe", "äöü\nGET /ä HTTP/1.1\n"), true), (request("Länge", "ß"), true),
        (request("東京", ""), false), (request("%C3%A4", "x"), true),
      ])
      #expect(first.map(\.status) == [201, 201, 201], "\(first)")
      var page = try await hub.read().body
      #expect(page.contains(#""title":"Größe","body":"äöü\nGET /ä HTTP/1.1\n""#), "\(page)")
      #expect(page.contains(#""title":"Länge","body":"ß""#) && page.contains(#""title":"東京""#))
      // The request is cut at any byte.
      let whole = Array(request("ü", "ö", "X-Note: ä\r\n").utf8)
      for place in stride(from: 1, to: whole.count, by: 7) {
        let (head, rest) = (whole[..<place], whole[place...])
        guard let head = String(validating: head, as: UTF8.self),
          let rest = String(validating: rest, as: UTF8.self)
        else {
          continue
        }
        #expect(try await hub.client.talk([(head, false), (rest, true)]).map(\.status) == [201], "\(place)")
      }
      page = try await hub.read("?limit=1000").body
      #expect(page.matches(of: #/"title":"ü","body":"ö"/#).count > 10)
      // The error message for Latin-1 names the problem.
      let latin = try await hub.client.answer(
        "GET", "/v1/feeds/ops?since_id=%FC", ["Authorization: Bearer \(hub.reader)"])
      #expect(latin.status == 400 && latin.body.contains("percent-encoded UTF-8"))
    }
  }

  @Test func whatIsNoRequestHasAnAnswerWithWords() async throws {
    try await RunningHub.with { hub in
      for wrong in [
        "GET /v1/feeds/ops?title=two words HTTP/1.1", "GET /v1 \u{1}", "nonsense",
        "GET / HTTP/1.1\r\nX-Long: \(String(repeating: "x", count: 20_000))",
      ] {
        let answers = try await hub.client.talk([(wrong + "\r\nHost: h\r\n\r\n", true)])
        #expect(answers.first?.status == 400, "\(wrong.prefix(40)): \(answers)")
        #expect(answers.first?.body.contains("is not a request of HTTP/1.1") == true, "\(wrong.prefix(40))")
      }
    }
  }

  @Test func whoWaitsForContinueIsTold() async throws {
    try await RunningHub.with { hub in
      let fields = ["Authorization: Bearer \(hub.publisher)", "Expect: 100-continue"]
      let answer = try await hub.client.answer("POST", "/v1/feeds/ops", fields, body: "x")
      #expect(answer.status == 100 && answer.body.hasPrefix("HTTP/1.1 201"), "\(answer)")
    }
  }

  @Test func aRepeatedRequestHasTheFirstAnswer() async throws {
    try await RunningHub.with { hub in
      let first = try await hub.publish(#"{"title": "A"}"#, "Idempotency-Key: 7")
      let again = try await hub.publish(#"{"title": "A"}"#, "Idempotency-Key: 7")
      #expect(first.fields["idempotency-replayed"] == nil && again.fields["idempotency-replayed"] == "true")
      #expect(again.status == 201 && again.body == first.body)
      #expect(
        try await hub.publish(#"{"title": "B"}"#, "Idempotency-Key: 7").body.contains("idempotency_mismatch"))
    }
  }

  @Test func missingAndForbiddenLookAlike() async throws {
    try await RunningHub.with { hub in
      let client = hub.client
      for feed in ["ops", "none", "-"] {
        let publisher = try await client.answer(
          "GET", "/v1/feeds/\(feed)", ["Authorization: Bearer \(hub.publisher)"])
        #expect(publisher.status == 404 && publisher.body == HubFailure.notFound.json)
        let reader = try await client.answer(
          "POST", "/v1/feeds/\(feed)", ["Authorization: Bearer \(hub.reader)"], body: "x")
        #expect(reader.status == 404 && reader.body == HubFailure.notFound.json)
      }
      for feed in ["ops", "none"] {
        let nobody = try await client.answer("GET", "/v1/feeds/\(feed)")
        #expect(nobody.status == 401 && nobody.body == HubFailure.noToken.json)
        #expect(nobody.fields["www-authenticate"]?.hasPrefix("Bearer") == true)
        #expect(try await client.answer("POST", "/v1/feeds/\(feed)", body: "x").status == 401)
      }
      for wrong in ["Bearer x", "Bearer \(hub.reader.dropLast())A", "Basic %", "Digest x", "Bearer"] {
        let answer = try await client.answer("GET", "/v1/feeds/ops", ["Authorization: \(wrong)"])
        // Some bits of the last letter are ignored: only the digest decides.
        #expect(answer.status == 401 || hub.reader.hasSuffix("A"), "\(wrong)")
      }
      #expect(try await client.answer("GET", "/v1/feeds/news").status == 200)
      #expect(try await client.answer("GET", "/none").status == 404)
    }
  }

  @Test func aRevokedTokenEnds() async throws {
    try await RunningHub.with { hub in
      #expect(try await hub.read().status == 200)
      // Another connection is used, as by the command.
      try hub.premises.open().revokeToken("desk", now: Date())
      var answer = try await hub.read()
      while answer.status == 200 { answer = try await hub.read("?wait=1&since_id=0") }
      #expect(answer.status == 401 && answer.body.contains("bad_token"))
    }
  }

  @Test func wrongRequestsHaveTheirErrors() async throws {
    try await RunningHub.with { hub in
      let client = hub.client
      let token = "Authorization: Bearer \(hub.publisher)"
      let bad = try await hub.publish(#"[{"title": "A"}, {"title": "B", "priority": 9}]"#)
      #expect(bad.status == 422 && bad.body.contains(#""at":"$[1].priority""#))
      #expect(bad.fields["x-request-id"]?.count == 16)
      #expect(try await hub.read().body.contains(#""list":[]"#), "all or none")
      let method = try await client.answer("PUT", "/v1/feeds/ops", [token], body: "x")
      #expect(method.status == 405 && method.fields["allow"] == "GET, POST, HEAD")
      #expect(
        try await client.answer("POST", "/v1/feeds/ops", [token, "Content-Encoding: gzip"], body: "x").status
          == 415)
      let most = String(repeating: "x", count: Limits.hubItemBytes)
      #expect(try await client.answer("POST", "/v1/feeds/ops", [token], body: most + "x").status == 413)
      #expect(try await client.answer("POST", "/v1/feeds/ops?colour=red", [token], body: "x").status == 422)
      for query in ["?since_id=x", "?since_id=-1", "?limit=0", "?limit=1001", "?wait=301", "?title=%FF"] {
        #expect(try await hub.read(query).status == 400, "\(query)")
      }
      #expect(try await hub.read("?since_id=99999999999999999999").status == 400)
      let head = try await client.answer("GET", "/v1/feeds/news", ["X-Long: \(most)"])
      #expect(head.status == 400 || head.status == 431)
    }
  }

  @Test func whatIsKnownIsNotSentAgain() async throws {
    try await RunningHub.with { hub in
      _ = try await hub.publish(#"{"title": "A"}"#)
      let first = try await hub.read("?since_id=1")
      let tag = try #require(first.fields["etag"])
      #expect(first.fields["cache-control"] == "private, no-cache" && first.fields["vary"] == "Authorization")
      let known = try await hub.read("?since_id=1", "If-None-Match: W/\"x\", \(tag)")
      #expect(known.status == 304 && known.body == "" && known.fields["etag"] == tag)
      _ = try await hub.publish(#"{"title": "B"}"#)
      #expect(try await hub.read("?since_id=1", "If-None-Match: \(tag)").status == 200)
      let open = try await hub.client.answer("GET", "/v1/feeds/news")
      #expect(open.fields["cache-control"] == "public, max-age=0, s-maxage=5, stale-if-error=600")
      let head = try await hub.client.answer("HEAD", "/v1/feeds/news")
      #expect(head.status == 200 && head.body == "" && head.fields["etag"] == open.fields["etag"])
    }
  }

  @Test func aWaitingReaderHasTheNextItem() async throws {
    try await RunningHub.with { hub in
      async let waiting = hub.read("?since_id=0&wait=300")
      #expect(try await hub.publish(#"{"title": "A"}"#).status == 201)
      let answer = try await waiting
      #expect(answer.status == 200 && answer.body.contains("\"A\""))
      #expect(answer.fields["cache-control"] == "no-store")
      // No item comes: the result is an empty page at the end of the time.
      let empty = try await hub.read("?since_id=1&wait=1")
      #expect(empty.status == 200 && empty.body.contains(#""list":[],"has_more":false,"last_id":1"#))
    }
  }

  @Test func whereTooManyWaitTheNextHasItsPageAtOnce() async throws {
    try await RunningHub.with {
      $0.waiting = 0
    } _: { hub in
      let answer = try await hub.read("?wait=300")
      #expect(answer.status == 200)
    }
  }

  @Test func anotherProcessWakesThem() async throws {
    try await RunningHub.with { hub in
      async let waiting = hub.read("?wait=300")
      let other = try hub.premises.hub()
      #expect(try await other.one(#"{"title": "By hand"}"#, at: Date()).id == 1)
      #expect(try await waiting.body.contains("By hand"))
    }
  }

  @Test func feedsAreListedByRights() async throws {
    try await RunningHub.with { hub in
      let open = try await hub.client.answer("GET", "/v1/feeds")
      #expect(
        open.body
          == #"{"feeds":[{"name":"news","title":"News","url":"https://hub.example/v1/feeds/news","public":true,"last_id":0}]}"#
      )
      let reader = try await hub.client.answer("GET", "/v1/feeds", ["Authorization: Bearer \(hub.reader)"])
      #expect(reader.body.contains("\"ops\"") && reader.body.contains("\"news\""))
      #expect(try await hub.client.answer("GET", "/health").body == "ok\n")
    }
  }

  @Test func whoAsksTooOftenWaits() async throws {
    try await RunningHub.with {
      $0.rates.failedTokens = 1
      $0.rates.read = 2
    } _: { hub in
      for expected in [401, 401, 429] {
        #expect(
          try await hub.client.answer("GET", "/v1/feeds/ops", ["Authorization: Bearer x"]).status == expected)
      }
      for expected in [200, 200, 200, 200, 429] {
        let answer = try await hub.read()
        #expect(answer.status == expected)
        if expected == 429 { #expect(answer.fields["retry-after"].flatMap { Int($0) } ?? 0 > 0) }
      }
      // Publishing is counted separately.
      #expect(try await hub.publish(#"{"title": "A"}"#).status == 201)
    }
  }

  @Test func theLogHasNoSecrets() async throws {
    try await RunningHub.with { hub in
      _ = try await hub.publish(#"{"title": "Sesame", "key": "sesame"}"#)
      _ = try await hub.read("?token=\(hub.reader)")
      _ = try await hub.client.answer("GET", "/v1/feeds/ops", ["Authorization: Bearer sesame"])
      let log = hub.log.joined(separator: "\n")
      #expect(
        log.contains("POST /v1/feeds/ops 201") && log.contains("bad_token") && log.contains("127.0.0.1"))
      for secret in [hub.publisher, hub.reader, "esame"] { #expect(!log.contains(secret)) }
    }
  }
}
