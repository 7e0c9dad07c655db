import Basics
import Foundation
import HTTP
import Messages
import StandIns
import TestBasics
import Testing

@testable import Services

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct MinifluxAdapterTests {
  private static let base = "https://reader.example/miniflux"
  private static let token = Credential.configured(.header("X-Auth-Token"), token: "key", address: base)
  private static let idle = MinifluxCursor(newest: 900, since: 1_795_165_000).stored

  private func poll(
    _ exchanges: [Exchange], from cursor: Cursor? = Self.idle, address: String = Self.base
  ) async throws -> PollOutcome {
    try await ServicesTests.poll(
      source(address, .miniflux), from: PollPosition(cursor: cursor),
      context: PollContext(now: now, credential: Self.token), exchanges)
  }

  private static func changes(_ since: Int = 1_795_164_990) -> String {
    base + "/v1/entries?changed_after=\(since)&order=id&direction=asc&limit=100"
  }

  private static func news(after id: Int) -> String {
    base + "/v1/entries?after_entry_id=\(id)&order=id&direction=asc&limit=100"
  }

  private static let date: HeaderFields = ["Date": "Fri, 20 Nov 2026 08:58:20 GMT"]

  /// The example of the API's documentation, with the additions of newer versions.
  private static let example = #"""
    {"id":888,"user_id":123,"feed_id":42,"title":"Entry Title","url":"http://example.org/article.html",
    "comments_url":"http://example.org/comments","author":"Foobar","content":"<p>HTML <b>contents</b></p>",
    "hash":"29f99e40","published_at":"2016-12-12T16:15:19Z","created_at":"2016-12-27T16:15:19Z",
    "changed_at":"2026-11-20T08:58:00Z","status":"unread","starred":true,"reading_time":1,
    "tags":["one","two","one"],"enclosures":[{"id":1,"url":"http://example.org/a%20b.mp3","mime_type":"audio/mpeg",
    "size":1234,"media_progression":0},{"url":"http://example.org/","mime_type":"","size":0},{"size":1}],
    "feed":{"id":42,"title":"New Feed Title","site_url":"http://example.org","category":{"id":22,"title":"Another category"}}}
    """#

  /// A server sends as many as were requested.
  @Test func aPageOfFarMoreEntriesThanTheAllowanceIsRefused() throws {
    let entries = (1...60_000).map { "{\"id\":\($0)}" }.joined(separator: ",")
    let document = Data("{\"total\":60000,\"entries\":[\(entries)]}".utf8)
    let failure = try #require(throws: ServiceFailure.self) {
      try MinifluxPage(document, Allowance(documentBytes: document.count))
    }
    guard case .malformed(_, let reason) = failure.failure else {
      Issue.record("\(failure.failure)")
      return
    }
    #expect(reason.contains("far more than its size"))
  }

  @Test func theDocumentedEntryIsReadWithAllItsFields() async throws {
    let outcome = try await poll(
      [
        .ok(Self.changes(), "{\"total\":1,\"entries\":[\(Self.example)]}", Self.date) { request in
          #expect(request.credential == Self.token)
        }, .ok(Self.news(after: 800), "{\"total\":1,\"entries\":[\(Self.example)]}", Self.date),
      ], from: MinifluxCursor(newest: 800, since: 1_795_165_000).stored)
    let content = try #require(outcome.content)
    #expect(content.problems == [])
    #expect(content.link == Self.base + "/unread")
    let message = try #require(content.messages.first)
    #expect(content.messages.count == 1)
    #expect(message.remoteID == RemoteID("888"))
    #expect(message.kind == .service)
    #expect(message.title == "Entry Title")
    #expect(message.body == "HTML contents")
    #expect(message.html == "<p>HTML <b>contents</b></p>")
    #expect(message.url == "http://example.org/article.html")
    #expect(message.author == "Foobar")
    #expect(message.channel == "New Feed Title")
    #expect(message.published == Date(timeIntervalSince1970: 1_481_559_319))
    #expect(message.tags == ["one", "two", "Another category"])
    #expect(message.extras?.actions.map(\.label) == ["comments", "a b.mp3", "http://example.org/"])
    #expect(message.extras?.actions.first?.url == "http://example.org/comments")
    #expect(
      message.extras?.enclosures == [
        Enclosure(url: "http://example.org/a%20b.mp3", type: "audio/mpeg", length: 1234),
        Enclosure(url: "http://example.org/"),
      ])
    let marks = UpstreamMarks(isRead: false, isStarred: true)
    #expect(content.upstream?.marks.allSatisfy { $0 == .init(RemoteID("888"), marks) } == true)
    #expect(content.upstream?.open == nil)
    #expect(content.position.cursor == MinifluxCursor(newest: 888, since: 1_795_165_100).stored)
  }

  @Test func anOldEntryWithLittleIsReadToo() async throws {
    let old =
      #"{"id":1,"status":"read","title":"","content":"only <i>this</i>","enclosures":null,"tags":null}"#
    let outcome = try await poll(
      [.ok(Self.news(after: 0), "{\"total\":1,\"entries\":[\(old)]}")], from: MinifluxCursor(newest: 0).stored
    )
    let message = try #require(outcome.content?.messages.first)
    #expect(message.title == "only this")
    #expect(message.extras == nil)
    #expect(message.published == nil)
    #expect(outcome.content?.upstream?.marks == [.init(RemoteID("1"), UpstreamMarks(isRead: true))])
    #expect(outcome.content?.position.cursor == MinifluxCursor(newest: 1).stored)
  }

  /// Go and .NET write their zero time if there is none.
  @Test(arguments: ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "0001-01-01T00:00:00"])
  func theYearOneIsNoDate(zero: String) async throws {
    let entries = ["2026-11-18T09:00:00Z", zero, "2026-11-20T09:00:00Z"].enumerated().map { number, date in
      #"{"id":\#(number + 1),"status":"unread","title":"\#(number + 1)","content":"","published_at":"\#(date)"}"#
    }
    let outcome = try await poll(
      [.ok(Self.news(after: 0), "{\"total\":3,\"entries\":[\(entries.joined(separator: ","))]}")],
      from: MinifluxCursor(newest: 0).stored)
    let content = try #require(outcome.content)
    let dates = Dictionary(content.messages.map { ($0.title, $0.published) }, uniquingKeysWith: { $1 })
    #expect(dates["1"] == Date(timeIntervalSince1970: 1_794_992_400) && dates["2"] == .some(nil))
    #expect(dates["3"] == Date(timeIntervalSince1970: 1_795_165_200) && content.problems.isEmpty)
  }

  @Test func whatIsBrokenIsAProblemAndTheRestIsKept() async throws {
    let list = """
      {"total":6,"entries":[7,{"title":"without an id"},{"id":"x"},{"id":901,"title":7,"published_at":"soon",
      "changed_at":"2026-11-20T08:58:00Z"},{"id":902,"status":"unread","changed_at":"2026-11-20T08:58:00Z"}]}
      """
    let outcome = try await poll([
      .ok(Self.changes(), list, Self.date), .ok(Self.news(after: 900), list, Self.date),
    ])
    let content = try #require(outcome.content)
    #expect(content.messages.map(\.remoteID.text) == ["901", "902"])
    let problems = Set(content.problems.map { "\($0.at): \($0.message)" })
    #expect(
      problems.isSuperset(of: [
        "$.entries[0]: must be an object, not the number 7", "$.entries[1].id: is missing",
        "$.entries[2].id: must be an integer from 1, not a string",
        "$.entries[3].title: must be a string, not the number 7",
        "$.entries[3].published_at: must be a date and time, not a string",
      ]))
    #expect(problems.count == 5)
  }

  @Test func theLargestNumberThatThereIsMayBeAnID() async throws {
    let list = #"{"total":1,"entries":[{"id":9223372036854775807,"status":"unread","title":"t"}]}"#
    let outcome = try await poll(
      [
        .ok(Self.base + "/v1/entries?order=id&direction=desc&limit=1", list, Self.date),
        .ok(
          Self.base
            + "/v1/entries?status=unread&before_entry_id=9223372036854775807&order=id&direction=desc&limit=100",
          list, Self.date),
      ], from: nil)
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["9223372036854775807"])
  }

  @Test func anIdlePollIsOneRequest() async throws {
    let outcome = try await poll([.ok(Self.changes(), #"{"total":0,"entries":[]}"#, Self.date)])
    #expect(outcome.content?.messages.isEmpty == true)
    #expect(outcome.content?.position.cursor == MinifluxCursor(newest: 900, since: 1_795_165_100).stored)
    #expect(outcome.hints.nextPoll == nil)
  }

  @Test func entriesThatWereReadElsewhereAreMarksOnly() async throws {
    let list = #"""
      {"total":3,"entries":[{"id":5,"status":"read","starred":false,"changed_at":"2026-11-20T08:58:00Z"},
      {"id":6,"status":"unread","starred":true,"title":"again","changed_at":"2026-11-20T08:58:00Z"},
      {"id":7,"status":"removed","changed_at":"2026-11-20T08:58:00Z"}]}
      """#
    let outcome = try await poll([.ok(Self.changes(), list, Self.date)])
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["6"])
    #expect(
      outcome.content?.upstream?.marks == [
        .init(RemoteID("5"), UpstreamMarks(isRead: true, isStarred: false)),
        .init(RemoteID("6"), UpstreamMarks(isRead: false, isStarred: true)),
        .init(RemoteID("7"), UpstreamMarks(isRead: true, isDone: true)),
      ])
  }

  @Test func aServerThatIgnoresTheTimeOfChangesIsAskedForNewsOnly() async throws {
    let all = #"{"total":2,"entries":[{"id":1,"status":"read"},{"id":2,"status":"unread"}]}"#
    let outcome = try await poll([
      .ok(Self.changes(), all), .ok(Self.news(after: 900), #"{"total":0,"entries":[]}"#),
      .ok(Self.newest, #"{"total":1,"entries":[{"id":900,"status":"read"}]}"#),
    ])
    #expect(outcome.content?.messages.isEmpty == true)
    #expect(outcome.content?.position.cursor == MinifluxCursor(newest: 900).stored)
  }

  /// The server's next entries have known ids, and such a server does not list them as changed either.
  @Test func aRestoredServerWithoutTimesOfChangesIsReadAgain() async throws {
    let outcome = try await poll(
      [
        .ok(Self.news(after: 900), #"{"total":0,"entries":[]}"#),
        .ok(Self.newest, #"{"total":1,"entries":[{"id":12,"status":"unread"}]}"#),
        .ok(
          Self.base + "/v1/entries?status=unread&before_entry_id=13&order=id&direction=desc&limit=1000",
          #"{"total":1,"entries":[{"id":12,"status":"unread","title":"new"}]}"#),
      ], from: MinifluxCursor(newest: 900).stored)
    #expect(outcome.content?.messages.map(\.title) == ["new"])
    #expect(outcome.content?.position.cursor == MinifluxCursor(newest: 12).stored)
  }

  private static let newest = base + "/v1/entries?order=id&direction=desc&limit=1"

  @Test(arguments: [
    ("https://reader.example", "https://reader.example/v1/entries?"),
    ("https://reader.example/v1/", "https://reader.example/v1/entries?"),
    ("https://reader.example/v1x", "https://reader.example/v1x/v1/entries?"),
    ("https://reader.example/m/v1/feeds/42/entries", "https://reader.example/m/v1/feeds/42/entries?"),
    (
      "https://reader.example/?category_id=3&tags=a%26b",
      "https://reader.example/v1/entries?category_id=3&tags=a%26b&"
    ),
  ])
  func theAddressIsAServerOrAListOfIt(address: String, list: String) async throws {
    let query = "after_entry_id=5&order=id&direction=asc&limit=100"
    let outcome = try await poll(
      [
        .ok(list + query, #"{"total":0,"entries":null}"#),
        .ok(list + "order=id&direction=desc&limit=1", #"{"total":0,"entries":null}"#),
      ], from: MinifluxCursor(newest: 5).stored,
      address: address)
    #expect(outcome.content?.messages.isEmpty == true)
  }

  @Test(arguments: [
    "", "[]", "{}", "<html>", #"{"entries":{}}"#, #"{"total":0,"entries":[{"id":1}"#, "null",
    "{\"entries\":[",
  ])
  func anAnswerThatIsNoListIsAFailure(body: String) async throws {
    let outcome = try await poll([.ok(Self.changes(), body)])
    #expect(outcome.failure != nil)
  }

  @Test func whatTheServerSaysOfAnErrorIsShown() async throws {
    let outcome = try await poll([
      .ok(Self.changes(), #"{"error_message":"access unauthorized"}"#, status: 401) {
        #expect($0.keepsErrorBody)
      }
    ])
    #expect(outcome.failure == .status(401, reason: "access unauthorized"))
  }

  // MARK: Acts

  private func act(_ id: Int64, _ remoteID: String, _ mark: OutgoingMark) -> OutgoingAct {
    OutgoingAct(
      id: OutgoingID(id), message: MessageID(id), remoteID: RemoteID(remoteID), mark: mark, made: now)
  }

  private func carry(_ acts: [OutgoingAct], _ exchanges: [Exchange]) async -> WriteBackResult {
    await ScriptedTransport.run(exchanges) { transport in
      let adapter = MinifluxAdapter(transport: transport)
      let context = PollContext(now: now, credential: Self.token)
      return await adapter.carry(acts, adapter.client(source(Self.base, .miniflux), context))
    }
  }

  private static func expect(
    _ method: TransportRequest.Method, _ body: String?
  ) -> @Sendable (TransportRequest) -> Void {
    { request in
      #expect(request.method == method)
      #expect(request.credential == token)
      #expect(request.body == body.map { .bytes(Data($0.utf8), type: "application/json") })
    }
  }

  @Test func marksAreSentInBatches() async {
    let result = await carry(
      [
        act(1, "5", .read(true)), act(2, "6", .read(false)), act(3, "7", .read(true)),
        act(4, "x", .read(true)),
        act(5, "5", .starred(true)),
      ],
      [
        .ok(
          Self.base + "/v1/entries", "", status: 204,
          check: Self.expect(.put, #"{"entry_ids":[5,7],"status":"read"}"#)),
        .ok(
          Self.base + "/v1/entries", "", status: 204,
          check: Self.expect(.put, #"{"entry_ids":[6],"status":"unread"}"#)),
        .ok(Self.base + "/v1/version", #"{"version":"2.3.10"}"#, check: Self.expect(.get, nil)),
        .ok(
          Self.base + "/v1/entries", "", status: 204,
          check: Self.expect(.put, #"{"entry_ids":[5],"starred":true}"#)),
      ])
    #expect(result.carried == Set((1...5).map { OutgoingID($0) }))
    #expect(result.failure == nil && result.refused.isEmpty)
  }

  @Test(arguments: [(#"{"version":"2.3.1"}"#, 200), (#"{"version":"2.0.49"}"#, 200), ("", 404)])
  func anOlderServersStarIsTurnedOnlyWhereItDiffers(version: String, status: Int) async {
    let result = await carry(
      [
        act(1, "5", .starred(true)), act(2, "6", .starred(true)), act(3, "7", .starred(false)),
        act(4, "8", .starred(false)),
      ],
      [
        .ok(Self.base + "/v1/version", version, status: status),
        .ok(Self.base + "/v1/entries/5", #"{"id":5,"starred":true}"#),
        .ok(Self.base + "/v1/entries/6", #"{"id":6,"starred":false}"#),
        .ok(Self.base + "/v1/entries/6/star", "", status: 404),
        .ok(Self.base + "/v1/entries/6/bookmark", "", status: 204) { request in
          #expect(request.method == .put)
          #expect(!request.isRepeatable)
        },
        .ok(Self.base + "/v1/entries/7", #"{"error_message":"resource not found"}"#, status: 404),
        .ok(Self.base + "/v1/entries/8", #"{"id":8,"starred":true}"#),
        .ok(Self.base + "/v1/entries/8/star", "", status: 204),
      ])
    #expect(result.carried == Set((1...4).map { OutgoingID($0) }))
    #expect(result.failure == nil && result.refused.isEmpty)
  }

  @Test func aStarWhoseAnswerWasLostIsNotTurnedAgain() async {
    let act = act(1, "5", .starred(true))
    let lost = await carry(
      [act],
      [
        .ok(Self.base + "/v1/version", #"{"version":"2.2.0"}"#),
        .ok(Self.base + "/v1/entries/5", #"{"id":5,"starred":false}"#),
        .failing(Self.base + "/v1/entries/5/star", .cutOff(received: 0)),
      ])
    #expect(lost.carried.isEmpty && lost.failure == .cutOff(received: 0))
    let again = await carry(
      [act],
      [
        .ok(Self.base + "/v1/version", #"{"version":"2.2.0"}"#),
        .ok(Self.base + "/v1/entries/5", #"{"id":5,"starred":true}"#),
      ])
    #expect(again.carried == [OutgoingID(1)])
  }

  @Test func aFailureThatMayPassKeepsTheRest() async {
    let result = await carry(
      [act(1, "5", .read(true)), act(2, "6", .read(false))],
      [.ok(Self.base + "/v1/entries", #"{"error_message":"no"}"#, status: 500)])
    #expect(result.carried.isEmpty)
    #expect(result.failure == .status(500, reason: "no"))
    let refused = await carry(
      [act(1, "5", .read(true)), act(2, "6", .read(false))],
      [
        .ok(Self.base + "/v1/entries", #"{"error_message":"bad"}"#, status: 400),
        .ok(Self.base + "/v1/entries", "", status: 204),
      ])
    #expect(refused.refused == [OutgoingID(1): .status(400, reason: "bad")])
    #expect(refused.carried == [OutgoingID(2)])
  }

  // MARK: Large lists

  /// 25,000 unread entries come in parts, while others arrive and are read.
  @Test func aLargeBacklogComesWholeAndInPortions() async throws {
    let clock = ServiceHistory.Clock()
    let standIn = MinifluxStandIn(StandInConditions { clock.now })
    standIn.arrive(25_000, content: "<p>short</p>")
    let transport = StandInTransport(standIn)
    let adapter = MinifluxAdapter(transport: transport)
    let source = source(transport.origin, .miniflux)
    let credential = Credential.configured(
      MinifluxAdapter.facts.scheme, token: standIn.conditions.token, address: source.address)
    var position = PollPosition()
    var seen: [RemoteID: Int] = [:]
    var hasMore = true
    var parts = 0
    while hasMore, parts < 100 {
      clock.advance(1)
      let outcome = await ListPoll(service: adapter).poll(
        source, position: position, context: PollContext(now: clock.now, credential: credential))
      let content = try #require(outcome.content)
      #expect(content.messages.count <= Limits.backlogPage)
      for message in content.messages { seen[message.remoteID, default: 0] += 1 }
      position = content.position
      position.isContinued = true
      hasMore = outcome.hints.hasMore
      parts += 1
      standIn.arrive()
    }
    #expect(parts == 26)
    #expect(seen.count == 25_000)
    #expect(seen.values.allSatisfy { $0 == 1 })
    // Entries that arrived in the meantime come with the next poll.
    let next = await ListPoll(service: adapter).pollAll(
      source, position: PollPosition(cursor: position.cursor),
      context: PollContext(now: clock.now, credential: credential))
    #expect(Set(next.content?.messages.map(\.remoteID) ?? []).subtracting(seen.keys).count == parts)
  }
}

extension MinifluxCursor {
  fileprivate init(
    newest: Int, since: Int? = nil, backlog: Int? = nil, after: Int? = nil, until: Int? = nil,
    hasNews: Bool? = nil
  ) {
    self.init()
    (self.newest, self.since, self.backlog) = (newest, since, backlog)
    (self.after, self.until, self.hasNews) = (after, until, hasNews)
  }
}
