import Foundation
import HTTP
import Messages
import Queries
import Services
import Storage
import TestBasics
import Testing

/// The states of the contract, through the adapter and the store. They are not part of the project: they are in
/// `identity/vectors.json` in the folder `shared` next to it.
@Suite(
  .enabled(
    if: StateVector.areThere, "skipped: there is no ../shared/identity/vectors.json beside the project"))
struct SharedStatesTests {
  /// - Parameter reads: whether the user reads each message before the next response.
  @Test(arguments: [false, true]) func eachVectorIsWhatTheInboxShows(reads: Bool) async throws {
    let vectors = try StateVector.read()
    #expect(vectors.count >= 6)
    for vector in vectors {
      try await run(vector, reads: reads)
    }
  }

  private func run(_ vector: StateVector, reads: Bool) async throws {
    let inbox = try AlertInbox(reads: reads)
    for (number, step) in vector.steps.enumerated() {
      let (verdicts, over) = try await inbox.poll(step.alerts.map(\.json), isComplete: step.complete)
      #expect(verdicts == step.expect, "\(vector.name), answer \(number + 1)")
      #expect(over == step.over, "\(vector.name), answer \(number + 1)")
    }
  }

  @Test func theMiddleOneOfThreeAlertsHasNoFingerprint() async throws {
    let inbox = try AlertInbox()
    let alerts = ["a", nil, "c"].map { fingerprint in
      StateVector.Alert(
        labels: ["alertname": "Disk", "name": fingerprint ?? "none"], starts: "2026-11-20T09:10:11Z",
        fingerprint: fingerprint
      ).json
    }
    #expect(try await inbox.poll(alerts).verdicts == ["new", "new", "new"])
    #expect(try await inbox.poll([alerts[0], alerts[2]]) == (["same", "same"], 1))
    #expect(try await inbox.poll(alerts).verdicts == ["same", "restored", "same"])
  }

  @Test func startsAreComparedAsMomentsWhateverTheirOffset() async throws {
    let inbox = try AlertInbox(reads: true)
    func alert(_ start: String) -> String {
      StateVector.Alert(labels: ["alertname": "Disk"], starts: start, fingerprint: "a").json
    }
    _ = try await inbox.poll([alert("2026-11-20T08:10:11Z")])
    let answers = [
      // The time is earlier, although its text is later.
      ("2026-11-20T10:10:10+02:00", "same"), ("2026-11-20T10:10:11+02:00", "same"),
      ("2026-11-20T08:10:11Z", "same"),
      // The time is later, although its text is earlier.
      ("2026-11-20T07:10:12-01:00", "come-again"), ("2026-11-20T08:10:11Z", "same"),
      ("2026-11-20T08:10:12Z", "same"),
    ]
    for (start, verdict) in answers {
      #expect(try await inbox.poll([alert(start)]) == ([verdict], 0), "\(start)")
    }
  }

  @Test func anAnswerThatCannotBeReadEndsNothing() async throws {
    let inbox = try AlertInbox()
    let alert = StateVector.Alert(
      labels: ["alertname": "Disk"], starts: "2026-11-20T09:10:11Z", fingerprint: "a"
    ).json
    _ = try await inbox.poll([alert])
    for body in ["[", "[\(alert)", "", "{}", "<html>"] {
      try await inbox.poll(body: body)
      #expect(try await inbox.poll([alert]) == (["same"], 0), "\(body)")
    }
    // A server that has only just started does not resolve it either.
    inbox.server.uptime = "2026-11-20T08:59:30Z"
    try await inbox.poll(body: "[]")
    #expect(try await inbox.poll([alert]) == (["same"], 0))
  }
}

/// An inbox with one Alertmanager, which shows all notifications.
private final class AlertInbox {
  let server = AlertServer()
  private let store: Store
  private let source: Source
  /// Whether the user reads each message before the next response.
  private let reads: Bool

  init(reads: Bool = false) throws {
    self.reads = reads
    store = try Store.inMemory(now: now)
    let settings = SourceSettings(kind: .alertmanager, address: AlertServer.base)
    source = try #require(
      try store.sources.register([ConfiguredSource(name: "alerts", settings: settings)], at: now).first)
    store.judgeArrivals(with: Telling())
  }

  /// Polls a response with some alerts.
  ///
  /// - Parameter isComplete: whether all elements can be read.
  /// - Returns: the verdict on each alert, and the number of those that ended.
  func poll(_ alerts: [String], isComplete: Bool = true) async throws -> (verdicts: [String], over: Int) {
    let before = try messages()
    let body = "[\((alerts + (isComplete ? [] : ["7"])).joined(separator: ","))]"
    let told = try await poll(body: body)
    let after = try messages()
    let ids = try alerts.map { alert in
      let read = ServicesTests.read(.alertmanager, "[\(alert)]", address: AlertServer.base)
      return try #require(read.messages.first).remoteID
    }
    let verdicts = ids.map { id -> String in
      guard let old = before[id] else { return "new" }
      if told.contains(old.id) { return "come-again" }
      return old.resolved != nil && after[id]?.resolved == nil ? "restored" : "same"
    }
    for (id, verdict) in zip(ids, verdicts) {
      #expect(after[id]?.isUnread == (!reads || verdict == "new" || verdict == "come-again"))
    }
    if reads { try store.acts.perform(.read(after.values.map(\.id)), at: now) }
    return (verdicts, after.count { $1.resolved != nil && before[$0]?.resolved == nil })
  }

  /// - Returns: the messages with a notification, which is then shown.
  @discardableResult
  func poll(body: String) async throws -> Set<MessageID> {
    server.alerts = body
    let adapter = try #require(SourceAdapters(transport: server).adapter(for: .alertmanager))
    let outcome = await adapter.poll(
      source, position: try store.polls.position(of: source.id), context: PollContext(now: now))
    try store.polls.record(
      outcome, for: source.id, attempt: .periodic, start: now, end: now, state: PollState())
    let waiting = try store.notices.waiting(for: .desktop).map(\.message)
    if let notice = try store.notices.claim(waiting, as: .digest, for: .desktop, at: now) {
      try store.notices.confirm(notice.id, named: "1")
    }
    return Set(waiting)
  }

  private func messages() throws -> [RemoteID: Message] {
    let newest = try store.lists.snapshot(InboxQuery(), InboxWindow(after: 1)).newest.rawValue
    let all = try (0...newest).compactMap { try store.messages.find(MessageID($0)) }
    return Dictionary(uniqueKeysWithValues: all.map { ($0.content.remoteID, $0) })
  }

  private struct Telling: ArrivalJudging, ArrivalJudge {
    func judge(_ tokenizer: any QueryTokenizer, at now: Date) -> any ArrivalJudge { self }

    func verdict(on facts: @autoclosure () -> Facts, _ arrival: Arrival) -> Verdict {
      var verdict = Verdict()
      verdict.channels = [.desktop]
      return verdict
    }
  }
}

/// A server that has run for a while, unless its start is set.
private final class AlertServer: HTTPTransport, @unchecked Sendable {
  static let base = "https://alerts.example"
  var alerts = "[]"
  var uptime = "2026-11-01T00:00:00Z"

  func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
    let body = request.url.hasSuffix("/status") ? #"{"uptime": "\#(uptime)"}"# : alerts
    return TransportResponse(status: 200, headers: [:], body: Data(body.utf8), finalURL: request.url)
  }
}

private struct StateVector: Decodable {
  struct Alert: Decodable {
    var labels: [String: String]
    var starts: String
    var fingerprint: String?

    var json: String {
      let members = labels.sorted { $0.key < $1.key }.map { #""\#($0.key)": "\#($0.value)""# }
      let id = fingerprint.map { #""fingerprint": "\#($0)", "# } ?? ""
      return
        #"{\#(id)"labels": {\#(members.joined(separator: ", "))}, "startsAt": "\#(starts)", "status": {"state": "active"}}"#
    }
  }

  struct Step: Decodable {
    var alerts: [Alert]
    var complete: Bool
    var expect: [String]
    var over: Int
  }

  var name: String
  var steps: [Step]

  private static let file = Project.folder.appending(path: "../shared/identity/vectors.json").standardized

  static let areThere = FileManager.default.fileExists(atPath: file.path)

  static func read() throws -> [StateVector] {
    struct Kind: Decodable { var kind: String }
    let data = try Data(contentsOf: file)
    let kinds = try JSONDecoder().decode([Kind].self, from: data)
    let objects = try #require(try JSONSerialization.jsonObject(with: data) as? [Any])
    return try zip(kinds, objects).filter { $0.0.kind == "states" }.map {
      try JSONDecoder().decode(StateVector.self, from: JSONSerialization.data(withJSONObject: $0.1))
    }
  }
}
