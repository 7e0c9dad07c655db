import Basics
import Foundation
import HTTP
import Messages
import Testing

@testable import Services

struct HealthchecksTests {
  private static let base = "https://checks.example/hc"
  private static let list = base + "/api/v3/checks/"

  private static func check(
    _ id: String, _ status: String, more: String = "", key: String = "uuid"
  ) -> String {
    #"{"name": "\#(id) job", "slug": "s", "status": "\#(status)", "\#(key)": "\#(id)", "last_ping": "2026-11-20T08:00:00+00:00"\#(more)}"#
  }

  private static func list(_ checks: String...) -> Exchange {
    .ok(list, #"{"checks": [\#(checks.joined(separator: ","))]}"#)
  }

  private static func flips(_ id: String, _ body: String, status: Int = 200) -> Exchange {
    .ok(base + "/api/v3/checks/\(id)/flips/", body, status: status)
  }

  private func pollChecks(_ exchanges: [Exchange], _ cursor: String? = nil, address: String = base)
    async throws
    -> PollOutcome
  {
    try await poll(
      source(address, .healthchecks), from: PollPosition(cursor: cursor.map { Cursor($0) }), exchanges)
  }

  /// The examples of the API's documentation, of a read-only key.
  @Test func aCheckIsReadWithAllItsFields() async throws {
    let outcome = try await pollChecks([
      .ok(
        Self.list,
        """
        {"checks":[{"name":"Database Backup","slug":"database-backup","tags":"production db","desc":"Runs ~/db-backup.sh",\
        "grace":1200,"n_pings":7,"status":"down","started":false,"last_ping":"2020-03-23T10:19:32+00:00","next_ping":null,\
        "unique_key":"124f983e0e3dcaeba921cfcef46efd084576e783","schedule":"15 5 * * *","tz":"UTC"}]}
        """),
      Self.flips(
        "124f983e0e3dcaeba921cfcef46efd084576e783",
        #"{"flips":[{"timestamp":"2020-03-23T10:18:25+00:00","up":1},{"timestamp":"2020-03-23T10:18:23+00:00","up":0}]}"#
      ),
    ])
    var message = IncomingMessage(
      remoteID: RemoteID("124f983e0e3dcaeba921cfcef46efd084576e783:down"), kind: .service,
      title: "Database Backup: down", body: "Runs ~/db-backup.sh")
    message.url = Self.base + "/cloaked/124f983e0e3dcaeba921cfcef46efd084576e783/"
    message.published = Date(timeIntervalSince1970: 1_584_958_703)
    message.priority = Priority(5)
    message.tags = ["production", "db", "down"]
    var extras = MessageExtras()
    extras.occasion = "1584958772"
    message.extras = extras
    let content = try #require(outcome.content)
    #expect(content.messages == [message] && content.problems == [])
    #expect(content.upstream?.open == [message.remoteID] && content.upstream?.absence == .resolved)
  }

  /// The available fields of a check depend on the kind of the key.
  @Test func aCheckWithoutItsIDsIsKnownByItsNames() async throws {
    let uuid = "f618072a-7bde-4eee-af63-71a77c5723bc"
    func bare(_ name: String, _ more: String = "") -> String {
      #"{"name": "\#(name)", "slug": "\#(name)", "tags": "b a", "status": "grace", "last_ping": "2026-11-20T08:00:00+00:00"\#(more)}"#
    }
    func ids(_ checks: String...) async throws -> [RemoteID] {
      let content = try #require(
        try await pollChecks([.ok(Self.list, #"{"checks": [\#(checks.joined(separator: ","))]}"#)]).content)
      #expect(
        content.upstream?.isComplete == true
          && content.upstream?.open == Set(content.messages.map(\.remoteID)))
      return content.messages.map(\.remoteID)
    }
    let made = try await ids(
      bare("web"), bare("mail"), bare("db", #", "ping_url": "https://hc-ping.com/\#(uuid)""#))
    #expect(Set(made).count == 3 && made.last == RemoteID("\(uuid):grace"))
    #expect(try await ids(bare("mail"), bare("web")) == [made[1], made[0]])
    // Checks that nothing distinguishes remain unknown.
    let nameless = try await pollChecks([Self.list(#"{"status": "down"}"#, bare("web"))])
    let content = try #require(nameless.content)
    #expect(content.messages.map(\.remoteID) == [made[0]] && content.problems.leftOut == 1)
    #expect(content.upstream?.isComplete == false)
  }

  @Test func onlyWhatIsLateOrDownIsAMessage() async throws {
    let outcome = try await pollChecks([
      Self.list(
        Self.check("a", "new"), Self.check("b", "up"), Self.check("c", "grace"), Self.check("d", "paused"),
        Self.check("e", "down", more: #", "ping_url": "https://ping.example/e", "pause_url": "https://x/""#)),
      // This is the form in the documentation.
      Self.flips("e", #"[{"timestamp": "2026-11-20T08:30:00+00:00", "up": 0}]"#),
    ])
    let messages = try #require(outcome.content?.messages)
    #expect(messages.map(\.title) == ["c job: late", "e job: down"])
    #expect(messages.map(\.priority) == [Priority(4), Priority(5)])
    #expect(messages.map(\.url) == ["c", "e"].map { Self.base + "/checks/\($0)/details/" })
    #expect(messages.map(\.published) == [-3600, -1800].map { now.addingTimeInterval($0) })
    // A request to its address would be a ping.
    #expect(!messages.contains { "\($0)".contains("ping.example") })
    #expect(outcome.content?.upstream?.open == [RemoteID("c:grace"), RemoteID("e:down")])
  }

  @Test func aStatusThatLastsAsksForNoFlipsAndAChangeDoes() async throws {
    let first = try await pollChecks([
      Self.list(Self.check("a", "grace"))
    ])
    let late = try #require(first.content)
    let second = try await pollChecks(
      [
        Self.list(Self.check("a", "down")),
        Self.flips("a", #"{"flips": [{"timestamp": "2026-11-20T08:59:00Z", "up": 0}]}"#),
      ],
      late.position.cursor?.text)
    let down = try #require(second.content)
    #expect(down.messages[0].published == now.addingTimeInterval(-60))
    #expect(down.messages[0].extras?.occasion == "\(Int(now.timeIntervalSince1970) - 3600)")
    let third = try await pollChecks([Self.list(Self.check("a", "down"))], down.position.cursor?.text)
    #expect(third.content?.messages == down.messages)
    let up = try await pollChecks([Self.list(Self.check("a", "up"))], third.content?.position.cursor?.text)
    #expect(up.content?.messages == [] && up.content?.upstream?.open == [])
    let again = try await pollChecks(
      [
        Self.list(Self.check("a", "down")),
        Self.flips("a", #"{"flips": [{"timestamp": "2026-11-20T08:59:30Z", "up": 0}]}"#),
      ],
      up.content?.position.cursor?.text)
    #expect(again.content?.messages[0].remoteID == down.messages[0].remoteID)
    #expect(again.content?.upstream?.open == [down.messages[0].remoteID])
  }

  @Test func aPingMayMeanThatItWasUpForAMoment() async throws {
    let first = try await pollChecks([
      Self.list(Self.check("a", "down")),
      Self.flips("a", #"{"flips": [{"timestamp": "2026-11-20T08:30:00Z", "up": 0}]}"#),
    ])
    let down = try #require(first.content)
    let pinged = Self.check("a", "down").replacing("08:00:00", with: "08:40:00")
    let second = try await pollChecks(
      [
        Self.list(pinged),
        Self.flips(
          "a",
          #"{"flips": [{"timestamp": "2026-11-20T08:50:00Z", "up": 0}, {"timestamp": "2026-11-20T08:40:00Z", "up": 1}]}"#
        ),
      ],
      down.position.cursor?.text)
    #expect(second.content?.messages[0].published == now.addingTimeInterval(-600))
    #expect(second.content?.messages[0].extras?.occasion != down.messages[0].extras?.occasion)
  }

  @Test func withoutFlipsTheLastPingIsTheTime() async throws {
    let outcome = try await pollChecks([
      Self.list(Self.check("a", "down")), Self.flips("a", "gone", status: 404),
    ])
    let content = try #require(outcome.content)
    #expect(content.messages.map(\.published) == [now.addingTimeInterval(-3600)] && content.problems == [])
  }

  /// An outage is reported immediately; its exact time may come later.
  @Test func manyChangesAreToldAtOnceAndAskedForInSeveralPolls() async throws {
    func flips(_ numbers: Range<Int>) -> [Exchange] {
      numbers.map { Self.flips("c\($0)", #"{"flips": [{"timestamp": "2026-11-20T08:30:00Z", "up": 0}]}"#) }
    }
    let count = Limits.flipsPerPoll + 10
    let many = Exchange.ok(
      Self.list, #"{"checks": [\#((0..<count).map { Self.check("c\($0)", "down") }.joined(separator: ","))]}"#
    )
    let first = try await pollChecks([many] + flips(0..<Limits.flipsPerPoll))
    #expect(first.content?.messages.count == count)
    #expect(first.content?.upstream?.open?.count == count)
    let second = try await pollChecks(
      [many] + flips(Limits.flipsPerPoll..<count), first.content?.position.cursor?.text)
    #expect(second.content?.messages.count == count)
    #expect(second.content?.messages.allSatisfy { $0.published == now.addingTimeInterval(-1800) } == true)
    let occasions = [first, second].map { $0.content?.messages.map(\.extras?.occasion) }
    #expect(occasions[0] == occasions[1])
  }

  /// The time comes with a later poll, and is no second outage.
  @Test(arguments: [429, 500, 503]) func anOutageIsToldWhereItsTimeIsNot(_ status: Int) async throws {
    let first = try await pollChecks([
      Self.list(Self.check("a", "down")),
      .ok(Self.base + "/api/v3/checks/a/flips/", "slow down", ["Retry-After": "20"], status: status),
    ])
    let told = try #require(first.content?.messages.first)
    #expect(told.published == now.addingTimeInterval(-3600))
    #expect(first.hints.retryAfter == (status == 500 ? nil : now.addingTimeInterval(20)))
    let second = try await pollChecks(
      [
        Self.list(Self.check("a", "down")),
        Self.flips("a", #"{"flips": [{"timestamp": "2026-11-20T08:30:00Z", "up": 0}]}"#),
      ], first.content?.position.cursor?.text)
    #expect(second.content?.messages.first?.published == now.addingTimeInterval(-1800))
    #expect(second.content?.messages.first?.extras?.occasion == told.extras?.occasion)
  }

  @Test func thePersonsTagsGoAlong() async throws {
    let outcome = try await pollChecks(
      [.ok(Self.list + "?tag=a&tag=b%20c", #"{"checks": []}"#)], address: Self.base + "/?tag=a&tag=b%20c")
    #expect(outcome.content?.messages == [])
  }

  @Test func aBrokenCheckIsAProblemAndNothingIsResolved() async throws {
    let outcome = try await pollChecks([
      Self.list(
        "3", #"{"status": "up"}"#, Self.check("a", "odd"),
        Self.check("b", "grace", more: #", "desc": 4, "tags": 7"#))
    ])
    let content = try #require(outcome.content)
    #expect(
      content.messages.map(\.remoteID.text) == ["b:grace"] && content.upstream?.open == [RemoteID("b:grace")])
    #expect(content.upstream?.isComplete == false)
    #expect(
      content.problems.map(\.at) == [
        "$.checks[0]", "$.checks[1].uuid", "$.checks[2].status", "$.checks[3].desc", "$.checks[3].tags",
      ])
  }

  @Test func aCheckWithAnUnknownStatusStaysAsItWasAndTheOthersEnd() async throws {
    let first = try await pollChecks([Self.list(Self.check("a", "grace"), Self.check("b", "grace"))])
    let second = try await pollChecks(
      [Self.list(Self.check("a", "odd"))], first.content?.position.cursor?.text)
    let upstream = try #require(second.content?.upstream)
    #expect(upstream.open == [] && upstream.isComplete)
    #expect(
      upstream.unreadable.contains(RemoteID("a:grace")) && !upstream.unreadable.contains(RemoteID("b:grace")))
    // The outage is still the same.
    let third = try await pollChecks(
      [Self.list(Self.check("a", "grace"))], second.content?.position.cursor?.text)
    #expect(third.content?.messages == first.content.map { [$0.messages[0]] })
  }

  @Test func anOlderPingIsThatOfALateAnswer() async throws {
    let first = try await pollChecks([Self.list(Self.check("a", "grace"))])
    let late = Self.check("a", "grace").replacing("08:00:00+00:00", with: "08:30:00+01:00")
    let second = try await pollChecks([Self.list(late)], first.content?.position.cursor?.text)
    #expect(second.content?.messages == first.content?.messages)
    #expect(second.content?.position == first.content?.position)
  }

  @Test func anErrorConcludesNothing() async throws {
    let refused = try await pollChecks([.ok(Self.list, #"{"error": "wrong api key"}"#, status: 401)], "{}")
    #expect(refused.failure == .status(401, reason: "wrong api key"))
    for body in ["", "[]", "{}", "{\"checks\": {}}"] {
      #expect(try await pollChecks([.ok(Self.list, body)]).failure != nil)
    }
    let whole = #"{"checks": [\#(Self.check("a", "up")), \#(Self.check("b", "grace"))]}"#
    for length in 0..<whole.utf8.count {
      #expect(try await pollChecks([.ok(Self.list, String(whole.prefix(length)))]).failure != nil)
    }
    // A cursor of another form is treated as missing.
    for cursor in ["", "[]", "{\"a\": 3}", "{\"a\": [\"down\", \"x\"]}", "{\"a\": [\"odd\"]}"] {
      #expect(try await pollChecks([Self.list(Self.check("a", "up"))], cursor).content != nil)
    }
  }

  @Test func theKeyIsAHeaderOfItsOwn() throws {
    let facts = try #require(SourceAdapters.facts(of: .healthchecks))
    #expect(facts.scheme == .header("X-Api-Key") && facts.writableMarks == [] && facts.needsToken)
  }
}
