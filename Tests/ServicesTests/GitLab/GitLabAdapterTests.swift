import Foundation
import HTTP
import Messages
import Services
import Testing

struct GitLabAdapterTests {
  private static let base = "https://gitlab.example.com/api/v4/todos"
  private static let list = base + "?state=pending&per_page=100"

  private func poll(from position: PollPosition = PollPosition(), _ exchanges: Exchange...) async throws
    -> PollOutcome
  {
    let (source, context) = try service(.gitlab, "https://gitlab.example.com")
    return try await ServicesTests.poll(source, from: position, context: context, exchanges)
  }

  @Test func anItemHasItsFields() throws {
    let message = try readOne(
      .gitlab,
      #"""
      {"id":102,"project":{"id":2,"path_with_namespace":"gitlab-org/gitlab-foss"},"author":{"id":1,"username":"root","name":"Administrator"},"action_name":"marked","target_type":"MergeRequest","target":{"id":34,"iid":7,"title":"Dolores in voluptatem","state":"opened","labels":["bug","ui"]},"target_url":"https://gitlab.example.com/gitlab-org/gitlab-foss/-/merge_requests/7","body":"Dolores in voluptatem","state":"pending","created_at":"2016-06-17T07:52:35.225Z","updated_at":"2016-06-17T07:52:35.225Z"}
      """#)
    var expected = IncomingMessage(
      remoteID: RemoteID("102"), kind: .service, title: "Dolores in voluptatem")
    expected.url = "https://gitlab.example.com/gitlab-org/gitlab-foss/-/merge_requests/7"
    expected.author = "root"
    expected.published = Date(timeIntervalSince1970: 1_466_149_955.225)
    expected.channel = "gitlab-org/gitlab-foss"
    expected.tags = ["marked", "MergeRequest", "gitlab-org/gitlab-foss", "open", "bug", "ui"]
    #expect(message == expected)
  }

  @Test func aNoteIsTheBody() throws {
    let message = try readOne(
      .gitlab,
      #"""
      {"id":1,"group":{"id":3,"full_path":"octo"},"action_name":"mentioned","target_type":"Commit",
       "target":{"id":"0a1b2c","title":"Fix\nit"},"target_url":"https://g/o/-/commit/0a1b2c#note_4","body":"@ann look\nhere"}
      """#)
    #expect(message.title == "Fix it")
    #expect(message.body == "@ann look\nhere")
    #expect(message.tags == ["mentioned", "Commit", "octo"])
    #expect(message.url == "https://g/o/-/commit/0a1b2c#note_4")
  }

  @Test func aTargetMayBeGone() throws {
    let message = try readOne(
      .gitlab, #"{"id":1,"target":null,"target_type":"Epic","body":"First line\nsecond"}"#)
    #expect(message.title == "First line")
    let bare = try readOne(.gitlab, #"{"id":1,"target_type":"Epic","body":""}"#)
    #expect(bare.title == "Epic")
  }

  /// The list has the states, so nothing else is requested. A to-do that was made after the end is open anyway, and the
  /// end of one that is done changes nothing.
  @Test func theMergedOneInTheMiddleOfAPageEnds() async throws {
    func item(_ id: Int, _ target: String, made: String = "2026-11-20T08:00:00Z", state: String = "pending")
      -> String
    {
      #"{"id":\#(id),"target_type":"MergeRequest","target":{"title":"T\#(id)",\#(target)},"state":"\#(state)","created_at":"\#(made)"}"#
    }
    let merged = #""state":"merged","merged_at":"2026-11-20T08:30:00Z""#
    let items = [
      item(5, merged, made: "2026-11-20T08:40:00Z"), item(4, #""state":"opened","draft":true"#),
      item(3, merged), item(2, #""state":"opened""#), item(1, #""state":"closed""#, state: "done"),
    ]
    let outcome = try await poll(.ok(Self.list, "[\(items.joined(separator: ","))]"))
    let endings = try #require(outcome.content?.endings)
    #expect(endings.map(\.message.text) == ["4", "3", "2"])
    #expect(endings.map(\.isOver) == [false, true, false])
    let tags = outcome.content?.messages.map { $0.tags.filter { $0 != "MergeRequest" } }
    #expect(tags == [["closed"], ["open"], ["merged"], ["open", "draft"], ["merged"]])
  }

  @Test func pagesAreReadFromTheOwnServerOnly() async throws {
    let second = Self.list + "&page=2"
    let outcome = try await poll(
      .ok(Self.list, #"[{"id":2,"target":{"title":"b"}}]"#, ["Link": "<\(second)>; rel=\"next\""]) {
        request in
        let origin = Origin("https://gitlab.example.com")
        #expect(origin.flatMap { request.credential?.field(for: $0) } == HeaderField("PRIVATE-TOKEN", "tk"))
      },
      .ok(second, #"[{"id":1,"target":{"title":"a"}}]"#, ["Link": "<https://evil.example/3>; rel=\"next\""]),
      .ok(Self.list + "&page=3", "[]"))
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["2", "1"])
    #expect(outcome.content?.upstream?.open == [RemoteID("1"), RemoteID("2")])
    #expect(outcome.content?.link == "https://gitlab.example.com/dashboard/todos")
  }

  @Test func aTokenThatMayOnlyReadIsNamedWithTheScopeThatItLacks() async throws {
    let result = try await carry(
      .gitlab, "https://gitlab.example.com", [act(1, "7", .done(true)), act(2, "8", .done(true))],
      .ok(
        Self.base + "/7/mark_as_done",
        #"{"error":"insufficient_scope","error_description":"The request requires higher privileges","scope":"api"}"#,
        status: 403))
    let reason = FetchFailure.status(403, reason: "the token lacks the scope api")
    #expect(result.refused == [OutgoingID(1): reason, OutgoingID(2): reason])
  }

  @Test func aLimitWithoutRetryAfterEndsWithItsReset() async throws {
    let outcome = try await poll(
      .ok(
        Self.list, "Retry later\n",
        ["RateLimit-Reset": "1795165260", "RateLimit-Remaining": "0", "RateLimit-Limit": "2000"], status: 429)
    )
    #expect(outcome.failure == .heldBack(status: 429))
    #expect(outcome.hints.retryAfter == now.addingTimeInterval(60))
    #expect(
      outcome.hints.quota == RequestQuota(remaining: 0, limit: 2000, resets: now.addingTimeInterval(60)))
  }

  @Test(arguments: [
    (#"{"message":"401 Unauthorized"}"#, "401 Unauthorized"),
    (#"{"message":{"error":"not allowed"}}"#, "not allowed"),
    (#"{"error":"insufficient_scope","error_description":"needs api","scope":"api"}"#, "needs api"),
    ("Retry later\n", "Retry later"),
  ])
  func aServerSaysWhatIsWrong(body: String, reason: String) async throws {
    let outcome = try await poll(.ok(Self.list, body, status: 401))
    #expect(outcome.failure == .status(401, reason: reason))
  }

  @Test func whatIsDismissedIsDoneThere() async throws {
    let result = try await carry(
      .gitlab, "https://gitlab.example.com",
      [act(1, "7", .done(true)), act(2, "8", .done(true)), act(3, "9", .read(true))],
      .ok(Self.base + "/7/mark_as_done", "{}", status: 201) { #expect($0.method == .post) },
      .ok(Self.base + "/8/mark_as_done", #"{"message":"404 Not found"}"#, status: 404))
    #expect(result.carried == [OutgoingID(1), OutgoingID(2)])
    #expect(result.refused.keys.map(\.rawValue) == [3])
  }

  /// Returns the permission that the token lacks, according to the server's response.
  private func missing(_ answer: String, status: Int = 200) async throws -> MissingScope? {
    let (source, context) = try service(.gitlab, "https://gitlab.example.com")
    let own = "https://gitlab.example.com/api/v4/personal_access_tokens/self"
    return await ScriptedTransport.run([.ok(own, answer, status: status)]) { transport in
      await SourceAdapters(transport: transport).missingScope(of: source, context: context)
    }
  }

  @Test func aTokenThatReadsOnlyLacksAScope() async throws {
    let missing = try await missing(#"{"id":4,"scopes":["read_api","read_user"]}"#)
    #expect(missing?.scope == "api" && missing?.has == ["read_api", "read_user"])
    #expect(
      missing?.page
        == "https://gitlab.example.com/-/user_settings/personal_access_tokens?name=reddot&scopes=api")
  }

  @Test(arguments: [
    (200, #"{"scopes":["read_user","api"]}"#), (200, #"{"scopes":["granular"]}"#), (200, #"{"scopes":[]}"#),
    (200, "{}"), (200, "<html>"), (404, #"{"error":"404 Not Found"}"#), (401, "{}"), (500, ""),
  ])
  func nothingIsSaidOfATokenWhereTheServerSaysNothing(status: Int, answer: String) async throws {
    #expect(try await missing(answer, status: status) == nil)
  }
}
