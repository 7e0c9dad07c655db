import Foundation
import HTTP
import Messages
import Services
import StandIns
import Testing

struct GitHubAdapterTests {
  private static let base = "https://api.github.com"
  private static let list = base + "/notifications?per_page=50"
  private static let date = "Fri, 20 Nov 2026 09:00:00 GMT"
  private static let modified = "Fri, 20 Nov 2026 08:00:00 GMT"

  private func poll(
    address: String = "https://github.com", from position: PollPosition = PollPosition(),
    _ exchanges: Exchange...
  ) async throws -> PollOutcome {
    let (source, context) = try service(.github, address)
    return try await ServicesTests.poll(source, from: position, context: context, exchanges)
  }

  private static func thread(_ id: Int, _ updated: String = "2026-11-20T08:00:00Z") -> String {
    #"{"id":"\#(id)","unread":true,"updated_at":"\#(updated)","subject":{"title":"T\#(id)"}}"#
  }

  @Test func aPollSendsWhatGitHubAsksFor() async throws {
    let outcome = try await poll(
      .ok(Self.list, "[\(Self.thread(1))]", ["Date": Self.date, "Last-Modified": Self.modified]) { request in
        let headers = HeaderFields(request.headers)
        #expect(headers["Accept"] == "application/vnd.github+json")
        #expect(headers["X-GitHub-Api-Version"] == "2022-11-28")
        #expect(headers["Cache-Control"] == "no-cache")
        let origin = Origin("https://api.github.com")
        #expect(
          origin.flatMap { request.credential?.field(for: $0) } == HeaderField("Authorization", "Bearer tk"))
        #expect(request.lastModified == nil)
      })
    #expect(outcome.content?.position.validators.lastModified == Self.modified)
    #expect(outcome.content?.upstream?.open == [RemoteID("1")])
    #expect(outcome.content?.upstream?.absence == .read)
  }

  @Test(arguments: [
    ("https://github.com", "https://api.github.com/notifications?per_page=50"),
    ("https://www.github.com/notifications", "https://api.github.com/notifications?per_page=50"),
    ("https://api.github.com/", "https://api.github.com/notifications?per_page=50"),
    ("https://api.octo.ghe.com", "https://api.octo.ghe.com/notifications?per_page=50"),
    ("https://git.example.com", "https://git.example.com/api/v3/notifications?per_page=50"),
    ("https://git.example.com/api/v3/", "https://git.example.com/api/v3/notifications?per_page=50"),
    (
      "https://api.github.com?participating=true",
      "https://api.github.com/notifications?participating=true&per_page=50"
    ),
  ])
  func theAPIIsWhereTheServerHasIt(address: String, asked: String) async throws {
    let outcome = try await poll(address: address, .ok(asked, "[]"))
    #expect(outcome.content?.messages.isEmpty == true)
  }

  @Test(arguments: [
    ("https://github.com", "https://api.github.com", "https://github.com/notifications"),
    ("https://api.octo.ghe.com", "https://api.octo.ghe.com", "https://octo.ghe.com/notifications"),
    ("https://git.example.com", "https://git.example.com/api/v3", "https://git.example.com/notifications"),
  ])
  func theListHasAWebPage(address: String, api: String, page: String) async throws {
    let outcome = try await poll(address: address, .ok(api + "/notifications?per_page=50", "[]"))
    #expect(outcome.content?.link == page)
  }

  @Test func notModifiedIsNothingNewAndEveryFifthPollReadsAll() async throws {
    let first = try await poll(
      .ok(Self.list, "[\(Self.thread(1))]", ["Date": Self.date, "Last-Modified": Self.modified]))
    var position = try #require(first.content?.position)
    for _ in 0..<4 {
      let outcome = try await poll(
        from: position,
        .ok(Self.list, "", ["X-Poll-Interval": "90", "x-ratelimit-remaining": "4999"], status: 304) {
          #expect($0.lastModified == Self.modified)
        })
      position = try #require(outcome.notModified)
      #expect(position.validators.lastModified == Self.modified)
      #expect(outcome.hints.minimumWait == .seconds(90))
      #expect(outcome.hints.minimumWaitRule == .pollInterval)
      #expect(outcome.hints.quota?.remaining == 4999)
    }
    let whole = try await poll(from: position, .ok(Self.list, "[]") { #expect($0.lastModified == nil) })
    #expect(whole.content?.upstream?.open == [])
    #expect(whole.content?.position.validators.lastModified == nil)
  }

  @Test func lastModifiedIsStoredOnlyAfterAllPagesWereRead() async throws {
    let second = Self.base + "/notifications?per_page=50&page=2"
    let next: HeaderFields = [
      "Link": "<\(second)>; rel=\"next\", <\(second)>; rel=\"last\"", "Date": Self.date,
      "Last-Modified": Self.modified,
    ]
    let failed = try await poll(
      .ok(Self.list, "[\(Self.thread(2))]", next), .ok(second, "oops", status: 502))
    #expect(failed.failure == .status(502, reason: "oops"))
    let outcome = try await poll(
      .ok(Self.list, "[\(Self.thread(2))]", next),
      .ok(second, "[\(Self.thread(1))]", ["Last-Modified": "Thu, 19 Nov 2026 08:00:00 GMT"]))
    #expect(outcome.content?.position.validators.lastModified == Self.modified)
    #expect(outcome.content?.messages.map(\.remoteID.text) == ["2", "1"])
    #expect(outcome.content?.upstream?.open == [RemoteID("1"), RemoteID("2")])
  }

  /// More may have arrived within the same second.
  @Test func aLastModifiedOfThisSecondIsNotSentBack() async throws {
    let outcome = try await poll(
      .ok(Self.list, "[\(Self.thread(1))]", ["Date": Self.date, "Last-Modified": Self.date]))
    #expect(outcome.content?.position.validators.isEmpty == true)
  }

  /// A proxy may write its own addresses into the responses: the list continues at the source's own server.
  @Test func aNextPageElsewhereIsAskedForAtTheOwnServer() async throws {
    let outcome = try await poll(
      .ok(
        Self.list, "[\(Self.thread(2))]",
        ["Link": "<https://evil.example/x>; rel=\"next\"", "Last-Modified": Self.modified]),
      .ok(Self.base + "/notifications?per_page=50&page=2", "[\(Self.thread(1))]"))
    #expect(outcome.content?.messages.count == 2)
    #expect(outcome.content?.upstream?.open == [RemoteID("1"), RemoteID("2")])
  }

  @Test(
    arguments: [
      (403, ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1795168800", "Date": date], "{}", 3600.0),
      // The server's clock is ten minutes ahead.
      (
        429,
        [
          "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1795169400",
          "Date": "Fri, 20 Nov 2026 09:10:00 GMT",
        ],
        "{}", 3600.0
      ),
      (403, ["Retry-After": "30", "x-ratelimit-remaining": "0"], "{}", 30.0),
      (429, ["Retry-After": "30"], "{}", 30.0),
      (
        403, ["x-ratelimit-remaining": "10"], #"{"message":"You have exceeded a secondary rate limit."}"#,
        60.0
      ),
    ] as [(Int, [String: String], String, Double)])
  func aLimitHoldsTheServerBack(
    status: Int, headers: [String: String], body: String, seconds: Double
  ) async throws {
    let fields = HeaderFields(headers.map { HeaderField($0.key, $0.value) })
    let outcome = try await poll(.ok(Self.list, body, fields, status: status))
    #expect(outcome.failure == .heldBack(status: status))
    #expect(outcome.hints.retryAfter == now.addingTimeInterval(seconds))
    #expect(outcome.hints.retryAfterFrom == Self.base)
  }

  @Test func aMissingRightIsNoLimit() async throws {
    let outcome = try await poll(
      .ok(
        Self.list, #"{"message":"Missing the 'notifications' scope."}"#, ["x-ratelimit-remaining": "12"],
        status: 403))
    #expect(
      outcome.failure == .status(403, reason: "the token lacks a scope: Missing the 'notifications' scope."))
    #expect(outcome.hints.retryAfter == nil)
  }

  @Test func anAnswerThatIsNoListIsMalformed() async throws {
    let outcome = try await poll(.ok(Self.list, #"{"message":"hello"}"#))
    #expect(outcome.failure == .malformed(line: nil, reason: "a list was expected, not an object"))
  }

  // MARK: Acts

  private static let threads = base + "/notifications/threads/"

  @Test func actsAreCarriedOneAfterAnother() async throws {
    let result = try await carry(
      .github, "https://github.com",
      [
        act(1, "11", .read(true)), act(2, "12", .done(true)), act(3, "13", .named("mute")),
        act(4, "14", .read(true)),
      ],
      .ok(Self.threads + "11", "", status: 205) { #expect($0.method == .patch) },
      .ok(Self.threads + "12", "", status: 204) { #expect($0.method == .delete) },
      .ok(Self.threads + "13/subscription", "{}") { request in
        #expect(request.method == .put)
        #expect(request.body == .bytes(Data(#"{"ignored":true}"#.utf8), type: "application/json"))
      },
      .ok(Self.threads + "14", "", status: 304))
    #expect(result.carried.map(\.rawValue).sorted() == [1, 2, 3, 4])
    #expect(result.refused.isEmpty && result.failure == nil)
  }

  @Test func anOldServerWithoutDoneMarksAsRead() async throws {
    let result = try await carry(
      .github, "https://git.example.com", [act(1, "11", .done(true))],
      .ok("https://git.example.com/api/v3/notifications/threads/11", "", status: 404) {
        #expect($0.method == .delete)
      },
      .ok("https://git.example.com/api/v3/notifications/threads/11", "", status: 205) {
        #expect($0.method == .patch)
      })
    #expect(result.carried == [OutgoingID(1)])
  }

  /// A new attempt would not help until the user has made another token.
  @Test func aScopeThatIsMissingIsNamedOnceAndTheActsAreGivenUp() async throws {
    let acts = (1...3).map { act($0, "\($0)", .read(true)) }
    let result = try await carry(
      .github, "https://github.com", acts,
      .ok(
        Self.threads + "1", #"{"message":"Not allowed","documentation_url":"https://docs.github.com/rest"}"#,
        ["X-Accepted-OAuth-Scopes": "notifications, repo", "X-OAuth-Scopes": "gist"], status: 403))
    let reason = FetchFailure.status(403, reason: "the token lacks the scope notifications or repo")
    #expect(result.refused == [OutgoingID(1): reason, OutgoingID(2): reason, OutgoingID(3): reason])
    #expect(result.failure == nil)
  }

  @Test(
    arguments: [
      (
        ["X-GitHub-SSO": "required; url=https://github.com/orgs/o/sso?authorization_request=A"], "{}",
        "the organization asks for single sign-on: authorize the token at https://github.com/orgs/o/sso?authorization_request=A"
      ),
      (
        [:], #"{"message":"Resource not accessible by personal access token"}"#,
        "a fine-grained token cannot read notifications: make a classic one with the scope notifications at https://github.com/settings/tokens"
      ),
    ] as [(HeaderFields, String, String)])
  func aTokenThatMayNotReadNamesTheRemedy(_ headers: HeaderFields, _ body: String, _ reason: String)
    async throws
  {
    let outcome = try await poll(.ok(Self.list, body, headers, status: 403))
    #expect(outcome.failure == .status(403, reason: reason))
  }

  @Test func moreThanTenActsWaitForTheNextTime() async throws {
    let acts = (1...12).map { act($0, "\($0)", .read(true)) }
    let exchanges = (1...10).map { Exchange.ok(Self.threads + "\($0)", "", status: 205) }
    let (source, context) = try service(.github, "https://github.com")
    let result = try await ScriptedTransport.run(exchanges) { transport in
      try #require(await SourceAdapters(transport: transport).carry(acts, of: source, context: context))
    }
    #expect(result.carried.count == 10)
    #expect(result.failure == nil && result.refused.isEmpty)
    #expect(result.hints.minimumWait == .seconds(10))
    #expect(result.hints.minimumWaitRule == .requestLimit)
  }

  @Test func aLimitStopsTheActs() async throws {
    let result = try await carry(
      .github, "https://github.com", [act(1, "11", .read(true)), act(2, "12", .read(true))],
      .ok(
        Self.threads + "11", #"{"message":"You have exceeded a secondary rate limit."}"#,
        ["Retry-After": "7"],
        status: 403))
    #expect(result.carried.isEmpty)
    #expect(result.failure == .heldBack(status: 403))
    #expect(result.hints.retryAfter == now.addingTimeInterval(7))
  }

  @Test func whatGitHubDoesNotKnowIsRefused() async throws {
    let result = try await carry(
      .github, "https://github.com", [act(1, "11", .starred(true)), act(2, "12", .read(false))])
    #expect(result.refused.keys.map(\.rawValue).sorted() == [1, 2])
  }

  @Test func aMutedThreadIsQuietThere() async throws {
    let history = try ServiceHistory(.github, seed: 1, skew: 0)
    let id = history.standIn.arrive()
    await history.poll()
    history.store.act(.named("mute"), on: id, at: history.clock.now)
    await history.carry()
    let standIn = try #require(history.standIn as? GitHubStandIn)
    #expect(standIn.ignored == [id])
  }

  @Test func aMuteThatCouldNotBeSentIsSentLater() async throws {
    let history = try ServiceHistory(.github, seed: 1, skew: 0)
    let ids = (0..<3).map { _ in history.standIn.arrive() }
    await history.poll()
    history.store.act(.named(MessageAction.mute), on: ids[1], at: history.clock.now)
    history.standIn.conditions.fail(.serverError)
    let failed = await history.carry()
    #expect(failed.failure != nil && failed.refused.isEmpty && history.store.outgoing.count == 1)
    let standIn = try #require(history.standIn as? GitHubStandIn)
    #expect(standIn.ignored.isEmpty)
    await history.carry()
    #expect(standIn.ignored == [ids[1]] && history.store.outgoing.isEmpty)
  }
}
