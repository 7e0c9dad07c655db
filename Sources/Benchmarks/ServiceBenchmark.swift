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

  /// A large list of Miniflux, beside feeds with as many items and, once, with the same content.
  ///
  /// In turn, forwards and backwards: what runs before another one slows it down.
  private func backlog(into table: inout ResultTable) async throws {
    let count = 100_000
    let standIn = Self.miniflux(count)
    try await StandInServer.with(standIn) { server in
      // The server has its answers ready: it is not what is measured.
      _ = standIn.respond(
        to: StandInRequest(
          method: "GET", origin: server.origin, target: "/v1/entries?limit=0&order=id",
          headers: ["x-auth-token": standIn.conditions.token], body: Data()))
      let intakes = [
        Intake("RSS items", Self.source(try workshop.rss(count))),
        Intake(
          "RSS items with an author and two categories", Self.source(try workshop.rss(count, details: true))),
        Intake("Miniflux entries, which have them too,", Self.source(standIn, server)),
      ]
      var costs = intakes.map { _ in [ProcessRun.Cost]() }
      for round in 0..<Self.backlogRounds {
        let forwards = Array(intakes.indices)
        for place in round.isMultiple(of: 2) ? forwards : forwards.reversed() {
          note("\(intakes[place].what), round \(round + 1)")
          costs[place].append(try intakes[place].run(in: workshop, count))
        }
      }
      for (place, intake) in intakes.enumerated() {
        table.add("100,000 \(intake.what) taken in by one poll", Self.median(costs[place]))
      }
      table.add(
        "the latter's time and CPU, as shares of those of such RSS items",
        Self.ratios(costs[2], costs[1]), goal: "1.0")
    }
  }

  private static let backlogRounds = 4

  /// Unread entries that have been there for a day: what has just changed is read twice.
  private static func miniflux(_ count: Int) -> MinifluxStandIn {
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
    return standIn
  }

  private static func source(_ feed: URL) -> String {
    "[[source]]\nname = \"large\"\nurl = \"\(feed.absoluteString)\"\n"
  }

  private static func median(_ costs: [ProcessRun.Cost]) -> String {
    var (wall, cpu) = (Times(), Times())
    for cost in costs {
      wall.add(cost.wall)
      cpu.add(cost.cpu)
    }
    return "\(text(wall.median)), CPU \(text(cpu.median)), \(costs.last?.peakMiB ?? "")"
  }

  /// The median over the rounds.
  private static func ratios(_ costs: [ProcessRun.Cost], _ others: [ProcessRun.Cost]) -> String {
    func middle(_ values: [Double]) -> Double {
      let sorted = values.sorted()
      return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
    let pairs = zip(costs, others)
    return String(
      format: "%.2f, CPU %.2f", middle(pairs.map { $0.wall / $1.wall }), middle(pairs.map { $0.cpu / $1.cpu })
    )
  }
}

/// One poll of a large source into a new database.
private struct Intake {
  var what: String
  var settings: String

  init(_ what: String, _ settings: String) {
    self.what = what
    self.settings = settings
  }

  func run(in workshop: Workshop, _ count: Int) throws -> ProcessRun.Cost {
    let program = try ServiceProgram(workshop, "backlog", settings)
    try program.forget()
    let run = try program.poll()
    try program.check(run, "the poll of \(what)")
    let missing = count - (try program.stored())
    if missing != 0 { throw ServiceBenchmarkFailure(description: "\(missing) of the \(what) are missing") }
    return run.cost
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

  /// Removes the database.
  func forget() throws {
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: database + suffix) {
      try FileManager.default.removeItem(atPath: database + suffix)
    }
  }

  /// How many messages there are.
  func stored() throws -> Int {
    let store = try Store(path: database, now: Date())
    let total = try store.sources.statuses().reduce(0) { $0 + $1.total }
    try store.close()
    return total
  }

  func check(_ run: ProcessRun, _ what: String) throws {
    if run.end != .status(0) { throw ServiceBenchmarkFailure(description: "\(what) ended with \(run.end)") }
  }
}

private struct ServiceBenchmarkFailure: Error, CustomStringConvertible {
  var description: String
}
