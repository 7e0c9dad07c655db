import Foundation
import Messages
import Services
import StandIns
import Storage
import Synchronization
import TerminalHarness

/// Services on loopback: what a poll without news costs, and a large backlog of one of them. The servers run in this
/// process, the program beside it.
struct ServiceBenchmark {
  var workshop: Workshop

  func run(into table: inout ResultTable) async throws {
    try await idle(into: &table)
    try await backlog(into: &table)
  }

  // MARK: Nothing new

  private func idle(into table: inout ResultTable) async throws {
    var hosts: [any ServiceStandIn] = []
    var servers: [StandInServer] = []
    var settings = "[poll]\ninitial_delay = \"0s\"\n"
    for kind in SourceAdapters.serviceKinds where kind != .command {
      guard let type = StandIns.type(of: kind) else { continue }
      let standIn = type.init(StandInConditions(clock: { Date() }))
      for _ in 0..<5 { standIn.arrive() }
      let server = try await StandInServer.start(standIn)
      hosts.append(standIn)
      servers.append(server)
      settings += Self.source(standIn, server)
    }
    defer { withExtendedLifetime(servers) {} }
    let names = "\(hosts.count) services"
    let program = try ServiceProgram(workshop, "services", settings)
    try program.check(program.poll(), "the first poll of \(names)")

    // Without --force all are within their grace.
    var nothing = Times()
    for _ in 0..<Self.rounds { nothing.add(try program.run("poll").cost.cpu) }
    hosts.forEach { $0.conditions.clearVisits() }
    var whole = Times()
    var wall = Times()
    for _ in 0..<Self.rounds {
      let run = try program.poll()
      try program.check(run, "a poll of \(names)")
      whole.add(run.cost.cpu)
      wall.add(run.cost.wall)
    }
    let visits = hosts.flatMap(\.conditions.visits)
    let logins = visits.filter { $0.path.hasSuffix("/accounts/ClientLogin") }.count
    table.add(
      "CPU of a poll of \(names), nothing new: the whole process",
      "\(text(whole.median)), of them \(text(whole.median - nothing.median)) for the polls; \(text(wall.median)) pass",
      goal: "≤ 50 ms")
    let requests = Double(visits.count - logins) / Double(Self.rounds)
    table.add(
      "requests of it",
      String(format: "%.1f, and the login of a new process", requests), goal: "≤ 12")
    try inbox(program, hosts, names, into: &table)
    for server in servers { try await server.stop() }
  }

  /// The same in the inbox, which has logged in before.
  private func inbox(
    _ program: ServiceProgram, _ hosts: [any ServiceStandIn], _ names: String, into table: inout ResultTable
  ) throws {
    let terminal = try PseudoTerminal(columns: 120, rows: 40)
    try terminal.start(
      workshop.program, program.files, environment: ["HOME": workshop.folder.path])
    try terminal.wait(forText: "All")
    var requests = Times()
    var cpu = Times()
    for round in 0..<Self.rounds {
      hosts.forEach { $0.conditions.clearVisits() }
      let before = terminal.processorTime ?? .zero
      terminal.send("R")
      terminal.readUntilQuiet(for: 1500)
      let count = hosts.map(\.conditions.visits.count).reduce(0, +)
      note("requests of the inbox: \(count)")
      guard round > 0 else { continue }
      requests.add(.milliseconds(count))
      cpu.add((terminal.processorTime ?? .zero) - before)
    }
    terminal.send("q")
    _ = try terminal.waitForExit()
    table.add(
      "requests of a refresh of \(names) in the inbox, nothing new", "\(Int(requests.median))", goal: "≤ 12")
    table.add(
      "CPU of that refresh, with the frames that it draws", text(cpu.median), goal: "≤ 50 ms")
  }

  private static let rounds = 9

  private static func source(_ standIn: any ServiceStandIn, _ server: StandInServer) -> String {
    let type = type(of: standIn)
    let needsUser = SourceAdapters.facts(of: type.kind)?.needsUser == true
    return """
      [[source]]
      name = "\(type.kind.rawValue)"
      kind = "\(type.kind.rawValue)"
      url = "\(type.address(at: server.origin))"
      \(needsUser ? "user = \"\(standIn.conditions.user)\"\n" : "")token = "\(standIn.conditions.token)"

      """
  }

  // MARK: A backlog

  private func backlog(into table: inout ResultTable) async throws {
    let count = 100_000
    for details in [false, true] {
      let rss = try workshop.rss(count, details: details)
      let feed = try ServiceProgram(
        workshop, details ? "rss-details" : "rss",
        "[[source]]\nname = \"large\"\nurl = \"\(rss.absoluteString)\"\n")
      let run = try feed.poll()
      try feed.check(run, "the poll of the feed")
      let what = details ? " with an author and two categories" : ""
      table.add("100,000 RSS items\(what) taken in", run.cost.text)
    }

    // They have been there for a day: what has just changed is read twice.
    let age = Mutex(TimeInterval(86_400))
    let standIn = MinifluxStandIn(StandInConditions(clock: { Date() - age.withLock { $0 } }))
    standIn.arrive(
      (0..<count).map { index in
        let message = Workshop.message(index)
        return (
          message.title,
          "<p>\(message.body)</p> <a href=\"https://example.org/more/\(index)\">more</a>"
        )
      })
    age.withLock { $0 = 0 }
    try await StandInServer.with(standIn) { server in
      // The server has its answers ready: it is not what is measured.
      _ = standIn.respond(
        to: StandInRequest(
          method: "GET", origin: server.origin, target: "/v1/entries?limit=0&order=id",
          headers: ["x-auth-token": standIn.conditions.token], body: Data()))
      let program = try ServiceProgram(workshop, "backlog", Self.source(standIn, server))
      var total = ProcessRun.Cost()
      var polls = 0
      var last = -1
      // Each poll takes some of them.
      while case let stored = try program.stored(), stored > last, stored < count {
        last = stored
        let run = try program.poll()
        try program.check(run, "a poll of Miniflux")
        total.add(run.cost)
        polls += 1
      }
      let missing = count - (try program.stored())
      table.add(
        "100,000 Miniflux entries taken in by \(polls == 1 ? "one poll" : "\(polls) polls of a process each")",
        "\(total.text)\(missing == 0 ? "" : " FAILED: \(missing) are missing")",
        goal: "as RSS with the same content")
    }
  }
}

/// The program with its own settings and database.
private struct ServiceProgram {
  private let workshop: Workshop
  private let database: String
  let files: [String]

  init(_ workshop: Workshop, _ name: String, _ settings: String) throws {
    self.workshop = workshop
    let config = workshop.folder.appending(path: "\(name).toml")
    try Data(settings.utf8).write(to: config)
    // It has tokens.
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config.path)
    database = workshop.folder.appending(path: "\(name).sqlite").path
    files = ["--config", config.path, "--database", database]
  }

  func run(_ command: String...) throws -> ProcessRun {
    try ProcessRun(workshop.program, command + files, environment: ["HOME": workshop.folder.path])
  }

  func poll() throws -> ProcessRun { try run("poll", "--force") }

  /// How many messages there are.
  func stored() throws -> Int {
    guard FileManager.default.fileExists(atPath: database) else { return 0 }
    let store = try Store(path: database, now: Date())
    let total = try store.statuses().reduce(0) { $0 + $1.total }
    try store.close()
    return total
  }

  func check(_ run: ProcessRun, _ what: String) throws {
    if run.status != 0 { throw ServiceBenchmarkFailure(description: "\(what) ended with \(run.status)") }
  }
}

private struct ServiceBenchmarkFailure: Error, CustomStringConvertible {
  var description: String
}
