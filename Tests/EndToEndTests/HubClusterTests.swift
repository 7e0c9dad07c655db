import Foundation
import PostgreSQLStandIn
import StandIns
import TerminalHarness
import TestBasics
import Testing

/// The built `reddot-hub` on PostgreSQL.
@Suite(
  .enabled(
    if: PostgreSQLServer.isInstalled,
    "PostgreSQL's server is not installed: Resources/install-packages --servers"),
  .timeLimit(.minutes(HangLimit.minutes)))
struct HubClusterTests {
  private func team(_ count: Int, on server: PostgreSQLServer) throws -> HubTeam {
    try HubTeam(count, store: server.address(role: "postgres", database: server.database()))
  }

  @Test func commandsAreThoseOfAFile() throws {
    let server = try PostgreSQLServer.shared
    let team = try team(1, on: server)
    #expect(try team.output("feed", "add", "ops", "--title", "Ops") == "http://127.0.0.1:0/v1/feeds/ops")
    #expect(try team.output("publish", "ops", "By hand", "--key", "hand") == "1 stored")
    #expect(try team.output("publish", "ops", "By hand", "--key", "hand") == "1 unchanged")
    #expect(try team.output("feed", "list") == "ops  private  1 item  last 1  Ops")
    #expect(try team.output("token", "add", "all", "--read", "ops").hasPrefix("rdh_1_"))
    #expect(try team.output("token", "list").hasPrefix("all  reads ops  made "))
    #expect(try team.output("token", "revoke", "all").hasPrefix("Revoked all"))
    #expect(try team.output("migrate") == "Schema 4: nothing to do.")
    #expect(try team.output("migrate", "--restored").hasSuffix("Ids continue from 1000001."))
    let check = try team.run("check")
    // That server doesn't wait for the disk.
    #expect(check.exit == .status(1) && check.output.contains("fsync  fails"), "\(check)")
    #expect(check.output.contains("server  good  PostgreSQL ") && check.output.contains("clock  good"))
    let backup = try team.run("backup", "copy.dump")
    #expect(backup.exit == .status(64) && backup.errors.contains("pg_dump --format=custom --file=/"))
    #expect(backup.errors.contains("/copy.dump "))
    let restore = try team.run("restore", "copy.dump")
    #expect(restore.exit == .status(64) && restore.errors.contains("pg_restore --clean"), "\(restore)")
    #expect(restore.errors.contains("/copy.dump; then reddot-hub migrate --restored"))
    #expect(try team.output("feed", "remove", "ops", "--yes") == "Removed ops and its 1 item.")
  }

  @Test func aFileIsCopied() throws {
    let server = try PostgreSQLServer.shared
    let household = try Household()
    let file = "sqlite:\(household.home)/hub.db"
    let old = try HubTeam(1, store: file)
    _ = try old.output("feed", "add", "ops")
    let token =
      "Authorization: Bearer \(try old.output("token", "add", "a", "--read", "ops", "--publish", "ops"))"
    _ = try old.output("publish", "ops", "One")
    let address = try server.address(role: "postgres", database: server.database())
    let client = try old.start(0)
    let served = try old.run("copy", file, address)
    #expect(served.exit == .status(1) && served.errors.contains("is already served by another reddot-hub"))
    let before = try client.ask("GET", "/v1/feeds/ops", [token]).body
    #expect(try old.end(0, SIGTERM).exit == .status(0))
    #expect(
      try old.output("copy", file, address)
        == "Copied 1 feed, 1 token, 1 item and 0 documents; ids continue from 1.")
    #expect(try old.run("copy", file, address).errors.contains("has feeds or tokens"))
    #expect(try old.run("copy", address, file).exit == .status(64))
    let new = try HubTeam(1, store: address)
    let copy = try new.start(0)
    #expect(try copy.ask("GET", "/v1/feeds/ops", [token]).body == before)
    let more = try copy.ask("POST", "/v1/feeds/ops?title=Two", [token], body: "x")
    #expect(more.status == 201 && more.body.hasPrefix(#"{"id":2,"#))
    #expect(try new.end(0, SIGTERM).exit == .status(0))
  }

  @Test func aDatabaseThatIsAwayIsSaid() throws {
    let household = try Household()
    let team = try HubTeam(1, store: "postgresql:///hub?host=\(household.home)")
    for words in [["serve"], ["feed", "list"], ["migrate"]] {
      let ran = try team.run(words)
      #expect(ran.exit == .status(75), "\(ran)")
      #expect(ran.errors.hasPrefix("reddot-hub: postgresql:///hub?host=") && ran.errors.contains("failed: "))
    }
    let secret = try HubTeam(1, store: "postgres://ada:s3cret@box/hub")
    let ran = try secret.run("feed", "list")
    #expect(ran.exit == .status(1) && ran.errors.contains("hub0.toml:2: store: has a password"))
    #expect(!ran.errors.contains("s3cret"))
  }

  /// Requests go to both hubs in turn, and one of the hubs is stopped for a while.
  @Test func readersGoFromHubToHub() async throws {
    let team = try team(2, on: .shared)
    _ = try team.output("feed", "add", "ops")
    let token =
      "Authorization: Bearer \(try team.output("token", "add", "a", "--read", "ops", "--publish", "ops"))"
    let clients = [try team.start(0), try team.start(1)]
    var (since, seen): (Int64, [Int]) = (0, [])
    func read(_ client: LoopbackClient, wait: Int = 0) async throws {
      let page = try await client.answer("GET", "/v1/feeds/ops?since_id=\(since)&wait=\(wait)", [token])
      #expect(page.status == 200)
      seen += page.body.matches(of: #/"title":"(\d+)"/#).compactMap { Int($0.1) }
      let last = page.body.firstMatch(of: #/"last_id":(\d+)\}$/#).flatMap { Int64($0.1) } ?? 0
      #expect(last >= since, "it would begin again")
      since = last
    }
    func publish(_ number: Int, _ client: LoopbackClient) async throws {
      let answer = try await client.answer("POST", "/v1/feeds/ops?title=\(number)", [token], body: "x")
      #expect(answer.status == 201, "\(answer)")
    }
    for number in 0..<60 {
      // Items are published at one hub, and a reader waits for them at the other.
      async let published: Void = publish(number, clients[number % 2])
      while seen.last != number { try await read(clients[(number + 1) % 2], wait: 20) }
      try await published
    }
    try team.signal(1, SIGSTOP)
    for number in 60..<120 {
      try await publish(number, clients[0])
      if number % 10 == 0 { try await read(clients[0]) }
    }
    try team.signal(1, SIGCONT)
    // The hub may not know the newest yet, and reports that, not that they don't exist.
    try await read(clients[1])
    try await publish(120, clients[1])
    while seen.last != 120 { try await read(clients[0], wait: 20) }
    try await read(clients[1])
    #expect(seen == Array(0...120))
    for number in 0..<2 { #expect(try team.end(number, SIGTERM).exit == .status(0)) }
  }

  @Test func whileTheDatabaseIsAwayPublishersHearItAtOnce() async throws {
    let server = try PostgreSQLServer()
    let team = try team(1, on: server)
    _ = try team.output("feed", "add", "ops", "--public")
    let token = "Authorization: Bearer \(try team.output("token", "add", "a", "--publish", "ops"))"
    let client = try team.start(0)
    #expect(try client.ask("POST", "/v1/feeds/ops?title=A", [token], body: "x").status == 201)
    try server.stop("immediate")
    let away = try client.ask("POST", "/v1/feeds/ops?title=B", [token], body: "x")
    #expect(away.status == 503 && away.fields["retry-after"] == "5" && away.body.contains("store_away"))
    // For some seconds, the hub can still report that nothing is new.
    #expect(try client.ask("GET", "/v1/feeds/ops?since_id=1").status == 200)
    while try client.ask("GET", "/health").status == 200 {}
    while try client.ask("GET", "/v1/feeds/ops?since_id=1").status == 200 {}
    let old = try client.ask("GET", "/v1/feeds/ops?since_id=1")
    #expect(old.status == 503 && old.fields["retry-after"] == "5")
    try server.start()
    while try client.ask("GET", "/health").status != 200 {}
    // The connection that writes may be back a little later than those that read: a publisher tries again.
    func publish() throws -> LoopbackClient.Answer {
      try client.ask("POST", "/v1/feeds/ops?title=B&key=b", [token], body: "x")
    }
    var back = try publish()
    while back.status == 503 { back = try publish() }
    #expect([200, 201].contains(back.status), "\(back)")
    #expect(try client.ask("GET", "/v1/feeds/ops").body.matches(of: #/"title":"B"/#).count == 1)
    #expect(try team.end(0, SIGTERM).exit == .status(0))
    let log = try team.log(0)
    #expect(
      log.contains("The store is away: connection to server on socket") && log.contains("The store is back."))
  }
}
