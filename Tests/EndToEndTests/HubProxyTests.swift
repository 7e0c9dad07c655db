import Foundation
import PostgreSQLStandIn
import StandIns
import TerminalHarness
import TestBasics
import Testing

/// nginx in front of two built hubs on PostgreSQL.
@Suite(
  .enabled(
    if: HubProxy.isInstalled && PostgreSQLServer.isInstalled,
    "nginx or PostgreSQL's server is not installed: Resources/install-packages --servers"),
  .timeLimit(.minutes(HangLimit.minutes)))
struct HubProxyTests {
  private let team: HubTeam
  /// May read and publish.
  private let token: String

  init() throws {
    let server = try PostgreSQLServer.shared
    team = try HubTeam(
      2, store: server.address(role: "postgres", database: server.database()),
      more: "trusted_proxies = [\"127.0.0.1\"]\nbehind_proxy = true")
    _ = try team.output("feed", "add", "news", "--public")
    _ = try team.output("feed", "add", "ops")
    token =
      "Authorization: Bearer "
      + (try team.output("token", "add", "ann", "--read", "news,ops", "--publish", "news,ops"))
  }

  private func start() throws -> (proxy: HubProxy, hubs: [LoopbackClient]) {
    let hubs = try (0..<2).map { try team.start($0) }
    return (try HubProxy(before: hubs.map(\.port)), hubs)
  }

  /// An item stored by one hub is known to the other a moment later.
  private func waitUntilAll(_ hubs: [LoopbackClient], have title: Int, at target: String) throws {
    for hub in hubs {
      try eventually("each hub to have \(title)") {
        Self.titles(try hub.ask("GET", target, [token]).body).contains(title)
      }
    }
  }

  private func publish(
    _ title: Int, to feed: String, by client: LoopbackClient
  ) async throws -> LoopbackClient.Answer {
    try await client.answer(
      "POST", "/v1/feeds/\(feed)?title=\(title)", [token, "Idempotency-Key: \(title)"], body: "x")
  }

  private static func titles(_ body: String) -> [Int] {
    body.matches(of: #/"title":"(\d+)"/#).compactMap { Int($0.1) }
  }

  /// Several at a time.
  private static func answers(
    _ count: Int, _ ask: @escaping @Sendable () async throws -> LoopbackClient.Answer
  ) async throws -> [LoopbackClient.Answer] {
    try await withThrowingTaskGroup(of: LoopbackClient.Answer.self) { group in
      for _ in 0..<count { group.addTask { try await ask() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Each response of a hub has a different number, which nginx stores with it.
  private static func requests(_ answers: [LoopbackClient.Answer]) -> Int {
    Set(answers.map { $0.fields["x-request-id"] }).count
  }

  @Test func readersOfAPublicFeedCostAHubOneRequest() async throws {
    let (proxy, hubs) = try start()
    let (client, token, target) = (proxy.client, token, "/v1/feeds/news?since_id=1")
    for title in 1...2 { #expect(try await publish(title, to: "news", by: client).status == 201) }
    try waitUntilAll(hubs, have: 2, at: target)
    let begin = ContinuousClock.now
    let read = try await Self.answers(60) { try await client.answer("GET", target) }
    let seconds = Int((ContinuousClock.now - begin) / .seconds(1))
    #expect(read.allSatisfy { $0.status == 200 && Self.titles($0.body) == [2] })
    // nginx keeps it for 5 seconds of its clock, which may be 4 seconds and a bit.
    #expect(Self.requests(read) <= 1 + seconds / 4, "in \(seconds) s")

    // A hub responds to each request with a token, with new items, and that response is never shared.
    #expect(try await publish(3, to: "news", by: client).status == 201)
    let own = try await Self.answers(10) { try await client.answer("GET", target, [token]) }
    #expect(Self.requests(own) == 10 && own.allSatisfy { Self.titles($0.body) == [2, 3] })
    #expect(try await publish(4, to: "ops", by: client).status == 201)
    try waitUntilAll(hubs, have: 4, at: "/v1/feeds/ops")
    #expect(Self.titles(try await client.answer("GET", "/v1/feeds/ops", [token]).body) == [4])
    #expect(try await client.answer("GET", "/v1/feeds/ops").status == 401)

    // A waiting reader isn't delayed by others that wait for the same.
    async let waiting = Self.answers(20) {
      try await client.answer("GET", "/v1/feeds/news?since_id=3&wait=60")
    }
    #expect(try await publish(5, to: "news", by: client).status == 201)
    let waited = try await waiting
    #expect(waited.allSatisfy { $0.status == 200 && Self.titles($0.body) == [5] })
    #expect(Self.requests(waited) == 20)

    try proxy.end()
    for number in 0..<2 { #expect(try team.end(number, SIGTERM).exit == .status(0)) }
  }

  @Test func whenAHubIsKilledNothingIsLostOrReadTwice() async throws {
    let proxy = try start().proxy
    let client = proxy.client
    let (token, count) = (token, 40)
    // Reads like reddot: the requests wait, and are repeated if there was no response.
    let reader = Task {
      var (since, seen): (Int64, [Int]) = (0, [])
      while seen.last != count {
        guard
          let page = try? await client.answer("GET", "/v1/feeds/ops?since_id=\(since)&wait=20", [token]),
          page.status == 200
        else { continue }
        seen += Self.titles(page.body)
        let last = page.body.firstMatch(of: #/"last_id":(\d+)\}$/#).flatMap { Int64($0.1) } ?? 0
        #expect(last >= since, "it would begin again")
        since = last
      }
      return seen
    }
    for title in 1...count {
      if title == count / 3 { try team.end(0, SIGKILL) }
      if title == 2 * count / 3 { try team.start(0) }
      while true {
        let answer = try? await publish(title, to: "ops", by: client)
        if let answer, [200, 201].contains(answer.status) { break }
      }
    }
    #expect(await reader.value == Array(1...count))
    let page = try await client.answer("GET", "/v1/feeds/ops?limit=1000", [token])
    #expect(Self.titles(page.body) == Array(1...count))

    try proxy.end()
    for number in 0..<2 { #expect(try team.end(number, SIGTERM).exit == .status(0)) }
  }
}
