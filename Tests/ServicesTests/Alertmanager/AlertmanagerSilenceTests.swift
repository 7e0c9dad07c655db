import Formats
import Foundation
import HTTP
import Messages
import Services
import Testing

struct AlertmanagerSilenceTests {
  private static let base = "https://alerts.example"
  private static let find = base + "/api/v2/silences?filter=alertname%3D%22Disk%20%5C%22a%5C%22%22"
  private static let handle = #"{"alertname":"Disk \"a\"","host":"h"}"#
  private static let matchers =
    #"[{"name":"alertname","value":"Disk \"a\"","isRegex":false,"isEqual":true},{"name":"host","value":"h","isRegex":false,"isEqual":true}]"#

  private static func act(_ mark: OutgoingMark, id: Int64 = 1, handle: String? = handle) -> OutgoingAct {
    OutgoingAct(
      id: OutgoingID(id), message: MessageID(id), remoteID: RemoteID("f\(id)"), mark: mark, made: now,
      handle: handle)
  }

  private static func silence(
    _ id: String, by author: String = "reddot", state: String = "active", matchers: String = matchers
  ) -> String {
    #"{"id": "\#(id)", "createdBy": "\#(author)", "status": {"state": "\#(state)"}, "matchers": \#(matchers)}"#
  }

  private func carry(_ acts: [OutgoingAct], _ exchanges: [Exchange]) async throws -> WriteBackResult {
    try await ScriptedTransport.run(exchanges) { transport in
      let adapters = SourceAdapters(transport: transport)
      return try #require(
        await adapters.carry(
          acts, of: source(Self.base + "/?filter=x", .alertmanager), context: PollContext(now: now)))
    }
  }

  private static func posted(id: String? = nil) -> Exchange {
    .ok(base + "/api/v2/silences", #"{"silenceID": "1"}"#) { request in
      #expect(request.method == .post)
      let old = id.map { #","id":"\#($0)""# } ?? ""
      #expect(
        request.body
          == .bytes(
            Data(
              #"{"matchers":\#(matchers),"startsAt":"2026-11-20T09:00:00Z","endsAt":"2026-11-20T10:00:00Z","createdBy":"reddot","comment":"snoozed"\#(old)}"#
                .utf8), type: "application/json"))
    }
  }

  @Test func snoozingSilencesWithOneMatcherForEachLabel() async throws {
    let result = try await carry(
      [Self.act(.snoozed(until: now.addingTimeInterval(3600)))],
      [
        .ok(Self.find, "[\(Self.silence("x", by: "ada")), \(Self.silence("y", state: "expired"))]"),
        Self.posted(),
      ])
    #expect(result.carried == [OutgoingID(1)] && result.refused.isEmpty && result.failure == nil)
  }

  /// In Swift, a combining mark changes a quotation mark into another character; for a server it does not.
  @Test func aNameWithAHiddenQuoteIsOneMatcher() async throws {
    let result = try await carry(
      [Self.act(.snoozed(until: nil), handle: "{\"alertname\":\"a\\\"\u{301}\\r\\n\"}")],
      [.ok(Self.base + "/api/v2/silences?filter=alertname%3D%22a%5C%22%CC%81%0D%5Cn%22", "[]")])
    #expect(result.carried == [OutgoingID(1)] && result.refused.isEmpty && result.failure == nil)
  }

  @Test func snoozingAgainMovesTheSameSilence() async throws {
    let result = try await carry(
      [Self.act(.snoozed(until: now.addingTimeInterval(3600)))],
      [.ok(Self.find, "[\(Self.silence("mine"))]"), Self.posted(id: "mine")])
    #expect(result.carried == [OutgoingID(1)])
  }

  @Test func undoneItEndsTheSilenceIfThereIsOne() async throws {
    for mark in [OutgoingMark.snoozed(until: nil), .snoozed(until: now.addingTimeInterval(-1))] {
      let result = try await carry(
        [Self.act(mark)],
        [
          .ok(Self.find, "[\(Self.silence("a b"))]"),
          .ok(Self.base + "/api/v2/silence/a%20b", "") { #expect($0.method == .delete && $0.body == nil) },
        ])
      #expect(result.carried == [OutgoingID(1)])
      let others =
        "[\(Self.silence("x", matchers: #"[{"name": "host", "value": "h"}]"#)), \(Self.silence("y", matchers: Self.matchers.replacing("false", with: "true"))), 3, {}]"
      #expect(try await carry([Self.act(mark)], [.ok(Self.find, others)]).carried == [OutgoingID(1)])
    }
  }

  @Test func aSilenceThatIsGoneIsCarriedAndARefusedOneIsSaid() async throws {
    let result = try await carry(
      [
        Self.act(.snoozed(until: nil)), Self.act(.snoozed(until: now.addingTimeInterval(3600)), id: 2),
        Self.act(.snoozed(until: nil), id: 3, handle: nil), Self.act(.snoozed(until: nil), id: 4),
        Self.act(.snoozed(until: nil), id: 5),
      ],
      [
        .ok(Self.find, "[\(Self.silence("x"))]"), .ok(Self.base + "/api/v2/silence/x", "", status: 404),
        .ok(Self.find, "[]"), .ok(Self.base + "/api/v2/silences", #""silence in the past""#, status: 400),
        .ok(Self.find, "busy", ["Retry-After": "30"], status: 503),
      ])
    #expect(result.carried == [OutgoingID(1), OutgoingID(3)])
    #expect(result.refused == [OutgoingID(2): .status(400, reason: "silence in the past")])
    #expect(result.failure == .heldBack(status: 503))
    #expect(result.hints.retryAfter == now.addingTimeInterval(30))
  }

  @Test func theTokenIsForTheServerOnly() throws {
    let facts = try #require(SourceAdapters.facts(of: .alertmanager))
    #expect(!facts.needsToken && facts.scheme == .bearer && facts.writableMarks == [.snooze])
    #expect(SourceAdapters.serviceKinds.contains(.alertmanager))
  }
}
