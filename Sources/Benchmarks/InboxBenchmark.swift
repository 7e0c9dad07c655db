import Foundation
import TerminalHarness

/// The inbox as a person meets it: start, keys, memory, rest.
struct InboxBenchmark {
  var workshop: Workshop

  func run(_ database: String, size: Int, into table: inout ResultTable) throws {
    let label = "\(size.formatted(.number.locale(Locale(identifier: "en_US")))) messages"
    let isLargest = size == 1_000_000
    var starts = Times()
    let newest = "Message \(size - 1):"
    for _ in 0..<7 {
      let clock = ContinuousClock()
      let terminal = try PseudoTerminal(columns: 120, rows: 40)
      let start = clock.now
      try launch(database, in: terminal)
      try terminal.wait(forText: newest)
      starts.add(clock.now - start)
      terminal.send("q")
      _ = try terminal.waitForExit()
    }
    table.add("start to first list, \(label)", text(starts.median), goal: isLargest ? "≤ 25 ms" : "")

    let terminal = try PseudoTerminal(columns: 120, rows: 40)
    try launch(database, in: terminal)
    try terminal.wait(forText: newest)
    terminal.readUntilQuiet(for: 300)
    let keys: [(name: String, bytes: String, count: Int, before: String)] = [
      ("j", "j", 300, ""), ("PgDn", "\u{1B}[6~", 100, "g"), ("G", "G", 30, "g"), ("n", "n", 100, "g"),
      ("open a message", "\r", 50, "hj"),
    ]
    for key in keys {
      var times = Times()
      for index in 0..<key.count {
        // Each measured key is typed on a screen at rest, and does something.
        let prepares = key.name == "G" || key.name == "open a message" || index == 0
        if prepares {
          for before in key.before {
            terminal.send(String(before))
            terminal.readUntilQuiet(for: 15)
          }
        }
        let start = ContinuousClock.now
        terminal.send(key.bytes)
        guard terminal.read(for: 1000) else { continue }
        times.add(ContinuousClock.now - start)
        terminal.readUntilQuiet(for: 8)
      }
      table.add(
        "key to paint, \(key.name), \(label)",
        "p50 \(text(times.median)), p99 \(text(times.percentile(0.99)))",
        goal: isLargest ? "p50 ≤ 1 ms, p99 ≤ 4 ms" : "")
    }
    table.add(
      "resident memory after browsing, \(label)", Self.resident(terminal.process),
      goal: isLargest ? "≤ 40 MiB" : "")

    terminal.readUntilQuiet(for: 500)
    let before = Self.switches(terminal.process)
    let ticks = Self.processorTicks(terminal.process)
    _ = terminal.read(for: 5000)
    table.add(
      "idle for 5 s, \(label)",
      "\(Self.switches(terminal.process).reduce(0) { $0 + $1.value - before[$1.key, default: 0] }) wake-ups, \(Self.processorTicks(terminal.process) - ticks) ticks of CPU",
      goal: isLargest ? "none" : "")
    terminal.send("q")
    _ = try terminal.waitForExit()
  }

  private func launch(_ database: String, in terminal: PseudoTerminal) throws {
    try terminal.start(
      workshop.program, ["--database", database, "--config", workshop.settings],
      environment: ["HOME": workshop.folder.path, "TZ": "UTC"])
  }

  static func resident(_ process: Int32) -> String {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
    let kibibytes = line.split(separator: " ").compactMap { Double($0) }.first ?? .nan
    return String(format: "%.1f MiB", kibibytes / 1024)
  }

  /// How often each thread was given the processor so far.
  static func switches(_ process: Int32) -> [String: Int] {
    let tasks = "/proc/\(process)/task"
    var counts: [String: Int] = [:]
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
      let status = (try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)) ?? ""
      let lines = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
      counts[thread] = lines.reduce(0) { $0 + (Int($1.split(separator: "\t").last ?? "") ?? 0) }
    }
    return counts
  }

  /// User and system time in hundredths of a second.
  static func processorTicks(_ process: Int32) -> Int {
    let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12 else { return 0 }
    return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
  }
}
