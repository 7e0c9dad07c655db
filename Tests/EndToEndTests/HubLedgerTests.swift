import Foundation
import PostgreSQLStandIn
import StandIns
import Synchronization
import TerminalHarness
import TestBasics
import Testing

/// The number of items of each publisher; by hand more.
private let items = ProcessInfo.processInfo.environment["REDDOT_HUB_LEDGER"].flatMap { Int($0) } ?? 40

/// Every reader gets each acknowledged item once and in order, even if hubs and their database are killed meanwhile.
@Suite(.serialized, .timeLimit(.minutes(HangLimit.minutes))) struct HubLedgerTests {
  private static let publishers = 8

  @Test func acknowledgedIsStoredOnceInAFile() async throws {
    let household = try Household()
    let team = try HubTeam(1, store: "sqlite:\(household.home)/hub.db")
    #expect(try await run(team, hubs: 1, server: nil).hubKills > 4)
    withExtendedLifetime(household) {}
  }

  @Test(
    .enabled(
      if: PostgreSQLServer.isInstalled,
      "PostgreSQL's server is not installed: Resources/install-packages --servers"))
  func acknowledgedIsStoredOnceInADatabase() async throws {
    let server = try PostgreSQLServer()
    let team = try HubTeam(2, store: server.address(role: "postgres", database: server.database()))
    let kills = try await run(team, hubs: 2, server: server)
    #expect(kills.hubKills > 4 && kills.serverKills > 0)
  }

  private func run(_ team: HubTeam, hubs: Int, server: PostgreSQLServer?) async throws -> (
    hubKills: Int, serverKills: Int
  ) {
    _ = try team.output("feed", "add", "ops")
    let token =
      "Authorization: Bearer \(try team.output("token", "add", "all", "--publish", "ops", "--read", "ops"))"
    var clients: [LoopbackClient] = []
    for number in 0..<hubs { clients.append(try team.start(number)) }
    let ledger = Ledger(clients, token)
    async let publishing: Void = ledger.publish(Self.publishers)
    async let readings = ledger.follow()
    let total = Self.publishers * items
    var (hubKills, serverKills) = (0, 0)
    // A hub about each 1.2 s and the database each 11 s of an idle machine.
    let (hubPace, serverPace) = items > 100 ? (300, 3000) : (40, 150)
    for count in stride(from: hubPace, to: total, by: hubPace) {
      await ledger.wait(for: count)
      if let server, count / serverPace > (count - hubPace) / serverPace {
        try server.stop("immediate")
        try server.start()
        serverKills += 1
      }
      try team.end(hubKills % hubs, SIGKILL)
      try team.start(hubKills % hubs)
      hubKills += 1
    }
    try await publishing
    ledger.end()
    let lists = try await readings
    let late = try await ledger.readAll()
    let acknowledged = ledger.acknowledged
    #expect(acknowledged.count == total)
    for list in lists + [late] { #expect(list == acknowledged) }
    print(
      "\(total) acknowledged, stored and on each of \(lists.count + 1) lists; \(hubKills) kills of hubs, \(serverKills) of the database"
    )
    for number in 0..<hubs { #expect(try team.end(number, SIGTERM).exit == .status(0)) }
    return (hubKills, serverKills)
  }
}

/// Publishers that retry, and readers that follow.
private final class Ledger: Sendable {
  struct Entry: Hashable, Comparable, Sendable {
    var id: Int64
    var title: String

    static func < (a: Self, b: Self) -> Bool { a.id < b.id }
  }

  private struct State {
    var acknowledged: [Entry] = []
    var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    var isOver = false
  }

  private let clients: [LoopbackClient]
  private let token: String
  private let state = Mutex(State())

  init(_ clients: [LoopbackClient], _ token: String) {
    (self.clients, self.token) = (clients, token)
  }

  /// The acknowledged items, in the order of their ids.
  var acknowledged: [Entry] { state.withLock { $0.acknowledged.sorted() } }

  func end() { state.withLock { $0.isOver = true } }

  /// Waits until this many are acknowledged.
  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.acknowledged.count >= count { return true }
        state.waiting = (count, continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  private func acknowledge(_ entry: Entry) {
    let waiting = state.withLock { state in
      state.acknowledged.append(entry)
      guard let waiting = state.waiting, state.acknowledged.count >= waiting.count else {
        return nil as CheckedContinuation<Void, Never>?
      }
      state.waiting = nil
      return waiting.continuation
    }
    waiting?.resume()
  }

  func publish(_ publishers: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for publisher in 0..<publishers {
        group.addTask {
          for number in 0..<items { try await self.publish("\(publisher)-\(number)", first: publisher) }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Again and again until it is acknowledged, by one hub or another.
  private func publish(_ title: String, first: Int) async throws {
    for attempt in 0... {
      let client = clients[(first + attempt) % clients.count]
      guard
        let answer = try? await client.answer(
          "POST", "/v1/feeds/ops?title=\(title)", [token, "Idempotency-Key: \(title)"], body: title)
      else { continue }
      if answer.status == 503 { continue }
      try #require(answer.status == 201, "\(title): \(answer)")
      let id = answer.body.firstMatch(of: #/^\{"id":(\d+),/#).flatMap { Int64($0.1) }
      acknowledge(Entry(id: try #require(id), title: title))
      return
    }
  }

  /// Runs a reader for each hub, and one reader that requests the hubs in turn.
  func follow() async throws -> [[Entry]] {
    try await withThrowingTaskGroup(of: [Entry].self) { group in
      for reader in 0...clients.count {
        group.addTask {
          try await self.read(
            reader < self.clients.count ? [self.clients[reader]] : self.clients, "&wait=2")
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// A late reader.
  func readAll() async throws -> [Entry] { try await read(clients, "") }

  private func read(_ clients: [LoopbackClient], _ wait: String) async throws -> [Entry] {
    var (entries, since): ([Entry], Int64) = ([], 0)
    for turn in 0... {
      let isOver = state.withLock { $0.isOver }
      guard
        let page = try? await clients[turn % clients.count].answer(
          "GET", "/v1/feeds/ops?since_id=\(since)&limit=50\(isOver ? "" : wait)", [token]),
        page.status != 503
      else { continue }
      try #require(page.status == 200, "\(page)")
      let found = page.body.matches(of: #/\{"id":(\d+),"key":"[^"]*","title":"(\d+-\d+)"/#).compactMap {
        match in Int64(match.1).map { Entry(id: $0, title: String(match.2)) }
      }
      let last = page.body.firstMatch(of: #/"last_id":(\d+)\}$/#).flatMap { Int64($0.1) } ?? 0
      #expect(last >= since, "it would begin again")
      entries += found
      since = found.last?.id ?? since
      if isOver, found.isEmpty { break }
    }
    return entries
  }
}
