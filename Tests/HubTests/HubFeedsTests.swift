import Formats
import Foundation
import StandIns
import TestBasics
import Testing

@testable import Hub

/// The responses for feed readers, browsers, administrators and monitors.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubFeedsTests {
  /// Items of all shapes, some of which aren't for display.
  private static let items = [
    ##"{"title": "Disk <80 %> & more", "key": "disk/root é", "body": "It is\u0001 full\r\n\"soon\"", "url": "https://ops.example/?a=1&b=2", "tags": ["disk", "a\"b"], "author": "Ann", "time": "2026-11-20T09:00:00Z"}"##,
    #"{"html": "<p>Hello <b>you</b></p>", "title": "Page", "key": "page"}"#,
    #"{"notificationtype": 4, "key": "in", "actiondata": {"translations": {"de": {"title": "Hallo", "msg": "Du"}, "en": {"title": "Hello from {{%s}}", "msg": "You"}}}}"#,
    #"{"notificationtype": 3, "key": "hidden", "actiondata": {"feature": "on"}}"#,
    #"{"aps": {"alert": {"title": "Alert", "subtitle": "Now", "body": "Look"}}, "key": "aps"}"#,
    #"{"aps": {"content-available": 1}, "key": "silent"}"#,
  ]

  private func fill(_ hub: RunningHub) async throws {
    for item in Self.items {
      let answer = try await hub.publish(item)
      #expect(answer.status == 201, "\(answer.body)")
    }
    _ = try await hub.publish(#"{"title": "Over", "key": "over"}"#)
    _ = try await hub.client.answer(
      "DELETE", "/v1/feeds/ops/items/over", ["Authorization: Bearer \(hub.publisher)"])
  }

  /// reddot's own reader of feeds reads both formats.
  @Test(arguments: ["atom", "json"], StoreKind.allCases)
  func aFeedReaderReadsWhatIsForDisplay(_ format: String, _ kind: StoreKind) async throws {
    try await RunningHub.with(try HubPremises(kind)) { (hub: RunningHub) async throws in
      try await fill(hub)
      let basic = Data("any:\(hub.reader)".utf8).base64EncodedString()
      let answer = try await hub.client.answer(
        "GET", "/v1/feeds/ops.\(format)", ["Authorization: Basic \(basic)"])
      #expect(answer.status == 200)
      #expect(
        answer.fields["content-type"]
          == (format == "atom" ? "application/atom+xml; charset=utf-8" : "application/feed+json"))
      guard
        case .feed(let feed) = FeedReader.read(
          Data(answer.body.utf8), charset: "utf-8", mediaType: nil,
          address: "https://hub.example/v1/feeds/ops.\(format)")
      else {
        Issue.record("it is not a feed: \(answer.body)")
        return
      }
      #expect(feed.allProblems.isEmpty && feed.isComplete, "\(feed.allProblems)")
      #expect(feed.title?.raw == "Ops")
      let entries = Array(feed.entries)
      #expect(
        entries.map { $0.title?.raw } == ["Alert: Now", "Hello from Ops", "Page", "Disk <80 %> & more"])
      let disk = try #require(entries.last)
      #expect(
        disk.id?.hasPrefix("urn:reddot:") == true && disk.id?.hasSuffix(":ops:disk%2Froot%20%C3%A9") == true)
      #expect(
        disk.link == "https://ops.example/?a=1&b=2" && disk.author?.raw == "Ann"
          && disk.tags == ["disk", "a\"b"])
      let text = format == "atom" ? "It is\u{FFFD} full\r\n\"soon\"" : "It is\u{1} full\r\n\"soon\""
      #expect((disk.content ?? disk.summary)?.raw == text)
      #expect(disk.published == Date(timeIntervalSince1970: 1_795_165_200))
      #expect(try #require(disk.updated) > Date(timeIntervalSinceNow: -600))
      #expect(entries[2].content?.kind == .html && entries[2].content?.raw == "<p>Hello <b>you</b></p>")
      #expect((entries[1].content ?? entries[1].summary)?.raw == "You")
      let again = try await hub.client.answer(
        "GET", "/v1/feeds/ops.\(format)",
        ["Authorization: Basic \(basic)", "If-None-Match: \(answer.fields["etag"] ?? "")"])
      #expect(again.status == 304 && again.body == "")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aLinkIsGoodForOneFeedAndNothingElse(_ kind: StoreKind) async throws {
    try await RunningHub.with(try HubPremises(kind)) { (hub: RunningHub) async throws in
      try await fill(hub)
      let link = try hub.premises.open().addToken(
        "link", reads: [HubPremises.ops], publishes: [], isLink: true, isAdmin: false, expires: nil,
        now: Date())
      for format in ["atom", "json"] {
        #expect(try await hub.client.answer("GET", "/v1/feeds/ops.\(format)?token=\(link)").status == 200)
        #expect(try await hub.client.answer("GET", "/v1/feeds/ops.\(format)").status == 401)
        // Another kind of token doesn't belong in URLs.
        let reader = try await hub.client.answer("GET", "/v1/feeds/ops.\(format)?token=\(hub.reader)")
        #expect(reader.body == HubFailure.badToken.json)
        #expect(try await hub.client.answer("GET", "/v1/feeds/news.\(format)").status == 200)
        #expect(try await hub.client.answer("GET", "/v1/feeds/none.\(format)?token=\(link)").status == 404)
      }
      for path in ["/v1/feeds/ops?token=\(link)", "/v1/feeds?token=\(link)", "/d/ops/a"] {
        let query = try await hub.client.answer("GET", path)
        #expect(query.status == 401 || path.hasPrefix("/v1/feeds?") && !query.body.contains("ops"), "\(path)")
        let bearer = try await hub.client.answer("GET", path, ["Authorization: Bearer \(link)"])
        #expect(bearer.body == HubFailure.badToken.json, "\(path)")
      }
      #expect(!hub.log.joined().contains(link))
    }
  }

  @Test(arguments: StoreKind.allCases) func administratorsSeeWhoDidWhat(_ kind: StoreKind) async throws {
    let hooks = try HookSamples.all()
    try await RunningHub.with(try HubPremises(kind), { $0.hooks = hooks }) { (hub: RunningHub) async throws in
      let admin = try hub.premises.open().addToken(
        "boss", reads: [], publishes: [], isLink: false, isAdmin: true, expires: nil, now: Date())
      _ = try await hub.publish(#"{"title": "A", "key": "a"}"#)
      _ = try await hub.publish(#"{"title": "A", "key": "a"}"#)
      _ = try await hub.deliver("kuma-down", .kuma)
      _ = try await hub.client.answer(
        "PUT", "/v1/documents/ops/a.json",
        ["Authorization: Bearer \(hub.publisher)", "Content-Type: application/json"], body: "{}")
      let all = try await hub.client.answer("GET", "/v1/audit", ["Authorization: Bearer \(admin)"])
      let list = try #require(try JSONReader.parse(all.body).object?["list"]?.elements)
      func column(_ name: String) -> [String?] { list.map { $0.object?[name]?.text } }
      let commands = Array(repeating: "command", count: 5)
      #expect(column("who") == commands + ["token backup", "webhook kuma", "token backup"])
      #expect(
        column("act") == [
          "feed added", "feed added", "token added", "token added", "token added", "stored", "stored",
          "document stored",
        ])
      #expect(column("key") == ["ops", "news", "backup", "desk", "boss", "a", "kuma/4", "a.json"])
      #expect(column("feed").suffix(3) == ["ops", "ops", "ops"])
      #expect(column("address").suffix(3) == ["127.0.0.1", "127.0.0.1", "127.0.0.1"])
      let part = try await hub.client.answer(
        "GET", "/v1/audit?since_id=1&limit=1", ["Authorization: Bearer \(admin)"])
      #expect(part.body.hasSuffix(#"],"has_more":true,"last_id":2}"#))
      #expect(
        try await hub.client.answer("GET", "/v1/audit", ["Authorization: Bearer \(hub.reader)"]).status == 404
      )
      #expect(try await hub.client.answer("GET", "/v1/audit").status == 401)
    }
  }

  /// The numbers of webhooks were their positions in the settings: a new one before the others took over their acts.
  @Test(arguments: StoreKind.allCases) func aWebhookKeepsItsNameInTheAudit(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hook = try HookSamples.hook(.ntfy)
    let before = try await premises.hub().numbers(ofHooks: [hook.name])
    let hooks = try [HookSamples.hook(.kuma), hook, HookSamples.hook(.gotify)]
    try await RunningHub.with(premises, { $0.hooks = hooks }) { (hub: RunningHub) async throws in
      for (sample, kind) in [("ntfy-text", HookKind.ntfy), ("kuma-down", .kuma), ("gotify-json", .gotify)] {
        #expect(try await hub.deliver(sample, kind).status == 200)
      }
    }
    // Another hub does this with other settings.
    let hub = try premises.hub()
    #expect(try await hub.numbers(ofHooks: [hook.name]) == before)
    let acts = try await hub.audit(since: 0, limit: 100).filter { $0.token ?? 0 < 0 }
    #expect(acts.map(\.tokenName) == ["ntfy", "kuma", "gotify"])
    #expect(acts.first?.token == before[hook.name].map { -$0 } && Set(acts.map(\.token)).count == 3)
  }

  @Test func metricsNeedATokenBehindAProxyWhateverItCallsTheClient() async throws {
    for (fields, isBehind) in [(["X-Real-IP: 192.0.2.1"], false), (["Via: 1.1 proxy"], false), ([], true)] {
      try await RunningHub.with(nil, { $0.isBehindProxy = isBehind }) { (hub: RunningHub) async throws in
        #expect(try await hub.client.answer("GET", "/metrics", fields).status == 401, "\(fields)")
        let admin = try hub.premises.open().addToken("boss", isAdmin: true, now: Date())
        let bearer = "Authorization: Bearer \(admin)"
        #expect(try await hub.client.answer("GET", "/metrics", fields + [bearer]).status == 200)
      }
    }
  }

  @Test(arguments: StoreKind.allCases) func monitorsSeeWhatIsCounted(_ kind: StoreKind) async throws {
    let hooks = try HookSamples.all()
    try await RunningHub.with(try HubPremises(kind), { $0.hooks = hooks }) { (hub: RunningHub) async throws in
      _ = try await hub.publish(#"{"title": "A", "key": "a"}"#)
      _ = try await hub.publish(#"{"title": "Later", "not_before": "1h"}"#)
      _ = try await hub.deliver("kuma-down", .kuma)
      _ = try await hub.client.answer("POST", "/v1/hooks/kuma", body: "{}")
      _ = try await hub.client.answer("GET", "/v1/feeds/no-such-feed")
      let answer = try await hub.client.answer("GET", "/metrics")
      #expect(
        answer.status == 200 && answer.fields["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
      for line in [
        #"reddot_hub_published_total{feed="ops",state="stored"} 2"#,
        #"reddot_hub_published_total{feed="ops",state="scheduled"} 1"#,
        #"reddot_hub_hook_total{hook="kuma",result="accepted"} 1"#,
        #"reddot_hub_hook_total{hook="kuma",result="bad_token"} 1"#,
        #"reddot_hub_refused_total{code="no_token"} 1"#,
        #"reddot_hub_requests_total{route="/v1/feeds/F",status="201"} 1"#, "reddot_hub_store_up 1",
        "reddot_hub_scheduled 1", "reddot_hub_last_id 2", "reddot_hub_queue_items 0", "reddot_hub_waiting 0",
        "reddot_hub_commit_seconds_count 3", "reddot_hub_batch_items_sum 3.0",
      ] {
        #expect(answer.body.contains(line + "\n"), "\(line) is missing in \(answer.body)")
      }
      // Each line has the format, and contains no name that others chose.
      for line in answer.body.split(separator: "\n") {
        #expect(
          line.wholeMatch(
            of: #/(# (HELP|TYPE) [a-z_]+ .+)|([a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+)/#)
            != nil, "\(line)")
      }
      #expect(!answer.body.contains("no-such-feed") && !answer.body.contains("rdh_"))
      // A request that a proxy forwards is from elsewhere.
      #expect(
        try await hub.client.answer("GET", "/metrics", ["X-Forwarded-For: 127.0.0.1"]).status == 401)
      let reader = try await hub.client.answer("GET", "/metrics", ["Authorization: Bearer \(hub.reader)"])
      #expect(reader.status == 404)
    }
  }

  @Test func theStartPageNamesPublicFeedsOnly() async throws {
    try await RunningHub.with(nil, { $0.version = "1.2.3" }) { (hub: RunningHub) async throws in
      let page = try await hub.client.answer("GET", "/")
      #expect(page.status == 200 && page.fields["content-security-policy"] == "default-src 'none'")
      #expect(page.body.contains("Version 1.2.3. Health: ok."))
      #expect(page.body.contains(#"<a href="/v1/feeds/news.atom">News</a>"#))
      #expect(!page.body.contains("ops") && !page.body.contains("<script") && !page.body.contains("<form"))
      #expect(try await hub.client.answer("POST", "/", body: "x").status == 405)
    }
  }
}
