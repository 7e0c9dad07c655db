import Basics
import Foundation
import HTTP
import Messages
import Services
import Testing

struct NtfyAdapterTests {
  private static let base = "https://ntfy.example"

  private func poll(
    address: String = base + "/a,b", from position: PollPosition = PollPosition(), _ exchanges: Exchange...
  ) async throws -> PollOutcome {
    let (source, context) = try service(.ntfy, address)
    return try await ServicesTests.poll(source, from: position, context: context, exchanges)
  }

  private static func asked(_ since: String, _ topics: String = "a,b") -> String {
    base + "/\(topics)/json?poll=1&since=\(since)"
  }

  private func message(_ line: String) throws -> IncomingMessage {
    let inspection = read(.ntfy, line)
    #expect(inspection.problems == [])
    return try #require(inspection.messages.first)
  }

  @Test func aMessageHasItsFields() throws {
    let message = try message(
      #"""
      {"id":"hwQ2YpKdmg","time":1635528741,"expires":1635571941,"event":"message","topic":"mytopic","title":"Disk\nfull","message":"90 % of /","priority":4,"tags":["warning","cd","backups","no-such-sign"],"click":"https://homecam.mynet.lan/incident/1234","icon":"https://example.org/i.png","actions":[{"id":"1","action":"view","label":"Open","url":"https://example.org/open","clear":true},{"id":"2","action":"http","label":"Close","url":"https://api.mydoor.lan/","method":"PUT","headers":{"Authorization":"Bearer x"},"body":"{\"action\":\"close\"}"},{"id":"3","action":"broadcast","label":"Phone","intent":"x"},{"id":"4","action":"copy","label":"Copy","value":"123"}],"attachment":{"name":"camera.jpg","type":"image/png","size":33848,"expires":1635946561,"url":"https://ntfy.sh/file/x.png"},"content_type":"text/markdown"}
      """#)
    var expected = IncomingMessage(
      remoteID: RemoteID("hwQ2YpKdmg"), kind: .service, title: "⚠️ 💿 Disk full", body: "90 % of /")
    expected.published = Date(timeIntervalSince1970: 1_635_528_741)
    expected.priority = Priority(4)
    expected.tags = ["backups", "no-such-sign"]
    expected.url = "https://homecam.mynet.lan/incident/1234"
    expected.channel = "mytopic"
    var extras = MessageExtras()
    extras.occasion = "hwQ2YpKdmg"
    extras.handle = "mytopic/hwQ2YpKdmg"
    extras.format = .markdown
    extras.enclosures = [Enclosure(url: "https://ntfy.sh/file/x.png", type: "image/png", length: 33848)]
    extras.actions = [
      MessageAction(label: "Open", url: "https://example.org/open"),
      MessageAction(
        label: "Close", url: "https://api.mydoor.lan/",
        request: ActionRequest(
          method: "PUT", headers: ["Authorization": "Bearer x"], body: #"{"action":"close"}"#)),
      MessageAction(label: "camera.jpg", url: "https://ntfy.sh/file/x.png"),
    ]
    expected.extras = extras
    #expect(message == expected)
  }

  @Test func aMessageWithoutATitleHasItsFirstLine() throws {
    let message = try message(
      #"{"id":"x","time":1,"event":"message","topic":"t","message":"first\nsecond","tags":["tada"]}"#)
    #expect(message.title == "🎉 first")
    #expect(message.body == "first\nsecond")
    #expect(message.priority == .normal)
  }

  @Test func aBodyMayBeBase64() throws {
    let message = try message(
      #"{"id":"x","time":1,"event":"message","topic":"t","title":"T","message":"aGVsbG8=","encoding":"base64"}"#
    )
    #expect(message.body == "hello")
  }

  @Test func anUpdateIsNewsOfTheSameMessage() async throws {
    let outcome = try await poll(
      .ok(
        Self.asked("all"),
        #"""
        {"id":"A","time":100,"event":"message","topic":"a","message":"10 %"}
        {"id":"B","sequence_id":"A","time":101,"event":"message_clear","topic":"a"}
        {"id":"C","sequence_id":"A","time":102,"event":"message","topic":"a","message":"20 %"}
        {"id":"k","time":102,"event":"keepalive","topic":"a"}
        {"id":"o","time":99,"event":"open","topic":"a"}
        {"id":"p","time":99,"event":"poll_request","topic":"a"}
        {"id":"D","time":103,"event":"message","topic":"b","message":"gone"}
        {"id":"E","sequence_id":"D","time":104,"event":"message_delete","topic":"b"}
        {"id":"F","sequence_id":"older","time":104,"event":"message_clear","topic":"b"}

        """#))
    let content = try #require(outcome.content)
    #expect(content.messages.map(\.remoteID.text) == ["A"])
    #expect(content.messages.first?.extras?.occasion == "C")
    #expect(content.messages.first?.extras?.handle == "a/A")
    #expect(content.messages.first?.body == "20 %")
    #expect(
      content.upstream?.marks == [
        UpstreamState.Mark(RemoteID("D"), UpstreamMarks(isDone: true)),
        UpstreamState.Mark(RemoteID("older"), UpstreamMarks(isRead: true)),
      ])
    #expect(content.upstream?.open == nil)
    #expect(content.link == Self.base + "/a")
    #expect(content.problems == [])
  }

  @Test func aLineWithoutAnEventIsAProblem() async throws {
    let outcome = try await poll(
      .ok(
        Self.asked("all"),
        #"""
        {"id":"A","time":100,"topic":"a","message":"m"}
        {"id":"B","time":100,"event":7,"topic":"a","message":"m"}
        {"id":"C","time":100,"event":"message","topic":"a","message":"m"}
        """#))
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["C"])
    #expect(outcome.content?.problems.map(\.at) == ["1.event", "2.event"])
  }

  /// The server does not keep the order within a second.
  @Test func withinASecondAMessageComesBeforeItIsRead() async throws {
    let outcome = try await poll(
      .ok(
        Self.asked("all"),
        #"""
        {"id":"B","sequence_id":"A","time":100,"event":"message_clear","topic":"a"}
        {"id":"A","time":100,"event":"message","topic":"a","message":"m"}
        """#))
    #expect(outcome.content?.messages.count == 1)
    #expect(
      outcome.content?.upstream?.marks == [UpstreamState.Mark(RemoteID("A"), UpstreamMarks(isRead: true))])
  }

  @Test func theNextPollReadsTheLastMinuteAgainAndKnowsWhatItRead() async throws {
    let line = #"{"id":"A","time":1000,"event":"message","topic":"a","message":"m"}"#
    let first = try await poll(.ok(Self.asked("all"), line))
    let position = try #require(first.content?.position)
    let same = try await poll(from: position, .ok(Self.asked("940"), line))
    #expect(same.notModified == position)
    // A delayed message that was delivered late.
    let late = #"{"id":"L","time":995,"event":"message","topic":"a","message":"late"}"#
    let next = try await poll(from: position, .ok(Self.asked("940"), late + "\n" + line + "\n"))
    #expect(next.content?.messages.map(\.remoteID.text) == ["L"])
  }

  /// The server's clock was a day fast until it was corrected.
  @Test func aClockThatWasAheadHidesNothing() async throws {
    let ahead = #"{"id":"A","time":1795251600,"event":"message","topic":"a","message":"m"}"#
    let first = try await poll(.ok(Self.asked("all"), ahead, ["Date": "Fri, 20 Nov 2026 09:00:00 GMT"]))
    let position = try #require(first.content?.position)
    let right = #"{"id":"B","time":1795165260,"event":"message","topic":"a","message":"m"}"#
    let next = try await poll(from: position, .ok(Self.asked("1795165140"), right + "\n" + ahead))
    #expect(next.content?.messages.map(\.remoteID.text) == ["B"])
  }

  @Test(arguments: [
    ("mailto:ann@example.org", "mailto:ann@example.org"), ("geo:37.78,-122.39", "geo:37.78,-122.39"),
    ("/relative", nil), ("https://a b", nil),
  ])
  func aClickMayOpenAnyKindOfAddress(click: String, url: String?) throws {
    let message = try message(
      #"{"id":"x","time":1,"event":"message","topic":"t","message":"m","click":"\#(click)"}"#)
    #expect(message.url == url)
  }

  @Test(arguments: [
    ("?priority=high,urgent", ["4", "5"]), ("?p=4", ["4"]), ("?tags=disk,full", ["5"]),
    ("?ta=disk", ["4", "5"]),
    ("?title=T%203", ["3"]), ("?message=m5", ["5"]), ("?id=4", ["4"]), ("?something=else", ["3", "4", "5"]),
  ])
  func filtersAreAppliedHere(query: String, ids: [String]) async throws {
    let outcome = try await poll(
      address: Self.base + "/a" + query,
      .ok(
        Self.asked("all", "a"),
        #"""
        {"id":"3","time":1,"event":"message","topic":"a","title":"T 3","message":"m3"}
        {"id":"4","time":2,"event":"message","topic":"a","title":"T 4","message":"m4","priority":4,"tags":["disk"]}
        {"id":"5","time":3,"event":"message","topic":"a","title":"T 5","message":"m5","priority":5,"tags":["full","disk"]}
        {"id":"6","sequence_id":"0","time":4,"event":"message_clear","topic":"a"}
        """#))
    #expect(outcome.content?.messages.map(\.remoteID.text) == ids)
    #expect(outcome.content?.upstream?.marks.count == 1)
  }

  @Test func aBadLineIsAProblemAndTheRestIsKept() async throws {
    let outcome = try await poll(
      .ok(
        Self.asked("all"),
        #"""
        {"id":"A","time":1,"event":"message","topic":"a","message":"m"}
        [1]
        {"time":1,"event":"message"}
        {"id":"B","time":"soon","event":"message"}
        {"id":"C","time":2,"event":"message","topic":"a","mess
        """#))
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["A"])
    #expect(outcome.content?.problems.map(\.at) == ["2", "3", "4.time", "5"])
  }

  /// The first lines of the response are the oldest messages.
  @Test func ofAnAnswerThatIsTooLargeTheRestComesWithTheNextPoll() async throws {
    let lines = (0..<45_000).map {
      #"{"id":"m\#($0)","time":\#(1000 + $0),"event":"message","topic":"a","message":"m"}"#
    }
    let first = try await poll(.ok(Self.asked("all"), lines.joined(separator: "\n")))
    let content = try #require(first.content)
    let count = content.messages.count
    #expect(count > 10_000 && count < lines.count)
    #expect(content.problems.contains { $0.message.contains("far more than its size") })
    let since = 1000 + count - 1 - 60
    let rest = lines[(since - 1000)...].joined(separator: "\n")
    let next = try await poll(from: content.position, .ok(Self.asked("\(since)"), rest))
    #expect(next.content?.messages.first?.remoteID.text == "m\(count)")
    #expect(next.content?.messages.count == lines.count - count)
  }

  @Test func aPageIsNoListOfMessages() async throws {
    let outcome = try await poll(.ok(Self.asked("all"), "<html>Welcome</html>"))
    #expect(outcome.failure == .malformed(line: 1, reason: "this is not a list of ntfy's messages"))
  }

  @Test(arguments: [
    (base + "/sub/a", base + "/sub/a/json?poll=1&since=all"),
    (base + "/a/json", base + "/a/json?poll=1&since=all"),
    (base + "/a/", base + "/a/json?poll=1&since=all"),
  ])
  func topicsAreTheLastPartOfTheAddress(address: String, asked: String) async throws {
    let outcome = try await poll(address: address, .ok(asked, ""))
    #expect(outcome.notModified == PollPosition())
  }

  @Test func anAddressWithoutATopicIsAMistake() async throws {
    let outcome = try await poll(address: Self.base)
    #expect(outcome.failure == .invalidAddress(Self.base))
  }

  @Test func aServerSaysWhyItRefuses() async throws {
    let outcome = try await poll(
      .ok(
        Self.asked("all"), #"{"code":40301,"http":403,"error":"forbidden","link":"https://ntfy.sh/docs"}"#,
        status: 403))
    #expect(outcome.failure == .status(403, reason: "forbidden"))
  }

  // MARK: Acts and the stream

  @Test func readingAndDismissingIsToldToOthers() async throws {
    let result = try await carry(
      .ntfy, Self.base + "/a,b",
      [act(1, "A", .read(true), handle: "a/A"), act(2, "B", .done(true), handle: "b/B")],
      .ok(Self.base + "/a/A/clear", "{}") { #expect($0.method == .put) },
      .ok(Self.base + "/b/B", "{}") { #expect($0.method == .delete) })
    #expect(result.carried.count == 2)
  }

  @Test(arguments: [404, 405])
  func anOldServerRefusesForGood(status: Int) async throws {
    let result = try await carry(
      .ntfy, Self.base + "/a",
      [act(1, "A", .read(true), handle: "a/A"), act(2, "B", .done(true), handle: "a/B")],
      .ok(
        Self.base + "/a/A/clear", #"{"code":40401,"http":404,"error":"page not found"}"#, status: status))
    #expect(result.carried.isEmpty && result.failure == nil)
    // The second act is not sent.
    let reason = FetchFailure.status(405, reason: "the server needs ntfy 2.16 for this")
    #expect(result.refused == [OutgoingID(1): reason, OutgoingID(2): reason])
  }

  @Test(arguments: [nil, "a", "a/../b", "a/b/c", "a/", "/b", "a/ü"])
  func aHandleThatIsNoneIsRefused(handle: String?) async throws {
    let result = try await carry(.ntfy, Self.base + "/a", [act(1, "A", .read(true), handle: handle)])
    #expect(result.refused.count == 1)
  }

  @Test func theStreamTellsOfMessages() async throws {
    let (source, context) = try service(.ntfy, Self.base + "/a,b?priority=high")
    let transport = NoTransport()
    let adapters = SourceAdapters(transport: transport)
    let stream = try #require(try await adapters.stream(of: source, context: context))
    #expect(stream.request.url == Self.base + "/a,b/json?since=none")
    #expect(stream.form == .lines)
    #expect(stream.isNews(#"{"id":"A","time":1,"event":"message","topic":"a"}"#))
    #expect(stream.isNews(#"{"id":"A","time":1,"event":"message_clear","topic":"a"}"#))
    #expect(stream.isNews(#"{"id":"A","time":1,"event":"message_delete","topic":"a"}"#))
    #expect(!stream.isNews(#"{"id":"A","time":1,"event":"open","topic":"a"}"#))
    #expect(!stream.isNews(#"{"id":"A","time":1,"event":"keepalive","topic":"a"}"#))
    #expect(!stream.isNews("oops"))
  }
}
