import Foundation
import StandIns
import TerminalHarness
import TestBasics
import Testing

/// The built `reddot` with `stream = true`, and the built `reddot-hub` that holds its requests.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubStreamTests {
  private let hub: HubHousehold
  private var household: Household { hub.household }

  init() throws { hub = try HubHousehold() }

  private func follow(_ client: LoopbackClient) throws {
    try household.settings(
      "[poll]\ninterval = \"1d\"\ninitial_delay = \"1ms\"",
      sources: [
        (
          name: "ops", url: "http://127.0.0.1:\(client.port)/v1/feeds/ops",
          more: "kind = \"native\"\nstream = true\ntoken_file = \"~/token\""
        )
      ])
  }

  @Test func whatIsPublishedAppearsWithinASecondAndAKilledHubLosesNothing() throws {
    _ = try hub.output("feed", "add", "ops")
    let publisher = "Authorization: Bearer \(try hub.output("token", "add", "backup", "--publish", "ops"))"
    try household.write("token", try hub.output("token", "add", "desk", "--read", "ops"))
    let (program, client) = try hub.serve()
    try follow(client)
    func publish(_ title: String, to client: LoopbackClient) throws {
      let answer = try client.ask(
        "POST", "/v1/feeds/ops?title=\(title)", [publisher, "Idempotency-Key: \(title)"], body: title)
      #expect(answer.status == 201, "\(answer)")
    }

    try publish("Early", to: client)
    let terminal = try household.inbox(columns: 120, rows: 40)
    try terminal.wait(forText: "Early")
    // The machine may be busy: of five times the one in the middle counts.
    var times: [Duration] = []
    for number in 1...5 {
      let start = ContinuousClock.now
      try publish("Quick\(number)", to: client)
      try terminal.wait(forText: "Quick\(number)")
      times.append(ContinuousClock.now - start)
    }
    #expect(times.sorted()[2] < .seconds(1), "\(times)")

    // The hub is killed while it holds a request. The reader must notice this, and connect again.
    try eventually("the held request") {
      try client.ask("GET", "/metrics").body.contains(#/reddot_hub_waiting 1\b/#)
    }
    kill(program.process, SIGKILL)
    #expect(try program.waitForEnd().exit == .signal(SIGKILL))
    let (again, other) = try hub.serve()
    // The restarted hub knows the acknowledged item when a publisher that got no response repeats its request.
    let repeated = try other.ask(
      "POST", "/v1/feeds/ops?title=Quick5", [publisher, "Idempotency-Key: Quick5"], body: "Quick5")
    #expect(repeated.status == 201 && repeated.fields["idempotency-replayed"] == "true")
    try publish("Later", to: other)
    try terminal.wait(forText: "Later")
    try publish("Last", to: other)
    try terminal.wait(forText: "Last")
    try terminal.leave()
    let titles = try household.run("list", "--query", "in:all").output.split(separator: "\n")
    for title in ["Early", "Later", "Last"] + (1...5).map({ "Quick\($0)" }) {
      #expect(titles.filter { $0.contains(title) }.count == 1, "\(title): \(titles)")
    }
    kill(again.process, SIGTERM)
    #expect(try again.waitForEnd().exit == .status(0))
  }

  @Test func aWrongTokenIsSaidAsAPollSaysIt() throws {
    _ = try hub.output("feed", "add", "ops")
    try household.write("token", "rdh_1_wrong")
    let (program, client) = try hub.serve()
    try follow(client)
    let terminal = try household.inbox(columns: 120, rows: 40)
    func why() throws -> String { try household.run("why", "ops").output }
    try eventually("the failure of the stream") { try why().contains("stream: opening it has failed since ") }
    let said = try why()
    #expect(said.split(separator: "\n").filter { $0.contains("401") }.count > 1, "\(said)")
    try terminal.leave()
    kill(program.process, SIGTERM)
    #expect(try program.waitForEnd().exit == .status(0))
  }
}
