import Basics
import Foundation
import HTTP
import Messages
import Testing

@testable import Services

struct AlertmanagerPollTests {
  private static let base = "https://alerts.example/prefix"
  private static let list = base + "/api/v2/alerts"
  private static let status = base + "/api/v2/status"

  private func pollAlerts(
    _ exchanges: [Exchange], known: String? = nil, address: String = base, at time: Date = now
  ) async throws -> PollOutcome {
    try await poll(
      source(address, .alertmanager), from: PollPosition(cursor: known.map { Cursor($0) }),
      context: PollContext(now: time), exchanges)
  }

  private static func alert(
    _ fingerprint: String, labels: String = #"{"alertname": "Disk"}"#, annotations: String = "{}",
    state: String = "active", starts: String = "2026-11-20T08:00:00.000Z", silences: String = ""
  ) -> String {
    #"{"fingerprint": "\#(fingerprint)", "labels": \#(labels), "annotations": \#(annotations), "startsAt": "\#(starts)", "endsAt": "2026-11-20T10:00:00Z", "updatedAt": "2026-11-20T09:00:00Z", "status": {"state": "\#(state)", "silencedBy": [\#(silences)], "inhibitedBy": []}}"#
  }

  private static func list(_ alerts: String...) -> Exchange {
    .ok(list, "[\(alerts.joined(separator: ","))]")
  }

  private static func status(since: String, headers: HeaderFields = [:]) -> Exchange {
    .ok(status, #"{"cluster": {"status": "ready"}, "uptime": "\#(since)"}"#, headers)
  }

  /// The example of the API's description.
  @Test func anAlertIsReadWithAllItsFields() async throws {
    let outcome = try await pollAlerts([
      .ok(
        Self.list,
        """
        [{"annotations":{"alert":"Less than 10% disk space is free","dashboard":"http://localhost/dashboard.html"},\
        "endsAt":"2026-03-11T12:54:18.427Z","fingerprint":"aae7a1432b5d2f1b","receivers":[{"name":"by-name"}],\
        "startsAt":"2026-03-11T12:48:38.413Z","status":{"inhibitedBy":[],"mutedBy":[],"silencedBy":[],"state":"active"},\
        "updatedAt":"2026-03-11T12:49:18.427Z","generatorURL":"http://localhost/prometheus",\
        "labels":{"alertname":"Free_Disk_Space_Too_Low","cluster":"staging","instance":"server5"}}]
        """
      ) { request in
        #expect(request.headers.contains(HeaderField("Accept", "application/json")))
        #expect(request.credential == nil)
      }
    ])
    var message = IncomingMessage(
      remoteID: RemoteID("aae7a1432b5d2f1b"), kind: .service, title: "Free_Disk_Space_Too_Low",
      body: "alert: Less than 10% disk space is free")
    message.url = "http://localhost/prometheus"
    message.published = Date(timeIntervalSince1970: 1_773_233_318.413)
    message.channel = "server5"
    message.tags = ["cluster=staging", "instance=server5"]
    var extras = MessageExtras()
    extras.actions = [MessageAction(label: "Dashboard", url: "http://localhost/dashboard.html")]
    extras.group = "Free_Disk_Space_Too_Low"
    extras.occasion = "2026-03-11T12:48:38.413Z"
    extras.handle =
      #"{"alertname":"Free_Disk_Space_Too_Low","cluster":"staging","instance":"server5"}"#
    message.extras = extras
    let content = try #require(outcome.content)
    #expect(content.messages == [message] && content.problems == [])
    #expect(content.position == PollPosition(cursor: cursor("aae7a1432b5d2f1b")))
  }

  /// Returns a cursor in the form of earlier versions, which can still be read.
  private func cursor(_ known: String) -> Cursor? { KnownAlerts(earlier: known)?.stored }

  @Test func annotationsByHabitAreTitleAndBody() async throws {
    let notes =
      #"{"summary": "Disk full", "description": "3 MB left", "message": "no", "runbook_url": "https://r/1"}"#
    let outcome = try await pollAlerts(
      [Self.list(Self.alert("a", annotations: notes), Self.alert("b", labels: "{}"))], known: "a b")
    let messages = try #require(outcome.content?.messages)
    #expect(messages[0].title == "Disk: Disk full" && messages[0].body == "3 MB left\nmessage: no")
    #expect(messages[0].url == "https://r/1" && messages[0].extras?.actions == [])
    #expect(messages[1].title == "b" && messages[1].body == "" && messages[1].extras?.group == nil)
  }

  @Test(arguments: [
    ("critical", 5), ("Critical", 5), ("page", 4), ("error", 4), ("warning", 4), ("info", 2), ("none", 2),
    ("p1", 3), ("", 3),
  ])
  func severityIsThePriority(_ severity: String, _ priority: Int) async throws {
    let labels = #"{"alertname": "A", "severity": "\#(severity)"}"#
    let outcome = try await pollAlerts([Self.list(Self.alert("a", labels: labels))], known: "a")
    #expect(outcome.content?.messages.first?.priority == Priority(priority))
    #expect(outcome.content?.messages.first?.tags == ["severity=\(severity)"])
  }

  @Test func thePersonsFiltersGoAlongAndThoseOfSuppressionAreOurs() async throws {
    let address = Self.base + "/?filter=team%3D%22web%22&filter=a%2B&receiver=ops&silenced=false"
    let outcome = try await pollAlerts(
      [.ok(Self.list + "?filter=team%3D%22web%22&filter=a%2B&receiver=ops", "[]")], known: "",
      address: address)
    #expect(outcome.content?.messages == [])
    let all = try await pollAlerts(
      [.ok(Self.list, "[\(Self.alert("a", state: "suppressed"))]")], known: "a",
      address: Self.base + "?silenced=true")
    #expect(all.content?.messages.map(\.tags) == [["suppressed"]])
  }

  // MARK: What is resolved

  @Test func aSuppressedAlertIsNoMessageAndIsNotResolved() async throws {
    let outcome = try await pollAlerts(
      [Self.list(Self.alert("a"), Self.alert("b", state: "suppressed"))], known: "a b")
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["a"])
    #expect(outcome.content?.upstream?.open == [RemoteID("a"), RemoteID("b")])
    #expect(outcome.content?.upstream?.absence == .resolved)
  }

  @Test func aSilenceThatHasEndedThereEndsTheSnooze() async throws {
    let silenced = Self.alert("b", state: "suppressed", silences: #""x""#)
    let during = try await pollAlerts([Self.list(Self.alert("a"), silenced)], known: "a b")
    #expect(during.content?.upstream?.marks == [])
    #expect(during.content?.position.cursor == cursor("a b!"))
    let after = try await pollAlerts([Self.list(Self.alert("a"), Self.alert("b"))], known: "a b!")
    #expect(
      after.content?.upstream?.marks
        == [UpstreamState.Mark(RemoteID("b"), UpstreamMarks(isSnoozed: false))])
    #expect(after.content?.position.cursor == cursor("a b"))
    // An alert that has ended needs no such word.
    let over = try await pollAlerts(
      [Self.list(Self.alert("a")), Self.status(since: "2026-11-20T08:00:00Z")], known: "a b!")
    #expect(over.content?.upstream?.marks == [])
  }

  @Test func whatIsMissingIsResolvedOnlyIfTheServerHasRunForAWhile() async throws {
    // The time is nine o'clock. The server's own clock is used if it is sent.
    let trials: [(since: String, date: String?, isResolved: Bool)] = [
      ("2026-11-20T08:54:59Z", nil, true), ("2026-11-20T08:55:01Z", nil, false),
      ("2026-11-20T09:00:30Z", nil, false),
      ("2026-11-20T08:50:00.000Z", "Fri, 20 Nov 2026 08:53:00 GMT", false),
      ("2026-11-20T08:58:00Z", "Fri, 20 Nov 2026 09:05:00 GMT", true), ("soon", nil, false),
    ]
    for trial in trials {
      var headers = HeaderFields()
      if let date = trial.date { headers = ["Date": date] }
      let outcome = try await pollAlerts(
        [Self.list(Self.alert("a")), Self.status(since: trial.since, headers: headers)], known: "a b")
      #expect(outcome.content?.messages.count == 1)
      #expect(outcome.content?.upstream?.open == [RemoteID("a")])
      #expect(outcome.content?.upstream?.isComplete == trial.isResolved, "\(trial)")
      // Alerts that are not resolved yet are requested again at the next poll.
      #expect(outcome.content?.position.cursor == cursor(trial.isResolved ? "a" : "a b"))
    }
  }

  @Test func nothingIsResolvedWhereTheStatusIsNotKnown() async throws {
    let outcome = try await pollAlerts(
      [Self.list(), Exchange.ok(Self.status, "no", status: 404)], known: "b")
    let content = try #require(outcome.content)
    #expect(
      content.messages == [] && content.upstream?.isComplete == false && content.problems.count == 1)
    #expect(content.position.cursor == cursor("b"))
  }

  @Test func anAnswerWithABrokenAlertResolvesNothing() async throws {
    let outcome = try await pollAlerts(
      [
        Self.list(
          "7", #"{"labels": {}}"#,
          Self.alert("c", labels: #"{"a": 1, "b": "c"}"#, starts: "x"))
      ],
      known: "b")
    let content = try #require(outcome.content)
    #expect(content.messages.map(\.remoteID.text) == ["c"])
    #expect(content.upstream?.open == [RemoteID("c")] && content.upstream?.isComplete == false)
    #expect(content.messages[0].tags == ["b=c"] && content.messages[0].published == nil)
    #expect(content.problems.map(\.at) == ["$[0]", "$[1].fingerprint", "$[2].labels", "$[2].startsAt"])
  }

  @Test func anAlertWithoutAFingerprintHasTheOneOfItsLabels() async throws {
    func without(_ labels: String) -> String {
      Self.alert("x", labels: labels).replacing(#""fingerprint": "x", "#, with: "")
    }
    let labels = #"{"name": "garland, briggs", "fear": "love is not enough"}"#
    let fingerprint = "507a62d79ee76c9a"
    let first = try await pollAlerts([Self.list(Self.alert("a"), without(labels), Self.alert("c"))])
    let content = try #require(first.content)
    #expect(content.messages.map(\.remoteID.text) == ["a", fingerprint, "c"])
    #expect(content.problems == [] && content.upstream?.isComplete == true)
    // In another order, they are the same labels; with one more value, it is another alert.
    let other = #"{"fear": "love is not enough", "name": "garland, briggs"}"#
    let more = #"{"fear": "love is not enough", "name": "garland, briggs", "a": ""}"#
    let second = try await pollAlerts(
      [Self.list(Self.alert("a"), without(other), Self.alert("c"), without(more))],
      known: content.position.cursor?.text)
    let ids = try #require(second.content?.messages.map(\.remoteID.text))
    #expect(ids.prefix(3) == ["a", fingerprint, "c"] && ids.count == 4)
  }

  @Test(arguments: [#"["f"]"#, "true", "\"\(String(repeating: "f", count: 1025))\""])
  func aFingerprintThatIsNoneIsAProblemAndTheLabelsTellTheAlert(_ fingerprint: String) async throws {
    let alert = Self.alert("x").replacing(#""fingerprint": "x""#, with: #""fingerprint": \#(fingerprint)"#)
    let content = try #require(try await pollAlerts([Self.list(alert)]).content)
    #expect(content.messages.map(\.title) == ["Disk"] && content.upstream?.isComplete == true)
    #expect(content.problems.map(\.at) == ["$[0].fingerprint"])
  }

  @Test func moreAlertsThanAreRememberedAskEachTime() async throws {
    let alerts = (0..<1001).map { Self.alert("f\($0)") }.joined(separator: ",")
    let first = try await pollAlerts([.ok(Self.list, "[\(alerts)]")])
    #expect(first.content?.messages.count == 1001 && first.content?.upstream?.open?.count == 1001)
    let known = try #require(first.content?.position.cursor?.text)
    #expect(known.utf8.count < 50)
    let second = try await pollAlerts(
      [Self.list(), Self.status(since: "2026-11-19T00:00:00Z")], known: known)
    #expect(second.content?.upstream?.open == [] && second.content?.position.cursor == cursor(""))
  }

  // MARK: Failures

  @Test func anErrorConcludesNothing() async throws {
    let busy = try await pollAlerts(
      [.ok(Self.list, "Limit of concurrent GET requests reached (8), try again later.\n", status: 503)],
      known: "a")
    #expect(
      busy.failure
        == .status(503, reason: "Limit of concurrent GET requests reached (8), try again later."))
    for body in ["{}", "null", "[", "", "<html>"] {
      let broken = try await pollAlerts([.ok(Self.list, body)], known: "a")
      #expect(broken.failure != nil && broken.content == nil)
    }
  }

  /// The page of a proxy before the server, or of a login.
  @Test func aWebPageIsNamed() async throws {
    let login = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form></form></body></html>"
    #expect(
      try await pollAlerts([.ok(Self.list, login)], known: "a").failure
        == .malformed(line: nil, reason: "it is a web page, “Sign in”"))
    let gateway = "<html>\r\n<head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
    #expect(
      try await pollAlerts([.ok(Self.list, gateway, status: 502)], known: "a").failure
        == .status(502, reason: "Bad Gateway; the response is a web page"))
  }

  @Test func noAnswerIsATrap() async throws {
    let whole = "[\(Self.alert("a", annotations: #"{"summary": "é\n"}"#)),\(Self.alert("b"))]"
    for length in 0..<whole.utf8.count {
      let cut = String(decoding: Array(whole.utf8.prefix(length)), as: UTF8.self)
      #expect(try await pollAlerts([.ok(Self.list, cut)], known: "a").failure != nil)
    }
  }
}
