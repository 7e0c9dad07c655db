import Foundation
import Messages
import Services
import StandIns
import TerminalHarness

/// What a poll of services without news costs. They are on loopback: the servers run in this process, the program beside it.
struct ServiceBenchmark {
  var workshop: Workshop

  func run(into table: inout ResultTable) async throws {
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
}

/// The program with its own settings and database.
private struct ServiceProgram {
  private let workshop: Workshop
  let files: [String]

  init(_ workshop: Workshop, _ name: String, _ settings: String) throws {
    self.workshop = workshop
    let config = workshop.folder.appending(path: "\(name).toml")
    try Data(settings.utf8).write(to: config)
    // It has tokens.
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config.path)
    files = [
      "--config", config.path, "--database", workshop.folder.appending(path: "\(name).sqlite").path,
    ]
  }

  func run(_ command: String...) throws -> ProcessRun {
    try ProcessRun(workshop.program, command + files, environment: ["HOME": workshop.folder.path])
  }

  func poll() throws -> ProcessRun { try run("poll", "--force") }

  func check(_ run: ProcessRun, _ what: String) throws {
    if run.end != .status(0) { throw ServiceBenchmarkFailure(description: "\(what) ended with \(run.end)") }
  }
}

private struct ServiceBenchmarkFailure: Error, CustomStringConvertible {
  var description: String
}
