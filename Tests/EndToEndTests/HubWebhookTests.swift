import Foundation
import StandIns
import TerminalHarness
import TestBasics
import Testing

/// Webhooks of the built `reddot-hub`.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubWebhookTests {
  private let hub: HubHousehold
  private static let secret = "sesame-sesame-sesame"

  init() throws {
    hub = try HubHousehold()
    _ = try hub.output("feed", "add", "ops", "--public")
    try hub.household.write("secret", "\(Self.secret)\nnotes of a password store\n")
  }

  private func hook(_ type: String, _ more: String = "") -> String {
    """
    [[hook]]
    name = "alerts"
    type = "\(type)"
    feed = "ops"
    secret_command = ["cat", "\(hub.household.home)/secret"]
    \(more)
    """
  }

  @Test func aDeliveryBecomesAMessageAndTheSecretIsNowhere() throws {
    let (program, client) = try hub.serve(
      more: hook("kuma", "old_secret_file = \"\(hub.household.home)/old\"") + "\n"
        + hook("json")
        .replacing("alerts", with: "other").replacing("secret\"]", with: "none\"]") + "title = \"{a}\"\n")
    kill(program.process, SIGTERM)
    // The file of the old secret and the command of the other webhook's secret don't exist.
    let without = try program.waitForEnd()
    #expect(without.errors.contains("the webhook alerts is not served: old_secret_file"))
    #expect(without.errors.contains("the webhook other is not served: secret_command ended with status 1"))
    _ = client
    try hub.household.write("old", "an-older-secret-of-it")
    let (served, next) = try hub.serve(more: hook("kuma", "old_secret_file = \"\(hub.household.home)/old\""))
    let beat =
      #"{"heartbeat": {"status": 0, "time": "2026-11-20 09:00:00.000"}, "monitor": {"id": 4, "name": "Shop"}}"#
    for secret in [Self.secret, "an-older-secret-of-it"] {
      let answer = try next.ask("POST", "/v1/hooks/alerts", ["Authorization: Bearer \(secret)"], body: beat)
      #expect(answer.status == 200 && answer.body.contains("kuma/4"), "\(answer)")
    }
    #expect(
      try next.ask("POST", "/v1/hooks/alerts", ["Authorization: Bearer wrong"], body: beat).status == 401)
    #expect(try next.ask("GET", "/v1/feeds/ops").body.contains("Shop"))
    #expect(try hub.output("check").contains("hook  good  alerts"))
    kill(served.process, SIGTERM)
    let ended = try served.waitForEnd()
    #expect(ended.errors.contains("POST /v1/hooks/alerts 200"))
    for secret in [Self.secret, "an-older-secret-of-it"] {
      #expect(!ended.errors.contains(secret) && !ended.output.contains(secret))
    }
  }

  @Test func aDeliveryIsTriedWithoutStoringIt() throws {
    try hub.settings(port: 0, more: hook("github"))
    let file = try hub.household.write(
      "delivery",
      """
      X-GitHub-Event: issues

      {"action": "opened", "issue": {"number": 1, "title": "It stops"}, "repository": {"full_name": "a/b"}}
      """)
    #expect(
      try hub.output("check", "--hook", "alerts", file).hasPrefix(
        #"github/a/b/issue/1  {"title":"a/b: It stops","#))
    try hub.household.write("delivery", "X-GitHub-Event: star\n\n{}")
    #expect(try hub.output("check", "--hook", "alerts", file) == "ignored")
    try hub.household.write("delivery", "{}")
    #expect(
      try hub.run("check", "--hook", "alerts", file).errors.contains("X-GitHub-Event: the field is missing"))
    #expect(try hub.run("check", "--hook", "none", file).exit == .status(1))
    #expect(try hub.run("check", "--hook", "alerts").exit == .status(64))
    #expect(try hub.output("feed", "list").contains("0 items"))
  }

  private static let mistakes = [
    ("type = \"slack\"\nsecret_file = \"/s\"", "5: hook.type: must be one of alertmanager, forgejo"),
    (
      "type = \"kuma\"",
      "4: hook.secret_command: is missing; set it, or secret_file, since anyone could publish without a secret"
    ),
    ("type = \"json\"\nsecret_file = \"/s\"\ntitle = \"{a\"", "7: hook.title: must be a string such as"),
    ("type = \"json\"\nsecret_file = \"/s\"", "4: hook.title: is missing"),
    (
      "type = \"kuma\"\nsecret_file = \"/s\"\ntitle = \"a\"",
      "7: hook.title: is not a setting of a webhook of the type kuma"
    ),
    (
      "type = \"json\"\nsecret_file = \"/s\"\ntitle = \"{a}\"\npriorities = { bad = 9 }",
      "8: hook.priorities: must be numbers from 1 to 5"
    ),
  ]

  @Test func mistakesNameTheLine() throws {
    for (more, mistake) in Self.mistakes {
      try hub.settings(port: 0, more: "[[hook]]\n\(more)\nname = \"a\"\nfeed = \"ops\"")
      let ran = try hub.run("feed", "list")
      #expect(ran.exit == .status(1) && ran.errors.contains(mistake), "\(ran.errors)")
    }
  }

  private static let alertmanager = "/usr/bin/prometheus-alertmanager"

  /// Debian's Alertmanager sends an alert, and its end.
  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: alertmanager),
      "prometheus-alertmanager is not installed"))
  func aRealAlertmanagerDelivers() throws {
    let (program, client) = try hub.serve(more: hook("alertmanager"))
    let settings = try hub.household.write(
      "alertmanager.yml",
      """
      route: { receiver: reddot, group_wait: 0s, group_interval: 1s, repeat_interval: 1h }
      receivers:
        - name: reddot
          webhook_configs:
            - url: http://127.0.0.1:\(client.port)/v1/hooks/alerts
              send_resolved: true
              http_config: { authorization: { credentials_file: "\(hub.household.home)/credentials" } }
      """)
    try hub.household.write("credentials", Self.secret)
    let server = try Running(
      Self.alertmanager,
      [
        "--config.file=\(settings)", "--storage.path=\(hub.household.home)/alerts",
        "--cluster.listen-address=",
        "--web.listen-address=127.0.0.1:0",
      ], environment: hub.household.environment, keeping: hub.household)
    var port: Int?
    try server.wait(for: "Alertmanager's port") { running in
      let log = String(decoding: running.errorBytes, as: UTF8.self)
      port = log.firstMatch(of: #/address=127\.0\.0\.1:(\d+)/#).flatMap { Int($0.1) }
      return port != nil
    }
    let alerts = LoopbackClient(port: try #require(port))
    func send(_ more: String) throws {
      let alert =
        #"[{"labels": {"alertname": "DiskFull", "severity": "critical"}, "annotations": {"summary": "The disk is full"}\#(more)}]"#
      var answer = try? alerts.ask("POST", "/api/v2/alerts", ["Content-Type: application/json"], body: alert)
      while answer?.status != 200 {
        answer = try? alerts.ask("POST", "/api/v2/alerts", ["Content-Type: application/json"], body: alert)
      }
    }
    /// Returns the next page that is not empty, as soon as an item was stored.
    func page(since id: Int) throws -> String {
      try client.ask("GET", "/v1/feeds/ops?since_id=\(id)&wait=60").body
    }
    let start = ISO8601DateFormatter.string(
      from: Date(timeIntervalSinceNow: -60), timeZone: .gmt, formatOptions: .withInternetDateTime)
    let now = ISO8601DateFormatter.string(
      from: Date(), timeZone: .gmt, formatOptions: .withInternetDateTime)
    try send(", \"startsAt\": \"\(start)\"")
    let firing = try page(since: 0)
    #expect(firing.contains(#""title":"The disk is full""#) && firing.contains(#""priority":5"#), "\(firing)")
    #expect(!firing.contains("done"))
    try send(", \"startsAt\": \"\(start)\", \"endsAt\": \"\(now)\"")
    let over = try page(since: 1)
    #expect(over.contains(#""done":true"#) && over.contains(#""last_id":2"#), "\(over)")
    kill(server.process, SIGTERM)
    kill(program.process, SIGTERM)
    _ = try server.waitForEnd()
    #expect(try !program.waitForEnd().errors.contains(Self.secret))
  }
}
