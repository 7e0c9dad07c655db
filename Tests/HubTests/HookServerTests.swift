import Basics
import Formats
import Foundation
import StandIns
import TestBasics
import Testing

@testable import Hub

/// Deliveries to a running hub.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HookServerTests {
  private func with(_ store: StoreKind = .file, _ body: (RunningHub) async throws -> Void) async throws {
    let hooks = try HookSamples.all()
    try await RunningHub.with(try HubPremises(store), { $0.hooks = hooks }, body)
  }

  /// Returns the items of the feed without the values that depend on the order of deliveries: ids, and times of
  /// storing.
  private func items(_ hub: RunningHub) async throws -> [String] {
    let page = try await hub.read()
    let list = try #require(try JSONReader.parse(page.body).object?["list"]?.elements)
    return list.map { item in
      guard var object = item.object else { return "" }
      object["id"] = nil
      if object["key"]?.text?.hasPrefix("#") == true {
        object["key"] = nil
        object["time"] = nil
      }
      if object["key"]?.text?.contains("truncated") == true { object["time"] = nil }
      return JSONValue.object(object).serialized()
    }.sorted()
  }

  static let sequences: [(kind: HookKind, names: [String])] = [
    (.alertmanager, ["alertmanager-firing", "alertmanager-resolved"]), (.grafana, ["grafana-firing"]),
    (.github, ["github-pull-opened", "github-push", "github-pull-merged"]),
    (.github, ["github-run-failed", "github-run-succeeded"]), (.gitea, ["gitea-issue", "gitea-release"]),
    (.forgejo, ["forgejo-comment"]), (.gitlab, ["gitlab-merge-request", "gitlab-pipeline-failed"]),
    (.kuma, ["kuma-down", "kuma-up"]), (.gotify, ["gotify-json", "gotify-form"]),
    (.ntfy, ["ntfy-text", "ntfy-json"]), (.standard, ["standard"]), (.json, ["json-first", "json-second"]),
  ]

  @Test(arguments: sequences, StoreKind.allCases)
  func theSecondTimeAndAnotherOrderChangeNothing(
    _ sequence: (kind: HookKind, names: [String]), _ store: StoreKind
  ) async throws {
    let (kind, names) = sequence
    var expected: [String] = []
    try await with(store) { hub in
      for name in names {
        let first = try await hub.deliver(name, kind)
        #expect(first.status == 200, "\(name): \(first.body)")
        let before = try await hub.read().body
        let again = try await hub.deliver(name, kind)
        #expect(again.status == 200)
        #expect(try await hub.read().body == before, "\(name) a second time")
      }
      expected = try await items(hub)
      #expect(!expected.isEmpty)
      // All of them are delivered late once more.
      for name in names { _ = try await hub.deliver(name, kind) }
      #expect(try await items(hub) == expected)
    }
    try await with(store) { hub in
      for name in names.reversed() { _ = try await hub.deliver(name, kind) }
      // A success without a known failure isn't stored, and a later failure is: it cannot be known that it has ended.
      if names == ["github-run-failed", "github-run-succeeded"] {
        #expect(try await items(hub).count == 1)
      } else {
        #expect(try await items(hub) == expected)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anAlertThatFiresAgainIsNewsAndASuccessEndsAFailure(_ store: StoreKind) async throws {
    try await with(store) { hub in
      _ = try await hub.deliver("alertmanager-firing", .alertmanager)
      #expect(try await !hub.read().body.contains("\"news\""))
      _ = try await hub.deliver("alertmanager-resolved", .alertmanager)
      // The delivery has another value and the same time: the alert has ended.
      let later = try await hub.deliver("alertmanager-firing", .alertmanager) {
        $0.replacing("3 % are left", with: "2 % are left")
      }
      #expect(later.body.contains("unchanged"))
      _ = try await hub.deliver("alertmanager-firing", .alertmanager) {
        $0.replacing("2026-11-20T09:00:00.123Z", with: "2026-11-22T09:00:00Z")
      }
      #expect(try await hub.read().body.contains("\"news\":true"))

      let none = try await hub.deliver("gitlab-pipeline-succeeded", .gitlab)
      #expect(none.body.contains("\"id\":null") && none.body.contains("unchanged"))
      _ = try await hub.deliver("github-run-failed", .github)
      let end = try await hub.deliver("github-run-succeeded", .github)
      #expect(end.body.contains("updated"))
      #expect(try await hub.read().body.contains(#""done":true"#))
      let another = try await hub.deliver("github-run-succeeded", .github) {
        $0.replacing("T10:00:00Z", with: "T11:00:00Z").replacing("000000000005", with: "000000000009")
      }
      #expect(another.body.contains("unchanged"))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aSequenceOfNtfyIsOneItemThatIsUpdatedClearedAndWithdrawn(_ store: StoreKind) async throws {
    let proof = "Authorization: Bearer \(HookSamples.secret)"
    try await with(store) { hub in
      func send(_ method: String, _ rest: String, _ body: String = "") async throws -> String {
        let answer = try await hub.client.answer(method, "/v1/hooks/ntfy/disks/\(rest)", [proof], body: body)
        return "\(answer.status) \(answer.body)"
      }
      func bodies() async throws -> [String] {
        let page = try await hub.read()
        let list = try #require(try JSONReader.parse(page.body).object?["list"]?.elements)
        return list.map { item in
          let isOver = item.object?["expires"] != nil
          let isDone = item.object?["done"]?.bool == true
          return (item.object?["body"]?.text ?? "") + (isDone ? " done" : "") + (isOver ? " over" : "")
        }.sorted()
      }
      for name in ["home", "root", "usr"] { _ = try await send("PUT", name, "\(name) half full") }
      var answer = try await send("POST", "root", "root full")
      #expect(answer.hasPrefix("200") && answer.contains("updated"))
      #expect(try await bodies() == ["home half full", "root full", "usr half full"])
      answer = try await send("PUT", "root/clear")
      #expect(answer.contains("updated"))
      for name in ["root", "none"] {
        answer = try await send("PUT", "\(name)/clear")
        #expect(answer.hasPrefix("200") && answer.contains("unchanged"))
      }
      #expect(try await bodies() == ["home half full", "root full done", "usr half full"])
      answer = try await send("PUT", "root", "root full")
      #expect(answer.contains("updated"))
      #expect(try await bodies() == ["home half full", "root full", "usr half full"])
      answer = try await send("DELETE", "root")
      #expect(answer.hasPrefix("200") && answer.contains("withdrawn"))
      answer = try await send("DELETE", "root")
      #expect(answer.hasPrefix("202"))
      let left = try await bodies()
      #expect(
        left.contains("home half full") && !left.contains { $0.hasPrefix("root") && !$0.hasSuffix("over") })
      answer = try await send("GET", "publish?message=By+query")
      #expect(answer.hasPrefix("200"))
      #expect(try await bodies().contains("By query"))
      answer = try await send("GET", "root")
      #expect(answer.hasPrefix("405"))
      let other = try await hub.client.answer(
        "POST", "/v1/hooks/gotify/disks/root", ["X-Gotify-Key: \(HookSamples.secret)"], body: "{}")
      #expect(other.status == 404)
    }
  }

  @Test func thePasswordOfNtfyMayBeInTheQuery() async throws {
    try await with { hub in
      let auth = Data("Bearer \(HookSamples.secret)".utf8).base64EncodedString().replacing("=", with: "")
      for (query, status) in [("auth=\(auth)", 200), ("auth=AAAA", 401), ("auth=%20", 401)] {
        let answer = try await hub.client.answer("GET", "/v1/hooks/ntfy/disks/publish?message=a&\(query)")
        #expect(answer.status == status)
      }
    }
  }

  @Test func aPackedBodyIsRefusedByItsName() async throws {
    try await with { hub in
      let answer = try await hub.client.answer(
        "POST", "/v1/hooks/kuma", ["Authorization: Bearer \(HookSamples.secret)", "Content-Encoding: gzip"],
        body: "{}")
      #expect(answer.status == 415 && answer.body.contains("wrong_type") && answer.body.contains("gzip"))
    }
  }

  @Test func whoDoesNotKnowTheSecretIsRefused() async throws {
    let hooks = try HookSamples.all()
    try await RunningHub.with {
      $0.hooks = hooks
      $0.rates.failedTokens = 100
    } _: { hub in
      var answers: Set<String> = []
      for kind in HookKind.allCases {
        let last = [.gotify: "/message", .ntfy: "/topic"][kind] ?? ""
        for fields in [[], ["Authorization: Bearer wrong-secret"], ["X-Hub-Signature-256: sha256=00"]] {
          let answer = try await hub.client.answer(
            "POST", "/v1/hooks/\(kind.rawValue)\(last)", fields, body: "{}")
          #expect(answer.status == 401)
          answers.insert(answer.body)
        }
      }
      // The response for an unknown webhook is the same.
      answers.insert(try await hub.client.answer("POST", "/v1/hooks/none", body: "{}").body)
      #expect(answers.count == 1)
      #expect(try await hub.client.answer("GET", "/v1/hooks/none").status == 405)
      let page = try await hub.read()
      #expect(page.body.contains(#""list":[]"#))
    }
  }

  @Test func eventsAndErrorsHaveTheirStatus() async throws {
    try await with { hub in
      let ping = try await hub.deliver("github-push", .github) {
        $0.replacing("Event: push", with: "Event: ping")
      }
      #expect(ping.status == 200)
      let other = try await hub.deliver("github-push", .github) {
        $0.replacing("Event: push", with: "Event: fork")
      }
      #expect(other.status == 202 && other.body == #"{"state":"ignored"}"#)
      let broken = try await hub.deliver("kuma-down", .kuma) { $0.replacing("}", with: "") }
      #expect(broken.status == 422)
      let changed = try await hub.deliver("gitea-issue", .gitea) { $0.replacing("minute", with: "hour") }
      #expect(changed.status == 200)
      #expect(try await hub.deliver("gitea-issue", .gitea).body.contains("idempotency_mismatch"))
      let log = hub.log.joined(separator: "\n")
      #expect(log.contains("POST /v1/hooks/github 202") && log.contains("token=-4"))
      #expect(!log.contains("sesame"))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func theMiddleOneOfThreeAlertsCannotBeReadAndTheOthersAreStored(_ store: StoreKind) async throws {
    try await with(store) { hub in
      func alerts(_ middle: String) -> @Sendable (String) -> String {
        { text in
          let head = text.prefix { $0 != "{" }
          return head
            + #"{"alerts": [{"fingerprint": "a", "labels": {}}, \#(middle), {"fingerprint": "c", "labels": {}}]}"#
        }
      }
      let answer = try await hub.deliver("alertmanager-firing", .alertmanager, alerts("{}"))
      #expect(answer.status == 207)
      #expect(answer.body.contains(#""key":"alert/a","state":"stored""#))
      #expect(answer.body.contains(#""key":"alert/c","state":"stored""#))
      #expect(
        answer.body.contains(
          #""problems":[{"at":"$.alerts[1]","message":"has neither a fingerprint nor labels"}]"#))
      let page = try await hub.read()
      #expect(page.body.contains("alert/a") && page.body.contains("alert/c"))
      #expect(
        hub.log.contains { $0.contains("POST /v1/hooks/alertmanager 207") && $0.contains("invalid_item") })
      // With labels, the delivery can be read.
      let whole = try await hub.deliver(
        "alertmanager-firing", .alertmanager, alerts(#"{"labels": {"alertname": "A"}}"#))
      #expect(whole.status == 200 && whole.body.contains(#""key":"alert/d2c6efc389df0927","state":"stored""#))
      let none = try await hub.deliver("alertmanager-firing", .alertmanager) { text in
        text.prefix { $0 != "{" } + #"{"alerts": [7, {}]}"#
      }
      #expect(none.status == 422 && none.body.contains(#""at":"$.alerts[1]""#))
    }
  }

  @Test func whatIsTooLargeIsRefusedAndNotReadOn() async throws {
    try await with { hub in
      let most = String(repeating: " ", count: Limits.hubHookBytes - 2) + "{}"
      let fields = ["Authorization: Bearer \(HookSamples.secret)"]
      let largest = try await hub.client.answer("POST", "/v1/hooks/json", fields, body: most)
      #expect(largest.status == 422, "it is read")
      let above = try await hub.client.answer("POST", "/v1/hooks/json", fields, body: most + " ")
      #expect(above.status == 413 && above.body.contains("\(Limits.hubHookBytes)"))
      #expect(hub.log.contains { $0.contains("/v1/hooks/json 413") })
      // The body never ends, so the connection is closed.
      let sent = try await hub.client.pour("POST", "/v1/hooks/none")
      #expect(sent.answer.contains(" 401 "))
      #expect(sent.bytes < 64 << 20)
    }
  }

  @Test func overloadIsBusyAndNotTooOften() async throws {
    let hooks = try HookSamples.all()
    try await RunningHub.with {
      $0.hooks = hooks
      $0.rates.publish = 1
    } _: { hub in
      var statuses: [Int] = []
      for _ in 0..<3 { statuses.append(try await hub.deliver("kuma-down", .kuma).status) }
      #expect(statuses == [200, 200, 503])
    }
  }
}

extension RunningHub {
  /// Posts a recorded delivery, with the sender's current proof.
  ///
  /// - Parameter change: changes the whole record before it is signed.
  func deliver(
    _ name: String, _ kind: HookKind, _ change: (String) -> String = { $0 }
  ) async throws -> LoopbackClient.Answer {
    let text = change(String(decoding: try HookSamples.bytes(name), as: UTF8.self))
    let body = HookDelivery(recorded: Data(text.utf8)).body
    let head = text.dropLast(String(decoding: body, as: UTF8.self).count).split(whereSeparator: \.isNewline)
    let target = try #require(head.first).split(separator: " ")[1]
    let proof = HookSamples.proof(kind, body, time: Date()).map { "\($0.name): \($0.value)" }
    return try await client.answer(
      "POST", String(target), head.dropFirst().map { String($0) } + proof,
      body: String(decoding: body, as: UTF8.self))
  }
}
