import Foundation
import PostgreSQLStandIn
import StandIns
import TerminalHarness
import TestBasics
import Testing

/// The cost of publishing on this machine's disk; by hand, with REDDOT_HUB_FIGURES=1. Nothing is judged: machines
/// differ.
@Suite(
  .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["REDDOT_HUB_FIGURES"] != nil && PostgreSQLServer.isInstalled,
    "figures are measured by hand: REDDOT_HUB_FIGURES=1"))
struct HubFiguresTests {
  private struct Figures {
    var seconds: [Double]
    var whole: Double

    func percentile(_ share: Double) -> Double {
      let sorted = seconds.sorted()
      return sorted.isEmpty ? 0 : 1000 * sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    var text: String {
      String(
        format: "%.0f publishes/s, p50 %.1f ms, p99 %.1f ms", Double(seconds.count) / whole, percentile(0.5),
        percentile(0.99))
    }
  }

  /// Each publisher has one item at a time.
  private func publish(
    _ client: LoopbackClient, _ token: String, publishers: Int, each: Int
  ) async throws -> Figures {
    let start = ContinuousClock.now
    let seconds = try await withThrowingTaskGroup(of: [Double].self) { group in
      for _ in 0..<publishers {
        group.addTask {
          var seconds: [Double] = []
          for _ in 0..<each {
            let before = ContinuousClock.now
            let answer = try await client.answer(
              "POST", "/v1/feeds/ops?title=A", [token], body: String(repeating: "x", count: 300))
            try #require(answer.status == 201)
            seconds.append((ContinuousClock.now - before) / .seconds(1))
          }
          return seconds
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    return Figures(seconds: seconds, whole: (ContinuousClock.now - start) / .seconds(1))
  }

  private func fdatasyncs(_ folder: String) throws -> Double {
    let descriptor = open("\(folder)/sync", O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    let start = ContinuousClock.now
    for number in 0..<500 {
      var byte = UInt8(truncatingIfNeeded: number)
      try #require(pwrite(descriptor, &byte, 1, off_t(number % 4096)) == 1 && fdatasync(descriptor) == 0)
    }
    return 500 / ((ContinuousClock.now - start) / .seconds(1))
  }

  @Test func publishing() async throws {
    let server = try PostgreSQLServer(isDurable: true)
    let household = try Household()
    print(String(format: "%.0f fdatasync/s", try fdatasyncs(household.home)))
    for (name, store) in [
      ("PostgreSQL", try server.address(role: "postgres", database: server.database())),
      ("SQLite", "sqlite:\(household.home)/hub.db"),
    ] {
      let team = try HubTeam(1, store: store)
      _ = try team.output("feed", "add", "ops")
      let token = "Authorization: Bearer \(try team.output("token", "add", "a", "--publish", "ops"))"
      let client = try team.start(0)
      _ = try await publish(client, token, publishers: 4, each: 50)
      for round in 1...3 {
        for publishers in [1, 32, 256] {
          let figures = try await publish(
            client, token, publishers: publishers, each: publishers == 1 ? 400 : 3200 / publishers * 2)
          print("\(name) \(round): \(publishers) publishers: \(figures.text)")
        }
      }
      #expect(try team.end(0, SIGTERM).exit == .status(0))
    }
  }

  /// A long transaction keeps old rows, and a dump reads all of them.
  @Test func publishingBesideALongTransactionAndADump() async throws {
    let server = try PostgreSQLServer(isDurable: true)
    let database = try server.database()
    let address = server.address(role: "postgres", database: database)
    let team = try HubTeam(1, store: address)
    _ = try team.output("feed", "add", "ops")
    let token = "Authorization: Bearer \(try team.output("token", "add", "a", "--publish", "ops"))"
    let client = try team.start(0)
    let item = "{\"title\": \"A\", \"body\": \"\(String(repeating: "x", count: 5000))\"}"
    let list = "[\(Array(repeating: item, count: 100).joined(separator: ","))]"
    for _ in 0..<200 {
      let answer = try await client.answer(
        "POST", "/v1/feeds/ops", [token, "Content-Type: application/json"], body: list)
      try #require(answer.status == 200)
    }
    _ = try await publish(client, token, publishers: 1, each: 100)
    for round in 1...3 {
      let alone = try await publish(client, token, publishers: 1, each: 400)
      print("\(round): alone: \(alone.text)")
      let old = try server.administrator(database: database)
      try old("BEGIN ISOLATION LEVEL REPEATABLE READ")
      try old("SELECT count(*) FROM item")
      let dump = try Running(
        "/usr/bin/pg_dump", ["--file=\(team.household.home)/dump", address],
        environment: team.household.environment)
      let beside = try await publish(client, token, publishers: 1, each: 400)
      print("\(round): beside a transaction and a dump: \(beside.text)")
      #expect(try dump.waitForEnd().exit == .status(0))
    }
    #expect(try team.end(0, SIGTERM).exit == .status(0))
  }

  /// Measures the time from the publisher's request at one hub to the waiting reader's response at another.
  @Test func hearing() async throws {
    let server = try PostgreSQLServer(isDurable: true)
    let team = try HubTeam(2, store: server.address(role: "postgres", database: server.database()))
    _ = try team.output("feed", "add", "ops")
    let token =
      "Authorization: Bearer \(try team.output("token", "add", "a", "--publish", "ops", "--read", "ops"))"
    let (one, two) = (try team.start(0), try team.start(1))
    var (seconds, since): ([Double], Int64) = ([], 0)
    for _ in 0..<1000 {
      let target = "/v1/feeds/ops?since_id=\(since)&wait=60"
      async let page = two.answer("GET", target, [token])
      let before = ContinuousClock.now
      let answer = try await one.answer("POST", "/v1/feeds/ops?title=A", [token], body: "x")
      try #require(answer.status == 201)
      since = try await page.body.firstMatch(of: #/"last_id":(\d+)\}$/#).flatMap { Int64($0.1) } ?? 0
      seconds.append((ContinuousClock.now - before) / .seconds(1))
    }
    let figures = Figures(seconds: seconds, whole: seconds.reduce(0, +))
    print("publish to a waiting reader of another hub: \(figures.text)")
    for number in 0..<2 { #expect(try team.end(number, SIGTERM).exit == .status(0)) }
  }
}
