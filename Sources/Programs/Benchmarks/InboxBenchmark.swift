import Basics
import Foundation
import Session
import TerminalHarness

/// An error: a program did not show the expected text.
struct MissingList: Error {
  var text: String
}

/// Measures the inbox for a user: start, keys, memory, idle time.
struct InboxBenchmark {
  var workshop: Workshop

  /// - Parameter isShort: whether only the first key gets a row. All keys are typed anyway, since the memory should be
  ///   that of a user who has used the inbox.
  func run(_ database: FilledDatabase, isShort: Bool = false, into table: inout ResultTable) throws {
    try addStart(database, database.label, goal: database.isLargest ? "≤ 25 ms" : "", into: &table)
    let terminal = try PseudoTerminal(columns: 120, rows: 40)
    try launch(database, in: terminal)
    try terminal.wait(forText: database.newest)
    terminal.readUntilQuiet(for: 300)
    if database.isLargest, !isShort {
      table.add(
        "processes beside the inbox, while no view has a script to run",
        "\(try Self.children(of: terminal.process))", goal: "0")
    }
    for (index, key) in MeasuredKey.all.enumerated() {
      let paint = key.paint(in: terminal)
      if index == 0 || !isShort { Self.add(paint, of: key, database.label, database, into: &table) }
    }
    table.add(
      "resident memory after browsing, \(database.label)", Self.resident(terminal.process),
      goal: database.isLargest ? "≤ 40 MiB" : "")
    try Self.addIdling(in: terminal, database.label, isLong: database.isLargest, into: &table)
    terminal.send("q")
    _ = try terminal.waitForExit()
  }

  /// Adds the time from the start of the process until the terminal shows its list: the median of seven
  /// starts.
  private func addStart(
    _ database: FilledDatabase, _ label: String, settings: String? = nil, goal: String,
    into table: inout ResultTable
  ) throws {
    var starts = Times()
    for _ in 0..<7 {
      let terminal = try PseudoTerminal(columns: 120, rows: 40)
      let start = ContinuousClock.now
      try launch(database, settings: settings, in: terminal)
      guard let end = terminal.time(ofText: database.newest) else { throw MissingList(text: database.newest) }
      starts.add(end - start)
      terminal.send("q")
      _ = try terminal.waitForExit()
    }
    table.add("start to first list, \(label)", text(starts.median), goal: goal)
  }

  private static func add(
    _ paint: String, of key: MeasuredKey, _ label: String, _ database: FilledDatabase,
    into table: inout ResultTable
  ) {
    table.add(
      "key to paint, \(key.name), \(label)", paint,
      goal: database.isLargest ? "p50 ≤ 1 ms, p99 ≤ 4 ms" : "")
  }

  /// Adds the cost of an inbox in which nothing happens: how often its threads run, and their processor time.
  ///
  /// - Parameter isLong: whether to measure a minute instead of a few seconds.
  static func addIdling(
    in terminal: PseudoTerminal, _ label: String, isLong: Bool, into table: inout ResultTable
  ) throws {
    // Threads without work end after some seconds.
    terminal.readUntilQuiet(for: 11_000)
    let before = switches(terminal.process)
    let ticks = processorTicks(terminal.process)
    let seconds: Int32 = isLong ? 60 : 5
    _ = terminal.read(for: seconds * 1000)
    let wakeUps = switches(terminal.process).reduce(0) { $0 + $1.value - before[$1.key, default: 0] }
    table.add(
      "idle for \(seconds) s, \(label)",
      "\(wakeUps) wake-ups, \(processorTicks(terminal.process) - ticks) ticks of CPU",
      goal: isLong ? "none" : "")
  }

  /// Measures an inbox with a banner, which the demo's server publishes.
  func runWithBanner(_ database: FilledDatabase, into table: inout ResultTable) async throws {
    let label = database.label + ", a banner up"
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let server = Task {
      try await DemoServer(now: { Date() }, timer: ContinuousClock()).run { port.yield($0) }
    }
    defer { server.cancel() }
    var iterator = ports.makeAsyncIterator()
    guard let port = await iterator.next() else { return note("the server of banners did not start") }
    let settings = workshop.folder.appending(path: "banners.toml")
    let source =
      "\n[[source]]\nname = \"campaigns\"\nkind = \"banners\"\n"
      + "url = \"http://127.0.0.1:\(port)/banners/control.json\"\ninitial_delay = \"1s\"\n"
    try (Data(contentsOf: URL(filePath: database.settings)) + Data(source.utf8)).write(to: settings)
    try addStart(
      database, "\(label) later", settings: settings.path, goal: "as without", into: &table)
    // The displays of those starts are reset.
    _ = try ProcessRun(
      workshop.program, ["banner", "reset", "--database", database.path, "--config", settings.path],
      environment: ["HOME": workshop.folder.path])
    let terminal = try PseudoTerminal(columns: 120, rows: 40)
    try launch(database, settings: settings.path, in: terminal)
    try terminal.wait(forText: "campaigns")
    terminal.send("R")
    try terminal.wait(forText: "[ Update ]")
    terminal.readUntilQuiet(for: 500)
    for key in [MeasuredKey.down, .pageDown] {
      Self.add(key.paint(in: terminal), of: key, label, database, into: &table)
    }
    terminal.send("q")
    _ = try terminal.waitForExit()
  }

  /// Returns the number of child processes of a process.
  private static func children(of process: Int32) throws -> Int {
    let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
    return try tasks.reduce(0) { count, task in
      let list = try String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)
      return count + list.split(onBytes: " ").count
    }
  }

  func launch(_ database: FilledDatabase, settings: String? = nil, in terminal: PseudoTerminal) throws {
    try terminal.start(
      workshop.program, ["--database", database.path, "--config", settings ?? database.settings],
      environment: ["HOME": workshop.folder.path, "TZ": "UTC"])
  }

  /// Returns the memory of a process: the total, and the part that isn't read from the files of the program and its
  /// libraries. These files are shared, and the kernel maps more of them than is used.
  static func resident(_ process: Int32) -> String {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    func mebibytes(_ name: String) -> Double {
      let line = status.split(onBytes: "\n").first { $0.hasPrefix(name) } ?? ""
      return (line.split(onBytes: " ").compactMap { Double($0) }.first ?? .nan) / 1024
    }
    return String(format: "%.1f MiB, %.1f of it its own", mebibytes("VmRSS"), mebibytes("RssAnon"))
  }

  /// Returns the number of times that each thread of a process was scheduled so far.
  static func switches(_ process: Int32) -> [String: Int] {
    let tasks = "/proc/\(process)/task"
    var counts: [String: Int] = [:]
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
      let status = (try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)) ?? ""
      let lines = status.split(onBytes: "\n").filter { $0.contains("ctxt_switches") }
      counts[thread] = lines.reduce(0) { $0 + (Int($1.split(onBytes: "\t").last ?? "") ?? 0) }
    }
    return counts
  }

  /// Returns the user and system time of a process, in hundredths of a second.
  static func processorTicks(_ process: Int32) -> Int {
    let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    let fields = stat.split(onBytes: ")").last?.split(onBytes: " ") ?? []
    guard fields.count > 12 else { return 0 }
    return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
  }
}
