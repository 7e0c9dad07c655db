import Basics
import Formats
import Foundation
import HTTP
import Messages
import StandIns
import Storage
import Synchronization
import Testing

@testable import Services

/// The states of issues and pull requests, which the list of threads does not have.
struct GitHubStateTests {
  private static let base = "https://api.github.com"
  private static let list = base + "/notifications?per_page=50"
  private static let graphQL = base + "/graphql"
  private static let early = "2026-11-20T08:00:00Z"

  private func poll(
    address: String = "https://github.com", from position: PollPosition = PollPosition(),
    _ exchanges: [Exchange]
  ) async throws -> PollContent {
    let (source, context) = try service(.github, address)
    let outcome = try await ServicesTests.poll(source, from: position, context: context, exchanges)
    return try #require(outcome.content)
  }

  private static func thread(
    _ id: Int, _ subject: String, _ updated: String = early, isUnread: Bool = true
  ) -> String {
    let type =
      subject.hasPrefix("pulls") ? "PullRequest" : subject.hasPrefix("issues") ? "Issue" : "Discussion"
    return
      #"{"id":"\#(id)","unread":\#(isUnread),"reason":"author","updated_at":"\#(updated)","subject":{"title":"T\#(id)","type":"\#(type)","url":"\#(base)/repos/octo/hello/\#(subject)"},"repository":{"full_name":"octo/hello","html_url":"https://github.com/octo/hello"}}"#
  }

  private static func page(_ threads: String..., at list: String = list) -> Exchange {
    .ok(list, "[\(threads.joined(separator: ","))]")
  }

  /// An issue, a merged pull request in the middle, and a draft whose checks have failed.
  private static let three = page(thread(1, "issues/57"), thread(2, "pulls/7"), thread(3, "pulls/8"))

  private static func answer(_ fields: String..., errors: String = "") -> Exchange {
    .ok(
      graphQL,
      "{\"data\":{\(fields.joined(separator: ","))}\(errors.isEmpty ? "" : ",\"errors\":[\(errors)]")}")
  }

  private static let open = #"{"it":{"state":"OPEN","closedAt":null}}"#
  private static let merged = pull("MERGED", closed: "\"\(early)\"")
  private static let draft = pull("OPEN", isDraft: true, checks: #"{"state":"FAILURE"}"#)
  private static let missing =
    #"{"type":"NOT_FOUND","path":["n1"],"message":"Could not resolve to a Repository."}"#

  private static func pull(
    _ state: String, closed: String = "null", isDraft: Bool = false, checks: String = "null"
  ) -> String {
    #"{"it":{"state":"\#(state)","isDraft":\#(isDraft),"closedAt":\#(closed),"commits":{"nodes":[{"commit":{"statusCheckRollup":\#(checks)}}]}}}"#
  }

  private func endings(_ content: PollContent) -> [String: Bool] {
    Dictionary(uniqueKeysWithValues: content.endings.map { ($0.message.text, $0.isOver) })
  }

  /// The tags of states, by id.
  private func tags(_ content: PollContent) -> [String: [String]] {
    Dictionary(
      uniqueKeysWithValues: content.messages.map {
        ($0.remoteID.text, $0.tags.filter { !["octo/hello", "PullRequest", "Issue", "author"].contains($0) })
      })
  }

  // MARK: One request for a page

  @Test func aPageIsOneRequestAndTheMergedOneInItsMiddleEnds() async throws {
    let content = try await poll([
      Self.three,
      .ok(Self.graphQL, "{\"data\":{\"n0\":\(Self.open),\"n1\":\(Self.merged),\"n2\":\(Self.draft)}}") {
        request in
        let headers = HeaderFields(request.headers)
        #expect(request.method == .post && request.credential != nil)
        #expect(headers["X-GitHub-Api-Version"] == "2022-11-28")
        guard case .bytes(let bytes, "application/json")? = request.body,
          let query = (try? JSONReader.parse(bytes))?.object?["query"]?.text
        else {
          Issue.record("there is no query")
          return
        }
        let pull =
          "state isDraft closedAt commits(last: 1) { nodes { commit { statusCheckRollup { state } } } }"
        #expect(
          query == """
            query { n0: repository(owner: "octo", name: "hello") { it: issue(number: 57) { state closedAt } } \
            n1: repository(owner: "octo", name: "hello") { it: pullRequest(number: 7) { \(pull) } } \
            n2: repository(owner: "octo", name: "hello") { it: pullRequest(number: 8) { \(pull) } } }
            """)
      },
    ])
    #expect(endings(content) == ["1": false, "2": true, "3": false])
    #expect(tags(content) == ["1": ["open"], "2": ["merged"], "3": ["open", "draft", "checks-failed"]])
    #expect(content.problems == [])
    #expect(content.upstream?.open?.count == 3)
  }

  @Test(arguments: [
    ("https://git.example.com", "https://git.example.com/api/v3", "https://git.example.com/api/graphql"),
    (
      "https://git.example.com/api/v3/", "https://git.example.com/api/v3",
      "https://git.example.com/api/graphql"
    ),
    ("https://api.octo.ghe.com", "https://api.octo.ghe.com", "https://api.octo.ghe.com/graphql"),
    ("https://api.github.com?participating=true", base, graphQL),
  ])
  func graphQLIsWhereTheServerHasIt(address: String, api: String, graphQL: String) async throws {
    let query = address.contains("?") ? "?participating=true&per_page=50" : "?per_page=50"
    let content = try await poll(
      address: address,
      [
        Self.page(Self.thread(1, "issues/57"), at: api + "/notifications" + query),
        .ok(graphQL, "{\"data\":{\"n0\":\(Self.open)}}"),
      ])
    #expect(endings(content) == ["1": false])
  }

  @Test func eachPageIsOneRequest() async throws {
    let second = Self.base + "/notifications?per_page=50&page=2"
    let content = try await poll([
      .ok(Self.list, "[\(Self.thread(2, "pulls/7"))]", ["Link": "<\(second)>; rel=\"next\""]),
      Self.answer("\"n0\":\(Self.merged)"),
      Self.page(Self.thread(1, "pulls/8"), at: second), Self.answer("\"n0\":\(Self.draft)"),
    ])
    #expect(tags(content) == ["2": ["merged"], "1": ["open", "draft", "checks-failed"]])
  }

  @Test func nothingIsAskedAboutThreadsThatAreRead() async throws {
    let content = try await poll([
      Self.page(
        Self.thread(1, "issues/57", isUnread: false), Self.thread(2, "pulls/7", isUnread: false),
        Self.thread(3, "pulls/8", isUnread: false))
    ])
    #expect(content.messages.count == 3 && content.endings.isEmpty && content.problems == [])
  }

  @Test func onlyTheUnreadOneOfAPageIsAskedAbout() async throws {
    let content = try await poll([
      Self.page(
        Self.thread(1, "issues/57", isUnread: false), Self.thread(2, "pulls/7"),
        Self.thread(3, "pulls/8", isUnread: false)),
      .ok(Self.graphQL, "{\"data\":{\"n1\":\(Self.merged)}}") { request in
        guard case .bytes(let bytes, _)? = request.body else { return }
        let query = String(decoding: bytes, as: UTF8.self)
        #expect(query.contains("number: 7") && !query.contains("57") && !query.contains("number: 8"))
      },
    ])
    #expect(endings(content) == ["2": true])
  }

  /// Discussions have no such state, and other addresses name nothing that could be asked about.
  @Test(arguments: [
    "discussions/4", "issues/0", "issues/x", "issues/99999999999", "pulls/7/commits", "pulls", "",
    "issues/1)%20%7B",
  ])
  func nothingIsAskedAboutAnythingElse(subject: String) async throws {
    let content = try await poll([Self.page(Self.thread(1, subject))])
    #expect(content.messages.count == 1 && content.endings.isEmpty)
  }

  @Test(arguments: [
    #"x/repos/o"r/hello/issues/1"#, "repos/o/r\\n/issues/1", "repos/o{/r/issues/1", "repos/ö/r/issues/1",
    "repos/o/r/issues/-1", "repos/o/r/releases/1", "repo/o/r/issues/1", "issues/1",
  ])
  func anAddressIsASubjectOnlyIfItNeedsNoEscapes(address: String) {
    #expect(GitHubSubject("https://api.github.com/" + address) == nil)
    #expect(GitHubSubject("https://api.github.com/repos/o-1/r_2.x/issues/1") != nil)
  }

  // MARK: Answers that lack something

  @Test func aPartialAnswerConcludesNothingAboutWhatIsMissing() async throws {
    let answer = Self.answer(
      "\"n0\":\(Self.open)", "\"n1\":null", "\"n2\":\(Self.merged)", errors: Self.missing)
    let first = try await poll([Self.three, answer])
    #expect(endings(first) == ["1": false, "3": true])
    #expect(tags(first) == ["1": ["open"], "2": [], "3": ["merged"]])
    #expect(
      first.problems.map(\.message) == [
        "the state of some issues and pull requests is unknown, so these do not end: the token may not see them; "
          + "private repositories need the scope repo"
      ])
    // It is named once.
    let second = try await poll(from: first.position, [Self.three, answer])
    #expect(endings(second) == ["1": false, "3": true] && second.problems == [])
  }

  @Test(arguments: [
    "{}", #"{"it":null}"#, #"{"it":{}}"#, #"{"it":{"state":"GONE"}}"#, #"{"it":{"state":7}}"#, "7", "[]",
  ])
  func aStateThatIsUnknownConcludesNothing(field: String) async throws {
    let content = try await poll([Self.three, Self.answer("\"n0\":\(Self.open)", "\"n1\":\(field)")])
    #expect(endings(content) == ["1": false] && content.problems == [])
  }

  /// The checks are not visible, but the state is.
  @Test func aStateWithoutItsChecksCounts() async throws {
    let field = #"{"it":{"state":"MERGED","isDraft":null,"closedAt":null,"commits":null}}"#
    let content = try await poll([Self.three, Self.answer("\"n1\":\(field)", errors: Self.missing)])
    #expect(endings(content) == ["2": true] && tags(content)["2"] == ["merged"])
  }

  private static let refusals: [(Int, String, String)] = [
    (401, #"{"message":"Bad credentials"}"#, "/graphql returned 401, Bad credentials"),
    (403, #"{"message":"Resource not accessible"}"#, "/graphql returned 403, Resource not accessible"),
    (404, "<html>", "/graphql returned 404, Not Found"),
    (
      200,
      #"{"data":null,"errors":[{"type":"INSUFFICIENT_SCOPES","message":"Your token has not\nbeen granted"}]}"#,
      "/graphql returned an error: Your token has not been granted"
    ),
    (
      200, #"{"errors":[{"message":"Field 'x' doesn't exist"}]}"#,
      "/graphql returned an error: Field 'x' doesn't exist"
    ),
    (200, "[]", "/graphql returned an error: the answer has no data"), (500, "", "/graphql returned 500"),
  ]

  @Test(arguments: refusals)
  func aTokenWithoutGraphQLIsNamedOnceAndThePollSucceeds(
    status: Int, body: String, reason: String
  ) async throws {
    let refused = Exchange.ok(Self.graphQL, body, status: status)
    let first = try await poll([Self.three, refused])
    #expect(first.messages.map(\.remoteID.text) == ["3", "2", "1"] && first.endings.isEmpty)
    #expect(tags(first) == ["1": [], "2": [], "3": []])
    #expect(first.problems.count == 1)
    let problem = first.problems.first?.message ?? ""
    #expect(problem.hasPrefix("the state of issues and pull requests is unknown, so none of them ends: "))
    #expect(problem.contains(reason), "\(problem)")
    let second = try await poll(from: first.position, [Self.three, refused])
    #expect(second.messages.count == 3 && second.endings.isEmpty && second.problems == [])
    // Once the token may use it, states count, and the next refusal is named again.
    let third = try await poll(
      from: second.position, [Self.three, Self.answer("\"n1\":\(Self.merged)")])
    #expect(endings(third) == ["2": true] && third.problems == [])
    let fourth = try await poll(from: third.position, [Self.three, refused])
    #expect(fourth.endings.isEmpty && fourth.problems.count == 1)
  }

  @Test func aRefusedTokenIsTriedOncePerPoll() async throws {
    let second = Self.base + "/notifications?per_page=50&page=2"
    let content = try await poll([
      .ok(Self.list, "[\(Self.thread(2, "pulls/7"))]", ["Link": "<\(second)>; rel=\"next\""]),
      .ok(Self.graphQL, "{}", status: 403), Self.page(Self.thread(1, "pulls/8"), at: second),
    ])
    #expect(content.messages.count == 2 && content.problems.count == 1)
  }

  @Test func aLimitOfAllRequestsHoldsTheServerBackAndThatOfGraphQLDoesNot() async throws {
    let (source, context) = try service(.github, "https://github.com")
    for (headers, wait) in [
      (["Retry-After": "30"], 30.0),
      (["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1795168800"], nil),
    ] as [(HeaderFields, Double?)] {
      let outcome = try await ServicesTests.poll(
        source, context: context,
        [
          .ok(Self.list, "[\(Self.thread(1, "pulls/7"))]", ["x-ratelimit-remaining": "4999"]),
          .ok(Self.graphQL, #"{"message":"API rate limit exceeded"}"#, headers, status: 403),
        ])
      #expect(outcome.content?.messages.count == 1)
      #expect(outcome.hints.retryAfter == wait.map(now.addingTimeInterval))
      #expect(outcome.hints.quota?.remaining == 4999)
    }
  }

  // MARK: Over time

  /// A state that isn't known now is shown as it was, so that the message does not change.
  @Test func tagsStayWhileTheStateIsUnknown() async throws {
    let known = try await poll([
      Self.three, Self.answer("\"n0\":\(Self.open)", "\"n1\":\(Self.merged)", "\"n2\":\(Self.draft)"),
    ])
    let unknown = try await poll(from: known.position, [Self.three, .ok(Self.graphQL, "", status: 502)])
    #expect(unknown.messages == known.messages && unknown.endings.isEmpty)
    // Read elsewhere, but still listed.
    let read = try await poll(
      from: unknown.position, [Self.page(Self.thread(2, "pulls/7", isUnread: false))])
    let again = try await poll(
      from: read.position, [Self.page(Self.thread(2, "pulls/7", isUnread: false))])
    #expect(tags(read) == ["2": ["merged"]] && tags(again) == ["2": ["merged"]])
    // Once it isn't listed any more, nothing is remembered.
    let gone = try await poll(from: again.position, [Self.page()])
    let back = try await poll(from: gone.position, [Self.page(Self.thread(2, "pulls/7", isUnread: false))])
    #expect(tags(back) == ["2": []])
  }

  /// A comment after the end still has to be read; the event of the end itself comes some seconds later.
  @Test(
    arguments: [
      ("2026-11-20T07:59:59Z", true), ("2026-11-20T08:00:00Z", true), ("2026-11-20T08:00:40Z", true),
      ("2026-11-20T08:05:00Z", nil),
    ] as [(String, Bool?)])
  func aCommentAfterTheEndIsNotOver(updated: String, isOver: Bool?) async throws {
    let content = try await poll([
      Self.page(Self.thread(1, "issues/57"), Self.thread(2, "pulls/7", updated), Self.thread(3, "issues/58")),
      Self.answer("\"n0\":\(Self.open)", "\"n1\":\(Self.merged)", "\"n2\":\(Self.open)"),
    ])
    #expect(endings(content)["2"] == isOver && tags(content)["2"] == ["merged"])
    #expect(endings(content)["1"] == false && endings(content)["3"] == false)
  }

  /// A store that the program's adapter polls a stand-in into.
  private struct Followed {
    let history: ServiceHistory
    let standIn: GitHubStandIn
    let store: Store
    let source: SourceID

    init() throws {
      history = try ServiceHistory(.github, seed: 1, skew: 0)
      standIn = try #require(history.standIn as? GitHubStandIn)
      store = try Store.inMemory(now: history.clock.now)
      let wish = ConfiguredSource(name: "hub", settings: history.source.settings)
      source = try #require(try store.sources.register([wish], at: history.clock.now).first).id
    }

    /// Polls ten minutes later, so that the whole list is read.
    func poll() async throws {
      history.clock.advance(601)
      let (position, now) = (try store.polls.position(of: source), history.clock.now)
      let outcomes = Mutex<[PollOutcome]>([])
      _ = await history.adapter.pollAll(history.source, position: position, context: history.context) {
        outcome in outcomes.withLock { $0.append(outcome) }
      }
      for outcome in outcomes.withLock(\.self) {
        #expect(outcome.failure == nil)
        try store.polls.record(
          outcome, for: source, attempt: .periodic, start: now, end: now, state: PollState())
      }
    }

    func message(_ id: RemoteID) throws -> Message { try #require(try store.messages.find(id, of: source)) }

    var problems: [String] {
      get throws { try store.polls.attempts(of: source, limit: 20).flatMap(\.problems).map(\.message) }
    }
  }

  @Test func aMergedRequestEndsAndAReopenedOneIsAsItWas() async throws {
    let followed = try Followed()
    try await followed.poll()
    let ids = (0..<3).map { _ in followed.standIn.arrive() }
    for id in ids { followed.standIn.change(id) { $0.isPullRequest = true } }
    try await followed.poll()
    for id in ids {
      #expect(try followed.message(id).isUnread && followed.message(id).content.tags.contains("open"))
    }
    followed.standIn.change(ids[1]) { $0.end("MERGED", at: followed.history.clock.now) }
    try await followed.poll()
    let ended = try followed.message(ids[1])
    #expect(!ended.isUnread && ended.resolved == followed.history.clock.now)
    #expect(ended.content.tags.contains("merged") && !ended.content.tags.contains("open"))
    for id in [ids[0], ids[2]] {
      #expect(try followed.message(id).isUnread && followed.message(id).resolved == nil)
    }
    // It was opened again by the user, which is no notification.
    followed.standIn.change(ids[1]) { ($0.state, $0.closed) = ("OPEN", nil) }
    try await followed.poll()
    let reopened = try followed.message(ids[1])
    #expect(reopened.isUnread && reopened.resolved == nil && reopened.content.tags.contains("open"))
    // It is closed, and a comment follows much later.
    followed.standIn.change(ids[1]) { $0.end("CLOSED", at: followed.history.clock.now) }
    try await followed.poll()
    #expect(try !followed.message(ids[1]).isUnread)
    followed.standIn.renew(ids[1])
    try await followed.poll()
    let commented = try followed.message(ids[1])
    #expect(commented.isUnread && commented.resolved == nil && commented.content.tags.contains("closed"))
    #expect(try followed.problems == [])
    // These marks are not sent to the service.
    #expect(followed.standIn.truth.openNow == Set(ids))
    #expect(try followed.store.outgoing.acts(of: followed.source).isEmpty)
  }

  @Test func aMergedRequestOfALongListEndsOnce() async throws {
    let followed = try Followed()
    try await followed.poll()
    let ids = (0..<60).map { _ in followed.standIn.arrive() }
    let merged = [ids[0], ids[30], ids[58]]
    for id in merged { followed.standIn.change(id) { $0.end("CLOSED", at: followed.history.clock.now) } }
    try await followed.poll()
    let time = followed.history.clock.now
    for _ in 0..<2 {
      for id in merged {
        #expect(try !followed.message(id).isUnread && followed.message(id).resolved == time)
      }
      #expect(try followed.message(ids[1]).isUnread && followed.message(ids[57]).isUnread)
      try await followed.poll()
    }
  }

  @Test(arguments: GitHubStandIn.GraphQLRefusal.allCases)
  func aStandInThatRefusesGraphQLIsPolledAsBefore(_ refusal: GitHubStandIn.GraphQLRefusal) async throws {
    let followed = try Followed()
    followed.standIn.graphQLRefusal = refusal
    try await followed.poll()
    let ids = (0..<3).map { _ in followed.standIn.arrive() }
    followed.standIn.change(ids[1]) { $0.end("CLOSED", at: followed.history.clock.now) }
    for _ in 0..<3 { try await followed.poll() }
    for id in ids {
      #expect(try followed.message(id).isUnread && followed.message(id).resolved == nil)
    }
    #expect(try followed.problems.count == 1)
    followed.standIn.graphQLRefusal = nil
    try await followed.poll()
    #expect(try !followed.message(ids[1]).isUnread)
    #expect(try followed.problems.count == 1)
  }

  @Test func aThreadThatTheTokenMayNotSeeStaysAsItIs() async throws {
    let followed = try Followed()
    try await followed.poll()
    let ids = (0..<3).map { _ in followed.standIn.arrive() }
    for id in ids { followed.standIn.change(id) { $0.end("CLOSED", at: followed.history.clock.now) } }
    followed.standIn.change(ids[1]) { $0.isVisible = false }
    for _ in 0..<2 { try await followed.poll() }
    #expect(try ids.map { try followed.message($0).isUnread } == [false, true, false])
    #expect(try followed.problems.count == 1)
  }

  /// Bytes that no server sends end nothing that they do not name, and trap nowhere.
  @Test func noAnswerTraps() async throws {
    let whole = "{\"data\":{\"n0\":\(Self.open),\"n1\":\(Self.merged),\"n2\":\(Self.draft)}}"
    for length in 0..<whole.utf8.count {
      let cut = String(decoding: Array(whole.utf8.prefix(length)), as: UTF8.self)
      let content = try await poll([Self.three, .ok(Self.graphQL, cut)])
      #expect(content.messages.count == 3 && content.endings.isEmpty && content.problems.count == 1)
    }
  }

  @Test func aRequestThatGetsNoAnswerLosesNothing() async throws {
    let content = try await poll([Self.three, .failing(Self.graphQL, .cutOff(received: 0))])
    #expect(content.messages.count == 3 && content.endings.isEmpty)
    #expect(content.problems.first?.message.hasSuffix("/graphql did not respond") == true)
  }
}
