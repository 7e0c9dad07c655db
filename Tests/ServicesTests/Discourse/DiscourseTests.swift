import Basics
import Foundation
import HTTP
import Messages
import Testing

@testable import Services

struct DiscourseTests {
  private static let base = "https://forum.example/f"
  private static let list = base + "/notifications.json?limit=60"

  private static func item(_ id: Int, read: Bool = false, _ more: String = "") -> String {
    #"{"id": \#(id), "notification_type": 2, "read": \#(read), "created_at": "2026-11-20T08:00:00.000Z", "data": {}\#(more)}"#
  }

  private static func page(_ items: [String]) -> String {
    #"{"notifications": [\#(items.joined(separator: ","))], "total_rows_notifications": 3, "load_more_notifications": "/notifications?offset=60&recent=true"}"#
  }

  private func pollForum(
    _ exchanges: [Exchange], _ cursor: String? = nil, address: String = base
  ) async throws -> PollOutcome {
    try await poll(
      source(address, .discourse), from: PollPosition(cursor: cursor.map { Cursor($0) }), exchanges)
  }

  private func carry(_ marks: [(id: String, mark: OutgoingMark)], _ exchanges: [Exchange]) async throws
    -> WriteBackResult
  {
    let acts = marks.enumerated().map { number, act in
      OutgoingAct(
        id: OutgoingID(Int64(number)), message: MessageID(1), remoteID: RemoteID(act.id), mark: act.mark,
        made: now)
    }
    return try await ScriptedTransport.run(exchanges) { transport in
      let adapters = SourceAdapters(transport: transport)
      return try #require(
        await adapters.carry(acts, of: source(Self.base, .discourse), context: PollContext(now: now)))
    }
  }

  /// An administrator's key needs the name of the user in a separate header.
  @Test(arguments: [nil, "ada"])
  func theKeyIsSentAsTheForumKnowsIt(user: String?) async throws {
    let scheme = try #require(SourceAdapters.facts(of: .discourse)).scheme
    let credential = Credential.configured(scheme, token: "k", user: user, address: Self.base)
    let check: @Sendable (TransportRequest) -> Void = { request in
      let field = Origin(Self.base).flatMap { request.credential?.field(for: $0) }
      #expect(field == HeaderField(user == nil ? "User-Api-Key" : "Api-Key", "k"))
      #expect(request.headers.filter { $0.name == "Api-Username" }.map(\.value) == [user].compactMap(\.self))
    }
    let context = PollContext(now: now, credential: credential)
    let outcome = try await poll(
      source(Self.base, .discourse), context: context, [.ok(Self.list, Self.page([]), check: check)])
    #expect(outcome.failure == nil)
    let result = try await ScriptedTransport.run([
      .ok(Self.base + "/notifications/mark-read.json", #"{"success":"OK"}"#, check: check)
    ]) { transport in
      let adapters = SourceAdapters(transport: transport)
      return try #require(
        await adapters.carry(
          [act(1, "7", .read(true))], of: source(Self.base, .discourse), context: context))
    }
    #expect(result.carried == [OutgoingID(1)])
  }

  /// The example from the forum's fixtures.
  @Test func aNotificationIsReadWithAllItsFields() async throws {
    let outcome = try await pollForum([
      .ok(
        Self.list,
        Self.page([
          """
          {"id":123,"notification_type":2,"read":false,"high_priority":false,"created_at":"2026-08-20T10:00:00.000Z",\
          "post_number":1,"topic_id":1234,"slug":"a-slug","fancy_title":"some title","data":{"topic_title":"some title",\
          "display_username":"velesin"}}
          """
        ])
      ) { #expect($0.headers.contains(HeaderField("Accept", "application/json"))) }
    ])
    var message = IncomingMessage(
      remoteID: RemoteID("123"), kind: .service, title: "some title", body: "replied")
    message.url = Self.base + "/t/a-slug/1234/1"
    message.author = "velesin"
    message.published = Date(timeIntervalSince1970: 1_787_220_000)
    message.tags = ["replied"]
    let content = try #require(outcome.content)
    #expect(content.messages == [message] && content.problems == [])
    #expect(
      content.position == PollPosition(cursor: Cursor(#"{"newest":"123","time":"2026-08-20T10:00:00Z"}"#)))
    #expect(content.upstream?.marks == [] && content.upstream?.open == nil)
  }

  @Test func otherKindsHaveTheirTitlesAndAddresses() async throws {
    let items = [
      #"{"id": 5, "notification_type": 6, "high_priority": true, "topic_id": 7, "fancy_title": "A &amp; B &lt;x&gt; &rsquo;", "data": {}}"#,
      #"{"id": 4, "notification_type": 12, "data": {"badge_id": 3, "badge_name": "First", "badge_slug": "first", "username": "ada"}}"#,
      #"{"id": 3, "notification_type": 16, "data": {"group_name": "staff", "inbox_count": "12"}}"#,
      #"{"id": 2, "notification_type": 4711, "topic_id": 8, "slug": "%E4%BD%A0", "post_number": 2, "data": {"topic_title": "T <b>"}}"#,
      #"{"id": 1, "acting_user_name": "Bo"}"#,
    ]
    let outcome = try await pollForum([.ok(Self.list, Self.page(items))])
    let messages = try #require(outcome.content?.messages)
    #expect(messages.map(\.title) == ["notification", "T <b>", "staff", "First", "A & B <x> ’"])
    #expect(
      messages.map(\.body) == [
        "notification", "type 4711", "group message summary (12)", "granted badge", "private message",
      ])
    #expect(
      messages.map(\.url) == [
        nil, Self.base + "/t/%E4%BD%A0/8/2", nil, Self.base + "/badges/3/first", Self.base + "/t/7",
      ])
    #expect(messages.map(\.author) == ["Bo", nil, nil, "ada", nil])
    #expect(messages.last?.priority == Priority(4) && messages[0].priority == .normal)
  }

  @Test func whatIsReadThereIsSaidAndTheRestIsLeftAlone() async throws {
    let outcome = try await pollForum(
      [
        .ok(
          Self.list,
          Self.page([Self.item(9), Self.item(8, read: true), Self.item(6, read: true), Self.item(5)]))
      ], "7")
    let content = try #require(outcome.content)
    #expect(content.messages.map(\.remoteID.text) == ["8", "9"])
    #expect(
      content.upstream?.marks == ["8", "6"].map { .init(RemoteID($0), UpstreamMarks(isRead: true)) })
    #expect(content.position.cursor == Cursor(#"{"newest":"9","time":"2026-11-20T08:00:00Z"}"#))
  }

  // MARK: Pages

  @Test func aFirstPollTakesOnePage() async throws {
    let items = (0..<60).map { Self.item(1000 - $0) }
    let outcome = try await pollForum([.ok(Self.list, Self.page(items))])
    #expect(outcome.content?.messages.count == 60)
    #expect(outcome.content?.position.cursor?.text.hasPrefix(#"{"newest":"1000","#) == true)
  }

  @Test func laterOnesGoOnToWhatIsKnownAndNothingComesTwice() async throws {
    // A new notification shifts the second page.
    let outcome = try await pollForum(
      [
        .ok(Self.list, Self.page([12, 11, 10].map { Self.item($0) })),
        .ok(Self.list + "&offset=60", Self.page([10, 9, 8].map { Self.item($0) })),
        .ok(Self.list + "&offset=120", Self.page([7, 6].map { Self.item($0) })),
      ], "7")
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["10", "11", "12", "8", "9", "10"])
    #expect(outcome.content?.position.cursor?.text.hasPrefix(#"{"newest":"12","#) == true)
    let end = try await pollForum(
      [.ok(Self.list, Self.page([Self.item(12)])), .ok(Self.list + "&offset=60", Self.page([]))], "7")
    #expect(end.content?.messages.map(\.remoteID.text) == ["12"])
  }

  /// A server that was restored from a backup continues with older ids.
  @Test func anIDThatIsUsedAgainIsNews() async throws {
    let first = try await pollForum([.ok(Self.list, Self.page([Self.item(9), Self.item(8)]))], "8")
    let later = Self.item(9).replacing("2026-11-20T08:00:00", with: "2026-11-20T08:30:00")
    let again = try await pollForum(
      [.ok(Self.list, Self.page([later, Self.item(7)]))], first.content?.position.cursor?.text)
    #expect(again.content?.messages.map(\.remoteID.text) == ["9"])
  }

  @Test func noMorePagesThanTheServerAllowsAreAskedFor() async throws {
    let pages = (0..<Limits.discoursePages).map { page in
      Exchange.ok(
        Self.list + (page == 0 ? "" : "&offset=\(page * 60)"), Self.page([Self.item(100_000 - page)]))
    }
    let outcome = try await pollForum(pages, "1")
    #expect(outcome.content?.messages.count == Limits.discoursePages)
  }

  @Test func aFailureOnALaterPageLosesNothing() async throws {
    let outcome = try await pollForum(
      [.ok(Self.list, Self.page([Self.item(12)])), .ok(Self.list + "&offset=60", "", status: 500)], "7")
    #expect(outcome.failure == .status(500, reason: "Internal Server Error"))
  }

  @Test func theAddressCannotAskWhatClearsTheBell() async throws {
    let outcome = try await pollForum(
      [.ok(Self.list, Self.page([]))], address: Self.base + "/?recent=true&silent=false")
    #expect(outcome.content?.messages == [])
  }

  // MARK: Failures

  @Test func theServersWaitIsObeyedWhereverItStands() async throws {
    let trials: [(body: String, headers: HeaderFields, seconds: Double)] = [
      (
        #"{"errors": ["You’ve performed this action too many times"], "error_type": "rate_limit", "extras": {"wait_seconds": 12}}"#,
        [:], 12
      ),
      ("", ["Retry-After": "7"], 7), ("slow down", [:], 60), (#"{"extras": {"wait_seconds": -5}}"#, [:], 1),
    ]
    for trial in trials {
      let outcome = try await pollForum([.ok(Self.list, trial.body, trial.headers, status: 429)])
      #expect(outcome.failure == .heldBack(status: 429))
      #expect(outcome.hints.retryAfter == now.addingTimeInterval(trial.seconds))
    }
  }

  @Test func brokenOnesAreProblemsAndTheOthersAreKept() async throws {
    let outcome = try await pollForum([
      .ok(
        Self.list,
        Self.page(["3", #"{"id": "x"}"#, "{}", Self.item(4, #", "data": 7, "slug": 3, "topic_id": "x""#)]))
    ])
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["4"])
    #expect(
      outcome.content?.problems.map(\.at).prefix(3) == [
        "$.notifications[0]", "$.notifications[1].id", "$.notifications[2].id",
      ])
    let whole = Self.page([Self.item(1), Self.item(2)])
    for length in 0..<whole.utf8.count {
      #expect(try await pollForum([.ok(Self.list, String(whole.prefix(length)))]).failure != nil)
    }
  }

  // MARK: Acts

  @Test func oneIsMarkedReadByItsIdAndNeverAll() async throws {
    let result = try await carry(
      [
        ("123", .read(true)), ("", .read(true)), ("all", .read(true)), ("9", .read(false)),
        ("9", .done(true)),
      ],
      [
        .ok(Self.base + "/notifications/mark-read.json", #"{"success": "OK"}"#) { request in
          #expect(request.method == .put)
          #expect(
            request.body == .bytes(Data("id=123".utf8), type: "application/x-www-form-urlencoded"))
        }
      ])
    #expect(result.carried.count == 5)
    #expect(SourceAdapters.facts(of: .discourse)?.writableMarks == [.read])
    let limited = try await carry(
      [("1", .read(true)), ("2", .read(true))],
      [.ok(Self.base + "/notifications/mark-read.json", #"{"extras": {"wait_seconds": 3}}"#, status: 429)])
    #expect(limited.carried.isEmpty && limited.failure == .heldBack(status: 429))
    #expect(limited.hints.retryAfter == now.addingTimeInterval(3))
  }
}
