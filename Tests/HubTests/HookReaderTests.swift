import Basics
import Formats
import Foundation
import Testing

@testable import Hub

/// The items that each sender's deliveries become.
struct HookReaderTests {
  private func publications(_ kind: HookKind, _ name: String) throws -> [Publication] {
    let reader = HookReader(try HookSamples.hook(kind), now: HookSamples.now)
    guard case .items(let items) = try reader.read(try HookSamples.delivery(name)) else { return [] }
    return try PublicationReader(now: HookSamples.now, author: kind.rawValue).hook(items).publications
  }

  static let expected: [(kind: HookKind, name: String, items: [(key: String?, body: String)])] = [
    (
      .alertmanager, "alertmanager-firing",
      [
        (
          "alert/2f1b3c4d5e6f7a8b",
          #"{"title":"The disk of db1 is full","body":"3 % are left","url":"http://prometheus.example:9090/graph?g0.expr=disk","priority":5,"tags":["DiskFull","critical"],"time":"2026-11-20T09:00:00.123Z","author":"alertmanager"}"#
        ),
        (
          "alert/9a8b7c6d5e4f3a2b",
          #"{"title":"DiskFull","priority":4,"tags":["DiskFull","warning"],"time":"2026-11-20T09:01:00Z","author":"alertmanager"}"#
        ),
        (
          "alert/truncated/17c4e445d234645c",
          #"{"title":"2 more alerts","body":"The delivery had no room for them. Receiver: reddot.","url":"http://alerts.example:9093","priority":3,"author":"alertmanager"}"#
        ),
      ]
    ),
    (
      .alertmanager, "alertmanager-resolved",
      [
        (
          "alert/2f1b3c4d5e6f7a8b",
          #"{"title":"The disk of db1 is full","body":"3 % are left","url":"http://prometheus.example:9090/graph?g0.expr=disk","priority":5,"tags":["DiskFull","critical"],"time":"2026-11-20T09:00:00.123Z","done":true,"expires":"2026-11-21T09:30:00Z","author":"alertmanager"}"#
        )
      ]
    ),
    (
      .grafana, "grafana-firing",
      [
        (
          "grafana/3/57c6d9296de2ad39",
          #"{"title":"Answers are slow","url":"https://grafana.example/d/1?viewPanel=4","priority":2,"tags":["Latency","info"],"time":"2026-11-20T09:00:00Z","actions":[{"label":"Silence","url":"https://grafana.example/alerting/silence/new?matcher=alertname%3DLatency"}],"author":"grafana"}"#
        )
      ]
    ),
    (
      .github, "github-pull-opened",
      [
        (
          "github/example/app/pull/7",
          #"{"title":"example/app: Faster start","priority":3,"author":"ann","body":"Saves 20 ms.\r\n","url":"https://github.com/example/app/pull/7","time":"2026-11-20T09:00:00Z","group":"example/app#7","tags":["opened"]}"#
        )
      ]
    ),
    (
      .github, "github-pull-merged",
      [
        (
          "github/example/app/pull/7",
          #"{"title":"example/app: Faster start","priority":3,"author":"bob","body":"Saves 20 ms.\r\n","url":"https://github.com/example/app/pull/7","time":"2026-11-20T11:00:00Z","group":"example/app#7","tags":["merged"],"done":true}"#
        )
      ]
    ),
    (
      .github, "github-push",
      [
        (
          "github/example/app/push/a1b2c3d4",
          #"{"title":"example/app: Start faster","priority":3,"author":"bob","body":"A test (Ann)\nStart faster (Bob)","url":"https://github.com/example/app/compare/1b2c...a1b2","time":"2026-11-20T08:00:00Z","tags":["main"]}"#
        )
      ]
    ),
    (
      .github, "github-run-failed",
      [
        (
          "github/example/app/workflow/5/main",
          #"{"title":"example/app: Tests (main): failure","priority":4,"author":"bob","body":"Start faster","url":"https://github.com/example/app/actions/runs/30","time":"2026-11-20T09:00:00Z","tags":["failure","main"]}"#
        )
      ]
    ),
    (
      .gitea, "gitea-issue",
      [
        (
          "gitea/team/app/issue/12",
          #"{"title":"team/app: It stops","priority":3,"author":"ann","body":"After a minute.","url":"https://git.example/team/app/issues/12","time":"2026-11-20T08:00:00Z","group":"team/app#12","tags":["opened"]}"#
        )
      ]
    ),
    (
      .gitea, "gitea-release",
      [
        (
          "gitea/team/app/release/4",
          #"{"title":"team/app: Two","priority":3,"author":"ann","body":"New things.","url":"https://git.example/team/app/releases/tag/v2.0","time":"2026-11-20T09:00:00Z","tags":["release","v2.0"]}"#
        )
      ]
    ),
    (
      .forgejo, "forgejo-comment",
      [
        (
          "gitea/team/app/comment/99",
          #"{"title":"team/app: It stops","priority":3,"author":"bob","body":"Here too.","url":"https://git.example/team/app/issues/12#issuecomment-99","time":"2026-11-20T09:30:00Z","group":"team/app#12","tags":["comment"]}"#
        )
      ]
    ),
    (
      .gitlab, "gitlab-merge-request",
      [
        (
          "gitlab/team/app/merge_request/8",
          #"{"title":"team/app: Faster start","priority":3,"author":"ann","url":"https://gitlab.example/team/app/-/merge_requests/8","body":"Saves 20 ms.","time":"2026-11-20T09:00:00Z","group":"team/app!8","tags":["open"]}"#
        )
      ]
    ),
    (
      .gitlab, "gitlab-pipeline-failed",
      [
        (
          "gitlab/team/app/pipeline/main",
          #"{"title":"team/app: Pipeline (main): failed","priority":4,"author":"bob","url":"https://gitlab.example/team/app/-/pipelines/31","body":"Start faster","time":"2026-11-20T09:00:00Z","tags":["failed","main"]}"#
        )
      ]
    ),
    (
      .kuma, "kuma-down",
      [
        (
          "kuma/4",
          #"{"title":"Shop","body":"connect ECONNREFUSED","url":"https://shop.example","time":"2026-11-20T09:00:00.500Z","priority":5,"author":"kuma"}"#
        )
      ]
    ),
    (
      .kuma, "kuma-up",
      [
        (
          "kuma/4",
          #"{"title":"Shop","body":"200 - OK","url":"https://shop.example","time":"2026-11-20T09:05:00.250Z","priority":3,"done":true,"author":"kuma"}"#
        )
      ]
    ),
    (
      .gotify, "gotify-json",
      [
        (
          nil,
          #"{"title":"Backup","body":"Done in 3 min","url":"https://backup.example/42","priority":4,"author":"gotify"}"#
        )
      ]
    ),
    (
      .gotify, "gotify-form",
      [(nil, #"{"title":"gotify","body":"By curl -F","priority":1,"author":"gotify"}"#)]
    ),
    (
      .ntfy, "ntfy-text",
      [
        (
          nil,
          #"{"channel":"backups","title":"Grüße","body":"Backup failed","url":"https://backup.example/42","tags":["warning","disk"],"priority":5,"actions":[{"label":"Open, please","url":"https://backup.example/42"}],"author":"ntfy"}"#
        )
      ]
    ),
    (
      .ntfy, "ntfy-json",
      [
        (
          nil,
          #"{"channel":"backups","title":"Plan","body":"Later","tags":["clock"],"priority":2,"actions":[{"label":"Open","url":"https://backup.example"}],"author":"ntfy"}"#
        )
      ]
    ),
    (
      .standard, "standard",
      [
        (
          "invoice/in_1",
          #"{"title":"invoice.paid: Chair","time":"2026-11-20T09:00:00Z","author":"standard"}"#
        )
      ]
    ),
    (
      .json, "json-first",
      [
        (
          "check/1",
          #"{"title":"Disk {a} {probe}","time":"2026-11-20T09:00:00Z","tags":["probe","open"],"priority":5,"author":"json"}"#
        ),
        (
          "check/2",
          #"{"title":"Load {probe}","time":"2026-11-20T09:00:00Z","tags":["probe","closed"],"priority":2,"done":true,"author":"json"}"#
        ),
      ]
    ),
  ]

  @Test(arguments: 0..<expected.count)
  func aDeliveryBecomesItems(_ number: Int) throws {
    let (kind, name, items) = Self.expected[number]
    let found = try publications(kind, name)
    #expect(found.map(\.key) == items.map(\.key), "\(name)")
    #expect(found.map(\.body) == items.map(\.body), "\(name)")
  }

  @Test func ntfysDelayIsWhenItAppears() throws {
    let item = try #require(try publications(.ntfy, "ntfy-json").first)
    #expect(item.notBefore == HookSamples.now.addingTimeInterval(7200))
  }

  /// The wordings of ntfy's documentation ("Scheduled delivery"); now is an hour of the morning of 20 November 2026.
  @Test(arguments: [
    ("30min", "2026-11-20T09:30:00Z"), ("1h30m", "2026-11-20T10:30:00Z"), ("2 days", "2026-11-22T09:00:00Z"),
    ("10am", "2026-11-20T10:00:00Z"), ("8:30pm", "2026-11-20T20:30:00Z"),
    ("tomorrow, 10am", "2026-11-21T10:00:00Z"), ("Tomorrow, 3pm", "2026-11-21T15:00:00Z"),
    ("tomorrow at 10am", "2026-11-21T10:00:00Z"), ("Tuesday, 7am", "2026-11-24T07:00:00Z"),
    ("1795250000", "2026-11-21T08:33:20Z"),
  ])
  func ntfysDelayMayBeInWords(_ text: String, _ moment: String) throws {
    let hook = NtfyHook(now: try #require(ISOInstant.parse("2026-11-20T09:00:00Z")), zone: .gmt)
    #expect(try hook.delay(text, at: "X-Delay") == moment)
    #expect(throws: HubFailure.self) { try hook.delay("\(text) soon", at: "X-Delay") }
  }

  @Test(arguments: ["payload", "data"], ["urlencoded", "multipart"])
  func aFormMayHaveTheDocument(_ name: String, _ kind: String) throws {
    let json = #"{"msg": "Down & out", "heartbeat": null, "monitor": null}"#
    let (type, body) =
      kind == "multipart"
      ? (
        "multipart/form-data; boundary=x",
        "--x\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\nContent-Type: application/json\r\n\r\n\(json)\r\n--x--\r\n"
      )
      : (
        "application/x-www-form-urlencoded",
        "other=1&\(name)=\(json.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
      )
    let delivery = HookDelivery(fields: [("Content-Type", type)], body: Data(body.utf8))
    guard
      case .items(let items) = try HookReader(try HookSamples.hook(.kuma), now: HookSamples.now).read(
        delivery)
    else {
      Issue.record("no items")
      return
    }
    #expect(items.map { $0.object["title"]?.text } == ["Down & out"])
  }

  @Test func aResolvedAlertEndsADayLater() throws {
    let item = try #require(try publications(.alertmanager, "alertmanager-resolved").first)
    #expect(item.expires == Date(timeIntervalSince1970: 1_795_253_400))
  }

  @Test(arguments: [
    (HookKind.github, "X-GitHub-Event: ping", "{}", HookReading.ping),
    (.github, "X-GitHub-Event: star", #"{"action": "created"}"#, .ignored),
    (.github, "X-GitHub-Event: issues", #"{"action": "labeled", "issue": {"number": 1}}"#, .ignored),
    (
      .github, "X-GitHub-Event: push",
      #"{"ref": "refs/heads/other", "after": "1", "head_commit": {}, "repository": {"default_branch": "main"}}"#,
      .ignored
    ),
    (.gitea, "X-Gitea-Event: fork", "{}", .ignored),
    (.gitlab, "A: b", #"{"object_kind": "wiki_page"}"#, .ignored),
    (.gitlab, "A: b", #"{"event_name": "user_remove_from_group", "group_name": "a"}"#, .ignored),
    (.alertmanager, "A: b", #"{"alerts": []}"#, .ignored),
  ])
  func otherEventsAreIgnored(_ kind: HookKind, _ field: String, _ body: String, _ reading: HookReading) throws
  {
    let delivery = HookDelivery(recorded: Data("\(field)\n\n\(body)".utf8))
    #expect(try HookReader(try HookSamples.hook(kind), now: HookSamples.now).read(delivery) == reading)
  }

  private func read(_ kind: HookKind, _ body: String, _ field: String = "A: b") throws -> HookReading {
    let delivery = HookDelivery(recorded: Data("\(field)\n\n\(body)".utf8))
    return try HookReader(try HookSamples.hook(kind), now: HookSamples.now).read(delivery)
  }

  @Test(arguments: [HookKind.alertmanager, .grafana])
  func theMiddleOneOfThreeAlertsHasTheFingerprintOfItsLabels(_ kind: HookKind) throws {
    let reading = try read(
      kind,
      #"""
      {"alerts": [{"fingerprint": "a", "labels": {"alertname": "A"}},
        {"labels": {"name": "garland, briggs", "fear": "love is not enough"}}, {"fingerprint": "c", "labels": {}}]}
      """#)
    guard case .items(let items) = reading else {
      Issue.record("\(reading)")
      return
    }
    let start = kind == .grafana ? "grafana/1" : "alert"
    #expect(
      items.map { $0.object["key"]?.text } == ["a", "507a62d79ee76c9a", "c"].map { "\(start)/\($0)" })
  }

  @Test func theMiddleOneOfThreeAlertsCannotBeSilenced() throws {
    let urls = ["https://grafana.example/a", "/alerting/silence/new", "http://grafana.example/c"]
    let alerts = urls.map { #"{"fingerprint": "\#($0.utf8.count)", "labels": {}, "silenceURL": "\#($0)"}"# }
    guard case .items(let items) = try read(.grafana, #"{"alerts": [\#(alerts.joined(separator: ", "))]}"#)
    else {
      Issue.record("no items")
      return
    }
    #expect(items.map { $0.object["actions"] != nil } == [true, false, true])
    let reader = PublicationReader(now: HookSamples.now, author: "grafana")
    #expect(try reader.hook(items).publications.count == 3)
  }

  @Test(arguments: [("alerting", 4, false), ("ok", 3, true), ("no_data", 3, false)])
  func aRuleOfAnOlderGrafanaIsAnItem(_ state: String, _ priority: Int, _ isDone: Bool) throws {
    let reading = try read(
      .grafana,
      #"""
      {"evalMatches": [], "message": "Queue is long", "orgId": 3, "ruleId": 17, "ruleName": "Queue",
        "ruleUrl": "http://grafana.example/d/1", "state": "\#(state)", "title": "[Alerting] Queue"}
      """#)
    guard case .items(let items) = reading, let item = items.first?.object else {
      Issue.record("\(reading)")
      return
    }
    #expect(item["key"]?.text == "grafana/3/rule/17" && item["title"]?.text == "Queue")
    #expect(item["body"]?.text == "Queue is long" && item["url"]?.text == "http://grafana.example/d/1")
    #expect(item["priority"]?.integer == priority && (item["done"]?.bool ?? false) == isDone)
  }

  @Test(arguments: [
    "1795170600", "1795170600000", "Fri, 20 Nov 2026 10:30:00 GMT", "2026-11-20 11:30:00 +0100 CET",
    "2026/11/20 10:30:00 UTC", "2026-11-20T10:30:00+00:00[UTC]",
  ])
  func theTimeOfTheMiddleOneOfThreeChecksMayHaveAnotherSpelling(_ time: String) throws {
    let checks = ["2026-11-20T09:00:00Z", time, "2026-11-20T11:00:00Z"].enumerated().map {
      #"{"id": \#($0), "name": "A", "at": "\#($1)"}"#
    }
    guard case .items(let items) = try read(.json, #"{"checks": [\#(checks.joined(separator: ", "))]}"#)
    else {
      Issue.record("no items")
      return
    }
    #expect(
      items.map { $0.object["time"]?.text } == [
        "2026-11-20T09:00:00Z", "2026-11-20T10:30:00Z", "2026-11-20T11:00:00Z",
      ])
  }

  @Test func aRequestOfAnOldGitLabHasTheProjectOfItsTarget() throws {
    let reading = try read(
      .gitlab,
      #"""
      {"object_kind": "merge_request", "object_attributes": {"action": "open", "iid": 5, "title": "A",
        "source": {"path_with_namespace": "ann/app"}, "target": {"path_with_namespace": "team/app"}}}
      """#)
    guard case .items(let items) = reading else {
      Issue.record("\(reading)")
      return
    }
    #expect(items.map { $0.object["key"]?.text } == ["gitlab/team/app/merge_request/5"])
  }

  @Test func alertsThatCannotBeReadAreProblemsWithTheirPlaces() throws {
    let reading = try read(
      .alertmanager,
      #"""
      {"alerts": [7, {"fingerprint": "b", "labels": {}}, {"labels": {}}, {"annotations": {"summary": "x"}},
        {"fingerprint": "e", "startsAt": "soon"}, {"fingerprint": "f", "startsAt": "0001-01-01T00:00:00Z"}]}
      """#)
    guard case .partial(let items, let problems) = reading else {
      Issue.record("\(reading)")
      return
    }
    #expect(items.map { $0.object["key"]?.text } == ["alert/b", "alert/f"])
    #expect(problems.map(\.at) == ["$.alerts[0]", "$.alerts[2]", "$.alerts[3]", "$.alerts[4].startsAt"])
    #expect(
      problems.map(\.message) == [
        "must be an object, not the number 7", "has neither a fingerprint nor labels",
        "has neither a fingerprint nor labels", "must be a time",
      ])
  }

  @Test(arguments: [
    (
      HookKind.github, "X-GitHub-Event: issues", #"{"action": "opened", "issue": {"title": "A"}}"#,
      "$.issue.number"
    ),
    (
      .github, "X-GitHub-Event: issues", #"{"action": "opened", "issue": {"number": 1, "title": "A"}}"#,
      "$.repository.full_name"
    ),
    (.gitea, "X-Gitea-Event: pull_request", #"{"action": "closed"}"#, "$.pull_request.number"),
    (.gitea, "X-Gitea-Event: issue_comment", #"{"action": "created", "issue": {}}"#, "$.comment.id"),
    (.forgejo, "X-Gitea-Event: release", #"{"action": "published", "release": {"id": {}}}"#, "$.release.id"),
    (.github, "X-GitHub-Event: push", #"{"ref": "refs/heads/main"}"#, "$.repository.default_branch"),
    (
      .github, "X-GitHub-Event: workflow_run",
      #"{"action": "completed", "workflow_run": {"conclusion": "failure"}}"#,
      "$.workflow_run.workflow_id"
    ),
    (
      .gitlab, "A: b", #"{"object_kind": "issue", "object_attributes": {"action": "open", "title": "A"}}"#,
      "$.object_attributes.iid"
    ),
    (
      .gitlab, "A: b", #"{"object_kind": "issue", "object_attributes": {"action": "open", "iid": 1}}"#,
      "$.project.path_with_namespace"
    ),
    (.gitlab, "A: b", #"{"object_kind": "note"}"#, "$.object_attributes.id"),
    (.gitlab, "A: b", #"{"object_kind": "pipeline"}"#, "$.object_attributes.status"),
    (.gitlab, "A: b", #"{"object_kind": "release", "action": "create"}"#, "$.id"),
    (.standard, "A: b", #"{"type": "invoice.paid"}"#, "$"),
  ])
  func anEventWithoutItsIDIsAnErrorAndNotIgnored(
    _ kind: HookKind, _ field: String, _ body: String, _ place: String
  ) throws {
    let failure = #expect(throws: HubFailure.self) { try read(kind, body, field) }
    #expect(failure?.code == .invalidItem && failure?.at == place)
  }

  @Test func elementsWithoutTheValuesOfTheirKeyAreProblems() throws {
    let reading = try read(.json, #"{"checks": [{"id": 1, "name": "A"}, {"name": "B"}, 7, {"id": 4}]}"#)
    guard case .partial(let items, let problems) = reading else {
      Issue.record("\(reading)")
      return
    }
    #expect(items.map { $0.object["key"]?.text } == ["check/1", "check/4"])
    #expect(problems.map(\.at) == ["$.checks[1]", "$.checks[2]"])
  }

  @Test func anItemThatNoReaderCouldReadIsAProblemAndTheOthersAreStored() throws {
    guard
      case .items(let items) = try read(
        .json, #"{"checks": [{"id": 1}, {"id": 2, "at": "soon"}, {"id": 3, "at": "2026-11-20T09:00:00Z"}]}"#)
    else {
      Issue.record("no items")
      return
    }
    let (publications, problems) = try PublicationReader(now: HookSamples.now).hook(items)
    #expect(publications.map(\.key) == ["check/1", "check/3"])
    #expect(problems.map(\.at) == ["$.checks[1].time"])
    #expect(throws: HubFailure.self) { try PublicationReader(now: HookSamples.now).hook([items[1]]) }
  }

  @Test func aFormOfGitHubHasTheDocumentInAField() throws {
    let json = #"{"action":"opened","issue":{"number":1,"title":"A+B"},"repository":{"full_name":"a/b"}}"#
    let payload = try #require(json.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let delivery = HookDelivery(
      fields: [("x-github-event", "issues"), ("content-type", "application/x-www-form-urlencoded")],
      body: Data("payload=\(payload)".utf8))
    guard
      case .items(let items) = try HookReader(try HookSamples.hook(.github), now: HookSamples.now).read(
        delivery)
    else {
      Issue.record("no items")
      return
    }
    #expect(items.first?.object["title"]?.text == "a/b: A+B")
  }

  /// A delivery that is cut anywhere or has other types is an error or has other items; each of its items is valid.
  @Test(arguments: HookReaderTests.expected.map { ($0.kind, $0.name) })
  func brokenDeliveriesAreErrors(_ kind: HookKind, _ name: String) throws {
    let whole = try HookSamples.delivery(name)
    let reader = HookReader(try HookSamples.hook(kind), now: HookSamples.now)
    let others = ["null", "[]", "7", "\"\\u0000\"", "{\"a\": [[]]}", "-1e999"]
    var bodies = (0..<whole.body.count).map { Data(whole.body.prefix($0)) }
    let text = String(decoding: whole.body, as: UTF8.self)
    for match in text.matches(of: #/: ("[^"]*"|\d+)/#) {
      for other in others {
        bodies.append(
          Data(text.replacingCharacters(in: match.1.startIndex..<match.1.endIndex, with: other).utf8))
      }
    }
    var refused = 0
    for body in bodies {
      var delivery = whole
      delivery.body = body
      do throws(HubFailure) {
        guard case .items(let items) = try reader.read(delivery) else { continue }
        _ = try PublicationReader(now: HookSamples.now).hook(items)
      } catch {
        refused += 1
        #expect([.invalidItem, .badRequest].contains(error.code), "\(error)")
      }
    }
    #expect(refused > 0 || kind == .ntfy)
  }

  @Test func longTextsAreCutAndFitIntoAnItem() throws {
    let long = String(repeating: "é", count: 100_000)
    let body =
      #"{"title": "\#(long)", "message": "\#(long)", "extras": {"client::notification": {"click": {"url": "https://\#(long)"}}}}"#
    let delivery = HookDelivery(fields: [], body: Data(body.utf8))
    guard
      case .items(let items) = try HookReader(try HookSamples.hook(.gotify), now: HookSamples.now).read(
        delivery)
    else {
      Issue.record("no items")
      return
    }
    let item = try #require(try PublicationReader(now: HookSamples.now).hook(items).publications.first)
    #expect(item.body.utf8.count < Limits.hubHookBodyBytes + 2 * Limits.hubHookLineBytes)
    #expect(!item.body.contains("https://"))
  }

  @Test func moreAlertsThanADeliveryMayHaveAreCounted() throws {
    let alert = #"{"status": "firing", "labels": {}, "annotations": {}, "fingerprint": "f"}"#
    let alerts = Array(repeating: alert, count: Limits.hubHookItems + 3).joined(separator: ",")
    let delivery = HookDelivery(
      fields: [], body: Data(#"{"truncatedAlerts": 9223372036854775807, "alerts": [\#(alerts)]}"#.utf8))
    let fewer = HookDelivery(fields: [], body: Data(#"{"truncatedAlerts": 4, "alerts": [\#(alerts)]}"#.utf8))
    let reader = HookReader(try HookSamples.hook(.alertmanager), now: HookSamples.now)
    guard case .items(let most) = try reader.read(delivery), case .items(let items) = try reader.read(fewer)
    else {
      Issue.record("no items")
      return
    }
    #expect(most.count == Limits.hubHookItems)
    #expect(items.count == Limits.hubHookItems + 1)
    #expect(items.last?.object["title"]?.text == "7 more alerts")
  }

  @Test(arguments: [
    "a", "a.b", "a[0]", "a[0].b[12]", #"labels["a.b"].c"#, "$.a", "$", "[0]",
  ])
  func aPath(_ text: String) { #expect(HookPath(text) != nil) }

  @Test(arguments: [
    "", ".", "a.", ".a", "a..b", "a[", "a[x]", "a[-1]", "a]", "a{b", "a[99999999999999999999]",
  ])
  func notAPath(_ text: String) { #expect(HookPath(text) == nil) }

  @Test(arguments: ["{", "}", "a{b", "{}", "{a", "{a.}", "{a}}"])
  func notATemplate(_ text: String) { #expect(HookTemplate(text) == nil) }
}
